"""Gantt chart of the workers: one colour per job, torn edges at interruptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from schedproof.core.simulation.occupied import lanes, time_axis
from schedproof.core.simulation.pictures import LEGEND, axes, caption, ink, job_colour, title
from schedproof.core.simulation.schedule_pictures import draw_timeline
from schedproof.instances.preemptive.instance import Instance
from schedproof.instances.preemptive.intervals import Intervals
from schedproof.instances.preemptive.schedule import Schedule

MOST_ROWS = 40  # most workers that are drawn one by one
MOST_LANES = 12  # most rows of the cloud
BAR = 0.8  # height of a bar, in rows

Bar = tuple[int, int, int, int, bool, bool, str]  # row, job, start, end, resumes, is interrupted, text


def draw_gantt(schedule: Schedule, instance: Instance, ax: Any = None) -> Any:
    """Draw a schedule's workers over time.

    Edge workers are in file order, and the cloud is below them. In the cloud, concurrent chunks of a job are one bar
    with their number. Triangles at the top mark arrivals. With more than 40 workers, the plot shows their utilisation,
    waiting jobs and the distribution of JCT instead.

    Parameters
    ----------
    ax
        Matplotlib axes; default: those of a new figure.
    """
    workers = [place for q in instance.classes for place in q.places]
    if len(workers) > MOST_ROWS:
        return draw_timeline(schedule.timeline(instance), _title(schedule, instance), ax)
    bars = _edge_bars(schedule.intervals, {place: row for row, place in enumerate(workers)})
    in_cloud, cloud = _cloud_bars(schedule.intervals, first_row=len(workers) + bool(workers))
    rows = len(workers) + (bool(workers) + min(in_cloud, MOST_LANES) if in_cloud else 0)
    ax = axes(ax, (11, max(2.6, 1.5 + 0.24 * rows)))
    first = min((job.arrival for job in instance.jobs), default=0)
    end = max(int(schedule.intervals.end.max(initial=0)), first + 1)

    _draw_bars(ax, bars + cloud, tooth=(end - first) / 160)
    _draw_texts(ax, bars + cloud, instance, end - first)
    _draw_arrivals(ax, instance)
    _draw_rows(ax, workers, instance, in_cloud)
    ax.set_xlim(first - (end - first) * 0.01, end + (end - first) * 0.01)
    ax.set_ylim(rows - 0.4, -1.2)
    time_axis(ax)
    ax.set_title(_title(schedule, instance, in_cloud), fontsize=10, loc="left")
    if len(instance.jobs) <= LEGEND:
        _draw_legend(ax, instance, torn=any(bar[4] or bar[5] for bar in bars))
    return ax


def _edge_bars(i: Intervals, row_of: dict[tuple[int, int, int], int]) -> list[Bar]:
    pieces: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for job, chunk, server, kind, worker, start, end in i.rows():
        if (row := row_of.get((server, kind, worker))) is not None:
            pieces.setdefault((job, chunk), []).append((start, end, row))
    bars = []
    for (job, _), parts in pieces.items():
        parts.sort()
        for n, (start, end, row) in enumerate(parts):
            resumes = n > 0 and parts[n - 1][1] < start
            interrupted = n + 1 < len(parts) and end < parts[n + 1][0]
            bars.append((row, job, start, end, resumes, interrupted, ""))
    return bars


def _cloud_bars(i: Intervals, first_row: int) -> tuple[int, list[Bar]]:
    cloud = np.flatnonzero(i.worker < 0)
    groups, counts = np.unique(np.stack([i.start, i.end, i.job])[:, cloud], axis=1, return_counts=True)
    chosen = lanes((start, end) for start, end, _ in groups.T.tolist())
    bars = [
        (first_row + lane, job, start, end, False, False, f"×{count}" if count > 1 else "")
        for lane, (start, end, job), count in zip(chosen, groups.T.tolist(), counts.tolist(), strict=True)
        if lane < MOST_LANES
    ]
    return 1 + max(chosen, default=-1), bars


def _draw_bars(ax: Any, bars: Sequence[Bar], tooth: float) -> None:
    from matplotlib.collections import PolyCollection

    shapes = []
    for row, _, start, end, resumes, interrupted, _ in bars:
        top, bottom = row - BAR / 2, row + BAR / 2
        depth = min(tooth, (end - start) / 3)
        heights = [top + (bottom - top) * k / 6 for k in range(7)]
        right = [(end - depth * (k % 2 if interrupted else 0), y) for k, y in enumerate(heights)]
        rest = [(start + depth * (k % 2 if resumes else 0), y) for k, y in enumerate(heights)]
        shapes.append([*right, *reversed(rest)])
    colours = [job_colour(bar[1]) for bar in bars]
    ax.add_collection(PolyCollection(shapes, facecolors=colours, edgecolors="white", linewidths=0.4))


def _draw_texts(ax: Any, bars: Sequence[Bar], instance: Instance, span: int) -> None:
    names = [caption(job.name) if len(instance.jobs) > LEGEND else "" for job in instance.jobs]
    for row, job, start, end, _, _, text in bars:
        words = " ".join(part for part in (names[job], text) if part)
        if words and (end - start) / span > 0.009 * len(words):
            middle = (start + end) / 2
            ax.text(middle, row, words, ha="center", va="center", fontsize=6.5, color=ink(job_colour(job)))


def _draw_arrivals(ax: Any, instance: Instance) -> None:
    times = [job.arrival for job in instance.jobs]
    colours = [job_colour(job.index) for job in instance.jobs]
    ax.vlines(sorted(set(times)), -0.9, -0.55, color="#bbbbbb", linewidth=0.8)
    ax.scatter(times, [-0.9] * len(times), marker="v", s=28, c=colours, edgecolors="white", linewidths=0.4, zorder=3)


def _draw_rows(ax: Any, workers: list[tuple[int, int, int]], instance: Instance, lanes: int) -> None:
    names = [
        f"{caption(instance.servers[s].name)}  {caption(list(instance.servers[s].workers)[kind])}#{number}"
        for s, kind, number in workers
    ]
    ticks = list(range(len(workers)))
    for row in range(1, len(workers)):
        if workers[row][0] != workers[row - 1][0]:
            ax.axhline(row - 0.5, color="#cccccc", linewidth=0.7, zorder=0)
    if lanes and instance.cloud is not None:
        top = len(workers) + bool(workers)
        ax.axhspan(top - 0.6, top + min(lanes, MOST_LANES) - 0.4, color="#f2f2f2", zorder=0, linewidth=0)
        ticks.append(top)
        names.append(caption(instance.cloud.name))
    ax.set_yticks(ticks, names, fontsize=7)


def _title(schedule: Schedule, instance: Instance, lanes: int = 0) -> str:
    parts = [f"{title(schedule.policy, schedule.options)}: {instance.in_words(schedule.objective(instance))}"]
    parts.append(f"preemptions: {schedule.preemptions()}")
    if lanes > MOST_LANES:
        parts.append(f"{MOST_LANES} of {lanes} rows of the cloud")
    return ", ".join(parts)


def _draw_legend(ax: Any, instance: Instance, torn: bool) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    entries: list[Any] = [Patch(color=job_colour(job.index), label=caption(job.name)) for job in instance.jobs]
    entries.append(Line2D([], [], marker="v", color="#777777", linestyle="", label="arrives"))
    if torn:
        shape = [(-2, -1), *((2 - k % 2, k / 3 - 1) for k in range(7)), (-2, 1)]
        entries.append(Line2D([], [], marker=shape, markersize=15, color="#777777", linestyle="", label="interrupted"))
        shape = [(-x, y) for x, y in shape]
        entries.append(Line2D([], [], marker=shape, markersize=15, color="#777777", linestyle="", label="resumed"))
    ax.legend(handles=entries, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8, frameon=False)
