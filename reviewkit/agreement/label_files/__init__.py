"""Label files of others, from what they hold to ratings that can be measured.

``reading.read`` is the door. ``tables`` and ``tools`` tell what a file is and make ``votes`` of it:
who said what of which unit, every value text. What stands beside this page makes ratings of votes,
in this order:

- ``asked``, ``scheme``: what a person declared of the file, and of the labels in it.
- ``people``, ``together``: which votes are those of people; several files as one.
- ``folding``, ``categories``: labels as written, and the categories they stand for.
- ``pivot``, ``questions``: a row a unit and a column a rater, for each question; ``counted`` for
  files that hold counts and no vote.
- ``understanding``, ``hints``, ``copied``: what is said before any figure, and what looks like a
  slip.
- ``reported``: the whole, its collapses, parts and differences, as the parts of a report.
"""
