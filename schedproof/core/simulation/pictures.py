"""Pictures shared by all families."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from io import BytesIO
from itertools import cycle
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from schedproof.core.base.numbers import decimals, plural, rounded
from schedproof.core.base.untyped import AnyFamily, Axes, Figure, Value
from schedproof.core.data.checking import Violation
from schedproof.core.runtime.files import write_bytes

# twelve colours with pairwise CIEDE2000 distance >= 13, also for red-blind and green-blind readers
COLOURS = (
    *("#4477aa", "#ffaa88", "#337700", "#bb9911", "#881155", "#00ccff"),
    *("#773333", "#dddd22", "#4433aa", "#eebbcc", "#339999", "#998877"),
)
# for more jobs, each colour is as far as possible from the previous ones in CIELAB
JOB_COLOURS = (
    *COLOURS,
    *("#554400", "#dd77ff", "#ee0044", "#11ee77", "#5588ff", "#ccdd99", "#881100", "#ccbbff", "#ff7711", "#225533"),
    *("#00eebb", "#ff1188", "#990099", "#554455", "#9966bb", "#995500", "#55aa00", "#ff88dd", "#00eeee", "#ee6688"),
    *("#88dd77", "#00aaff", "#bbddcc", "#ee33bb", "#0000ff", "#00ff00", "#cc00ff", "#000044"),
)
LEGEND = 12  # entries of a legend; with more jobs, bars carry the names


def job_colour(index: int) -> str:
    """Return a job's colour by its number, the same in every picture.

    40 jobs have distinct colours.
    """
    return JOB_COLOURS[index % len(JOB_COLOURS)]


LONGEST_CAPTION = 40  # letters


def caption(name: str) -> str:
    """Return a name for a picture: escaped for matplotlib and shortened."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    name = name if len(name) <= LONGEST_CAPTION else f"{name[: LONGEST_CAPTION - 1]}…"
    font = get_font(findfont(FontProperties()))
    letters = (c if c.isprintable() and font.get_char_index(ord(c)) else ascii(c)[1:-1] for c in name)
    return "".join(letters).replace("$", r"\$")


def title(id: str, options: Mapping[str, Value] = MappingProxyType({})) -> str:
    """Return a policy's or program's title with changed options: ``PD-ORS, span 12``."""
    from schedproof.core.cards import registry

    rows = (registry.entries(kind).get(id) for kind in ("policy", "program"))
    entry = next((entry for entry in rows if entry is not None), None)
    name = id.rpartition(".")[2] if entry is None else entry.title
    usual = {} if entry is None else {option.name: option.usual for option in entry.options}
    unusual = (f"{option} {value}" for option, value in options.items() if str(value) != usual.get(option))
    return ", ".join(map(caption, [name, *unusual]))


RED = "#cc3311"  # for violations and guarantees


def axes(ax: Axes, size: tuple[float, float]) -> Axes:
    """Return the given axes, or new ones on a figure that needs no display."""
    return panels(size) if ax is None else ax


def panels(size: tuple[float, float], rows: int = 1, columns: int = 1, **options: Value) -> Axes:
    """Return new axes, or an array of them, on a figure that needs no display.

    Parameters
    ----------
    options
        Options of matplotlib's ``Figure.subplots``.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    figure: Figure = Canvas(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    figure._repr_png_ = partial(_png, figure)  # shown in notebooks without pyplot
    return figure.subplots(rows, columns, **options)


def _png(figure: Figure) -> bytes:
    file = BytesIO()
    figure.savefig(file, format="png", bbox_inches="tight")
    return file.getvalue()


UNDATED: dict[str, dict[str, Value]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def save(figure: Figure, path: str | Path, dpi: int = 150) -> None:
    """Write a figure to a file, atomically; the same figure gives the same bytes.

    The file's suffix determines its format.
    """
    from matplotlib import rc_context

    kind, picture = Path(path).suffix.lower(), BytesIO()
    with rc_context({"svg.hashsalt": "schedproof"}):
        figure.savefig(picture, format=kind.removeprefix("."), dpi=dpi, metadata=UNDATED.get(kind))
    content = picture.getvalue()
    if kind == ".svg":  # rounding to 0.01 points is invisible and halves the file
        content = re.sub(rb' d="[^"]+"', lambda line: re.sub(rb"(\.\d\d)\d+", rb"\1", line[0]), content)
    write_bytes(path, content)  # reports a full disk as our error


def ink(colour: str) -> str:
    """Return black or white: the more legible one on a colour."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "white"


def mark_infeasible(ax: Axes, violations: Sequence[Violation]) -> Axes:
    """Mark a schedule's picture as infeasible, with the first violation."""
    if violations:
        words = f"NOT feasible: {plural(len(violations), 'violation')}, first: {caption(str(violations[0]))}"
        box = {"facecolor": "white", "edgecolor": RED}
        ax.text(0.99, 0.96, words, transform=ax.transAxes, ha="right", va="top", color=RED, fontsize=8, bbox=box)
    return ax


MOST_DRAWN = 10  # guarantees beyond this multiple of the axis are annotated, not drawn
WIDE = 5  # times the least ratio; a larger one makes the axis logarithmic
ROW = 0.55  # inches per policy


class Enclosed(NamedTuple):
    """A policy's ratio, or a mean of ratios.

    Attributes
    ----------
    low, high
        Lower bound on the true ratio (or None); certified ratio (or None without a schedule).
    least, most
        Least and largest certified ratio over several instances.
    """

    label: str
    low: Fraction | float | None
    high: Fraction | float | None
    least: float | None = None
    most: float | None = None


def draw_ratios(ratios: Sequence[tuple[AnyFamily, Fraction | None]], ax: Axes = None) -> Axes:
    """Draw policies' ratios to one optimum, one row each, with their guarantees.

    Parameters
    ----------
    ratios
        Each ratio with a lower bound on the true ratio (or None without a known schedule).
    """
    rows = [Enclosed(title(r.run.policy, r.run.options), low, r.exact) for r, low in ratios]
    ax = draw_enclosures(rows, ratios[0][0].bound.kind == "lower", ax)
    left, right = ax.get_xlim()
    most = max(1.0, *(ratio.value for ratio, _ in ratios)) * MOST_DRAWN
    drawn = [_draw_promise(ax, row, ratio, most) for row, (ratio, _) in enumerate(ratios)]
    ax.set_xlim(left, max(right, *(value + 0.1 * (right - left) for value in drawn)))
    return ax


def draw_enclosures(rows: Sequence[Enclosed], lower: bool, ax: Axes = None) -> Axes:
    """Draw each certified ratio as a point, with a bar or arrow to the lower bound.

    Parameters
    ----------
    lower
        Whether the ratio is objective / optimum, as for minimization.
    """
    ax = axes(ax, (7.5, 1.1 + ROW * len(rows)))
    ax.axvline(1, color="black", linewidth=1)
    ax.annotate("optimum", (1, 1), (4, 0), xycoords=("data", "axes fraction"), textcoords="offset points", fontsize=8)
    ends = [float(end) for row in rows for end in row[1:] if end is not None]
    left, right = min(1.0, *ends), max(1.0, *ends)
    for place, row in enumerate(rows):
        _draw_enclosure(ax, place, row)
    margin = max(right - left, 0.2)
    if right > WIDE * left > 0:
        logarithmic(ax)
        ax.set_xlim(left / (right / left) ** 0.05, right * (right / left) ** 0.3)
    else:
        ax.set_xlim(left - 0.1 * margin, right + 0.45 * margin)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_yticks(range(len(rows)), [row.label for row in rows])
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel("objective / optimum" if lower else "optimum / objective")
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    return ax


def logarithmic(ax: Axes, which: str = "x") -> None:
    """Make the x or y axis logarithmic, with plain numbers."""
    from matplotlib.ticker import LogLocator, NullLocator

    ax.set(**{f"{which}scale": "log"})
    axis = getattr(ax, f"{which}axis")
    axis.set_major_formatter("{x:g}")
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_minor_locator(NullLocator())


def _draw_enclosure(ax: Axes, place: int, row: Enclosed) -> None:
    if row.high is None:
        ax.annotate("no feasible schedule", (1, place), (7, 0), textcoords="offset points", va="center", color=RED)
        return
    words, high = f"≤ {decimals(Fraction(row.high), 3, up=True)}", float(row.high)
    if row.least is not None and row.most is not None:
        ax.plot([row.least, row.most], [place, place], "|-", color=COLOURS[0], linewidth=1)
    if row.low is None:
        arrow = {"arrowstyle": "<-", "color": COLOURS[0]}
        ax.annotate("", (high, place), (-24, 0), textcoords="offset points", arrowprops=arrow)
    else:
        words = f"[{decimals(Fraction(row.low), 3, up=False)}, {words.removeprefix('≤ ')}]"
        style = {"color": COLOURS[0], "linewidth": 4, "solid_capstyle": "butt", "alpha": 0.5}
        ax.plot([float(row.low), high], [place, place], **style)
    ax.plot([high], [place], "o", color=COLOURS[0], zorder=3)
    ax.annotate(
        words, (max(high, row.most or high), place), (7, 0), textcoords="offset points", va="center", fontsize=9
    )


def _draw_promise(ax: Axes, row: int, ratio: AnyFamily, most: float) -> float:
    """Draw a guarantee, dotted if a premise fails; return the needed end of the axis."""
    promised = ratio.promised.value
    if promised is None:
        return 1
    met = ratio.guarantee is not None
    words = "promised" if met else "the theorem's value,\na premise fails"
    style = {"textcoords": "offset points", "fontsize": 8, "color": RED}
    if promised <= most:
        ax.plot([float(promised)] * 2, [row - 0.35, row + 0.35], color=RED, linestyle="-" if met else ":")
        ax.annotate(words, (float(promised), row), (-4, 0), ha="right", va="center", **style)
        return float(promised)
    words = words.replace("\n", " ")
    ax.annotate(
        f"{words}: {rounded(promised, 2, up=True)} →", (ratio.value, row), (7, -8), ha="left", va="top", **style
    )
    return 1


THINNEST = 10_000  # a part below 1/THINNEST of the gap is not drawn


def draw_gap(gap: AnyFamily, ax: Axes = None) -> Axes:
    """Draw a bar from the objective to the bound, the largest part first.

    The legend has the amounts. A part has the same colour in every picture of its family; tiny parts are omitted.
    """
    ax = axes(ax, (7.5, 2.8))
    objective, total = float(gap.objective), float(gap.total)
    onwards = 1 if gap.bound >= gap.objective else -1
    start = objective
    colours = {part.name: colour for part, colour in zip(gap.parts, cycle(COLOURS), strict=False)}
    drawn = [part for part in gap.largest_first if part.amount * THINNEST > gap.total]
    for part in drawn:
        width, colour = float(part.amount), colours[part.name]
        ax.barh(
            [0],
            [onwards * width],
            left=start,
            height=0.6,
            color=colour,
            label=f"{part.name.replace('_', ' ')}  {width:.4g}",
        )
        if width > total / 12:
            middle = start + onwards * width / 2
            ax.text(middle, 0, f"{width / total:.0%}", ha="center", va="center", fontsize=9, color=ink(colour))
        start += onwards * width
    for at, name in ((objective, "schedule"), (float(gap.bound), "bound")):
        ax.plot([at, at], [-0.4, 0.4], color="black", linewidth=1.2)
        ax.text(at, 0.44, f"{name} {at:.6g}", ha="center", va="bottom", fontsize=9)
    ax.set_ylim(-0.4, 0.62)
    ax.set_yticks([])
    ax.set_xlabel(gap.measure.total + (f" ({gap.measure.unit})" if gap.measure.unit else ""), fontsize=9)
    ax.use_sticky_edges = False
    ax.margins(x=0.1)
    if drawn:
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.3), ncols=3, frameon=False, fontsize=8)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    return ax
