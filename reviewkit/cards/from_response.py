"""A card made of a model's response: what the coder reads, exactly as stored."""

from __future__ import annotations

from reviewkit.bank.responses import Response
from reviewkit.cards.card import Card, CardText, Paragraph
from reviewkit.cards.marking import mark_plain


def card_from_response(response: Response, source: str = "") -> Card:
    """Return the card of a response; ``source`` is the file it was read from, as people see it.

    One text per role, and before them one per field that was parsed out of the response; a parsed
    field is flagged with how it was read (``parsed_conforming``, ``parsed_tolerant``,
    ``parsed_failed``).
    """
    texts = [
        _text(parsed.name, parsed.value, response.language, (f"parsed_{parsed.how}",))
        for parsed in response.parsed
    ]
    texts += [_text(role, text, response.language) for role, text in response.texts.items()]
    return Card(
        card_id=response.response_id,
        digest=response.digest,
        test_type="",
        facts=dict(response.facts),
        fields=tuple(response.facts.items()),
        texts=tuple(texts),
        item_ids=(response.response_id,),
        source=source,
    )


def _text(role: str, text: str, language: str, flags: tuple[str, ...] = ()) -> CardText:
    return CardText(
        text_id=role,
        register="",
        language=language,
        value="",
        paragraphs=(Paragraph(role, mark_plain(text, language)),),
        characters=len(text),
        differences=0,
        flags=flags if text or flags else ("empty",),
    )
