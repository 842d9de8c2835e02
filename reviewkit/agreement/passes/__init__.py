"""Two passes or more of one round: what may be compared, and the figures the board shows."""
