"""The screen: the only code that knows Jupyter."""

from reviewkit.desk.review import review

__all__ = ["review"]
