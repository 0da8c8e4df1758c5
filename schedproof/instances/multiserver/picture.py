"""Picture of a multiserver schedule: average reward over time, as in Fig. 2(a)."""

from __future__ import annotations

from typing import Any

from schedproof.core.simulation.pictures import COLOURS, axes, title
from schedproof.instances.multiserver.instance import Instance
from schedproof.instances.multiserver.schedule import Schedule


def draw_average(schedule: Schedule, instance: Instance, ax: Any = None) -> Any:
    """Draw, for each slot, the average reward per slot so far."""
    ax = axes(ax, (6.5, 3.2))
    slots, rewards = schedule.review.slots, schedule.review.rewards
    ax.plot(slots, rewards / slots, color=COLOURS[0], linewidth=1.6)
    ax.set_title(title(schedule.policy, schedule.options), fontsize=10)
    ax.set_xlabel("time (slots)")
    ax.set_ylabel("average reward per slot")
    ax.set_xlim(0, slots[-1])
    ax.spines[["top", "right"]].set_visible(False)
    return ax
