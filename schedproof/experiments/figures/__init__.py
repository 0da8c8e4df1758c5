"""Reproductions of the papers' figures, one TOML file each, with printed numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def draw_all(docs: Path) -> None:
    from schedproof.experiments.figures import make, plan

    for figure in plan.all_figures():
        table = docs / "figures" / figure.family / f"{figure.name}.csv"
        if table.exists():
            make.redraw(figure, table)


def main(arguments: Sequence[str] = ()) -> None:
    """Redraw the figures of a folder, ``docs`` by default, and print the comparison."""
    from schedproof.experiments.figures import page

    docs = Path(arguments[0] if arguments else "docs")
    draw_all(docs)
    print(page.report(docs))
