"""The screen: the only code that knows Jupyter."""

from reviewkit.desk.review import adjudicate, code, review

__all__ = ["adjudicate", "code", "review"]
