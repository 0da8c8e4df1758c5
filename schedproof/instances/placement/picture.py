"""A Gantt chart of the clusters: a bar for each run of a task, as wide as it takes, with what it was given."""

from __future__ import annotations

from typing import Any, NamedTuple

from schedproof.core.pictures import LEGEND, axes, ink, job_colour
from schedproof.instances.placement.instance import Instance
from schedproof.instances.placement.schedule import Schedule, completion

MOST_LANES = 60  # drawn in all; more cannot be told apart
BAR = 0.8  # height of a bar, in lanes
LETTER = 1 / 130  # width of a letter, of the axis


class Bar(NamedTuple):
    """A run of a task, in a lane of its cluster."""

    task: int
    cluster: int
    lane: int
    start: int
    end: int
    words: str


def draw_gantt(schedule: Schedule, instance: Instance, ax: Any = None) -> Any:
    """Draw a schedule's clusters over time.

    Tasks that run together on a cluster stand below each other, in lanes. A bar's words are the task and what it holds
    of each resource; its colour is the task's kind. A thin line below the lane, up to a bar, is the time that its
    task has waited.

    Parameters
    ----------
    ax
        Matplotlib axes to draw on; None makes a figure that needs no display (``ax.figure.savefig(...)``).
    """
    from matplotlib.ticker import MaxNLocator

    bars = _bars(schedule, instance)
    lanes = [1 + max((b.lane for b in bars if b.cluster == n), default=0) for n in range(len(instance.clusters))]
    first_lane = [sum(lanes[:n]) + n for n in range(len(lanes))]  # an empty lane between two clusters
    rows = first_lane[-1] + lanes[-1]
    ax = axes(ax, (11, 1.4 + 0.26 * min(rows, MOST_LANES)))
    end = max((bar.end for bar in bars), default=1)
    kinds = {kind: job_colour(n) for n, kind in enumerate(dict.fromkeys(t.kind for t in instance.tasks))}
    started: set[int] = set()
    for bar in bars:
        task, y = instance.tasks[bar.task], first_lane[bar.cluster] + bar.lane
        colour = kinds[task.kind]
        if bar.task not in started and task.arrival < bar.start:
            ax.hlines(y + 0.5, task.arrival, bar.start, color=colour, linewidth=0.8)
        started.add(bar.task)
        ax.barh(y, bar.end - bar.start, left=bar.start, height=BAR, color=colour, edgecolor="white", linewidth=0.6)
        if len(bar.words) * LETTER * end < bar.end - bar.start and rows <= MOST_LANES:
            x = (bar.start + bar.end) / 2
            ax.text(x, y, bar.words, ha="center", va="center", fontsize=6.5, color=ink(colour))
    middles = [first + (count - 1) / 2 for first, count in zip(first_lane, lanes, strict=True)]
    ax.set_yticks(middles, [cluster.name for cluster in instance.clusters], fontsize=8)
    ax.set_ylim(rows - 0.4, -0.8)
    ax.set_xlim(0, end)
    ax.set_xlabel("time (slots)", fontsize=8)
    ax.tick_params(axis="x", labelsize=8)
    ax.tick_params(axis="y", length=0)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.set_title(f"{schedule.policy}: {instance.in_words(schedule.objective(instance))}", fontsize=10, loc="left")
    _draw_legend(ax, kinds)
    return ax


def _bars(schedule: Schedule, instance: Instance) -> list[Bar]:
    """Every run, in the first lane of its cluster that is free."""
    spans = []
    for j, rows in schedule.runs().items():
        for n, row in enumerate(rows):
            end = row.until if n + 1 < len(rows) else completion(instance.tasks[j], rows)
            spans.append((row.slot, row.slot + 1 if end is None else end, row))
    free: dict[int, list[int]] = {}
    bars = []
    for start, end, row in sorted(spans, key=lambda span: (span[0], span[2].task)):
        lanes = free.setdefault(row.cluster, [])
        lane = next((k for k, until in enumerate(lanes) if until <= start), len(lanes))
        lanes[lane : lane + 1] = [end]
        words = f"{instance.tasks[row.task].name} ({', '.join(map(str, row.allocation))})"
        bars.append(Bar(row.task, row.cluster, lane, start, end, words))
    return bars


def _draw_legend(ax: Any, kinds: dict[str, str]) -> None:
    from matplotlib.patches import Patch

    entries = [Patch(color=colour, label=kind) for kind, colour in list(kinds.items())[:LEGEND]]
    entries += [Patch(alpha=0, label=f"and {len(kinds) - LEGEND} more")] if len(kinds) > LEGEND else []
    if entries:
        ax.legend(handles=entries, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8, frameon=False)
