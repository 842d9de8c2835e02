"""The command in the demo folder, for what the documentation says of its output."""

from tests.cli.conftest import run  # noqa: F401
