"""The secret that signs cookies, when its file is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.decisions.stores.file_kept import FileKept
from reviewkit.desk.server.identity import SecretUnusable, load_secret


@pytest.mark.parametrize("content", [b"", b"\0" * 64, b"zz" * 32, b"ab" * 31])
def test_a_damaged_secret_signs_nothing(tmp_path: Path, content: bytes) -> None:
    """An empty file, or one that a power cut filled with zeros, is refused with the remedy."""
    (tmp_path / "secret").write_bytes(content)
    with pytest.raises(SecretUnusable, match="remove it"):
        load_secret("secret", FileKept(tmp_path))
