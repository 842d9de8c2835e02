"""``reviewkit doctor``: whether this machine and this folder can carry a study, and what to do.

Each check is a pure function from facts to findings; a ``look_...`` beside it finds the facts.
"""

from reviewkit.desk.doctor.examine import examine
from reviewkit.desk.doctor.finding import Finding, State

__all__ = ["Finding", "State", "examine"]
