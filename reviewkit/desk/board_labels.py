"""What the board shows of a round once its labels are open: agreement, and where the coders differ.

Every caller passes an ``OpenRound``, which nobody gets while a pass is open and no unblinding is
recorded. No rater is named here: passes have names, and codings of a card stand in blind order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from reviewkit.agreement.coefficients import Figure, Table
from reviewkit.agreement.passes.coding_report import CodingComparison, CodingReport
from reviewkit.agreement.passes.codings import compare_codings
from reviewkit.agreement.passes.report import Report
from reviewkit.agreement.passes.verdicts import compare_passes
from reviewkit.decisions import Record
from reviewkit.desk.board_wording import BoardWording, isolated, percent
from reviewkit.questions import AnswerValue, Codebook, Form, FormShelf, Span, say
from reviewkit.questions.answers import REJECTED
from reviewkit.study import OpenPass, OpenRound, Study
from reviewkit.study.hearing import AdjudicationProgress
from reviewkit.study.queue import (
    VERDICT,
    compared_names,
    differing,
    in_blind_order,
)
from reviewkit.study.study import Adjudication

View = dict[str, Any]
LISTED = 400
"""The most disagreements that are listed; more are counted."""


class OpenLabels:
    """One open round, as the board words it."""

    def __init__(
        self,
        study: Study,
        opened: OpenRound,
        shelf: FormShelf,
        codebook: Codebook | None,
        cards: Mapping[str, Sequence[str]],
        wording: BoardWording,
    ) -> None:
        self._study = study
        self._opened = opened
        self._shelf = shelf
        self._codebook = codebook
        self._cards = cards
        self._say = wording
        self._codings = self._gathered()

    def render(self, progress: AdjudicationProgress | None) -> View:
        """Return agreement, disagreements and the state of the adjudication."""
        differ = self.differing()
        listed = [
            {"card_id": card_id, "what": self._say.listed(self._titles(card_id, names))}
            for card_id, names in list(differ.items())[:LISTED]
        ]
        return {
            "notices": list(self._opened.notices),
            "pairs": [self._pair(one, two) for one, two in self._pairs()],
            "differ": listed,
            "differ_count": self._say.word("differ_count", n=len(differ), total=self._shared()),
            "more": max(0, len(differ) - LISTED),
            "adjudication": self._adjudication(progress),
        }

    # agreement

    def _pairs(self) -> Iterator[tuple[OpenPass, OpenPass]]:
        for one, two in combinations(self._opened.passes, 2):
            if self._both_had(one, two):
                yield one, two

    def _both_had(self, one: OpenPass, two: OpenPass) -> list[str]:
        others = set(self._cards.get(two.pass_, ()))
        return [card for card in self._cards.get(one.pass_, ()) if card in others]

    def _pair(self, one: OpenPass, two: OpenPass) -> View:
        names, cards = (one.pass_, two.pass_), self._both_had(one, two)
        wanted = set(cards)
        first, second = (
            {card: record for card, record in each.decisions.items() if card in wanted}
            for each in (one, two)
        )
        if self._codebook is not None:
            codings = compare_codings(first, second, self._codebook, names=names, cards=cards)
            rows = self._coding_rows(codings, self._codebook)
        else:
            verdicts = compare_passes(
                first, second, self._shelf.checklist, names=names, cards=cards
            )
            rows = self._verdict_rows(verdicts)
        return {"heading": self._say.word("pair", one=names[0], two=names[1]), "rows": rows}

    def _coding_rows(self, report: CodingReport, codebook: Codebook) -> list[View]:
        wanted = self._compared(codebook)
        chosen = [
            each
            for each in report.comparisons
            if each.kind in ("span_class", "span_flag") or each.id in wanted
        ]
        order = [field.id for field in codebook.fields]
        # a collapse stands below its field, what is derived of several fields below them all
        chosen.sort(key=lambda each: order.index(each.of) if each.of in order else len(order))
        tables = [each for each in chosen if each.table is not None] or chosen
        headline = next((each for each in tables if each.kind == "collapse"), tables[0])
        return [
            self._row(
                self._title_of(each, codebook),
                each.agree, each.n, each.total, each.figure("kappa"), each.figure("ac1"),
                table=each.table,
                left=[(group.reason, len(group.units)) for group in each.left_out],
                headline=each is headline,
                kind=each.kind,
            )
            for each in chosen
        ]  # fmt: skip

    def _compared(self, codebook: Codebook) -> set[str]:
        """Return the compared fields and values, with every collapse beside its field."""
        names = set(compared_names(codebook, self._study.adjudication or _EVERYTHING))
        collapses = [each for each in codebook.derived if each.op == "collapse"]
        names |= {each.id for each in collapses if each.of[0] in names}
        return names | {each.of[0] for each in collapses if each.id in names}

    def _title_of(self, each: CodingComparison, codebook: Codebook) -> str:
        titles = {one.id: say(one.title, self._say.language) for one in codebook.derived}
        if each.kind == "span_class":
            return self._say.word("class_of_places", field=each.of.replace("_", " "))
        return titles.get(each.id, each.id.replace("_", " "))

    def _verdict_rows(self, report: Report) -> list[View]:
        wanted = {
            "verdict": self._say.word("verdict"),
            "verdict_binary": self._say.word("verdict_binary"),
            "pooled": self._say.word("all_checks"),
        }
        return [
            self._row(
                wanted[each.kind],
                each.table.agree, each.n, each.total, each.figure("kappa"), each.figure("ac1"),
                table=each.table,
                left=[(group.reason, len(group.units)) for group in each.left_out],
                headline=each.kind == "verdict_binary",
                kind="collapse" if each.kind == "verdict_binary" else "choice",
            )
            for kind in wanted
            for each in report.comparisons
            if each.kind == kind
        ]  # fmt: skip

    def _row(
        self, title: str, agree: int, n: int, total: int, kappa: Figure, ac1: Figure, *,
        table: Table | None, left: Sequence[tuple[str, int]], headline: bool, kind: str,
    ) -> View:  # fmt: skip
        codes = "" if table is None else self._say.word("of_codes", q=table.q)
        return {
            "title": title,
            "kind": kind,
            "headline": headline,
            "percent": percent(agree, n) or self._say.word("nothing_compared"),
            "count": self._say.word("count_of", agree=agree, n=n),
            "codes": codes,
            "kappa": self._figure(kappa),
            "kappa_why": self._say.why(kappa.why),
            "ac1": self._figure(ac1),
            "ac1_why": self._say.why(ac1.why),
            "left_out": self._say.word("left_out_of", n=total - n, total=total),
            "why_left_out": [f"{count}: {self._say.reason(reason)}" for reason, count in left],
        }

    def _figure(self, figure: Figure) -> str:
        return self._say.word("undefined") if figure.value is None else f"{figure.value:.3f}"

    # where they differ

    def _gathered(self) -> dict[str, list[Record]]:
        """Return card -> the judgements of every pass that has it, in the order of the first."""
        found: dict[str, list[Record]] = {}
        for each in self._opened.passes:
            for card in self._cards.get(each.pass_, ()):
                if card in each.decisions:
                    found.setdefault(card, []).append(each.decisions[card])
        return found

    def _shared(self) -> int:
        decided = (
            sum(record.kind == "decision" for record in records)
            for records in self._codings.values()
        )
        return sum(count > 1 for count in decided)

    def _form(self, records: Sequence[Record]) -> Form | None:
        if self._codebook is not None:
            return self._codebook
        digests = (record.form_digest for record in records if record.form_digest)
        return next((form for each in digests if (form := self._shelf.by_digest(each))), None)

    def _names(self, records: Sequence[Record]) -> tuple[str, ...]:
        form = self._form(records)
        if form is None:
            return ()
        if isinstance(form, Codebook):
            wanted = self._compared(form)
            every = (*(each.id for each in form.fields), *(each.id for each in form.derived))
            return tuple(name for name in every if name in wanted)
        return compared_names(form, self._study.adjudication or _EVERYTHING)

    def differing(self) -> dict[str, tuple[str, ...]]:
        """Return card -> the fields, values or checks on which its coders differ."""
        found = {
            card_id: self._told_apart(records, differing(records, self._names(records)))
            for card_id, records in sorted(self._codings.items())
        }
        return {card_id: names for card_id, names in found.items() if names}

    def _told_apart(self, records: Sequence[Record], names: Sequence[str]) -> tuple[str, ...]:
        """Return the names without a derived value that one coder has not: it is not compared."""
        coded = [record for record in records if record.kind == "decision"]
        lacking = {name for each in coded for name, value in each.derived.items() if not value}
        return tuple(name for name in names if name not in lacking)

    def _titles(self, card_id: str, names: Sequence[str]) -> list[str]:
        form = self._form(self._codings.get(card_id, ()))
        language = self._say.language
        titles = (
            {each.id: say(each.title, language) for each in form.derived}
            if isinstance(form, Codebook)
            else {VERDICT: self._say.word("verdict")}
        )
        return [isolated(titles.get(name, name.replace("_", " "))) for name in names]

    def card(self, card_id: str) -> View | None:
        """Return what every coder said on a card, in blind order and without names."""
        records = self._codings.get(card_id)
        if not records:
            return None
        ordered = in_blind_order(card_id, records)
        names = self.differing().get(card_id, ())
        headings = ("one_coder", "other_coder") if len(ordered) == 2 else ()
        return {
            "card_id": card_id,
            "differ_said": self._say.listed(self._titles(card_id, names)),
            "codings": [
                {
                    "heading": self._say.word(headings[at])
                    if headings
                    else self._say.word("coder_number", n=at + 1),
                    "rows": self._said(record, names),
                    "note": record.note,
                    "unsure": record.unsure,
                }
                for at, record in enumerate(ordered)
            ],
        }

    def _said(self, record: Record, differ: Sequence[str]) -> list[View]:
        if record.kind == "skip":
            return [{"title": "", "said": self._say.word("skipped_card"), "differs": False}]
        form = self._shelf.by_digest(record.form_digest or "") or self._form([record])
        if isinstance(form, Codebook):
            return [*self._fields_said(record, form, differ), *self._derived(record, form, differ)]
        rows = [
            {"title": name.replace("_", " "), "said": self._say.name("answer", str(value)),
             "differs": name in differ}
            for name, value in record.answers.items()
        ]  # fmt: skip
        verdict = self._say.name("verdict_of", record.verdict or "")
        first = {
            "title": self._say.word("verdict"),
            "said": verdict,
            "differs": VERDICT in differ,
        }
        return [first, *rows]

    def _fields_said(self, record: Record, form: Codebook, differ: Sequence[str]) -> list[View]:
        language = self._say.language
        rows: list[View] = []
        for field in form.fields:
            if field.id not in record.asked:
                continue
            titles = {code.id: say(code.title, language) for code in field.codes}
            titles |= {each: self._say.name("answer", each) for each in ("yes", "no")}
            titles[REJECTED] = self._say.word("rejected")
            rows.append(
                {
                    "title": field.id.replace("_", " "),
                    "said": self._answer(record.answers.get(field.id), titles),
                    "differs": field.id in differ,
                }
            )
        return rows

    def _derived(self, record: Record, form: Codebook, differ: Sequence[str]) -> list[View]:
        language = self._say.language
        return [
            {
                "title": say(each.title, language),
                "said": say(each.titles[value], language) if value in each.titles else value or "–",
                "differs": each.id in differ,
            }
            for each in form.derived
            for value in (record.derived.get(each.id, ""),)
        ]

    def _answer(self, value: AnswerValue | None, titles: Mapping[str, str]) -> str:
        if not value:
            return "–"
        if isinstance(value, str):
            return _code(value, titles)
        return "; ".join(
            f"{each.term or f'{each.start}–{each.end}'}: {_code(each.code, titles)}"
            + "".join(f", {name}" for name, said in each.flags.items() if said == "yes")
            if isinstance(each, Span)
            else _code(each, titles)
            for each in value
        )

    # adjudication

    def _adjudication(self, progress: AdjudicationProgress | None) -> View | None:
        settings = self._study.adjudication
        if progress is None or settings is None or not progress.opened:
            return None
        left = progress.queue - progress.settled - progress.excluded
        return {
            "queue": progress.queue,
            "settled": progress.settled,
            "excluded": progress.excluded,
            "left": left,
            "text": self._say.word(
                "adjudicated", settled=progress.settled, excluded=progress.excluded, left=left
            ),
            "rule": self._say.word(f"queue_{settings.queue}"),
            "adjudicator": settings.adjudicator,
        }


def _code(code: str, titles: Mapping[str, str]) -> str:
    title = titles.get(code, "")
    # a code that is an abbreviation is what people say aloud; it stands before its title
    return f"{code} · {title}" if title and len(code) <= 3 and code.isupper() else title or code


_EVERYTHING = Adjudication(adjudicator="lead")
"""How fields are compared in a study that names no adjudicator."""
