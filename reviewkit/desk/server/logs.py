"""What the server says of itself: without secrets, and without noting who reads what."""

from __future__ import annotations

import logging
import re

from tornado.web import RequestHandler

# an address may be written with escapes, and with a prefix that the proxy put before it
_SECRET_PATH = re.compile(
    r"""((?:/|%2f)(?:g|%[46]7)(?:o|%[46]f)(?:/|%2f)+)[^\s/?"'<>()]+""", re.IGNORECASE
)
_SECRET_ANYWHERE = re.compile(r"(?<![\w-])[\w-]{40,}(?![\w-])")
"""As long as a secret, and longer than the names of kernels."""


def log_refusals(handler: RequestHandler) -> None:
    """Log what was refused or failed: without secrets, and without noting who reads what."""
    if handler.get_status() >= 400:
        request = handler.request
        logging.getLogger("reviewkit.serve").warning(
            "%d %s %s", handler.get_status(), request.method, without_secrets(request.path)
        )


def without_secrets(text: str) -> str:
    """Return the text with the secret of every link blotted out."""
    return _SECRET_ANYWHERE.sub("[secret]", _SECRET_PATH.sub(r"\1[secret]", text))


class BlotSecrets(logging.Filter):
    """Keeps secrets out of what tornado and Voila log by themselves."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record in place."""
        said = record.getMessage()
        record.msg, record.args = without_secrets(said), ()
        return True
