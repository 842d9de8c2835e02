"""A card made of a template group: its texts laid side by side, with every difference marked.

Texts of one register and language are compared among themselves: a dialect twin is another
wording of its standard version, so the two are laid side by side and not compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from reviewkit.bank.families import families_of
from reviewkit.bank.items import Group, Item
from reviewkit.bank.taxonomy import Writing
from reviewkit.cards.card import Card, CardText, Paragraph
from reviewkit.cards.contexts import compare_contexts, compare_options
from reviewkit.cards.differences import compare_texts, seek
from reviewkit.cards.marking import Segments, count_differences, mark_plain
from reviewkit.cards.stubs import has_placeholder, is_far_shorter, is_stub, words_read
from reviewkit.cards.tags import KnowsRegisters, facts_of, fields_of, is_dialect
from reviewkit.cards.twins import (
    PLACEHOLDER,
    compare_twins,
    normalised,
    repeated,
    repeated_once_normalised,
)

_LETTERS = {"ar": ("أ", "ب", "ج", "د", "هـ", "و"), "": ("A", "B", "C", "D", "E", "F")}

FINDING_OF_FLAG = {
    "identical_twin": "identical_twins",
    "normalised_equal": "normalised_equal",
    "stub": "stub",
    "value_missing": "value_missing",
    "value_not_given": "value_not_given",
    "placeholder_left": "placeholder_left",
    "same_as_standard": "same_as_standard",
}
"""What a flag on a text means for the card as a whole."""


def card_from_group(group: Group, taxonomy: KnowsRegisters, source: str) -> Card:
    """Return the card of a group; ``source`` is the file it was read from, as shown to people."""
    build = _twins_card if group.test_type == "T2" else _values_card
    texts, findings = build(group, taxonomy)
    if any(text.differences for text in texts):
        findings.append("undeclared_differences")
    findings += [
        finding
        for flag, finding in FINDING_OF_FLAG.items()
        if any(flag in text.flags for text in texts)
    ]
    return Card(
        card_id=group.template_id,
        digest=group.digest,
        test_type=group.test_type,
        facts=facts_of(group, taxonomy),
        fields=fields_of(group),
        texts=tuple(texts),
        item_ids=tuple(item.id for item in group.items),
        source=source,
        findings=tuple(dict.fromkeys(findings)),
    )


Built = tuple[list[CardText], list[str]]


def _strata(items: Iterable[Item], taxonomy: KnowsRegisters) -> list[list[Item]]:
    """Return the items of each register and language, standard ones first."""
    strata: dict[tuple[bool, str, str], list[Item]] = {}
    for item in items:
        key = (is_dialect(item, taxonomy), item.register_, item.language)
        strata.setdefault(key, []).append(item)
    return [strata[key] for key in sorted(strata, key=lambda key: key[0])]


# T1, T3 and T4: one text per value


def _values_card(group: Group, taxonomy: KnowsRegisters) -> Built:
    findings: list[str] = []
    standard = [item for item in group.items if not is_dialect(item, taxonomy)]
    if group.base_text and PLACEHOLDER not in group.base_text:
        findings.append("base_without_slot")
    texts: list[CardText] = []
    for stratum in _strata(group.items, taxonomy):
        base = group.base_text if _fits_base(group, stratum, taxonomy) else None
        writing = taxonomy.writing_of(stratum[0].language)
        made, complete = _stratum_texts(group, stratum, standard, base, writing)
        if not complete:
            findings.append("too_long")
        texts += made
    placed = _place_values(texts, group.items, taxonomy)
    return placed, findings


def _fits_base(group: Group, stratum: Sequence[Item], taxonomy: KnowsRegisters) -> bool:
    """Return whether the template is the wording these items should follow.

    It is written in one language of the standard register: the one of the first standard item.
    """
    standard = [item for item in group.items if not is_dialect(item, taxonomy)]
    first = standard[0] if standard else None
    return (
        first is not None
        and stratum[0].language == first.language
        and (stratum[0].register_ == first.register_)
    )


def _stratum_texts(
    group: Group,
    stratum: Sequence[Item],
    standard: Sequence[Item],
    base: str | None,
    writing: Writing | None,
) -> tuple[list[CardText], bool]:
    language = stratum[0].language
    own = {item.id for item in stratum}
    others = [item.text or "" for item in standard if item.id not in own]
    comparable = [each for each in standard if each.language == language and each.id not in own]
    fewest = min((len(words_read(each.text or "")) for each in comparable), default=0)
    stubs = {item.id for item in stratum if is_stub(item.text or "", others, writing)}
    stubs |= {item.id for item in stratum if is_far_shorter(item.text or "", fewest)}
    written = [item for item in stratum if item.id not in stubs]
    written_texts = [item.text or "" for item in written]
    declared = group.test_type != "T4"
    twins = [seek(item.text or "", item.swapped_value if declared else None) for item in written]
    marked = dict(
        zip((item.id for item in written), compare_twins(twins, base, language), strict=True)
    )
    identical = {written[index].id for index in repeated(written_texts)}
    nearly = {written[index].id for index in repeated_once_normalised(written_texts)}
    missing = {item.id for item, twin in zip(written, twins, strict=True) if twin.value_missing}
    copies = {words_read(text) for text in others} - {()}

    texts: list[CardText] = []
    for item in stratum:
        text = item.text or ""
        one = marked.get(item.id)
        segments = one.segments if one else mark_plain(text, language)
        stub = item.id in stubs
        flags = {
            "stub": stub,
            "identical_twin": item.id in identical,
            "normalised_equal": item.id in nearly,
            "value_missing": item.id in missing,
            "value_not_given": declared and not item.swapped_value,
            "placeholder_left": has_placeholder(text),
            "same_as_standard": not stub and words_read(text) in copies,
        }
        texts.append(
            CardText(
                text_id=item.id,
                register=item.register_,
                language=item.language,
                value=item.swapped_value or "",
                paragraphs=(Paragraph("prompt", segments),),
                characters=len(text),
                differences=count_differences(segments),
                flags=tuple(flag for flag, holds in flags.items() if holds),
            )
        )
    return texts, all(one.complete for one in marked.values())


def _place_values(
    texts: list[CardText], items: Sequence[Item], taxonomy: KnowsRegisters
) -> list[CardText]:
    """Lay every dialect text beside its standard version, and a bare pair side by side."""
    dialect = {item.id for item in items if is_dialect(item, taxonomy)}
    standard = [text for text in texts if text.text_id not in dialect]
    if not standard or not dialect:
        if len(texts) == 2:
            texts[1] = replace(texts[1], beside=texts[0].text_id)
        return texts
    positions: dict[tuple[str, str], int] = {}
    placed = list(standard)
    for text in texts:
        if text.text_id not in dialect:
            continue
        stratum = (text.register, text.language)
        position = positions.get(stratum, 0)
        positions[stratum] = position + 1
        same_value = [each for each in standard if text.value and each.value == text.value]
        same_language = [each for each in standard if each.language == text.language] or standard
        nearest = [each for each in same_value if each.language == text.language] or same_value
        fallback = same_language[position : position + 1]
        counterpart = (nearest or fallback)[:1]
        placed.append(replace(text, beside=counterpart[0].text_id if counterpart else ""))
    return placed


# T2: an ambiguous context beside its disambiguated twin


def _twins_card(group: Group, taxonomy: KnowsRegisters) -> Built:
    texts: list[CardText] = []
    findings: list[str] = []
    for stratum in _strata(group.items, taxonomy):
        writing = taxonomy.writing_of(stratum[0].language)
        for pair in _pair_twins(stratum):
            if len(pair) == 1:
                findings.append("twin_missing")
                texts.append(_twin_alone(pair[0], writing))
            else:
                made, found = _twin_pair(*pair, writing=writing)
                texts += made
                findings += found
    return texts, findings


def _pair_twins(items: Sequence[Item]) -> list[tuple[Item, ...]]:
    """Return ambiguous items beside the disambiguated ones of their question, in file order."""
    pairs: list[tuple[Item, ...]] = []
    for places in families_of(items).values():
        members = [items[at] for at in places]
        ambiguous = [item for item in members if item.twin != "disambiguated"]
        disambiguated = [item for item in members if item.twin == "disambiguated"]
        shorter = min(len(ambiguous), len(disambiguated))
        pairs += zip(ambiguous[:shorter], disambiguated[:shorter], strict=True)
        pairs += [(item,) for item in (*ambiguous[shorter:], *disambiguated[shorter:])]
    return pairs


def _twin_pair(one: Item, other: Item, *, writing: Writing | None) -> Built:
    language = one.language
    contexts = compare_contexts(one.context or "", other.context or "", language, writing)
    questions = compare_texts(one.question or "", other.question or "", language=language)
    options = compare_options(one.options, other.options, language)
    whole = [_whole(one), _whole(other)]
    flags: list[str] = []
    findings: list[str] = []
    if whole[0] == whole[1]:
        flags.append("identical_twin")
    elif len(whole[0]) == len(whole[1]) and all(
        left == right or normalised(left) == normalised(right)
        for left, right in zip(*whole, strict=True)
    ):
        flags.append("normalised_equal")
    if one.options != other.options:
        findings.append("options_differ")
    if max(contexts.replaced) > 1:
        findings.append("several_sentences_replaced")
    first = _twin_text(one, contexts.first, questions[0], options[0], flags, writing)
    second = _twin_text(other, contexts.second, questions[1], options[1], flags, writing)
    return [first, replace(second, beside=first.text_id)], findings


def _twin_alone(item: Item, writing: Writing | None) -> CardText:
    language = item.language
    return _twin_text(
        item,
        mark_plain(item.context or "", language),
        mark_plain(item.question or "", language),
        tuple(mark_plain(option, language) for option in item.options),
        (),
        writing,
    )


def _whole(item: Item) -> tuple[str, ...]:
    return (item.context or "", item.question or "", *item.options)


def _twin_text(
    item: Item,
    context: Segments,
    question: Segments,
    options: Sequence[Segments],
    flags: Sequence[str],
    writing: Writing | None,
) -> CardText:
    letters = writing.option_letters if writing is not None else ()
    letters = letters or _LETTERS.get(item.language, _LETTERS[""])
    paragraphs = [
        Paragraph("context", context),
        Paragraph("question", question),
        *(
            Paragraph(
                "option",
                segments,
                label=letters[index] if index < len(letters) else str(index + 1),
                is_key=item.correct_position == index + 1,
            )
            for index, segments in enumerate(options)
        ),
    ]
    stub = any(is_stub(each or "", writing=writing) for each in (item.context, item.question))
    return CardText(
        text_id=item.id,
        register=item.register_,
        language=item.language,
        value=item.twin or "",
        paragraphs=tuple(paragraphs),
        characters=sum(len(part) for part in _whole(item)),
        differences=sum(count_differences(each.segments) for each in paragraphs),
        flags=(*(("stub",) if stub else ()), *flags),
    )
