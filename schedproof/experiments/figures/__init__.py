"""The figures of the papers' evaluations, made again: a TOML for each, beside the numbers that its paper prints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] = ()) -> None:
    """Draw the figures anew from their CSV in the folder that is named, ``docs`` if none is, and write their page."""
    from schedproof.core.files import write_bytes
    from schedproof.experiments.figures import make, page, plan

    docs = Path(arguments[0] if arguments else "docs")
    for figure in plan.all_figures():
        table = docs / "figures" / figure.family / f"{figure.name}.csv"
        if table.exists():
            print(make.redraw(figure, table))
    write_bytes(docs / "evidence" / "figures.md", page.written(docs).encode())
