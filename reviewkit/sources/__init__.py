"""How files are read: YAML, JSONL and tables as text with line numbers, then as models.

Every scalar stays text, so ``yes``, ``007`` and ``NA`` arrive as written. Every fault is a
``Problem`` with file and line, and all faults of a file, or of many, are raised together.
"""

from reviewkit.sources.build import build, told
from reviewkit.sources.jsonl_files import load_jsonl
from reviewkit.sources.source import Gathering, Loc, ReadFaults, Source, collect
from reviewkit.sources.tables import Table, capped, read_table
from reviewkit.sources.yaml_files import load_yaml

__all__ = [
    "Gathering",
    "Loc",
    "ReadFaults",
    "Source",
    "Table",
    "build",
    "capped",
    "collect",
    "load_jsonl",
    "load_yaml",
    "read_table",
    "told",
]
