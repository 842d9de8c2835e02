"""What we ask: forms and checks, when a check applies, and the verdict that answers make."""

from reviewkit.questions.counts import CheckCount, TypeCount, count_checks, render_count
from reviewkit.questions.forms import (
    CLOSED_FACTS,
    RESERVED_KEYS,
    Answer,
    Check,
    Form,
    Nature,
    OnFail,
    Wording,
    say,
)
from reviewkit.questions.shelf import FormShelf, UnknownForm, load_forms
from reviewkit.questions.verdict import (
    RULE_VERSION,
    Fault,
    FaultCode,
    Outcome,
    Verdict,
    applies,
    derive_outcome,
    is_blank,
)

__all__ = [
    "CLOSED_FACTS",
    "RESERVED_KEYS",
    "RULE_VERSION",
    "Answer",
    "Check",
    "CheckCount",
    "Fault",
    "FaultCode",
    "Form",
    "FormShelf",
    "Nature",
    "OnFail",
    "Outcome",
    "TypeCount",
    "UnknownForm",
    "Verdict",
    "Wording",
    "applies",
    "count_checks",
    "derive_outcome",
    "is_blank",
    "load_forms",
    "render_count",
    "say",
]
