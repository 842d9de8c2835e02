"""What was found in a study, said before any figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reviewkit.agreement.of_study.material import Material, OnePass
from reviewkit.agreement.of_study.question import Question
from reviewkit.agreement.reporting.model import Part
from reviewkit.agreement.reporting.printed import counted, listed


def understood(
    material: Material, questions: Sequence[Question], parts: Sequence[Part]
) -> tuple[str, ...]:
    """Return the sentences: the passes, the cards, the categories, what is compared of how many."""
    round_ = material.round
    cards = len(material.cards.ids)
    coding = round_.codebook is not None
    title = f" ({material.title})" if material.title else ""
    passes = listed([_pass(each, coding) for each in round_.passes])
    whole = (
        f"Study {material.study}{title}, round {round_.name}: {counted(cards, 'card')},"
        f" {_what(material)}, passes {passes}."
    )
    told = [whole]
    shared = Counter(card for each in round_.passes for card in each.cards)
    single = sum(count == 1 for count in shared.values())
    if single:
        were = "was" if single == 1 else "were"
        told.append(
            f"{counted(single, 'card')} {were} given to one pass only and can show no agreement."
        )
    for question, part in zip(questions, parts, strict=True):
        if question.kind in ("whole", "pooled", "field", "places"):
            told.append(_of_question(question, part))
    return tuple(told)


def _what(material: Material) -> str:
    codebook = material.round.codebook
    if codebook is not None:
        return f"coded with {codebook.name}"
    judged = Counter(
        f"{record.form}@{record.form_version}"
        for card in material.cards.ids
        if (record := next((
            found for each in material.round.passes
            if (found := each.records.get(card)) is not None and found.form
        ), None)) is not None
    )  # fmt: skip
    forms = listed([f"{name} ({count})" for name, count in sorted(judged.items())])
    return f"reviewed with {forms}" if judged else "reviewed by nobody yet"


def _pass(each: OnePass, coding: bool) -> str:
    kinds = Counter(record.kind for card, record in each.records.items() if card in each.cards)
    skipped = f", {kinds['skip']} skipped" if kinds["skip"] else ""
    word = "coded" if coding else "judged"
    state = "" if each.locked else ", not locked"
    return f"{each.name} ({kinds['decision']} of {len(each.cards)} {word}{skipped}{state})"


def _of_question(question: Question, part: Part) -> str:
    n, of = part.measured.paired, len(question.units)
    what = "answers" if question.kind == "pooled" else question.title
    categories = ", ".join(part.measured.categories)
    if question.sets is not None:
        categories = "sets of codes"
    elif question.alike_only:
        categories = "the same or not"
    clusters = part.measured.clusters
    over = f", in {clusters[1]} clusters ({clusters[0]})" if clusters else ""
    return f"{what}: {n} of {counted(of, question.unit)} compared{over}; categories: {categories}."
