"""The workbench for the human half of a fairness benchmark."""

__version__ = "0.1.0"
