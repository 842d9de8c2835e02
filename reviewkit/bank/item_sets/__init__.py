"""Item sets by other people, read into template groups: every row is kept, or named with a reason.

A module per set; ``reading`` tells which one a file is. Nothing is guessed from a text: whom a
stereotype is about stays "target not given" wherever the set does not say which answer or sentence
it points at.
"""
