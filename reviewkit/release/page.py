"""The audit as a page that needs nothing else: identifiers and counts, as everywhere.

The page asks for no script, font, picture or style of anybody, and its content security policy
holds it to that.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from reviewkit import __version__
from reviewkit.agreement import reporting
from reviewkit.agreement.reporting.blocks import Plot
from reviewkit.agreement.reporting.markup import Body, plain, words
from reviewkit.release.audit import Audit
from reviewkit.release.layout import blocks_of

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def html_page(audit: Audit) -> str:
    """Return the audit as one HTML document.

    It follows the reader's light or dark setting, prints in ink on white, and fits a telephone.
    """
    _title, _headline, *rest = blocks_of(audit)
    prefix = f"a{hashlib.sha256(repr(rest).encode()).hexdigest()[:8]}"
    sections = Body(prefix, _no_picture, stacked=True).sections(rest)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta name="generator" content="reviewkit {plain(__version__)}">\n'
        f"<title>Audit</title>\n<style>\n{_style()}</style>\n</head>\n"
        '<body class="rka-page">\n<main class="rka-report"><header class="rka-head"><h1>Audit</h1>'
        f'<p class="rka-lead">{words(audit.headline)}</p></header>{sections}</main>\n'
        "</body>\n</html>\n"
    )


@cache
def _style() -> str:
    return Path(reporting.__file__).with_name("page.css").read_text(encoding="utf-8")


def _no_picture(plot: Plot) -> str:
    del plot
    return ""
