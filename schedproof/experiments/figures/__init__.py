"""The figures of the papers' evaluations, made again: a TOML for each, beside the numbers that its paper prints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def draw_all(docs: Path) -> None:
    """Draw every figure with a CSV in ``docs/figures``, beside the CSV."""
    from schedproof.experiments.figures import make, plan

    for figure in plan.all_figures():
        table = docs / "figures" / figure.family / f"{figure.name}.csv"
        if table.exists():
            make.redraw(figure, table)


def main(arguments: Sequence[str] = ()) -> None:
    """Draw the figures from the CSV in a folder, by default ``docs``, and print how they compare with the papers."""
    from schedproof.experiments.figures import page

    docs = Path(arguments[0] if arguments else "docs")
    draw_all(docs)
    print(page.report(docs))
