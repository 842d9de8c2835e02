"""Whether the twins of a group differ in what they declare, and in nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from reviewkit.bank import Group
from reviewkit.cards import Card, CardText, Segment
from reviewkit.release.findings import Finding, of_group
from reviewkit.release.material import Material


def has_single_value(material: Material, group: Group) -> bool:
    """Return whether a T1 or T3 group has one value only, and no register twin to stand against.

    A dialect twin that is not written is no counterpart.
    """
    if group.test_type not in ("T1", "T3"):
        return False
    written = material.written(group)
    arms = {(item.register_, item.language, item.swapped_value) for item in written}
    return len({value for *_, value in arms}) < 2 and len({arm[0] for arm in arms}) < 2


def check_twins(material: Material) -> Iterator[Finding]:
    """Yield groups without a counterpart, with twins alike, or that differ undeclared."""
    for group in material.groups:
        if has_single_value(material, group):
            yield of_group("single-value", group)
        added = material.plain_blocks.get(group.template_id)
        if added is not None:
            if added > 1:
                yield of_group("several-sentences", group)
            continue
        card = material.marked_cards[group.template_id]
        for code, flag in (
            ("identical-twins", "identical_twin"),
            ("equal-once-normalised", "normalised_equal"),
        ):
            if items := material.flagged(group, flag):
                yield of_group(code, group, items)
        yield from _differences(group, card)
        for code, finding in (
            ("options-differ", "options_differ"),
            ("several-sentences", "several_sentences_replaced"),
        ):
            if finding in card.findings:
                yield of_group(code, group)


def _differences(group: Group, card: Card) -> Iterator[Finding]:
    kinds: Counter[str] = Counter()
    different: list[str] = []
    hidden: Counter[str] = Counter()
    holders: list[str] = []
    for text in card.texts:
        found = _kinds(text)
        kinds += found
        if found:
            different.append(text.text_id)
        names = _hidden(text)
        hidden += names
        if names:
            holders.append(text.text_id)
    if kinds:
        yield of_group("undeclared-difference", group, different, dict(sorted(kinds.items())))
    if hidden:
        yield of_group("hidden-character", group, holders, dict(sorted(hidden.items())))


def _kinds(text: CardText) -> Counter[str]:
    """Return how many undeclared differences of each kind a text shows.

    Neighbouring segments are one difference, as on the card; it is named by its first segment.
    """
    found: Counter[str] = Counter()
    for paragraph in text.paragraphs:
        inside = False
        for segment in paragraph.segments:
            if segment.differs and not inside:
                found[_kind(segment)] += 1
            inside = segment.differs
    return found


def _kind(segment: Segment) -> str:
    return "hidden_character" if segment.mark == "hidden" else segment.note or segment.mark


def _hidden(text: CardText) -> Counter[str]:
    return Counter(
        name
        for paragraph in text.paragraphs
        for segment in paragraph.segments
        for name in segment.hidden
    )
