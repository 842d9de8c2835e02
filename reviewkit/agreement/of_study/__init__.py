"""From the passes of a study to a report on agreement."""
