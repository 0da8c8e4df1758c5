"""Draw the idea with the embedded instance `day`.

``python docs/idea.py [FOLDER]`` writes the picture of ``docs/idea.md``, and a small one for the README.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import schedproof as sp
from schedproof.core.base.numbers import decimals
from schedproof.core.simulation.pictures import COLOURS, RED, job_colour, save
from schedproof.instances import embedded

BLUE, GREEN = COLOURS[0], COLOURS[2]
SMALL = 11  # points, in the picture of the README
ROWS = (0.70, 0.38, 0.06)  # the policy's, the optimum's, the bound's


@cache
def computed() -> tuple[Any, Any, Any, Any]:
    """Return the instance, the policy's run, the bound and an optimal schedule."""
    day: Any = embedded("day")
    run, bound = sp.policy("a_online").run(day), sp.bound("preemptive.lp4", day)
    return day, run, bound, sp.program("preemptive.minlp2").solve(day).schedule()


def draw() -> Any:
    """Draw instance, policy and program, their results, and the ratio."""
    from matplotlib.figure import Figure

    day, run, bound, optimum = computed()
    figure = Figure(figsize=(13, 6.4))
    _instance(figure.add_axes((0.02, ROWS[1], 0.16, 0.22)), day)
    _box(figure, ROWS[0], "a policy", "decides slot by slot, and knows\nno job before it arrives")
    _box(figure, ROWS[1], "a program", "$\\min \\sum_j (c_j - r_j)$ such that ...;\nknows every job")
    _box(figure, ROWS[2], "its relaxation", "a chunk may be torn apart;\na linear program")
    names = ("its schedule, checked", "an optimal schedule, checked", "prices of slots that prove a bound")
    places = [figure.add_axes((0.45, row, 0.30, 0.2)) for row in ROWS]
    for ax, name, schedule in zip(places, names, (run.schedule, optimum), strict=False):
        _schedule(ax, schedule, day, name)
    _prices(places[2], bound, names[2])
    _ratio(figure.add_axes((0.78, 0.06, 0.21, 0.84)), run.objective, optimum.objective(day), bound.exact)
    for row in ROWS:
        _arrow(figure, (0.19, ROWS[1] + 0.1), (0.24, row + 0.1))
        _arrow(figure, (0.415, row + 0.1), (0.445, row + 0.1))
    return figure


def draw_small() -> Any:
    """Return the figure of the README: two schedules and the certified ratio."""
    from matplotlib.figure import Figure

    day, run, bound, optimum = computed()
    figure = Figure(figsize=(4.6, 4.7))
    for low, name, schedule in ((0.715, "A_online, online", run.schedule), (0.385, "offline optimum", optimum)):
        _schedule(figure.add_axes((0.03, low, 0.94, 0.225)), schedule, day, name, SMALL)
    ax = figure.add_axes((0.03, 0.03, 0.94, 0.25))
    values = {"A_online": run.objective, "optimum": optimum.objective(day), "certified bound": bound.exact}
    for n, ((name, value), colour) in enumerate(zip(values.items(), (RED, GREEN, BLUE), strict=True)):
        ax.barh(n, float(value), height=0.75, color=colour)
        words = f"{name}: {value if value.denominator == 1 else decimals(value, 4, up=False)}"
        ax.text(0.4, n, words, va="center", fontsize=SMALL, color="white")
    ax.invert_yaxis()
    _bare(ax, f"certified ratio at most {decimals(run.objective / bound.exact, 4, up=True)}", SMALL)
    return figure


def _instance(ax: Any, day: Any) -> None:
    for n, job in enumerate(day.jobs):
        ax.barh(n, float(job.chunk_time) * 0.9, left=job.arrival, height=0.7, color=job_colour(n))
        ax.plot(job.arrival, n, "v", color="#555555", markersize=5)
        ax.text(job.arrival + float(job.chunk_time), n, f"×{job.chunks}", va="center", fontsize=9)
    ax.invert_yaxis()
    ax.margins(x=0.2)
    _bare(ax, "an instance: jobs that arrive,\nand servers")


def _schedule(ax: Any, schedule: Any, day: Any, name: str, size: int = 10) -> None:
    rows: dict[tuple[Any, ...], int] = {}
    for job, _, *place, start, end in (row[:7] for row in schedule.intervals.rows()):
        y = rows.setdefault(tuple(place), len(rows))
        ax.barh(y, end - start, left=start, height=0.8, color=job_colour(job), edgecolor="white", linewidth=0.6)
    ax.set_xlim(0, 16)
    ax.invert_yaxis()
    _bare(ax, f"{name}: {schedule.objective(day)} slots", size)


def _prices(ax: Any, bound: Any, name: str) -> None:
    for n, (_, _, row) in enumerate(bound.witness.to_json()["prices"]):
        ax.step(range(len(row)), [float(price) for price in row], where="post", color=COLOURS[n % 8], linewidth=1.6)
    ax.set_xlim(0, 16)
    _bare(ax, f"{name}: {decimals(bound.exact, 4, up=False)} slots")


def _ratio(ax: Any, policy: Any, optimum: Any, bound: Any) -> None:
    """Draw the three numbers on one scale, with the true and the proven ratio."""
    low, true, high = map(float, (bound, optimum, policy))
    words = f"no schedule\nis below {decimals(bound, 4, up=False)}"
    for y, label, colour in (
        (high, f"the policy: {policy}", RED),
        (true, f"the optimum: {optimum}", GREEN),
        (low, words, BLUE),
    ):
        ax.plot([-0.1, 0.1], [y, y], color=colour, linewidth=4)
        ax.text(0.18, y, label, va="center", fontsize=10)
    for x, bottom, label in ((-0.3, true, f"true ratio\n{float(policy / optimum):.3f}"), (-1.6, low, "proven")):
        ax.annotate("", (x, high), (x, bottom), arrowprops={"arrowstyle": "<->", "color": "#555555"})
        ax.text(x - 0.06, (bottom + high) / 2, label, ha="right", va="center", fontsize=10)
    _bare(ax, f"certified ratio at most {decimals(policy / bound, 4, up=True)}")
    ax.set(xlim=(-2.4, 2.3), ylim=(low - 0.6, high + 0.4))


def _box(figure: Any, row: float, title: str, words: str) -> None:
    style = {"boxstyle": "round,pad=0.6", "facecolor": "#eef3f8", "edgecolor": BLUE}
    figure.text(0.33, row + 0.1, f"{title}\n\n{words}", ha="center", va="center", fontsize=10, bbox=style)


def _arrow(figure: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    from matplotlib.patches import FancyArrowPatch

    style = {"arrowstyle": "-|>", "mutation_scale": 14, "color": "#555555", "transform": figure.transFigure}
    figure.add_artist(FancyArrowPatch(start, end, **style))


def _bare(ax: Any, title: str, size: int = 10) -> None:
    ax.set_title(title, fontsize=size, loc="left")
    ax.set(xticks=[], yticks=[])
    for spine in ax.spines.values():
        spine.set_color("#cccccc")


if __name__ == "__main__":
    folder = Path(sys.argv[1] if sys.argv[1:] else Path(__file__).parent)
    save(draw(), folder / "idea.png", dpi=110)
    save(draw_small(), folder / "pictures" / "certified_ratio.png", dpi=125)
