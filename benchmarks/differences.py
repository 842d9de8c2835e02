"""How long a comparison takes: against the limit we set, and against the standard library.

Run ``python benchmarks/differences.py``. It prints ratios, because seconds say little on another
machine, and exits 1 when a limit is broken.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from difflib import SequenceMatcher

from reviewkit.cards import compare_texts

LIMIT_SECONDS = 1.0
LONG = 70_000
SHORT = 3_000
VOCABULARY = 3_000


def make_text(letters: int, seed: int) -> str:
    """Return Arabic-looking words of ``letters`` characters in all, the same for the same seed."""
    draw = random.Random(seed)
    vocabulary = [
        "".join(draw.choices("ابتثجحدرسشصعفقكلمنهوي", k=draw.randint(2, 8)))
        for _ in range(VOCABULARY)
    ]
    words: list[str] = []
    length = 0
    while length < letters:
        word = draw.choice(vocabulary) + draw.choice(("", "", "", "", "،", "."))
        words.append(word)
        length += len(word) + 1
    return " ".join(words)[:letters]


def edit_words(text: str, every: int) -> str:
    """Return ``text`` with one word in ``every`` replaced."""
    words = text.split(" ")
    for index in range(0, len(words), every):
        words[index] = "بديل"
    return " ".join(words)


def best_of(times: int, work: Callable[[], object]) -> float:
    """Return the shortest of a few runs, in seconds of processor time: others may be busy."""
    seconds: list[float] = []
    for _ in range(times):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


def main() -> int:
    """Print every ratio; return 1 when a comparison is slower than the limit."""
    long = make_text(LONG, 1)
    pairs = {
        "equal": (long, long),
        "one word in fifty changed": (long, edit_words(long, 50)),
        "unrelated, same vocabulary": (long, make_text(LONG, 1)[::-1]),
        "unrelated, drawn anew": (long, make_text(LONG, 2)),
        "one-letter words": ("ab " * (LONG // 6) + "c " * (LONG // 4), "ba b " * (LONG // 5)),
    }
    print(f"two texts of {LONG:,} characters, share of the limit of {LIMIT_SECONDS:g} s")
    slow = False
    for name, (a, b) in pairs.items():
        seconds = best_of(2, lambda a=a, b=b: compare_texts(a, b))
        slow = slow or seconds > LIMIT_SECONDS
        print(f"  {name:<28} {seconds / LIMIT_SECONDS:6.2f}")

    a = make_text(SHORT, 3)
    b = edit_words(a, 20)
    ours = best_of(3, lambda: compare_texts(a, b))
    letters = best_of(1, lambda: SequenceMatcher(None, a, b, autojunk=False).get_opcodes())
    words = best_of(
        3, lambda: SequenceMatcher(None, a.split(), b.split(), autojunk=False).get_opcodes()
    )
    print(f"two texts of {SHORT:,} characters, difflib (autojunk off) took, times as long as ours")
    print(f"  letter by letter             {letters / ours:6.1f}")
    print(f"  word by word, spaces ignored {words / ours:6.1f}")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
