"""The panels of Figures 4 to 8 of Li et al. 2023, from what `schedproof.experiments.completion_times` has found.

And policies beside the optimum, draw by draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from schedproof.core.pictures import COLOURS, RED, axes

BOUND = "certified bound"
NETWORK = "tapfinger"
NETWORKS = (COLOURS[0], COLOURS[5], COLOURS[8])  # of the first networks; of more only the tables tell
LINES = {  # how a name begins -> label, colour, line; other names are in the tables only
    "optimus preemption": ("Optimus, preemptive", COLOURS[1], "-"),
    "tiresias preemption": ("Tiresias, preemptive", COLOURS[2], "-"),
    "table turns": ("a table, cluster by cluster", COLOURS[4], "--"),
    "random": ("Random", COLOURS[3], "-"),
    "minimum": ("Minimum", COLOURS[11], "--"),
    BOUND: ("at least so much on average, without preemption (certified)", "black", ":"),
}
SMOOTH = 60  # points of a line over time, about
MOST = 0.99  # of the tasks are on the axis of their times, for every policy

Style = tuple[str, str, str]  # label, colour, line


def draw(table: Any) -> Any:
    """Fig. 4 in two rows as in the paper, Figs. 5, 7 and 8 in a third; returns the figure."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    figure = Figure(figsize=(13.5, 9.8), layout="constrained")
    FigureCanvasAgg(figure)
    styles = _styles(table["who"].unique())
    shown = table[table["who"].isin(list(styles))]
    for ax, (title, workloads, content) in zip(figure.subplots(3, 4).flat, PANELS, strict=True):
        ax.set_title(title, fontsize=9.5, loc="left")
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=8)
        rows = shown[shown["workload"].isin(workloads)]
        if len(rows):
            content(ax, rows, styles)
        else:
            ax.text(0.5, 0.5, "not run", ha="center", transform=ax.transAxes)
    handles = [Line2D([], [], color=c, linestyle=line, label=label) for label, c, line in styles.values()]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    return figure


def _styles(names: Iterable[str]) -> dict[str, Style]:
    """How those are drawn that are: the networks, then as in `LINES`."""
    listed = list(names)
    networks = [name for name in listed if name.startswith(NETWORK)]
    styles: dict[str, Style] = {
        name: (name.replace(NETWORK, "TapFinger, weights"), colour, "-")
        for name, colour in zip(networks, NETWORKS, strict=False)
    }
    for begin, style in LINES.items():
        styles |= {name: style for name in listed if name.startswith(begin)}
    return styles


def _groups(rows: Any, styles: Iterable[str]) -> list[tuple[str, Any]]:
    """The rows of each, in the order of the legend, so that a dashed line lies on a solid one."""
    groups = dict(list(rows.groupby("who")))
    return [(name, groups[name]) for name in styles if name in groups]


def _draw_times(ax: Any, rows: Any, styles: Mapping[str, Style]) -> None:
    """The distribution of the completion times."""
    most = 0
    for name, group in _groups(rows, styles):
        _, colour, line = styles[name]
        if name == BOUND:
            ax.axvline(group["mean"].mean(), color=colour, linestyle=line, linewidth=1.2)
            continue
        slots, tasks = together(group["slots"])
        part = np.cumsum(tasks) / tasks.sum()
        ax.step(slots, part, where="post", color=colour, linestyle=line, linewidth=1.3)
        most = max(most, int(slots[np.searchsorted(part, MOST)]))
    ax.set(xlim=(0, most), ylim=(0, 1.02))
    ax.set_xlabel("completion time, slots", fontsize=8)
    ax.set_ylabel("part of the tasks", fontsize=8)


def _draw_accumulation(ax: Any, rows: Any, styles: Mapping[str, Style]) -> None:
    """The tasks in the system over time."""
    _draw_over_time(ax, rows, styles, "in_system")
    ax.set_ylabel("tasks in the system", fontsize=8)


def _draw_gpus(ax: Any, rows: Any, styles: Mapping[str, Style]) -> None:
    """The GPUs in use over time, in percent."""
    _draw_over_time(ax, rows, styles, "gpus", 100)
    ax.set_ylabel("GPUs in use, %", fontsize=8)


def _draw_over_time(ax: Any, rows: Any, styles: Mapping[str, Style], column: str, times: int = 1) -> None:
    for name, group in _groups(rows[rows["who"] != BOUND], styles):
        _, colour, line = styles[name]
        mean = averaged(group[column])
        ax.plot(times * smoothed(mean), color=colour, linestyle=line, linewidth=1.2)
    ax.set(xlim=(0, None), ylim=(0, None))
    ax.set_xlabel("slot", fontsize=8)


def _draw_means(ax: Any, rows: Any, styles: Mapping[str, Style]) -> None:
    """A bar for the mean of each policy, and what 95 % of such means are within."""
    for place, (name, group) in enumerate(_groups(rows, styles)):
        (_, colour, line), means = styles[name], group["mean"]
        if name == BOUND:
            ax.axhline(means.mean(), color=colour, linestyle=line, linewidth=1.2)
            continue
        ax.bar(place, means.mean(), yerr=half_interval(means), color=colour, width=0.75, capsize=2)
    ax.set_xticks([])
    ax.set_ylabel("mean completion time, slots", fontsize=8)


def _draw_scale(ax: Any, rows: Any, styles: Mapping[str, Style]) -> None:
    """The means against the number of tasks."""
    for name, group in _groups(rows, styles):
        _, colour, line = styles[name]
        by_size = group.groupby("tasks")["mean"]
        errors = by_size.agg(half_interval)
        ax.errorbar(
            by_size.mean().index, by_size.mean(), errors, color=colour, linestyle=line, marker="o", markersize=3
        )
    ax.set_ylim(bottom=0)
    ax.set_xlabel("tasks", fontsize=8)
    ax.set_ylabel("mean completion time, slots", fontsize=8)


PANELS = (
    ("(4a) synthetic, 3 clusters, $\\lambda$ = 2", ["synthetic3"], _draw_times),
    ("(4b) task accumulation", ["synthetic3"], _draw_accumulation),
    ("(4c) synthetic, 6 clusters, $\\lambda$ = 4", ["synthetic6"], _draw_times),
    ("(4d) task accumulation", ["synthetic6"], _draw_accumulation),
    ("(4e) test bed, 3 clusters, 1,000 tasks", ["testbed3"], _draw_times),
    ("(4f) task accumulation", ["testbed3"], _draw_accumulation),
    ("(4g) test bed, 6 clusters, 2,000 tasks", ["testbed6"], _draw_times),
    ("(4h) task accumulation", ["testbed6"], _draw_accumulation),
    ("(5) synthetic, 6 clusters, $\\lambda$ = 2", ["synthetic6-2"], _draw_accumulation),
    ("(7a) at the size of tiny", ["tiny"], _draw_means),
    ("(8a) test bed, 6 clusters", ["testbed6", "testbed6-4000", "testbed6-8000"], _draw_scale),
    ("(8b) GPU usage, 2,000 tasks", ["testbed6"], _draw_gpus),
)


# --- numbers ---------------------------------------------------------------------------------------------------------


def draw_excess(excess: Mapping[str, np.ndarray], colours: Mapping[str, str], bound: float, ax: Any = None) -> Any:
    """Draw by how much policies exceed the optimum: a dot for each draw, and the mean with its 95 % interval.

    Parameters
    ----------
    excess
        Policy -> value / optimum - 1 of each draw.
    bound
        The same of the certified bound, on average: a dotted line.
    """
    ax = axes(ax, (6, 3.6))
    for y, (name, values) in enumerate(excess.items()):
        mean, half = values.mean(), half_interval(values)
        beside = y + np.linspace(-0.25, 0.25, len(values))
        ax.plot(100 * values, beside, ".", color=colours[name], alpha=0.35, markersize=5)
        style = {"fmt": "o", "capsize": 4, "markersize": 6, "markeredgecolor": "black"}
        ax.errorbar(100 * mean, y, xerr=100 * half, color=colours[name], **style)
        words = f"{mean:.1%} ± {half:.1%}"
        ax.text(1.02, y, words, va="center", fontsize=8, transform=ax.get_yaxis_transform())
    ax.axvline(0, color="black", linewidth=1)
    ax.axvline(100 * bound, color="black", linewidth=1, linestyle=":")
    ax.set(yticks=range(len(excess)), yticklabels=list(excess), ylim=(len(excess) - 0.5, -0.5))
    ax.set(xlabel="above the optimum, % (dotted: the certified bound)")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def draw_waiting(split: Mapping[str, tuple[float, float]], ax: Any = None) -> Any:
    """Draw how many slots a task waits and how many it runs, a bar for each policy."""
    ax = axes(ax, (4.8, 3.6))
    waits, runs = zip(*split.values(), strict=True)
    ax.barh(range(len(split)), runs, color=COLOURS[-1], label="runs")
    ax.barh(range(len(split)), waits, left=runs, color=RED, label="waits")
    ax.set(yticks=range(len(split)), yticklabels=list(split), ylim=(len(split) - 0.5, -0.5), xlabel="slots a task")
    ax.legend(frameon=False, fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def together(counts: Iterable[Sequence[Sequence[int]]]) -> tuple[np.ndarray, np.ndarray]:
    """Slots, ascending, and how many tasks took so many, of all draws."""
    total: Counter[int] = Counter()
    for rows in counts:
        for slots, tasks in rows:
            total[slots] += tasks
    return np.array(sorted(total)), np.array([total[slots] for slots in sorted(total)])


def median(counts: Iterable[Sequence[Sequence[int]]]) -> float:
    """Of the slots of all tasks of all draws."""
    return float(np.median(np.repeat(*together(counts))))


def half_interval(means: Any) -> float:
    """Half of the 95 % interval of a mean over draws, by Student's t; nan of one draw."""
    from scipy.stats import t

    draws = len(means)
    return float(t.ppf(0.975, draws - 1) * np.std(means, ddof=1) / np.sqrt(draws)) if draws > 1 else float("nan")


def averaged(lines: Iterable[Sequence[float]]) -> np.ndarray:
    """The mean of lines of different length, which are 0 after their ends."""
    listed = list(lines)
    mean = np.zeros(max(map(len, listed)))
    for line in listed:
        mean[: len(line)] += np.asarray(line) / len(listed)
    return mean


def smoothed(line: np.ndarray) -> np.ndarray:
    """The running mean over the `SMOOTH`-th part of a line, of what there is of it at its ends."""
    part = np.ones(max(1, len(line) // SMOOTH))
    return np.convolve(line, part, "same") / np.convolve(np.ones(len(line)), part, "same")
