"""What stands in the way of a freeze, all of it at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from reviewkit.authoring.retirement import retirement_faults
from reviewkit.authoring.second_review import SecondReview, second_reviews
from reviewkit.authoring.standing import State
from reviewkit.bank.rest import collector_at_rest
from reviewkit.decisions import LedgerBroken, Report
from reviewkit.problems import ProblemsFound, ReviewkitError
from reviewkit.questions import load_forms
from reviewkit.release.audit import Audit, audit_of
from reviewkit.release.codes import CODES
from reviewkit.release.freeze.chains import ledger_reports
from reviewkit.release.freeze.files import Listed, frozen_files, has_crlf
from reviewkit.release.freeze.log import Freeze, freezes
from reviewkit.release.guard import Guard, Piece, guard_of, people_named
from reviewkit.release.layers import layers_of
from reviewkit.release.material import Material, read_material
from reviewkit.release.waivers import load_waivers
from reviewkit.study import load_study
from reviewkit.workspace import Workspace

_TOLD_BY_GROUP = {"rejected-present"}
"""Hard checks that repeat what the standing of a group says."""
_UNACCEPTED: dict[State, tuple[str, str]] = {
    "unreviewed": ("not-accepted", "nobody has reviewed it; review it"),
    "skipped": ("not-accepted", "its reviewer skipped it; review it"),
    "needs_fix": (
        "not-accepted",
        "its verdict is that it needs a fix; mend it and have it judged again",
    ),
    "rejected": (
        "not-accepted",
        "its verdict is rejected; retire it, or mend it and have it judged again",
    ),
    "excluded": ("not-accepted", "the adjudicator took it out; retire it, or settle it again"),
    "changed": (
        "stale-verdict",
        "it, or its checklist, changed since its review; judge it again, if locked in a new round",
    ),
    "reviewed": ("verdict-withheld", "its verdict is closed until the locks; lock the passes"),
}


@dataclass(frozen=True, slots=True, order=True)
class Obstacle:
    """One thing that keeps a bank from being frozen."""

    code: str
    subject: str
    """A group, a file, a study, or ``bank``."""
    said: str
    """What it is and what to do; never a word of an item."""

    def __str__(self) -> str:
        return f"{self.code}: {self.subject}: {self.said}"


@dataclass(frozen=True, slots=True)
class Ready:
    """What was read to find the obstacles, for a freeze that meets none."""

    material: Material
    audit: Audit
    listed: Listed
    reports: tuple[Report, ...]
    before: tuple[Freeze, ...]
    second_reviews: tuple[SecondReview, ...]
    guard: Guard
    """What a certificate may not say."""


def obstacles(ws: Workspace, *, words: Iterable[str] = ()) -> tuple[Obstacle, ...]:
    """Return everything that stands in the way of freezing a project folder as it is.

    ``words`` are names that are words as well, and so are not sought in what is to be public.
    """
    return look(ws, words=words)[0]


@collector_at_rest()
def look(
    ws: Workspace, *, words: Iterable[str] = (), told: Mapping[str, str] | None = None, by: str = ""
) -> tuple[tuple[Obstacle, ...], Ready | None]:
    """Return the obstacles and, when everything could be read, what was read.

    Args:
        ws: the project folder.
        words: names that are words as well, and so are not sought.
        told: further texts that the certificate will hold, by what they are.
        by: who makes the freeze; it names nobody, and so not him.
    """
    found: list[Obstacle] = []
    listed = frozen_files(ws)
    found += _files(ws, listed)
    reports: tuple[Report, ...] = ()
    try:
        reports = ledger_reports(ws, load_forms(ws.checklists).by_digest)
        found += _ledgers(reports)
        before = freezes(ws)
        material = read_material(ws)
        audited = audit_of(material, load_waivers(ws))
        seconds = second_reviews(ws, material.bank)
        named = people_named(ws, material.bank) | {by.strip()} - {""}
        layers = material.layers or layers_of(ws, material.bank)
        guard = guard_of(ws, material.bank, layers, named, words=words)
        said = {f"{ws.shown(ws.layers)}, the seed": layers.seed, **(told or {})}
        found += [
            *_bank(audited),
            *_standings(material),
            *_pending_terms(material),
            *_retired(ws, material),
            *_second_reviews(seconds),
            *_retracted(material, before),
            *_unfit(ws, audited, seconds, guard, said),
        ]
    except ProblemsFound as faults:
        found += [
            Obstacle("fault", each.where, f"{each.wrong}; {each.remedy}")
            for each in faults.problems
        ]
    except LedgerBroken as broken:
        found.append(Obstacle("ledger-broken", f"{broken.file}:{broken.line}", broken.why))
    except ReviewkitError as situation:
        # a form that a study names and nobody has, for one
        found.append(Obstacle("fault", "project", str(situation)))
    else:
        return _each_once(found), Ready(
            material, audited, listed, reports, before, seconds, guard
        )  # fmt: skip
    return _each_once(found), None


def unfit(guard: Guard, subject: str, text: str) -> Iterator[Obstacle]:
    """Yield why a text of a certificate could not be published as it is."""
    for each in guard.faults_of([Piece(subject, text)]):
        yield Obstacle("unfit-to-publish", subject, f"it {each.wrong}; {each.remedy}")


def _unfit(
    ws: Workspace, audited: Audit, seconds: Iterable[SecondReview], guard: Guard,
    told: Mapping[str, str],
) -> Iterator[Obstacle]:  # fmt: skip
    """Yield what would stand in the certificate and may not be published."""
    for used in audited.waivers:
        if used.use == "in_force":
            where = f"{ws.shown(ws.waivers)}, the reason for {used.waiver.code}"
            yield from unfit(guard, where, used.waiver.reason)
    for name in dict.fromkeys([audited.standings.study, *(each.study for each in seconds)]):
        if name:
            yield from unfit(guard, f"the name of study {name}", name)
    for round_ in load_study(ws, audited.standings.study).rounds if audited.standings.study else ():
        yield from unfit(guard, f"the name of round {round_.round}", round_.round)
    for subject, text in told.items():
        yield from unfit(guard, subject, text)


def _each_once(found: Iterable[Obstacle]) -> tuple[Obstacle, ...]:
    return tuple(dict.fromkeys(found))


def _files(ws: Workspace, listed: Listed) -> Iterator[Obstacle]:
    for name in listed.irregular:
        yield Obstacle(
            "irregular-file", _printable(name),
            "it is a link or no regular file; put the real file there",
        )  # fmt: skip
    for name in listed.files:
        if _printable(name) != name:
            yield Obstacle(
                "file-name", _printable(name), "its name is not UTF-8; give it another name"
            )
        elif has_crlf(ws.root / name):
            yield Obstacle(
                "line-ends", name,
                "its lines end in CRLF, which git would change; save it with LF",
            )  # fmt: skip


def _printable(name: str) -> str:
    return os.fsencode(name).decode("utf-8", errors="backslashreplace")


def _ledgers(reports: Iterable[Report]) -> Iterator[Obstacle]:
    for report in reports:
        for each in report.problems:
            yield Obstacle("ledger-broken", each.where, f"{each.wrong}; {each.remedy}")
        if report.pending is not None:
            whole = report.pending.whole
            what = "its last record lost its newline" if whole else "its last line was cut off"
            yield Obstacle("ledger-torn", report.file, f"{what}; its owner's next save mends it")


def _bank(audited: Audit) -> Iterator[Obstacle]:
    if not audited.groups:
        yield Obstacle("empty-bank", "bank", "it holds no group; there is nothing to freeze")
    for each in audited.hard:
        if each.code not in _TOLD_BY_GROUP:
            code = CODES[each.code]
            counted = f" ({each.counted})" if each.counted else ""
            yield Obstacle(
                "hard-check", each.subject, f"{each.code}: {code.title}{counted}; {code.remedy}"
            )


def _standings(material: Material) -> Iterator[Obstacle]:
    standings = material.standings
    if not standings.study:
        several = f": {', '.join(standings.several)} all claim to be" if standings.several else ""
        yield Obstacle(
            "no-study-of-record", "bank",
            f"no single study says what stands{several}; mark one study `of_record`",
        )  # fmt: skip
        return
    for group in material.groups:
        state = standings.of(group.template_id).state
        if state != "accepted":
            code, said = _UNACCEPTED[state]
            yield Obstacle(code, group.template_id, said)


def _pending_terms(material: Material) -> Iterator[Obstacle]:
    """Yield groups with unclassed terms, waived or not: nobody could count what they stand for."""
    for group in material.groups:
        number = sum(term.term_class == "pending" for term in group.term_watchlist)
        if number:
            terms = "1 term waits" if number == 1 else f"{number} terms wait"
            yield Obstacle(
                "pending-term", group.template_id, f"{terms} for a class; class the watchlist"
            )


def _retired(ws: Workspace, material: Material) -> Iterator[Obstacle]:
    for each in retirement_faults(ws, material.bank):
        yield Obstacle("retirement", each.where, f"{each.wrong}; {each.remedy}")


def _second_reviews(reviews: Iterable[SecondReview]) -> Iterator[Obstacle]:
    """Yield second reviews that are not closed; what failed in them stands at its group."""
    for each in reviews:
        if each.unfinished:
            yield Obstacle("second-review-open", each.study, each.unfinished)
        elif not each.is_closed:
            yield Obstacle("second-review-open", each.study, each.said)


def _retracted(material: Material, before: Iterable[Freeze]) -> Iterator[Obstacle]:
    """Yield what was withdrawn from an earlier freeze and stands in the bank as it was."""
    taken = {each: (digest, freeze.name) for freeze in before
             for each, digest in freeze.retracted.items()}  # fmt: skip
    for group in material.groups:
        for name, digest in (
            (group.template_id, group.digest), *((item.id, item.digest) for item in group.items)
        ):  # fmt: skip
            if name in taken and taken[name][0] == digest:
                yield Obstacle(
                    "retracted", name,
                    f"it was withdrawn from freeze {taken[name][1]}; retire it or mend it",
                )  # fmt: skip
