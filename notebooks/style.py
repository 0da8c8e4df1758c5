"""Style and named colours of the notebooks' pictures."""

from __future__ import annotations

import matplotlib.pyplot as plt

from schedproof.core.base.untyped import Axes
from schedproof.core.results.run import Run
from schedproof.core.simulation.pictures import COLOURS, RED, panels
from schedproof.instances.preemptive.schedule import Schedule

__all__ = ["BLUE", "CYAN", "GREEN", "GREY", "ORANGE", "PURPLE", "RED", "YELLOW", "beside", "panels"]

BLUE, ORANGE, GREEN, YELLOW, PURPLE, CYAN, *_, GREY = COLOURS
plt.rc("figure", dpi=100)
plt.rc("axes", titlesize=10, titley=1, **{"spines.top": False, "spines.right": False})


def beside(name: str, run: Run, better: Schedule, left: Axes, right: Axes, other: str = "optimum") -> None:
    """Draw the policy's schedule and a better one on the same slots."""
    least = better.objective(run.instance)
    run.plot(left).set_title(f"{name}: {run.objective} slots, ratio {run.objective / least}", loc="left")
    better.plot(run.instance, right).set_title(f"{other}: {least} slots", loc="left")
    end = max(int(schedule.intervals.end.max()) for schedule in (run.schedule, better))
    for ax in (left, right):
        ax.set_xlim(0, end + 0.5)
        if legend := ax.get_legend():
            legend.remove()
