"""Processor seconds of every move of the notebooks' sliders: python benchmarks/notebooks.py [NOTEBOOK ...]."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.notebooks import NOTEBOOKS, Picture, pictures


def seconds(picture: Picture, control: Any) -> Iterator[float]:
    """Of each move to a place that has not been drawn."""
    begin, drawn = time.process_time(), len(picture.figures)
    for _ in picture.moves(control):
        end = time.process_time()
        if len(picture.figures) > drawn:
            yield end - begin
        begin, drawn = time.process_time(), len(picture.figures)


def main(names: list[str]) -> None:
    """Print the table."""
    print("| notebook | control | moves | median, s | most, s |\n|---|---|---|---|---|")
    for path in NOTEBOOKS:
        if not names or path.stem in names:
            for picture in pictures(path):
                for control in picture.controls:
                    times = list(seconds(picture, control))
                    row = (path.stem, control.description, len(times), statistics.median(times), max(times))
                    print("| {} | {} | {} | {:.2f} | {:.2f} |".format(*row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
