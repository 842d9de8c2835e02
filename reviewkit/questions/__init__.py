"""What we ask: checklists and codebooks, what applies, and what a set of answers makes."""

from reviewkit.questions.answers import REJECTED, AnswerValue, CodeId, Span, codes_in
from reviewkit.questions.codebooks import (
    CODING_KEYS,
    Code,
    Codebook,
    CodeField,
    Derived,
    Flag,
)
from reviewkit.questions.coding import derive_values
from reviewkit.questions.counts import CheckCount, TypeCount, count_checks, render_count
from reviewkit.questions.forms import (
    CLOSED_FACTS,
    RESERVED_KEYS,
    Answer,
    Check,
    Checklist,
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
    "CODING_KEYS",
    "REJECTED",
    "RESERVED_KEYS",
    "RULE_VERSION",
    "Answer",
    "AnswerValue",
    "Check",
    "CheckCount",
    "Checklist",
    "Code",
    "CodeField",
    "CodeId",
    "Codebook",
    "Derived",
    "Fault",
    "FaultCode",
    "Flag",
    "Form",
    "FormShelf",
    "Nature",
    "OnFail",
    "Outcome",
    "Span",
    "TypeCount",
    "UnknownForm",
    "Verdict",
    "Wording",
    "applies",
    "codes_in",
    "count_checks",
    "derive_outcome",
    "derive_values",
    "is_blank",
    "load_forms",
    "render_count",
    "say",
]
