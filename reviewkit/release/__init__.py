"""What we publish, and what must hold before: the audit of a bank."""

from reviewkit.release.audit import Audit, Figures, audit, audit_of
from reviewkit.release.codes import CODES, Code, Severity
from reviewkit.release.findings import Finding
from reviewkit.release.layers import Layers, layers_of, seal
from reviewkit.release.material import Material, read_material
from reviewkit.release.redrawing import verify_layers
from reviewkit.release.waivers import Used, Waiver, add_waiver, load_waivers

__all__ = [
    "CODES", "Audit", "Code", "Figures", "Finding", "Layers", "Material", "Severity", "Used",
    "Waiver", "add_waiver", "audit", "audit_of", "layers_of", "load_waivers",
    "read_material", "seal", "verify_layers",
]  # fmt: skip
