"""What is said of a bank stays short however much of it is alike."""

from __future__ import annotations

from tests.release.small_bank import audited, t4


def test_a_thousand_copies_of_a_text_are_counted_and_not_listed() -> None:
    """Eight groups with the same text are named; the others are a number, in every finding."""
    copies = [t4(f"C-{n:04}", text="What happened here?") for n in range(1_000)]
    found = audited(copies).of("duplicate-text")
    assert len(found) == 1_000
    names = ", ".join(f"C-{n:04}" for n in range(1, 9))
    assert found[0].said == f"as in {names} and 991 more"
    assert found[999].said.startswith("as in C-0000, C-0001")
    assert max(len(each.said) for each in found) < 100
