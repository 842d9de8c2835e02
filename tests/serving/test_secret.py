"""The secret that signs cookies, when its file is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.desk.server.identity import SecretUnusable, load_secret


@pytest.mark.parametrize("content", [b"", b"\0" * 64, b"zz" * 32, b"ab" * 31])
def test_a_damaged_secret_signs_nothing(tmp_path: Path, content: bytes) -> None:
    """An empty file, or one that a power cut filled with zeros, is refused with the remedy."""
    path = tmp_path / "secret"
    path.write_bytes(content)
    with pytest.raises(SecretUnusable, match="remove the file"):
        load_secret(path)
