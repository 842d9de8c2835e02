"""The ``sample`` and ``assignment`` sections of a study file: what is drawn, and who gets it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from reviewkit.decisions import Word
from reviewkit.digests import digest_of
from reviewkit.sources.build import told

Method = Literal["simple", "proportional", "balanced", "round_robin", "enriched"]
STRATIFIED = ("proportional", "balanced", "round_robin")
QUANTITIES = ("size", "share", "shares", "each", "at_least")
"""The fields that say how many; all others say by which rule, and a drawn sample is held to it."""


def as_share(value: object) -> Decimal:
    """Return a share above 0 and up to 1, from ``0.25`` or ``25%``."""
    text = str(value).strip()
    try:
        share = Decimal(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except InvalidOperation:
        share = Decimal(0)
    if not (share.is_finite() and 0 < share <= 1):
        raise told(f"got {text!r}", "write a share above 0 and up to 1, such as 0.25 or 25%")
    return share.normalize()


def _as_list(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Share = Annotated[Decimal, BeforeValidator(as_share)]
Column = Annotated[str, StringConstraints(min_length=1)]
Columns = Annotated[tuple[Column, ...], BeforeValidator(_as_list)]
Values = Annotated[tuple[str, ...], Field(min_length=1), BeforeValidator(_as_list)]
Where = dict[Column, Values]
"""Column -> the values admitted; all columns must agree."""
Earlier = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?$")
]
"""``STUDY`` or ``STUDY/draw``."""


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Enrichment(_Frozen):
    """A class of cards that a sample must hold a number of."""

    where: Annotated[Where, Field(min_length=1)]
    size: Annotated[int, Field(ge=1)]


class Draw(_Frozen):
    """One draw of a sample."""

    name: Word
    method: Method = "simple"
    size: Annotated[int, Field(ge=1)] | None = None
    """How many in all."""
    each: Annotated[int, Field(ge=1)] | None = None
    """How many from every stratum."""
    share: Share | None = None
    """Which share of what fits."""
    shares: dict[Column, Annotated[dict[str, Share], Field(min_length=1)]] | None = None
    """A share for each named value of one column; other values are left out."""
    at_least: Share | None = None
    """With ``share``: every stratum gets between this share of it and ``share``."""
    bounds: Literal["each", "all"] = "each"
    """Whether ``at_least`` and ``share`` bound each stratum, or the sample as a whole with at least
    one card from each stratum."""
    strata: Columns = ()
    """The columns whose values together name a stratum."""
    in_turn: Columns = ()
    """Inside every stratum, one from each value of these columns in turn."""
    whole: str = ""
    """A column: its values are drawn instead of cards, each with all its cards."""
    where: Where = {}
    """Only cards with these values."""
    enrich: tuple[Enrichment, ...] = ()
    exclude: tuple[Earlier, ...] = ()
    """Earlier samples whose cards are left out."""

    @model_validator(mode="after")
    def _is_one_rule(self) -> Draw:
        given = [name for name in QUANTITIES[:4] if getattr(self, name) is not None]
        if len(given) != 1:
            raise told(
                f"draw {self.name} has {' and '.join(given) or 'no size'}",
                "give it exactly one of size, each, share, shares",
            )
        if (self.method in STRATIFIED) != bool(self.strata):
            lacks = "needs strata" if not self.strata else "takes no strata"
            raise told(
                f"draw {self.name}: method {self.method} {lacks}",
                "name the columns in strata with proportional, balanced or round_robin, "
                "and in no other method",
            )
        if self.each is not None and self.method not in ("balanced", "round_robin"):
            raise told(
                f"draw {self.name}: each goes with balanced and round_robin",
                "change the method, or give a size",
            )
        if self.at_least is not None and (
            self.share is None or self.method != "proportional" or self.at_least > self.share
        ):
            raise told(
                f"draw {self.name}: at_least goes with method proportional and a larger share",
                "give both shares, or leave at_least out",
            )
        if self.bounds == "all" and self.at_least is None:
            raise told(
                f"draw {self.name}: bounds goes with at_least and share",
                "give both shares, or leave bounds out",
            )
        if self.shares is not None and len(self.shares) != 1:
            raise told(
                f"draw {self.name}: shares names {len(self.shares)} columns",
                "name one; make one draw for each of several",
            )
        self._check_enrichment()
        return self

    def _check_enrichment(self) -> None:
        if (self.method == "enriched") != bool(self.enrich):
            raise told(
                f"draw {self.name}: enrich and method enriched go together",
                "give both, or neither",
            )
        if self.enrich and (self.size is None or self.size < sum(e.size for e in self.enrich)):
            raise told(
                f"draw {self.name}: the classes to enrich need "
                f"{sum(e.size for e in self.enrich)} cards",
                "give a size of at least that many; the rest is drawn from anywhere",
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that the draw looks at, sorted."""
        looked = {*self.strata, *self.in_turn, *self.where, *(self.shares or {})}
        looked.update(column for part in self.enrich for column in part.where)
        return tuple(sorted(looked | ({self.whole} if self.whole else set())))


class SampleSpec(_Frozen):
    """The ``sample`` section: a seed and draws, which never share a card."""

    seed: int
    draws: Annotated[tuple[Draw, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _draws_are_told_apart(self) -> SampleSpec:
        names = [draw.name.casefold() for draw in self.draws]
        for at, name in enumerate(names):
            if name in names[:at]:
                raise told(
                    f"two draws are named {self.draws[at].name!r}",
                    "give each a name of its own",
                    ("draws", at, "name"),
                )
        return self

    def settings(self, draw: Draw) -> dict[str, Any]:
        """Return all that decides a draw, besides the table: what the record keeps of it."""
        told_fields = draw.model_dump(mode="json", exclude_defaults=True)
        return {"seed": self.seed, **told_fields}

    def digest(self, draw: Draw) -> str:
        """Return the digest of a draw's settings."""
        return digest_of(self.settings(draw))


def rule_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a draw without what says how many."""
    rule = {name: value for name, value in settings.items() if name not in QUANTITIES}
    if "enrich" in rule:
        rule["enrich"] = [part["where"] for part in rule["enrich"]]
    if "shares" in settings:
        rule["shares"] = {column: sorted(of) for column, of in settings["shares"].items()}
    return rule


class AssignmentSpec(BaseModel):
    """The ``assignment`` section of a study file."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    seed: int
    raters_per_card: Annotated[int, Field(ge=1)] | None = None
    """How many raters each card gets; every pass of the round when nothing is said."""
    double_share: Share | None = None
    """The share of the cards that two raters get; one rater gets each of the rest."""
    shuffle: Literal["yes", "no"] = "yes"
    """Whether each rater has an order of his own."""

    @model_validator(mode="after")
    def _says_one_thing(self) -> AssignmentSpec:
        if self.raters_per_card is not None and self.double_share is not None:
            raise told(
                "has raters_per_card and double_share",
                "keep one: double_share means two raters for that share and one for the rest",
            )
        return self
