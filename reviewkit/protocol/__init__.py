"""What a study needs before it begins: the budget of its adjudication."""

from reviewkit.protocol.adjudication import (
    AdjudicationPlan,
    Cost,
    CutTo,
    Lever,
    ResponseClass,
    Steps,
    cost_of,
    load_adjudication_plan,
    steps_of,
)
from reviewkit.protocol.pace import MeasuredPace, NoPaceYet, measured_pace

__all__ = [
    "AdjudicationPlan", "Cost", "CutTo", "Lever", "MeasuredPace", "NoPaceYet", "ResponseClass",
    "Steps", "cost_of", "load_adjudication_plan", "measured_pace", "steps_of",
]  # fmt: skip
