"""Gantt chart of the clusters: one bar for each run, with its allocation."""

from __future__ import annotations

from typing import Any

from schedproof.core.simulation.occupied import draw_gantt as draw_rows
from schedproof.core.simulation.occupied import lanes_needed
from schedproof.core.simulation.pictures import LEGEND, caption, job_colour, title
from schedproof.core.simulation.schedule_pictures import draw_timeline
from schedproof.instances.placement.instance import Instance
from schedproof.instances.placement.schedule import Schedule

MOST_LANES = 40  # most lanes that are drawn one by one


def draw_gantt(schedule: Schedule, instance: Instance, ax: Any = None) -> Any:
    """Draw a schedule's clusters over time.

    Concurrent tasks of a cluster are in separate lanes. A bar's label is the task and its amount of each resource; its
    colour is the task's kind. A thin line below the lane up to a bar is the task's waiting time. With more than 40
    lanes the plot shows resource use, waiting tasks and the distribution of JCT instead.

    Parameters
    ----------
    ax
        Matplotlib axes; default: those of a new figure.
    """
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    total = f"{title(schedule.policy, schedule.options)}: {instance.in_words(schedule.objective(instance))}"
    if lanes_needed(schedule.occupied(instance)) > MOST_LANES:
        return draw_timeline(schedule.timeline(instance), total, ax)
    tasks, clusters = instance.tasks, [cluster.name for cluster in instance.clusters]
    kinds = {kind: job_colour(n) for n, kind in enumerate(dict.fromkeys(task.kind for task in tasks))}
    names, colours = [task.name for task in tasks], [kinds[task.kind] for task in tasks]
    ax = draw_rows(schedule.occupied(instance), names, clusters, colours, [task.arrival for task in tasks], ax)
    ax.set_title(f"{total}; bars: task ({', '.join(map(caption, instance.resources))})", fontsize=10, loc="left")
    entries: list[Any] = [Patch(color=colour, label=caption(kind)) for kind, colour in list(kinds.items())[:LEGEND]]
    entries += [Patch(alpha=0, label=f"and {len(kinds) - LEGEND} more")] if len(kinds) > LEGEND else []
    entries += [Line2D([], [], color="#777777", linewidth=0.8, label="waits")]
    ax.legend(handles=entries, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8, frameon=False)
    return ax
