"""Bars between levels, and axes with powers of ten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle, pairwise
from typing import Any

from schedproof.core.simulation.pictures import COLOURS, axes, ink


def draw_levels(levels: Mapping[str, Sequence[float]], rows: Sequence[str], ax: Any = None) -> Any:
    """Draw a bar for each row, divided at the levels, with names at their right ends.

    Levels that are below the previous one, within solvers' tolerances, have no bar.

    Parameters
    ----------
    levels
        Name -> a number for each row; bars begin at the first.
    """
    ax = axes(ax, (9.5, 1.2 + 0.27 * len(rows)))
    whole = max(map(max, levels.values())) - min(map(min, levels.values()))
    for (lower, (name, higher)), colour in zip(pairwise(levels.items()), cycle(COLOURS), strict=False):
        for row, (start, end) in enumerate(zip(lower[1], higher, strict=True)):
            width = max(end - start, 0.0)
            ax.barh(row, width, left=start, color=colour, label=name if row == 0 else None)
            if width > whole / 20:
                middle = start + width / 2
                ax.text(middle, row, f"{width:.2g}", ha="center", va="center", fontsize=8, color=ink(colour))
    for row, end in enumerate(list(levels.values())[-1]):
        ax.annotate(f"{end:.3g}", (end, row), (4, 0), textcoords="offset points", va="center", fontsize=8)
    ax.set(yticks=range(len(rows)), yticklabels=rows, ylim=(len(rows) - 0.4, -0.6))
    ax.margins(x=0.08)
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plain_ticks(ax: Any) -> None:
    """Write powers of ten on a logarithmic y axis as numbers, without minor ticks."""
    ax.yaxis.set_major_formatter("{x:g}")
    ax.minorticks_off()
