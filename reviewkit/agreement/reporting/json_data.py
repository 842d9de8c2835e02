"""The report as JSON values: everything it holds, figures in full precision."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from reviewkit.agreement.measures.estimates import Differs, Measured
from reviewkit.agreement.reporting.methods import interval_rule, methods_paragraph
from reviewkit.agreement.reporting.model import AgreementReport, Part
from reviewkit.agreement.reporting.sufficiency import too_few, too_few_to_differ
from reviewkit.agreement.reporting.wording import headline, part_sentence


def json_values(report: AgreementReport) -> dict[str, Any]:
    """Return the report as JSON values.

    A figure that does not exist is null and has its sentence in ``why``; there is no NaN. Every
    estimate carries its n, raters, q, missing rule and intervals with method and seed; its
    categories stand once, with the part.
    """
    parts = {each.id: each.measured for each in report.parts}
    return {
        "kind": "agreement",
        "title": report.title,
        "raters": list(report.raters),
        "rater_word": report.rater_word,
        "notices": list(report.notices),
        "understood": list(report.understood),
        "sentences": list(map(_unmarked, headline(report))),
        "parts": [_part(each, report.rater_word) for each in report.parts],
        "differences": [_difference(each, parts) for each in report.differences],
        "disagreements": [asdict(each) for each in report.disagreements],
        "candidates": [asdict(each) for each in report.candidates],
        "consistency": [asdict(each) for each in report.consistency],
        "over_time": [asdict(each) for each in report.over_time],
        "method": _unmarked(methods_paragraph(report)),
        "facts": report.facts,
        "version": report.version,
    }


def json_text(report: AgreementReport) -> str:
    """Return the report as JSON (RFC 8259) with its letters as they are."""
    values = json_values(report)
    return json.dumps(values, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _unmarked(text: str) -> str:
    """Return a sentence without the marks that keep its order on a screen."""
    return text.replace("\u2068", "").replace("\u2069", "")


def _part(part: Part, rater_word: str) -> dict[str, Any]:
    measured = part.measured
    few = too_few(measured)
    return {
        "id": part.id,
        "title": part.title,
        "kind": part.kind,
        "nature": part.nature,
        "of": part.of,
        "mapping": {name: list(held) for name, held in part.mapping},
        "excluded": [asdict(each) for each in part.excluded],
        "sentence": _unmarked(part_sentence(measured, rater_word)),
        **measured.as_json(),
        "estimates": [{**each.as_json(), "insufficient": bool(few)} for each in measured.estimates],
        "insufficient": few,
        "interval_methods": {
            each.title: interval_rule(each.interval)
            for each in measured.estimates
            if each.interval is not None
        },
    }


def _difference(differs: Differs, parts: Mapping[str, Measured]) -> dict[str, Any]:
    sides = [parts[each] for each in (differs.one, differs.other) if each in parts]
    return {
        **asdict(differs),
        "one_estimate": differs.one_estimate.as_json(),
        "other_estimate": differs.other_estimate.as_json(),
        "insufficient": too_few_to_differ(differs, *sides),
    }
