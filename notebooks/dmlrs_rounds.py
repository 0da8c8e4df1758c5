"""The bound of R-DMLRS's LP, round by round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from schedproof.core.simulation.pictures import COLOURS, RED, axes
from schedproof.relaxations.dmlrs.column_generation import Round


def draw_rounds(rounds: Sequence[Round], ax: Any = None) -> Any:
    """Draw the certified bound and the LP over the schedules so far by round."""
    ax = axes(ax, (7, 3))
    numbers = [round.number for round in rounds]
    style = {"markersize": 3}
    ax.plot(numbers, [round.bound for round in rounds], "o-", color=RED, label="proven bound", **style)
    ax.plot(
        numbers,
        [round.value for round in rounds],
        "o-",
        color=COLOURS[0],
        label="LP over the schedules so far",
        **style,
    )
    ax.set(xlabel="round", ylabel="total utility")
    ax.legend(frameon=False, fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
