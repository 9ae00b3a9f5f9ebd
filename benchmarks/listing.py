"""Times opening a folder of many pictures and choosing from it, as ratios to a bare `os.walk`.

    python benchmarks/listing.py [FILES] [ROUNDS]

Makes FILES (100,000) files in 1,000 class folders in a temporary folder; their content doesn't
matter, as listing reads none. Alternating in one process; median and range over rounds.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from unforeseen.data import load_data
from unforeseen.data.selection import select

if TYPE_CHECKING:
    from collections.abc import Callable

CLASSES = 1000


def main() -> None:
    """Measures and prints."""
    files = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for number in range(CLASSES):
            (root / f"class-{number:04d}").mkdir()
        for number in range(files):
            (root / f"class-{number % CLASSES:04d}" / f"{number}.jpg").touch()
        data = load_data(f"imagefolder:{root}")
        parts: dict[str, Callable[[], object]] = {
            "os.walk": lambda: sum(len(names) for _, _, names in os.walk(root)),
            "open the folder": lambda: load_data(f"imagefolder:{root}"),
            "choose 100": lambda: select(data, 100, 0),
        }
        seconds: dict[str, list[float]] = {name: [] for name in parts}
        for _ in range(rounds):
            for name, part in parts.items():
                start = time.perf_counter()
                part()
                seconds[name].append(time.perf_counter() - start)
    for name, taken in seconds.items():
        ratios = [one / walk for one, walk in zip(taken, seconds["os.walk"], strict=True)]
        print(
            f"{name}: {statistics.median(taken):.2f} s,"
            f" {statistics.median(ratios):.1f} x os.walk ({min(ratios):.1f} to {max(ratios):.1f})"
        )


if __name__ == "__main__":
    main()
