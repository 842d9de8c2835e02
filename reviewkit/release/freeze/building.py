"""What goes into a certificate, gathered from the folder and from what the audit found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import ValidationError

from reviewkit.decisions import effective_judgements, lock_in_force
from reviewkit.digests import canonical_json
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.questions import load_forms
from reviewkit.release.freeze.agreements import agreements_within
from reviewkit.release.freeze.certificate import (
    SCHEMA_VERSION,
    Certificate,
    FormUsed,
    PassOfRecord,
    Predecessor,
    Review,
    Versions,
    WaiverInForce,
)
from reviewkit.release.freeze.facts import GroupFacts, all_facts, counts_of
from reviewkit.release.freeze.files import only_grows, sums_from_text
from reviewkit.release.freeze.log import Freeze
from reviewkit.release.freeze.obstacles import Ready
from reviewkit.release.freeze.outcomes import (
    guide_edition,
    layers_drawn,
    rulings_tip,
    second_agreements,
    second_outcomes,
)
from reviewkit.release.guard import Outside
from reviewkit.study import Study, load_study
from reviewkit.study.board import pass_records
from reviewkit.workspace import Workspace


def build_certificate(
    ws: Workspace,
    ready: Ready,
    *,
    freeze_name: str,
    time: str,
    versions: Versions,
    sums: Mapping[str, str],
    digests: Mapping[str, str],
) -> Certificate:
    """Return the certificate of a bank in whose way nothing stands.

    Args:
        ws: the project folder.
        ready: what was read to see that nothing stands in the way.
        freeze_name: what the freeze is called.
        time: when the files were read.
        versions: what reads them.
        sums: path -> SHA-256 of every frozen file.
        digests: the SHA-256 of ``SHA256SUMS``, ``groups.jsonl`` and ``ledgers.json``.
    """
    study = load_study(ws, ready.audit.standings.study)
    facts = all_facts(ready.material)
    before = ready.before[-1] if ready.before else None
    bank, seconds = ready.material.bank, ready.second_reviews
    outside = Outside(ready.guard)
    return Certificate(
        schema_version=SCHEMA_VERSION,
        freeze=freeze_name,
        time=time,
        bank_digest=ready.audit.digest,
        files=len(sums),
        sums_digest=digests["SHA256SUMS"],
        groups_digest=digests["groups.jsonl"],
        ledgers_digest=digests["ledgers.json"],
        predecessor=_predecessor(before, facts, sums) if before else None,
        counts=counts_of(ready.material, facts),
        forms=_forms(ws, study),
        guide=guide_edition(ws),
        rulings=rulings_tip(ws),
        review=_review(ws, study, ready, outside.passes(study)),
        agreements=(
            *agreements_within(ws, study, outside), *second_agreements(ws, seconds, outside)
        ),
        second_reviews=second_outcomes(seconds),
        waivers=tuple(
            WaiverInForce(
                code=used.waiver.code, ids=tuple(used.waiver.ids), reason=used.waiver.reason,
                given_on=used.waiver.given_on,
            )
            for used in ready.audit.waivers
            if used.use == "in_force"
        ),
        warnings=dict(sorted(Counter(each.code for each in ready.audit.warnings).items())),
        layers=layers_drawn(ws, bank),
        versions=versions,
    )  # fmt: skip


def groups_as_lines(facts: Iterable[GroupFacts]) -> bytes:
    """Return ``groups.jsonl``: the facts of a group on each line, in the order of ids."""
    return b"".join(canonical_json(each.model_dump(mode="json")) + b"\n" for each in facts)


def read_groups(path: Path, shown: str) -> tuple[GroupFacts, ...]:
    """Return the facts that a freeze wrote; ProblemsFound when the file is not what it wrote."""
    remedy = "put the file back as it was, from git or a backup"
    try:
        return tuple(
            GroupFacts.model_validate_json(line) for line in path.read_bytes().splitlines()
        )
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise ProblemsFound([Problem(shown, why, remedy)]) from error
    except ValidationError as error:
        raise ProblemsFound([Problem(shown, "a line is not a group's facts", remedy)]) from error


def _forms(ws: Workspace, study: Study) -> tuple[FormUsed, ...]:
    asked = {form: test_type for test_type, form in study.forms.items()}
    return tuple(
        FormUsed(form=each.name, digest=each.digest, test_type=asked.get(each.name, ""))
        for each in load_forms(ws.checklists).forms
    )


def _review(ws: Workspace, study: Study, ready: Ready, called: Mapping[str, str]) -> Review:
    passes: list[PassOfRecord] = []
    for round_ in study.rounds:
        for each in round_.passes:
            records = pass_records(ws, study, each)
            lock = lock_in_force(records)
            judged = effective_judgements(records).values()
            passes.append(
                PassOfRecord(
                    round=round_.round,
                    pass_=called[each.pass_],
                    judged=sum(record.kind != "skip" for record in judged),
                    locked=lock is not None,
                    lock=str(lock.details["digest"]) if lock else "",
                )
            )
    standings = ready.audit.standings.groups.values()
    by = Counter(called.get(each.by, each.by) for each in standings)
    return Review(study=study.study, passes=tuple(passes), settled_by=dict(sorted(by.items())))


def _predecessor(
    before: Freeze, facts: Iterable[GroupFacts], sums: Mapping[str, str]
) -> Predecessor:
    shown = f"{before.name}/groups.jsonl"
    then = {each.group: each.digest for each in read_groups(before.folder / "groups.jsonl", shown)}
    now = {each.group: each.digest for each in facts}
    return Predecessor(
        freeze=before.name,
        bank_digest=before.bank_digest,
        certificate_digest=before.certificate_digest,
        added=tuple(sorted(now.keys() - then.keys())),
        removed=tuple(sorted(then.keys() - now.keys())),
        changed=tuple(sorted(each for each in now.keys() & then.keys() if now[each] != then[each])),
        files=_files_since(before, sums),
    )


def _files_since(before: Freeze, sums: Mapping[str, str]) -> dict[str, int]:
    """Return how many files came, went and changed; groups are told by name, ledgers grow."""

    def counted(listed: Mapping[str, str]) -> dict[str, str]:
        return {
            path: digest
            for path, digest in listed.items()
            if not path.startswith("bank/groups/") and not only_grows(path)
        }

    path = before.folder / "SHA256SUMS"
    listed = sums_from_text(path.read_bytes()) if path.is_file() else None
    if listed is None:
        wrong, remedy = "is not a list of sums", "put it back as it was, from git or a backup"
        raise ProblemsFound([Problem(f"{before.name}/SHA256SUMS", wrong, remedy)])
    then, now = counted(listed), counted(sums)
    return {
        "added": len(now.keys() - then.keys()),
        "removed": len(then.keys() - now.keys()),
        "changed": sum(now[each] != then[each] for each in now.keys() & then.keys()),
    }
