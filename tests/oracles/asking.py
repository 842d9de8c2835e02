"""Asks the libraries in the oracles' own environment; skips, loudly, where it was not built."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
PYTHON = Path(os.environ.get("REVIEWKIT_ORACLES", HERE.parent.parent / ".venv-oracles"))


class Oracles:
    """One process that answers question after question, so that libraries load once."""

    def __init__(self) -> None:
        python = PYTHON / "bin" / "python"
        if not (PYTHON / "installed.txt").exists():
            pytest.skip("NO ORACLES: run `make oracles` to compare with irrCAC, sklearn and NLTK")
        self._process = subprocess.Popen(
            [str(python), "-P", str(HERE / "answer.py")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to one question."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()
