"""Plain tables of labels: which shape one has, and its votes.

``delimited`` cuts a file into columns of text; ``looks`` and ``column_words`` tell what a column
may be. Each shape has a module that says how a table could be read so, and reads it: ``wide``,
``long``, ``blocks_of_questions``, ``in_a_cell``, ``counts``. ``shapes`` chooses among them.
"""
