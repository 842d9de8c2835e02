"""What people said: records, the append-only ledger, drafts, locks and their verification.

Everybody writes through ``submit_decision``, ``skip_card``, ``lock_pass``, ``reopen_pass`` or
``ChainedLedger.append``; every one of them holds to the same invariants.
"""

from reviewkit.decisions.chain import Chain, NoRules, Rules, Torn
from reviewkit.decisions.disk import CannotRead, CannotWrite
from reviewkit.decisions.drafts import Draft, Drafts
from reviewkit.decisions.ledger import ChainedLedger, FileLedger, Ledger
from reviewkit.decisions.lines import (
    ChainLine,
    ClickReused,
    LedgerBroken,
    NewerRecord,
    RecordRefused,
    faults_of,
    utc_now,
)
from reviewkit.decisions.passes import (
    PassLocked,
    PassRules,
    effective_decisions,
    effective_judgements,
    is_locked,
    lock_details,
    lock_in_force,
    pass_state,
)
from reviewkit.decisions.records import (
    CLICK_ID,
    FIRST,
    JUDGEMENTS,
    LABELS,
    NOTE_LIMIT,
    SCHEMA_VERSION,
    Entry,
    Kind,
    Origin,
    Record,
    Word,
)
from reviewkit.decisions.stores import Lines, store_of
from reviewkit.decisions.submit import (
    CardChanged,
    NotReady,
    PassNotComplete,
    lock_pass,
    open_cards,
    reopen_pass,
    skip_card,
    submit_decision,
)
from reviewkit.decisions.verify import Lock, Report, verify_chain, verify_ledger

__all__ = [
    "CLICK_ID",
    "FIRST",
    "JUDGEMENTS",
    "LABELS",
    "NOTE_LIMIT",
    "SCHEMA_VERSION",
    "CannotRead",
    "CannotWrite",
    "CardChanged",
    "Chain",
    "ChainLine",
    "ChainedLedger",
    "ClickReused",
    "Draft",
    "Drafts",
    "Entry",
    "FileLedger",
    "Kind",
    "Ledger",
    "LedgerBroken",
    "Lines",
    "Lock",
    "NewerRecord",
    "NoRules",
    "NotReady",
    "Origin",
    "PassLocked",
    "PassNotComplete",
    "PassRules",
    "Record",
    "RecordRefused",
    "Report",
    "Rules",
    "Torn",
    "Word",
    "effective_decisions",
    "effective_judgements",
    "faults_of",
    "is_locked",
    "lock_details",
    "lock_in_force",
    "lock_pass",
    "open_cards",
    "pass_state",
    "reopen_pass",
    "skip_card",
    "store_of",
    "submit_decision",
    "utc_now",
    "verify_chain",
    "verify_ledger",
]
