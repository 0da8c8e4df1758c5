"""Pictures of any family's schedules: timelines, and comparisons of schedules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

import numpy as np

from schedproof.core.base.untyped import AnyFamily, Axes
from schedproof.core.simulation.instance import Instance, Schedule
from schedproof.core.simulation.occupied import time_axis
from schedproof.core.simulation.pictures import (
    COLOURS,
    RED,
    axes,
    caption,
    job_colour,
    logarithmic,
    mark_infeasible,
    panels,
)
from schedproof.core.simulation.timeline import PERCENTILES, Span, Steps, Timeline, steps

MOST_POINTS = 1000  # points of a line over time; more are averaged over intervals
WIDE = 20  # times the shortest JCT; a longer one makes the axis logarithmic
WIDER = 1.3
MOST_DELAYS = 12  # drawn jobs, those with the largest differences


def draw_timeline(line: Timeline, title: str, ax: Axes = None) -> Axes:
    """Draw use of resources, present and waiting jobs, and the distribution of JCT."""
    ax = axes(ax, (11, 7))
    ax.set_axis_off()
    ax.set_title(title, fontsize=10, loc="left")
    use, queue, jct = (ax.inset_axes((0.06, low, 0.92, high)) for low, high in ((0.71, 0.27), (0.38, 0.27), (0, 0.23)))
    for colour, (name, spans) in zip(COLOURS, line.room.items(), strict=False):
        held, room = _steps(line.use.get(name, ())), _steps(spans).value.max(initial=0.0)
        if room:
            _line(use, Steps(held.time, held.value / room), line.period, colour, name, "--" if use.patches else "-")
    use.set(ylabel="in use", ylim=(0, 1.05), yticks=[0, 0.5, 1], yticklabels=["0 %", "50 %", "100 %"])
    _line(queue, line.present, line.period, COLOURS[0], "jobs present")
    _line(queue, line.queue, line.period, COLOURS[4], "of these, without resources")
    queue.set_ylabel("jobs")
    queue.set_ylim(bottom=0)
    for panel in (use, queue):
        panel.set_xlim(*line.period)
        panel.legend(fontsize=8, frameon=False, loc="lower right", bbox_to_anchor=(1, 0.94), borderaxespad=0, ncols=4)
        time_axis(panel)
        panel.spines["left"].set_visible(True)
    use.set_xlabel("")
    if len(line.queue.time) > MOST_POINTS:
        slots = (line.period[1] - line.period[0]) / MOST_POINTS
        queue.set_xlabel(f"time (slots), means of {slots:.3g} slots", fontsize=8)
    _draw_distribution(jct, line)
    return ax


def _steps(spans: Sequence[Span]) -> Steps:
    start, end, amount = np.array(spans, dtype=float).reshape(-1, 3).T
    return steps(start, end, amount)


def _line(ax: Axes, line: Steps, period: tuple[int, int], colour: str, label: str, style: str = "-") -> None:
    start, end = period
    if len(line.time) > MOST_POINTS:
        edges = np.unique(np.linspace(start, end, MOST_POINTS + 1).astype(np.int64))
        line = Steps(edges, np.append(np.diff(_integral(line, edges)) / np.diff(edges), 0.0))
    ax.stairs(line.value[:-1], line.time, color=colour, linewidth=1.2, linestyle=style, label=label, baseline=None)


def _integral(line: Steps, times: np.ndarray) -> np.ndarray:
    before = np.array([0.0, *accumulate(line.value[:-1] * np.diff(line.time))])
    at = np.maximum(np.searchsorted(line.time, times, side="right") - 1, 0)
    result: np.ndarray = before[at] + line.value[at] * np.maximum(times - line.time[at], 0)
    return result


def _draw_distribution(ax: Axes, line: Timeline) -> None:
    jct = np.sort(np.maximum(line.end - line.arrival, 1))
    if len(jct):
        done = np.arange(len(jct) + 1) / len(jct)
        ax.step([jct[0], *jct], done, where="post", color=COLOURS[0], linewidth=1.4)
        for percent in PERCENTILES:
            ax.axvline(line.percentile(percent), color="#777777", linewidth=0.8, linestyle=":")
            words, at = f" p{percent}: {line.percentile(percent)} ", 0.04 + 0.2 * PERCENTILES.index(percent)
            ax.annotate(words, (line.percentile(percent), at), fontsize=8, ha="left" if percent == 50 else "right")
        if jct[-1] > WIDE * jct[0]:
            logarithmic(ax)
    ax.set(ylim=(0, 1.05), yticks=[0, 0.5, 1], yticklabels=["0 %", "50 %", "100 %"], ylabel="of the jobs")
    ax.set_xlabel("slots from arrival to completion", fontsize=8)
    ax.tick_params(labelsize=8)
    ax.spines[["top", "right"]].set_visible(False)


def draw_beside(instance: Instance, schedules: Mapping[str, Schedule]) -> Axes:
    """Draw an instance's schedules above each other, by title, and the jobs' delays.

    A job's delay is its completion in the first schedule minus that in the last. Without time, the schedules are drawn
    side by side.
    """
    lines = [schedule.timeline(instance) for schedule in schedules.values()]
    timed = all(lines) and len(lines) > 1
    sizes = [schedule.plot(instance).figure.get_size_inches() for schedule in schedules.values()]  # each by itself
    if timed:
        heights = [*(height for _, height in sizes), 1 + 0.18 * min(instance.extent[0], MOST_DELAYS)]
        plots = panels((11, sum(heights)), len(heights), height_ratios=heights)
    else:
        width, height = np.max(sizes, axis=0)
        plots = panels((width * len(lines), height), 1, len(lines), squeeze=False)[0]
    last = max((line.period[1] for line in lines if line), default=0)
    for ax, (title, schedule) in zip(plots, schedules.items(), strict=False):
        schedule.plot(instance, ax)
        if timed:
            if last > WIDER * ax.get_xlim()[1]:  # texts no longer fit their bars
                for words in [*ax.texts]:
                    words.remove()
            if ax is not plots[0] and ax.get_legend() is not None:
                ax.get_legend().remove()
            ax.set_title(f"{title}: {instance.in_words(schedule.objective(instance))}", fontsize=10, loc="left")
        mark_infeasible(ax, schedule.violations(instance, **instance.card.rules_among(schedule.options)))
    if timed and lines[0] and lines[-1]:
        _draw_delays(plots[-1], instance, lines[0], lines[-1])
        left, right = zip(*(ax.get_xlim() for ax in plots), strict=True)
        for ax in plots:
            ax.set_xlim(min(left[:-1]), max(right[:-1]))
            ax.set_xlabel("time (slots)" if ax is plots[-1] else "")
    return plots[0]


def draw_above_gap(run: AnyFamily, gap: AnyFamily) -> Axes:
    """Draw a run's schedule, and below it the parts of its gap to a bound."""
    above, below = panels((11, 6.5), 2, height_ratios=[3, 1.2])
    run.plot(above)
    gap.plot(below)
    return above


def _draw_delays(ax: Axes, instance: Instance, one: Timeline, other: Timeline) -> None:
    jobs: Sequence[str] = [job.name for job in getattr(instance, instance.card.own.size[0])]
    later = one.end - other.end
    shown = np.sort(np.argsort(-abs(later), kind="stable")[:MOST_DELAYS])
    for row, job in enumerate(shown.tolist()):
        ax.barh(
            row, later[job], left=other.end[job], height=0.7, color=job_colour(job), edgecolor="black", linewidth=0.4
        )
        ax.plot([other.end[job]] * 2, [row - 0.42, row + 0.42], color="black", linewidth=1)
        words = f" {later[job]:+d} " if later[job] else " same"
        at = max(one.end[job], other.end[job])
        ax.text(at, row, words, va="center", fontsize=8, color=RED if later[job] > 0 else "black")
    ax.set_yticks(range(len(shown)), [caption(jobs[job]) for job in shown], fontsize=8)
    ax.set_ylim(len(shown) - 0.4, -0.6)
    time_axis(ax)
    rest = f" (the {len(shown)} largest of {len(jobs)})" if len(shown) < len(jobs) else ""
    late = max(line.period[1] for line in (one, other)) == getattr(instance, "horizon", None)
    rest += ", unfinished jobs count until the horizon" * late
    total = int(later.sum())
    ax.set_title(f"completion above minus completion below, {total:+d} slots in total{rest}", fontsize=10, loc="left")
