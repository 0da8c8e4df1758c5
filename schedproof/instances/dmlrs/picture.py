"""Workers by slot as stacked bars, with resource utilisation below."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from schedproof.core.simulation.pictures import JOB_COLOURS, LEGEND, axes, caption, ink, job_colour, title
from schedproof.core.simulation.schedule_pictures import draw_timeline
from schedproof.instances.arriving import arrivals
from schedproof.instances.dmlrs.instance import Instance
from schedproof.instances.dmlrs.schedule import Schedule

MOST_NUMBERED = 24  # up to this number of slots the strip prints utilisation in percent
LEAST_NAMED = 0.035  # a fraction of the axis: a bar below this height has no name
LETTER = 1 / 120  # width of a letter of a name, as a fraction of the axis
STRIP = 0.055  # height of a resource's row in the strip, as a fraction of the axes' height
FADED = 0.35  # opacity of jobs without utility


class Bar(NamedTuple):
    """A job's workers in a slot; ``inside``: all on one machine."""

    job: int
    slot: int
    bottom: int
    workers: int
    inside: bool


def draw_slots(schedule: Schedule, instance: Instance, ax: Any = None) -> Any:
    """Draw a schedule's workers by slot.

    Jobs are stacked in file order. A solid bar is a job on one machine, which trains at the internal rate. A hatched
    bar is a job on several machines. Jobs that were given up are pale. Triangles mark arrivals; they are hollow for
    unfinished jobs. The strip below shows the utilisation of each resource over all machines. With more jobs than
    colours, the plot shows resource use, waiting jobs and the distribution of JCT instead.

    Parameters
    ----------
    ax
        Matplotlib axes; default: those of a new figure.
    """
    from matplotlib.ticker import MaxNLocator

    done = schedule.completions(instance)
    utility = f"{title(schedule.policy, schedule.options)}: total utility {float(schedule.objective(instance)):.6g}"
    words = f"{utility}, {len(done)} of {len(instance.jobs)} jobs finish"
    if len(instance.jobs) > len(JOB_COLOURS):
        words += ", the others count until the horizon" * (len(done) < len(instance.jobs))
        return draw_timeline(schedule.timeline(instance), words, ax)
    bars = _bars(schedule)
    top = max((bar.bottom + bar.workers for bar in bars), default=1)
    ax = axes(ax, (11, 4.2 + 0.25 * len(instance.resources)))
    for inside in (True, False):
        for faded in (True, False):
            _draw_bars(ax, [b for b in bars if (b.inside, b.job in schedule.unfinished) == (inside, faded)], faded)
    if len(instance.jobs) > LEGEND:
        _draw_names(ax, bars, instance, top)
    _draw_arrivals(ax, instance, set(done), 1.06 * top)
    _draw_strip(ax, schedule, instance)
    ax.set_xlim(0, instance.horizon)
    ax.set_ylim(0, 1.12 * top)
    ax.set_ylabel("workers", fontsize=8)
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    ax.tick_params(labelsize=8)
    ax.tick_params(axis="x", labelbottom=False, length=0)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_title(words, fontsize=10, loc="left")
    _draw_legend(ax, instance, bars, schedule.unfinished, everyone=len(done) == len(instance.jobs))
    return ax


def _bars(schedule: Schedule) -> list[Bar]:
    held: dict[tuple[int, int], int] = defaultdict(int)
    places: dict[tuple[int, int], set[int]] = defaultdict(set)
    for p in schedule.placements:
        held[p.slot, p.job] += p.workers
        places[p.slot, p.job].add(p.machine)
    bars = []
    height: dict[int, int] = defaultdict(int)
    for (slot, job), workers in sorted(held.items()):
        if workers:
            bars.append(Bar(job, slot, height[slot], workers, len(places[slot, job]) == 1))
            height[slot] += workers
    return bars


def _draw_bars(ax: Any, bars: Sequence[Bar], faded: bool) -> None:
    """Draw bars of one kind, with hatches in the colour of their edges."""
    from matplotlib.collections import PolyCollection

    if not bars:
        return
    gap = 0.04
    shapes = [
        [(b.slot + gap, b.bottom), (b.slot + 1 - gap, b.bottom), (b.slot + 1 - gap, top), (b.slot + gap, top)]
        for b in bars
        for top in (b.bottom + b.workers,)
    ]
    style: dict[str, Any] = {} if bars[0].inside else {"hatch": "////"}
    if faded:
        style["alpha"] = FADED
    colours = [job_colour(b.job) for b in bars]
    ax.add_collection(PolyCollection(shapes, facecolors=colours, edgecolors="white", linewidths=0.5, **style))


def _draw_names(ax: Any, bars: Sequence[Bar], instance: Instance, top: int) -> None:
    runs: dict[int, list[list[Bar]]] = defaultdict(list)
    for bar in bars:  # by slot
        if bar.workers > LEAST_NAMED * top:
            mine = runs[bar.job]
            if not mine or mine[-1][-1].slot < bar.slot - 1:
                mine.append([])
            mine[-1].append(bar)
    for job, mine in runs.items():
        run = max(mine, key=len)
        name = caption(instance.jobs[job].name)
        if len(name) * LETTER < len(run) / instance.horizon:
            bar = run[len(run) // 2]
            style = {"fontsize": 6.5, "ha": "center", "va": "center", "color": ink(job_colour(job))}
            box = {"facecolor": job_colour(job), "edgecolor": "none", "pad": 0.8}
            ax.text(bar.slot + 0.5, bar.bottom + bar.workers / 2, name, bbox=box, **style)


def _draw_arrivals(ax: Any, instance: Instance, done: set[int], y: float) -> None:
    """Draw a triangle at each arrival; hollow for unfinished jobs."""
    for slot, jobs in arrivals(instance.jobs):
        x = [slot + (n + 0.5) / len(jobs) for n in range(len(jobs))] if len(jobs) > 1 else [slot + 0.5]
        edges = [job_colour(job.index) for job in jobs]
        faces = [job_colour(job.index) if job.index in done else "none" for job in jobs]
        ax.scatter(x, [y] * len(jobs), marker="v", s=26, c=faces, edgecolors=edges, linewidths=0.9, zorder=3)


def _draw_strip(ax: Any, schedule: Schedule, instance: Instance) -> None:
    from matplotlib.ticker import MaxNLocator

    share = _in_use(schedule, instance)
    rows, slots = share.shape
    strip = ax.inset_axes((0, -0.03 - STRIP * rows, 1, STRIP * rows))
    image = strip.imshow(
        share, cmap="Greys", vmin=0, vmax=1, aspect="auto", extent=(0, slots, rows, 0), interpolation="nearest"
    )
    scale = ax.figure.colorbar(image, cax=ax.inset_axes((1.01, -0.03 - STRIP * rows, 0.012, STRIP * rows)))
    scale.set_ticks([0, 1], labels=["0 %", "100 % in use"], fontsize=7)
    if slots <= MOST_NUMBERED:
        for (r, t), value in np.ndenumerate(share):
            if value > 0:
                colour = "white" if value > 0.6 else "black"
                text = f"{100 * value:.0f}%"
                strip.text(t + 0.5, r + 0.5, text, ha="center", va="center", fontsize=6, color=colour)
    strip.hlines(range(1, rows), 0, slots, color="white", linewidth=0.8)
    strip.set_yticks([r + 0.5 for r in range(rows)], [*map(caption, instance.resources)], fontsize=7)
    strip.tick_params(axis="y", length=0)
    strip.tick_params(axis="x", labelsize=8)
    strip.xaxis.set_major_locator(MaxNLocator(integer=True))
    strip.set_xlabel("time (slots)", fontsize=8)
    strip.spines[:].set_visible(False)


def _in_use(schedule: Schedule, instance: Instance) -> np.ndarray:
    """Return the share of unreserved amounts in use, by resource and slot."""
    grid = instance.grid
    used = np.zeros((instance.horizon, len(instance.resources)))
    demand = [(grid.worker(job), grid.ps(job)) for job in instance.jobs]
    for p in (p for p in schedule.placements if 0 <= p.slot < instance.horizon):  # infeasible schedules are drawn too
        worker, ps = demand[p.job]
        used[p.slot] += worker * float(p.workers) + ps * float(p.ps)
    free = np.broadcast_to(grid.free.sum(axis=1), used.shape)
    return np.divide(used, free, out=np.zeros_like(used), where=free > 0).T


def _draw_legend(ax: Any, instance: Instance, bars: Sequence[Bar], unfinished: frozenset[int], everyone: bool) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    entries: list[Any] = []
    if len(instance.jobs) <= LEGEND:
        entries += [Patch(color=job_colour(job.index), label=caption(job.name)) for job in instance.jobs]
    if any(b.inside for b in bars):
        entries.append(Patch(facecolor="#777777", label="on one machine"))
    if not all(b.inside for b in bars):
        entries.append(Patch(facecolor="#777777", edgecolor="white", hatch="////", label="spread"))
    if unfinished:
        entries.append(Patch(facecolor="#777777", alpha=FADED, label="given up"))
    point: dict[str, Any] = {"marker": "v", "linestyle": "", "color": "#777777"}
    entries.append(Line2D([], [], label="arrives", **point))
    if not everyone:
        entries.append(Line2D([], [], label="arrives, does not finish", markerfacecolor="none", **point))
    ax.legend(handles=entries, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8, frameon=False)
