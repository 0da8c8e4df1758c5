"""A schedule of any family as rows of job, place, resource, time and amount."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from schedproof.core.base.untyped import Axes, Value
from schedproof.core.simulation.pictures import axes, caption, ink, job_colour

MOST_LANES = 60  # legible lanes in total
BAR = 0.8  # height of a bar, in lanes
LETTER = 1 / 130  # width of a letter, relative to the axis


class Occupied(NamedTuple):
    """A job holds an amount of a place's resource from start to end.

    Job and place are positions in the file.
    """

    job: int
    place: int
    resource: str
    start: int
    end: int
    amount: Fraction | float


def totals(rows: Iterable[Occupied], *names: str) -> dict[tuple[Value, ...], Fraction | float]:
    """Sum the amounts by some of the fields, for example by job and resource."""
    sums: dict[tuple[Value, ...], Fraction | float] = defaultdict(Fraction)
    for row in rows:
        sums[tuple(getattr(row, name) for name in names)] += row.amount
    return sums


def lanes(spans: Iterable[tuple[int, int]]) -> list[int]:
    """Return the first free lane of each span; spans are sorted by start."""
    ends: list[int] = []
    chosen = []
    for start, end in spans:
        lane = next((k for k, until in enumerate(ends) if until <= start), len(ends))
        ends[lane : lane + 1] = [end]
        chosen.append(lane)
    return chosen


def lanes_needed(rows: Iterable[Occupied]) -> int:
    """Return the number of lanes in a Gantt chart."""
    stays: dict[int, set[tuple[int, int, int]]] = defaultdict(set)
    for row in rows:
        stays[row.place].add((row.start, row.end, row.job))
    return sum(1 + max(lanes((start, end) for start, end, _ in sorted(held))) for held in stays.values())


def time_axis(ax: Axes) -> None:
    """Label the x axis in whole slots and remove the other frame lines."""
    from matplotlib.ticker import MaxNLocator

    ax.set_xlabel("time (slots)", fontsize=8)
    ax.tick_params(axis="x", labelsize=8)
    ax.tick_params(axis="y", length=0)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.spines[["top", "right", "left"]].set_visible(False)


def draw_gantt(
    rows: Iterable[Occupied],
    jobs: Sequence[str],
    places: Sequence[str],
    colours: Sequence[str] = (),
    arrivals: Sequence[int] = (),
    ax: Axes = None,
) -> Axes:
    """Draw a Gantt chart: a bar per stay of a job at a place, with its amounts.

    Overlapping stays get separate lanes.

    Parameters
    ----------
    jobs, places
        The names of jobs and places.
    colours
        A colour per job, if jobs share colours.
    arrivals
        Arrivals of the jobs; a thin line up to a job's first bar shows its waiting time.
    """
    stay = attrgetter("start", "job", "place", "end")
    stays = [(key, [row.amount for row in held]) for key, held in groupby(sorted(rows, key=stay), stay)]
    by_place = [[each for each in stays if each[0][2] == place] for place in range(len(places))]
    lane_of = [lanes((start, end) for (start, _, _, end), _ in each) for each in by_place]
    counts = [1 + max(chosen, default=0) for chosen in lane_of]
    first_lane = [sum(counts[:n]) + n for n in range(len(counts))]  # an empty lane between two places
    height = first_lane[-1] + counts[-1]
    ax = axes(ax, (11, 1.4 + 0.26 * min(height, MOST_LANES)))
    last = max((end for (_, _, _, end), _ in stays), default=1)
    begun = {job: start for (start, job, _, _), _ in reversed(stays)}
    for first, chosen, each in zip(first_lane, lane_of, by_place, strict=True):
        for lane, ((start, job, _, end), amounts) in zip(chosen, each, strict=True):
            y, colour = first + lane, colours[job] if colours else job_colour(job)
            if arrivals and arrivals[job] < start == begun[job]:
                ax.hlines(y + 0.5, arrivals[job], start, color=colour, linewidth=0.8)
            ax.barh(y, end - start, left=start, height=BAR, color=colour, edgecolor="white", linewidth=0.6)
            words = f"{caption(jobs[job])} ({', '.join(map(str, amounts))})"
            if len(words) * LETTER * last < end - start and height <= MOST_LANES:
                ax.text((start + end) / 2, y, words, ha="center", va="center", fontsize=6.5, color=ink(colour))
    middles = [first + (count - 1) / 2 for first, count in zip(first_lane, counts, strict=True)]
    ax.set_yticks(middles, [*map(caption, places)], fontsize=8)
    ax.set_ylim(height - 0.4, -0.8)
    ax.set_xlim(0, last)
    time_axis(ax)
    return ax
