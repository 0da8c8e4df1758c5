"""Pictures of a comparison, and its tables along swept settings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from itertools import cycle
from math import inf, isfinite
from textwrap import wrap
from typing import Any, NamedTuple

from schedproof.core.base.untyped import Axes, Frame
from schedproof.core.cards import registry
from schedproof.core.errors import SchedproofError
from schedproof.experiments.table import RUN, best_found, named_rules, summary, swept

LINE = 0.055  # height of a line of names in a picture, as part of the axis
DARKER = 0.7  # the brightness of a name, as part of its line's
POINTS = 12  # that an axis marks each; an axis with more points has regular marks
NARROW = 9  # characters of a column with intervals; longer names are folded
ONE = ("instance_sha256", "seed")
INTERVAL = (
    "Each cell: the ratio to the best schedule found, rounded down, and the certified bound on the ratio to the "
    "optimum, rounded up. The policy's true ratio is between them."
)


class Curve(NamedTuple):
    """A policy's short name, its row of means at each setting, and its full name.

    The short name lacks the options that are the rules of its table.
    """

    name: str
    at: Mapping[tuple[Any, ...], Mapping[str, Any]]
    label: str


def curves(table: Frame, along: Sequence[str]) -> dict[str, list[Curve]]:
    """Return each policy's curve along settings, by reading of the rules."""
    family, readings = table["family"].iloc[0], [*table["rules"].unique()]
    differing = [name for name in RUN[2:] if name in table and table[name].nunique(dropna=False) > 1]
    result: dict[str, list[Curve]] = {}
    for rules, part in table.groupby("rules", sort=False):
        points: dict[tuple[str, str], dict[tuple[Any, ...], Mapping[str, Any]]] = {}
        for row in summary(part, [*along, *RUN]).astype(object).to_dict("records"):
            names = _name(row, f"{rules}".split(", "), differing), _name(row, (), differing)
            points.setdefault(names, {})[tuple(row[setting] for setting in along)] = row
        curves_of = result.setdefault(named_rules(family, rules, readings), [])
        curves_of += [Curve(name, at, label) for (name, label), at in points.items()]
    return result


def _name(row: Mapping[str, Any], rules: Sequence[str], differing: Sequence[str]) -> str:
    options = [option for option in str(row["options"] or "").split(",") if option and option not in rules]
    options += [f"{key}={row[key]}" for key in differing if row[key] == row[key]]
    return ":".join(filter(None, [str(row["policy"]).rpartition(".")[2], ",".join(options)]))


def lines(table: Frame, width: int) -> Iterator[str]:
    """Yield tables with a row for each setting and a column for each policy.

    Each reading of the rules has a separate table. A cell is the certified interval of the ratio, or without bounds the
    objective. The last table has the best schedules found and the bound.
    """
    along = swept(table)
    certified = "ratio" in table and table["ratio"].notna().any()
    total = registry.family(table["family"].iloc[0]).own.measure.total
    settings = [*dict.fromkeys(table[[*along]].itertuples(index=False, name=None))]
    heads = [[name, *(_short(setting[n]) for setting in settings)] for n, name in enumerate(along)]
    for rules, alike in curves(table, along).items():
        yield ", ".join(filter(None, ["ratio to the optimum" if certified else total, rules]))
        cell = _interval if certified else _objective
        yield from _blocks(heads, [[c.name, *(cell(c.at.get(s, {})) for s in settings)] for c in alike], width)
        yield ""
    if certified:
        yield total
        yield from _blocks(heads, [*_best_and_bound(table, along, settings)], width)
        yield ""
        yield from wrap(INTERVAL, width)
        yield ""


def _best_and_bound(table: Frame, along: Sequence[str], settings: Sequence[Any]) -> Iterator[list[str]]:
    """Yield the columns of the best schedules found and of the bounds."""
    family, readings = table["family"].iloc[0], [*table["rules"].unique()]
    lower = registry.family(family).load("instance").sense == "minimize"
    for rules in readings:
        best = table.assign(objective=best_found(table))[table["rules"].eq(rules)]
        yield _column(f"best {named_rules(family, rules, readings)}", best, "objective", along, settings)
    for program, part in table.groupby("program", sort=False):
        name = f"bound {str(program).rpartition('.')[2]}"
        yield _column(name, part, "bound", along, settings, ROUND_FLOOR if lower else ROUND_CEILING)


def _column(
    name: str, rows: Frame, of: str, along: Sequence[str], settings: Sequence[Any], rounding: str = ROUND_HALF_EVEN
) -> list[str]:
    means = (
        rows.drop_duplicates([*along, *(key for key in ONE if key in rows)]).groupby([*along], dropna=False)[of].mean()
    )
    at = {key if isinstance(key, tuple) else (key,): value for key, value in means.items()}
    return [name, *(_rounded(at.get(setting), 0, rounding) for setting in settings)]


def _blocks(heads: Sequence[Sequence[str]], columns: list[list[str]], width: int) -> Iterator[str]:
    """Yield blocks of columns that fit a width; each block repeats the settings."""
    folded = [[_folded(name), cells] for name, *cells in [*heads, *columns]]
    tall = max(len(names) for names, _ in folded)
    texts = [[*[""] * (tall - len(names)), *names, *cells] for names, cells in folded]
    widths = [max(map(len, column)) for column in texts]
    first, rest = len(heads), [*range(len(heads), len(texts))]
    while rest:
        room, count = width - sum(1 + w for w in widths[:first]), 0
        while count < len(rest) and (count == 0 or room >= 1 + widths[rest[count]]):
            room -= 1 + widths[rest[count]]
            count += 1
        shown, rest = [*range(first), *rest[:count]], rest[count:]
        gap = "  " if room >= len(shown) else " "
        rows = [gap.join(f"{texts[n][row]:>{widths[n]}}" for n in shown) for row in range(len(texts[0]))]
        yield from (row.rstrip() for row in [*rows[:tall], "-" * max(map(len, rows)), *rows[tall:]])
        yield from [""] * bool(rest)


def _folded(name: str) -> list[str]:
    """Return a name in lines of at most `NARROW` characters, broken at signs."""
    result = [""]
    for piece in re.findall(r"[^_:=, ]*[_:=, ]?", name):
        if result[-1] and len(result[-1] + piece.rstrip()) > NARROW:
            result.append("")
        result[-1] += piece
    return [line.strip() for line in result]


def _interval(row: Mapping[str, Any]) -> str:
    low, high = (_rounded(row.get(name), 2, to) for name, to in (("to_best", ROUND_FLOOR), ("ratio", ROUND_CEILING)))
    if row.get("speed", 1) != 1:  # schedules of a faster system do not bound the optimum
        return f"<={high}" if high else "none"
    return (low if low == high else f"{low}-{high}") if high else "none"


def _objective(row: Mapping[str, Any]) -> str:
    return _rounded(row.get("objective"), 0, ROUND_HALF_EVEN) or "none"


def _rounded(value: Any, places: int, rounding: str) -> str:
    """Return a number as text with three digits or more; nothing for NaN."""
    if value is None or value != value:
        return ""
    if not isfinite(value):
        return "inf"
    places = max(0, places - (value >= 10) - (value >= 100))
    return f"{Decimal(value).quantize(Decimal(1).scaleb(-places), rounding):f}"


def picture(table: Any) -> Axes:
    """Draw each policy's certified ratio along a setting, or its mean and range.

    Policies under other rules, such as floating chunks, have another optimum, and separate axes.

    Raises
    ------
    SchedproofError
        If the table has no ratio, or rows of several families.
    """
    from pandas.api.types import is_numeric_dtype

    if "ratio" not in table or table["ratio"].isna().all():
        raise SchedproofError("the table has no certified ratio to draw: name a bound in the comparison")
    families = table["family"].unique().tolist()
    if len(families) > 1:
        raise SchedproofError(f"expected a table of one family, got {', '.join(families)}")
    table = table.dropna(subset=["policy", "program"])  # runs in finer slots have no bound
    table = table.assign(rules=table["rules"].astype(object).fillna("") if "rules" in table else "")
    along = swept(table)
    setting = next((name for name in along if is_numeric_dtype(table[name])), None)
    return _draw_means(table, along) if setting is None else _draw_curves(table, along, setting)


def _draw_means(table: Any, along: Sequence[str]) -> Axes:
    from schedproof.core.simulation.pictures import ROW, Enclosed, caption, draw_enclosures, panels

    families, by = table["family"].unique().tolist(), [*along, "policy", "options", "speed"]
    varied = [name for name in by if name in table and name not in ("policy", "options") and table[name].nunique() > 1]
    rows: dict[str, list[Enclosed]] = {}
    for row in summary(table, [*by, "rules"]).astype(object).to_dict("records"):
        low, high, least, most = (_or_none(row.get(name)) for name in ("to_best", "ratio", "ratio_low", "ratio_high"))
        low = low if row.get("speed", 1) == 1 else None  # schedules of a faster system do not bound the optimum
        others = [caption(f"{name} {_short(row[name])}") for name in varied]
        alike = rows.setdefault(row["rules"], [])
        alike.append(Enclosed(", ".join([_title(families[0], row), *others]), low, high, least, most))
    lower = registry.family(families[0]).load("instance").sense == "minimize"
    heights = [1.1 + ROW * len(alike) for alike in rows.values()]
    all_axes = panels((7.5, sum(heights)), len(rows), squeeze=False, height_ratios=heights)[:, 0]
    for ax, (words, alike) in zip(all_axes, rows.items(), strict=True):
        draw_enclosures(alike, lower, ax)
        if len(rows) > 1:
            ax.set_xlabel(f"{ax.get_xlabel()} with {named_rules(families[0], words, rows)}")
    if "log" not in {ax.get_xscale() for ax in all_axes}:
        ends = [ax.get_xlim() for ax in all_axes]
        for ax in all_axes:
            ax.set_xlim(min(left for left, _ in ends), max(right for _, right in ends))
    if (cells := table.groupby([name for name in by if name in table], dropna=False).size().max()) > 1:
        ax.set_xlabel(f"{ax.get_xlabel()}: the mean of {cells} instances, the least and the largest")
    return ax


def _short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _or_none(value: Any) -> float | None:
    return None if value is None or value != value else float(value)


def _title(family: str, row: Mapping[str, Any]) -> str:
    from schedproof.core.simulation.pictures import title

    id, _ = registry.family(family).find("policy", row["policy"]) or (row["policy"], None)
    options = re.findall(r"(\w+)=(.*?)(?=,\w+=|$)", row.get("options") or "")
    return title(id, dict(options))


def _label_ends(ax: Axes, ends: Sequence[tuple[tuple[float, float], str, str]], left: bool) -> None:
    """Write names at the ends of lines, without overlaps."""
    from matplotlib.colors import to_rgb

    if left:
        ax.yaxis.tick_right()
        ax.yaxis.set_label_position("right")
    heights = ax.transAxes.inverted().transform(ax.transData.transform([point for point, *_ in ends]))[:, 1]
    placed, below = [], -inf
    for height, (point, words, colour) in sorted(zip(heights.tolist(), ends, strict=True)):
        size = LINE * (1 + words.count("\n"))
        below = max(height - size / 2, below) + size
        placed.append((below - size / 2, point, words, colour))
    over, relpos = max(0.0, below - 1 - LINE), (float(left), 0.5)
    for height, point, words, colour in placed:
        ax.annotate(
            words,
            point,
            (-0.04 if left else 1.04, height - over),
            textcoords="axes fraction",
            arrowprops={"arrowstyle": "-", "color": "0.4", "linewidth": 0.8, "linestyle": ":", "relpos": relpos},
            color=[DARKER * part for part in to_rgb(colour)],
            fontsize=9,
            ha="right" if left else "left",
            va="center",
            annotation_clip=False,
        )


def _draw_curves(table: Frame, along: Sequence[str], setting: str) -> Axes:
    """Draw the ratios' certified intervals along a setting, by reading of the rules.

    Parameters
    ----------
    along
        All swept settings; a curve's label has the others.
    setting
        The horizontal axis.
    """
    from matplotlib.ticker import MaxNLocator
    from pandas.api.types import is_integer_dtype

    from schedproof.core.simulation.pictures import COLOURS, WIDE, caption, logarithmic, panels

    others, readings = [name for name in along if name != setting], curves(table, along)
    lower = registry.family(table["family"].iloc[0]).load("instance").sense == "minimize"
    all_axes = panels((7, 3.3 * len(readings)), len(readings), squeeze=False, sharex=True)[:, 0]
    for ax, (rules, alike) in zip(all_axes, readings.items(), strict=True):
        lines: dict[str, list[tuple[float, float, float]]] = {}
        for curve in alike:
            for row in curve.at.values():
                high = float(row["ratio"])
                low = float(row.get("to_best", high)) if row.get("speed", 1) == 1 else high  # as in `_interval`
                if isfinite(high):
                    words = ", ".join([curve.label, *(f"{name} {row[name]}" for name in others)])
                    lines.setdefault(words, []).append((row[setting], low, high))
        equal: dict[tuple[tuple[float, float, float], ...], list[str]] = {}
        for words, points in lines.items():
            equal.setdefault(tuple(sorted(points)), []).append(caption(words))
        first, last = (sorted(points[side][2] for points in equal) for side in (0, -1))
        left = bool(equal) and first[-1] / first[0] > last[-1] / last[0]  # the side with the larger distances
        ends_of: list[tuple[tuple[float, float], str, str]] = []
        for (shape, names), colour in zip(equal.items(), cycle(COLOURS), strict=False):
            x, bottom, top = zip(*shape, strict=True)
            ax.plot(x, top, ".-", color=colour, linewidth=1.2)
            ax.fill_between(x, bottom, top, color=colour, alpha=0.08, linewidth=0)
            side = 0 if left else -1
            ends_of.append(((x[side], top[side]), "\n= ".join(names), colour))
        ax.set_ylabel("objective / optimum" if lower else "optimum / objective")
        ax.set_title(rules, fontsize=9)
        ends = [end for points in lines.values() for _, *both in points for end in both]
        if ends and max(ends) > WIDE * min(ends) > 0:
            logarithmic(ax, "y")
        if ends_of:
            _label_ends(ax, ends_of, left)
    points = sorted(set(table[setting]))
    if len(points) <= POINTS:
        ax.set_xticks(points)
    elif is_integer_dtype(table[setting]):
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    cells = table.groupby([*along, *(name for name in RUN if name in table)], dropna=False).size().max()
    means = f", means of {cells} instances" if cells > 1 else ""
    ax.set_xlabel(f"{setting}\nline: certified upper bound{means}\nband: down to the ratio to the best schedule found")
    return ax
