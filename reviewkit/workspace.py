"""Where things lie: the one module that knows the names of a project folder.

A project folder is recognised by ``bank/taxonomy.yaml`` and ``checklists/``. Notebooks and Voila
run with the notebook's folder as working directory, so the search goes upward from there;
``REVIEWKIT_WORKSPACE`` overrides it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from reviewkit.problems import ReviewkitError

PRIVATE = ".reviewkit"
"""The folder that other accounts of the machine may not enter."""


class NoWorkspace(ReviewkitError):
    """No project folder here or above."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """A project folder and the places in it."""

    root: Path

    @property
    def bank(self) -> Path:
        """``bank/``: what is judged."""
        return self.root / "bank"

    @property
    def groups(self) -> Path:
        """``bank/groups/``: one file per template group."""
        return self.bank / "groups"

    @property
    def taxonomy(self) -> Path:
        """``bank/taxonomy.yaml``: domains, forms, cells and the closed lists."""
        return self.bank / "taxonomy.yaml"

    @property
    def registry(self) -> Path:
        """``bank/registry.yaml``: documented events and their sources."""
        return self.bank / "registry.yaml"

    @property
    def responses(self) -> Path:
        """``bank/responses/``: imported tables of model responses."""
        return self.bank / "responses"

    def response_file(self, name: str, ending: str = ".jsonl") -> Path:
        """``bank/responses/<name>.jsonl``, or its mapping (``.yaml``) or hidden columns.

        ``.hidden.jsonl`` is for the lead's side alone.
        """
        return self.responses / f"{name}{ending}"

    @property
    def watchlists(self) -> Path:
        """``bank/watchlists/``: frozen lists of terms."""
        return self.bank / "watchlists"

    @property
    def leakage(self) -> Path:
        """``bank/leakage/``: phrases by which a prompt gives its criterion away."""
        return self.bank / "leakage"

    @property
    def plan(self) -> Path:
        """``bank/plan.yaml``: how large the bank is to be, and its bands."""
        return self.bank / "plan.yaml"

    @property
    def adjudication_plan(self) -> Path:
        """``bank/adjudication.yaml``: what people judge of the models' answers."""
        return self.bank / "adjudication.yaml"

    @property
    def axes(self) -> Path:
        """``bank/axes.yaml``: the variables and the values that may be swapped for each other."""
        return self.bank / "axes.yaml"

    @property
    def waivers(self) -> Path:
        """``bank/waivers.yaml``: warnings of the audit that somebody answers for."""
        return self.bank / "waivers.yaml"

    @property
    def batches(self) -> Path:
        """``bank/batches.yaml``: which groups were authored together, and when."""
        return self.bank / "batches.yaml"

    @property
    def retired(self) -> Path:
        """``bank/retired/``: files of groups that left the bank; their identifiers stay taken."""
        return self.bank / "retired"

    @property
    def retirements(self) -> Path:
        """``rulings/retirements.jsonl``: which group left the bank, when, why and into which."""
        return self.rulings / "retirements.jsonl"

    @property
    def layers(self) -> Path:
        """``bank/layers.yaml``: which groups are sealed, and by which draw."""
        return self.bank / "layers.yaml"

    @property
    def instantiation(self) -> Path:
        """``bank/instantiation.yaml``: what this society keeps, rebuilds and decides."""
        return self.bank / "instantiation.yaml"

    @property
    def statements(self) -> Path:
        """``bank/statements/``: positionality, competing interests, harm review."""
        return self.bank / "statements"

    @property
    def checklists(self) -> Path:
        """``checklists/``: the forms."""
        return self.root / "checklists"

    @property
    def defect_families(self) -> Path:
        """``checklists/defects/families.yaml``: kinds of defects, and which checks suggest them."""
        return self.checklists / "defects" / "families.yaml"

    @property
    def guide_rules(self) -> Path:
        """``checklists/guides/``: the authors' rules, across types and per type."""
        return self.checklists / "guides"

    @property
    def rulings(self) -> Path:
        """``rulings/``: what people decided."""
        return self.root / "rulings"

    @property
    def store_file(self) -> Path:
        """``rulings/store.yaml``: the database that keeps what people write, when there is one."""
        return self.rulings / "store.yaml"

    @property
    def rulings_log(self) -> Path:
        """``rulings/rulings.jsonl``: the numbered rulings."""
        return self.rulings / "rulings.jsonl"

    @property
    def rulings_page(self) -> Path:
        """``rulings/RULINGS.md``: the same, to read."""
        return self.rulings / "RULINGS.md"

    @property
    def guides(self) -> Path:
        """``rulings/guides/``: the editions of the guide, and their record."""
        return self.rulings / "guides"

    @property
    def guide_editions(self) -> Path:
        """``rulings/guides/editions.jsonl``: number, digest and rulings of every edition."""
        return self.guides / "editions.jsonl"

    @property
    def freezes(self) -> Path:
        """``rulings/freezes/``: a folder per freeze, and what happened since."""
        return self.rulings / "freezes"

    @property
    def freeze_log(self) -> Path:
        """``rulings/freezes/log.jsonl``: freezes, withdrawals, amendments and deviations."""
        return self.freezes / "log.jsonl"

    @property
    def publications(self) -> Path:
        """``rulings/publications.jsonl``: what was published, and which groups were held back."""
        return self.rulings / "publications.jsonl"

    @property
    def pseudonym_key(self) -> Path:
        """``.reviewkit/pseudonyms.key``: what decides the order of pseudonyms; never in git."""
        return self.private / "pseudonyms.key"

    @property
    def notebooks(self) -> Path:
        """``notebooks/``: one file per app."""
        return self.root / "notebooks"

    @property
    def private(self) -> Path:
        """``.reviewkit/``: link hashes and server state; never in git."""
        return self.root / PRIVATE

    @property
    def links(self) -> Path:
        """``.reviewkit/links.jsonl``: the hashes of personal links."""
        return self.private / "links.jsonl"

    @property
    def servers(self) -> Path:
        """``.reviewkit/servers/``: a file per server that runs, see ``desk/server/listening``."""
        return self.private / "servers"

    @property
    def secret(self) -> Path:
        """``.reviewkit/secret``: what signs the cookies of visitors; never in git."""
        return self.private / "secret"

    @property
    def index(self) -> Path:
        """``.reviewkit/index/``: where each response of a table stands; can be made anew."""
        return self.private / "index"

    @property
    def contents(self) -> Path:
        """``.reviewkit/contents/``: texts that verdicts were made on, by digest."""
        return self.private / "contents"

    def study_folder(self, study: str) -> Path:
        """``rulings/<study>/``: the study file and the ledgers of its passes."""
        return self.rulings / study

    def study_file(self, study: str) -> Path:
        """``rulings/<study>/study.yaml``."""
        return self.study_folder(study) / "study.yaml"

    def ledger(self, study: str, pass_name: str, rater: str) -> Path:
        """``rulings/<study>/<pass>/<rater>.jsonl``: the one file that a rater's desk writes."""
        return self.study_folder(study) / pass_name / f"{rater}.jsonl"

    def pins(self, study: str, round_name: str) -> Path:
        """``rulings/<study>/round-<round>.pins.json``: what a round holds fast when it starts."""
        return self.study_folder(study) / f"round-{round_name}.pins.json"

    def card_book(self, study: str) -> Path:
        """``rulings/<study>/cards.jsonl``: who has which card."""
        return self.study_folder(study) / "cards.jsonl"

    def second_review_log(self, study: str) -> Path:
        """``rulings/<study>/second-review.jsonl``: how a second review began, widened and ended."""
        return self.study_folder(study) / "second-review.jsonl"

    def lead_ledger(self, study: str) -> Path:
        """``rulings/<study>/lead.jsonl``: acts of the lead, e.g. an unblinding."""
        return self.study_folder(study) / "lead.jsonl"

    def shown(self, path: Path) -> str:
        """Return ``path`` as messages name it: relative to the project folder, with slashes."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return str(path)


def find_workspace(start: Path | None = None) -> Workspace:
    """Return the project folder at or above ``start`` (default: the working directory).

    Raises NoWorkspace when there is none.
    """
    named = os.environ.get("REVIEWKIT_WORKSPACE")
    origin = Path(named) if named else (start or Path.cwd())
    origin = origin.resolve()
    for folder in (origin, *origin.parents):
        if (folder / "bank" / "taxonomy.yaml").is_file() and (folder / "checklists").is_dir():
            return Workspace(folder)
        if named:
            break
    raise NoWorkspace(
        f"{origin}: no bank/taxonomy.yaml and checklists/ here"
        + ("" if named else " or in any folder above")
        + "; change into a project folder or make one with `reviewkit init`"
    )


def make_folder(folder: Path) -> list[Path]:
    """Make a folder and what is missing above it, and return what was made, the highest first.

    ``.reviewkit`` and all below it are for their owner alone, whoever happens to need them first.
    """
    missing: list[Path] = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir(0o700 if PRIVATE in each.parts else 0o777, exist_ok=True)
    return missing[::-1]


def shipped(name: str) -> Path:
    """Return a folder of the project layout that comes with reviewkit (``checklists``, ``bank``).

    An installed wheel carries them inside the package; in a checkout they lie at its root.
    """
    package = Path(__file__).parent
    inside = package / "_project" / name
    return inside if inside.is_dir() else package.parent / name
