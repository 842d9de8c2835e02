"""Agreement at the size of a large study: ``python benchmarks/agreement.py [--quick]``.

In one run: every coefficient with its analytic error and 2,000 resamples of 20,000 clusters beside
one call of krippendorff, irrCAC, statsmodels, scikit-learn and NLTK on the same ratings; reading a
long file; and the command from the shell to the printed report. Each runs in a process of its own.
irrCAC, scikit-learn and NLTK come from the environment of ``make oracles`` and are left out, said
aloud, without it. Seconds are those of the processor, but from the shell those of the clock. Exits
1 when an aim is missed.
"""

from __future__ import annotations

import compileall
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.agreeing.ratings import lay_long_file, lay_ratings, lay_wide_file
from benchmarks.desk import load_of_machine

REPOSITORY = Path(__file__).parents[1]
AGREEING = REPOSITORY / "benchmarks" / "agreeing"
ORACLES = Path(os.environ.get("REVIEWKIT_ORACLES", REPOSITORY / ".venv-oracles"))
MEASURE_LIMIT_S = 2.0
MEMORY_LIMIT_GB = 1.0
READ_LIMIT_S = 3.0
SHELL_LIMIT_S = 1.5
NLTK_EVERY = 10
"""NLTK is written in Python alone: it gets one unit in so many, and so do we beside it."""


@dataclass(frozen=True)
class Case:
    """Ratings of one size, and the libraries that take them as they are."""

    units: int
    raters: int
    blank: float
    libraries: tuple[str, ...]


CASES = (
    Case(1_000_000, 2, 0.0, ("krippendorff", "irrCAC", "statsmodels", "scikit-learn", "NLTK")),
    # statsmodels' Fleiss needs as many ratings on every unit, scikit-learn has two raters only
    Case(200_000, 5, 0.1, ("krippendorff", "irrCAC", "NLTK")),
)


def run(*words: str | Path, python: Path | str = sys.executable) -> str:
    """Return what a process of its own prints."""
    done = subprocess.run(
        [str(python), *map(str, words)], capture_output=True, text=True, check=True
    )
    return done.stdout


def peer(library: str, ratings: Path, every: int) -> float | None:
    """Return the seconds of one call of a library, or None where it is not installed."""
    ours = library in ("krippendorff", "statsmodels")
    python = Path(sys.executable) if ours else ORACLES / "bin" / "python"
    if not ours and not (ORACLES / "installed.txt").exists():
        return None
    return float(run(AGREEING / "peers.py", library, ratings, str(every), python=python))


def compare(case: Case, folder: Path) -> bool:
    """Print one size beside the libraries; return whether the aims were met."""
    ratings = folder / "ratings.npz"
    lay_ratings(ratings, case.units, case.raters, case.blank)
    ours = json.loads(run(AGREEING / "ours.py", "measure", ratings))
    met = ours["clusters"] <= MEASURE_LIMIT_S and ours["GB"] <= MEMORY_LIMIT_GB
    blank = f", {case.blank:.0%} missing" if case.blank else ""
    print(f"\n{case.units:,} units x {case.raters} raters{blank}, five classes")
    print(f"  every coefficient with its analytic error        {ours['points']:6.2f} s")
    print(
        f"  the same, 2,000 resamples of 20,000 clusters     {ours['clusters']:6.2f} s"
        f"   {ours['clusters'] / MEASURE_LIMIT_S:.2f} of the limit of {MEASURE_LIMIT_S:g} s"
    )
    print(f"  the same, with quadratic weights and ordinal     {ours['all']:6.2f} s")
    print(
        f"  most memory                                      {ours['GB']:6.2f} GB"
        f"  {ours['GB'] / MEMORY_LIMIT_GB:.2f} of the limit of {MEMORY_LIMIT_GB:g} GB"
    )
    print("  one coefficient of another library: seconds, and as a multiple of ours")
    print("                                    seconds   without resampling   with it")
    for library in case.libraries:
        every = NLTK_EVERY if library == "NLTK" else 1
        seconds = peer(library, ratings, every)
        if seconds is None:
            print(f"    {library:<28}  not installed: run `make oracles`")
            continue
        beside = ours
        if every > 1:
            beside = json.loads(run(AGREEING / "ours.py", "measure", ratings, str(every)))
        name = library if every == 1 else f"{library} (a unit in {every})"
        print(
            f"    {name:<28} {seconds:10.2f} {seconds / beside['points']:20.1f}"
            f" {seconds / beside['clusters']:9.1f}"
        )
    return met


def read_files(folder: Path, rows: int) -> bool:
    """Print what reading costs; return whether the aim was met."""
    path = folder / "long.csv"
    lay_long_file(path, rows)
    found = json.loads(run(AGREEING / "ours.py", "read", path))
    pandas = float(
        run(
            "-c",
            "import time, pandas\nbegan = time.process_time()\n"
            f"pandas.read_csv({str(path)!r}, dtype=str, keep_default_na=False)\n"
            "print(time.process_time() - began)",
        )
    )
    limit = READ_LIMIT_S * rows / 1_000_000
    print(f"\na long CSV of {rows:,} rows, every cell as text")
    print(
        f"  cells          {found['cells']:6.2f} s   {found['cells'] / limit:.2f} of the limit"
        f" of {limit:g} s; pandas takes {pandas / found['cells']:.1f} times as long"
    )
    print(f"  up to ratings  {found['ratings']:6.2f} s   most memory {found['GB']:.2f} GB")
    return found["cells"] <= limit


def from_the_shell(folder: Path) -> bool:
    """Print how long the command takes; return whether the aim was met."""
    path = folder / "two-raters.csv"
    lay_wide_file(path, 60)
    seconds: list[float] = []
    for _ in range(4):
        began = time.perf_counter()
        printed = run("-m", "reviewkit.cli.app", "agree", path)
        seconds.append(time.perf_counter() - began)
        if "kappa" not in printed:
            raise SystemExit(f"no report was printed:\n{printed}")
    # the first run warms the disk
    best = min(seconds[1:])
    print(
        f"\n60 units, two raters, shell to report  {best:6.2f} s   {best / SHELL_LIMIT_S:.2f} of"
        f" the limit of {SHELL_LIMIT_S:g} s"
    )
    return best <= SHELL_LIMIT_S


def main(*, quick: bool) -> int:
    """Print every figure; return 1 when an aim is missed."""
    compileall.compile_dir(REPOSITORY / "reviewkit", quiet=2)
    print(load_of_machine())
    met: list[bool] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case in CASES:
            small = Case(case.units // 10, case.raters, case.blank, case.libraries)
            met.append(compare(small if quick else case, folder))
        met.append(read_files(folder, 100_000 if quick else 1_000_000))
        met.append(from_the_shell(folder))
    print(f"\n{load_of_machine()}")
    return int(not all(met))


if __name__ == "__main__":
    sys.exit(main(quick="--quick" in sys.argv[1:]))
