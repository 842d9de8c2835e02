"""Where the work on the bank stands: groups, kinds of defects, batches, retirement."""

from reviewkit.authoring.standing import STATES, Standing, Standings, State, standings_of

__all__ = ["STATES", "Standing", "Standings", "State", "standings_of"]
