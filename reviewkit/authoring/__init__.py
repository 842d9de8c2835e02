"""Where the work on the bank stands: groups, kinds of defects, batches, retirement."""

from reviewkit.authoring.batches import Batch, Batches, check_batches, load_batches
from reviewkit.authoring.families import DefectFamily, Families, check_families, load_families
from reviewkit.authoring.retirement import (
    Retirement,
    identifiers_taken,
    must_be_free,
    retire,
    retired,
    retirement_faults,
    verify_retirements,
)
from reviewkit.authoring.second_review import SecondReview, StratumShare, second_reviews
from reviewkit.authoring.second_review_acts import (
    check_second_reviews,
    close_second_review,
    find_second_review,
    widen_second_review,
)
from reviewkit.authoring.second_review_start import start_second_review
from reviewkit.authoring.standing import STATES, Standing, Standings, State, standings_of
from reviewkit.authoring.worklist import Worklist, worklist

__all__ = [
    "STATES",
    "Batch",
    "Batches",
    "DefectFamily",
    "Families",
    "Retirement",
    "SecondReview",
    "Standing",
    "Standings",
    "State",
    "StratumShare",
    "Worklist",
    "check_batches",
    "check_families",
    "check_second_reviews",
    "close_second_review",
    "find_second_review",
    "identifiers_taken",
    "load_batches",
    "load_families",
    "must_be_free",
    "retire",
    "retired",
    "retirement_faults",
    "second_reviews",
    "standings_of",
    "start_second_review",
    "verify_retirements",
    "widen_second_review",
    "worklist",
]
