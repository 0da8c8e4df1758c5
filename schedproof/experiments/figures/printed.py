"""Facts that the papers print about figures, compared with the reproductions.

A family's ``printed.toml`` holds the facts, each with its place in the paper. The verdict depends only on the means in
the reproduction. ``reproduced``: the fact holds for the means (a number: within 10 %). ``same ranking, other size``:
the order of curves is the printed order, but the difference is not. ``contradicted``: otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import partial
from itertools import combinations
from math import isnan
from typing import Any

from schedproof.core.errors import InputError
from schedproof.experiments.figures.plan import HERE, Figure, as_text, table

REPRODUCED, ORDER, CONTRADICTED = "reproduced", "same ranking, other size", "contradicted"
NOT_COMPARED = "not compared"
VERDICTS = (REPRODUCED, ORDER, CONTRADICTED, NOT_COMPARED)
OF_FIGURE = ": "  # between a figure and its curve
CLOSE, HALF = 0.1, 0.5  # relative distance to a printed number, and the share that stands for all tasks


class Point(float):
    """A mean with the ends of its interval."""

    low: float
    high: float

    @classmethod
    def of(cls, mean: float, low: float, high: float) -> Point:
        """Return a point; a missing end is the mean."""
        point = cls(mean)
        point.low, point.high = (mean if isnan(end) else end for end in (low, high))
        return point


Series = Mapping[str, Point]  # x -> mean


@dataclass(frozen=True)
class Fact:
    """A fact that a paper prints about a figure.

    Attributes
    ----------
    figures
        Names of the figures.
    place
        Place in the paper: the page, or the section if the text has no pages.
    says
        The printed text, abbreviated.
    kind
        ``below`` and ``above``: a curve is below or above another by a percentage, at the x with the largest
        difference. ``at_most`` and ``at_least``: at every x. ``lowest`` and ``highest``: of the panel's curves, at
        every x. ``lowest_on_average``: the lowest average over time. ``rises`` and ``falls``: from the first x to the
        last. ``lowest_at`` and ``highest_at``: the x of the extreme value. ``mean_below`` and ``median_below``: a
        distribution's mean or median is below another's by a percentage. ``ends``: the end of a curve over time,
        divided by the end of another. ``values``: at the given x; the ranking is the same unless two reproduced values
        are in the opposite order by more than their intervals. ``not_compared``: the fact has no comparison.
    curve, of
        Labels in the figure. ``of`` is the curve to compare with; ``FIGURE: CURVE`` is a curve in another figure.
    among
        For ``lowest`` and ``highest``: the other curves; all policies if not given.
    panel
        Number of the panel.
    at_end
        Whether the fact is about the last x only.
    value, x, values
        The printed numbers. ``rises`` and ``falls`` refer to the first and the last given x.
    unit
        Unit of the numbers.
    """

    figures: tuple[str, ...]
    place: str
    says: str
    kind: str
    curve: str = ""
    of: str = ""
    among: tuple[str, ...] = ()
    panel: int = 0
    at_end: bool = False
    value: float = 0.0
    x: tuple[str, ...] = ()
    values: tuple[float, ...] = ()
    unit: str = ""


@dataclass(frozen=True)
class Judgement:
    """The comparison of a fact with a figure: the reproduced number and the verdict."""

    fact: Fact
    ours: str
    verdict: str


def facts(family: str) -> tuple[Fact, ...]:
    """Return the facts that a family's paper prints about its figures.

    Raises
    ------
    InputError
        For an invalid fact, with its place in the file.
    """
    path, known = HERE / family / "printed.toml", {f.name for f in fields(Fact)}
    result = []
    for n, given in enumerate(table(path).get("fact", []) if path.exists() else ()):
        if strange := [key for key in given if key not in known]:
            raise InputError(
                f"expected one of {', '.join(sorted(known))}", path=f"fact[{n}].{strange[0]}", file=str(path)
            )
        if given.get("kind") not in KINDS:
            kinds = ", ".join(KINDS)
            raise InputError(
                f"expected one of {kinds}", path=f"fact[{n}].kind", value=given.get("kind"), file=str(path)
            )
        lists = {key: tuple(value) for key, value in given.items() if isinstance(value, list)}
        try:
            result.append(Fact(**{**given, **lists}))
        except TypeError as error:
            raise InputError(
                f"expected the fields of a printed fact: {error}", path=f"fact[{n}]", file=str(path)
            ) from None
    return tuple(result)


def of_figure(figure: Figure) -> list[Fact]:
    return [fact for fact in facts(figure.family) if figure.name in fact.figures]


def points(figure: Figure) -> Iterator[tuple[int, str, str, float]]:
    for fact in of_figure(figure):
        for x, y in zip(fact.x, fact.values, strict=False):  # rises and falls have x, but no values
            yield fact.panel, fact.curve, x, y


def judge(fact: Fact, figure: Figure, means: Any) -> Judgement:
    """Compare a fact with the means of a figure.

    Raises
    ------
    InputError
        If the figure lacks a curve of the fact.
    """
    mine = means[means["panel"] == fact.panel]
    curves = {label: _series(rows) for label, rows in mine.groupby("curve", sort=False)}
    if fact.at_end:
        curves = {label: dict([*series.items()][-1:]) for label, series in curves.items()}
    if OF_FIGURE in fact.of and fact.of not in curves:  # the other figure is missing
        return Judgement(fact, "", NOT_COMPARED)
    others = fact.among or tuple(c.label for c in figure.panels[fact.panel].curves if c.policy and c.label in curves)
    for label in (fact.curve, fact.of, *others):
        if label and label not in curves:
            raise InputError(f"{figure.id} has no curve '{label}' in panel {fact.panel}: {fact.says}")
    ours, verdict = KINDS[fact.kind](fact, curves, others)
    return Judgement(fact, ours, verdict)


def _series(rows: Any) -> Series:
    columns = (rows[name] for name in ("x", "y", "low", "high"))
    return {as_text(x): Point.of(y, low, high) for x, y, low, high in zip(*columns, strict=True)}


def _judge_size(ours: float, printed: float) -> str:
    if abs(ours - printed) <= CLOSE * abs(printed):
        return REPRODUCED
    return ORDER if ours > 0 else CONTRADICTED


def _percent(ours: float) -> str:
    return f"{ours:.0f} %" if abs(ours) >= 10 else f"{ours:.1f} %"


def _gain(fact: Fact, curves: Mapping[str, Series], others: tuple[str, ...], sign: int) -> tuple[str, str]:
    gains = {x: 100 * sign * (quotient - 1) for x, quotient in _relative(fact, curves).items()}
    x, last = max(gains, key=lambda x: gains[x]), next(reversed(gains))
    words = _percent(gains[x])
    if len(gains) > 1:
        words = f"{words} at {x}, the largest of {len(gains)} points; {_percent(gains[last])} at the last"
    return words, _judge_size(gains[x], fact.value)


def _relative(fact: Fact, curves: Mapping[str, Series]) -> Mapping[str, float]:
    ours = curves[fact.curve]
    return {x: y / curves[fact.of][x] for x, y in ours.items() if x in curves[fact.of]} if fact.of else ours


def _at_most(fact: Fact, curves: Mapping[str, Series], others: tuple[str, ...]) -> tuple[str, str]:
    limit = max(_relative(fact, curves).values())
    return f"{limit:.3g} at most", REPRODUCED if limit <= fact.value else CONTRADICTED


def _at_least(fact: Fact, curves: Mapping[str, Series], others: tuple[str, ...]) -> tuple[str, str]:
    least = min(_relative(fact, curves).values())
    return f"{least:.3g} at least", REPRODUCED if least >= fact.value else CONTRADICTED


def _first(fact: Fact, curves: Mapping[str, Series], others: tuple[str, ...], sign: int) -> tuple[str, str]:
    ours, places, worse = curves[fact.curve], Counter[str](), 0
    for x, point in ours.items():
        rivals = [curves[name][x] for name in others if name != fact.curve and x in curves[name]]
        best = max(rivals, key=lambda rival: sign * rival)
        worse += sign * point < sign * best
        if best.high < point.low or point.high < best.low:
            places["ahead" if sign * point > sign * best else "behind"] += 1
        else:
            places["level"] += 1
    words = ", ".join(f"{place} at {count}" for place, count in places.items())
    words = f"{words} of {len(ours)} points"
    if places["behind"] or (not places["ahead"] and 2 * worse > len(ours)):
        return words, CONTRADICTED
    return words, REPRODUCED if places["ahead"] else ORDER


def _lowest_on_average(fact: Fact, curves: Mapping[str, Series], others: tuple[str, ...]) -> tuple[str, str]:
    averages = {label: sum(curves[label].values()) / len(curves[label]) for label in (fact.curve, *others)}
    best = min(average for label, average in averages.items() if label != fact.curve)
    words = f"{averages[fact.curve]:.3g} on average, the next {best:.3g}"
    return words, REPRODUCED if averages[fact.curve] < best else CONTRADICTED


def _ends(fact: Fact, curves: Mapping[str, Series], others: tuple[str, ...]) -> tuple[str, str]:
    ours, other = (max(float(x) for x, y in curves[label].items() if y > 0) for label in (fact.curve, fact.of))
    close = abs(ours / other - fact.value) <= CLOSE * fact.value
    return f"{ours / other:.2f}", REPRODUCED if close else ORDER if ours < other else CONTRADICTED


def _moves(fact: Fact, curves: Mapping[str, Series], others: tuple[str, ...], sign: int) -> tuple[str, str]:
    ours = _relative(fact, curves)
    ends = fact.x or tuple(ours)
    first, last = ours[ends[0]], ours[ends[-1]]
    return f"from {first:.4g} to {last:.4g}", REPRODUCED if sign * last > sign * first else CONTRADICTED


def _extreme_at(fact: Fact, curves: Mapping[str, Series], others: tuple[str, ...], sign: int) -> tuple[str, str]:
    ours = curves[fact.curve]
    best = max(ours, key=lambda x: sign * ours[x])
    return f"at {best}", REPRODUCED if best in fact.x else CONTRADICTED


def _mean_below(fact: Fact, curves: Mapping[str, Series], others: tuple[str, ...]) -> tuple[str, str]:
    ours, other = (_mean(curves[label]) for label in (fact.curve, fact.of))
    less = 100 * (1 - ours / other)
    return f"{_percent(less)} ({ours:.3g} and {other:.3g})", _judge_size(less, fact.value)


def _median_below(fact: Fact, curves: Mapping[str, Series], others: tuple[str, ...]) -> tuple[str, str]:
    ours, other = (
        min(float(x) for x, part in curves[label].items() if part >= HALF) for label in (fact.curve, fact.of)
    )
    less = 100 * (1 - ours / other)
    return f"{_percent(less)} ({ours:.3g} and {other:.3g})", _judge_size(less, fact.value)


def _mean(distribution: Series) -> float:
    slots, parts = [float(x) for x in distribution], [*distribution.values()]
    return slots[0] * parts[0] + sum(
        (after - before) * slot for slot, before, after in zip(slots[1:], parts, parts[1:], strict=False)
    )


def _values(fact: Fact, curves: Mapping[str, Series], others: tuple[str, ...]) -> tuple[str, str]:
    ours = [curves[fact.curve][x] for x in fact.x]
    pairs = combinations(sorted(zip(ours, fact.values, strict=True), reverse=True), 2)
    alike = all(a.low <= b.high or x >= y for (a, x), (b, y) in pairs)
    close = sum(abs(y - printed) <= CLOSE * abs(printed) for y, printed in zip(ours, fact.values, strict=True))
    listed = ", ".join(f"{y:,.0f}" if abs(y) >= 100 else f"{y:.3g}" for y in ours)
    return listed, REPRODUCED if close == len(ours) else ORDER if alike else CONTRADICTED


Rule = Callable[[Fact, Mapping[str, Series], tuple[str, ...]], tuple[str, str]]
KINDS: Mapping[str, Rule] = {
    "below": partial(_gain, sign=-1),
    "above": partial(_gain, sign=1),
    "at_most": _at_most,
    "at_least": _at_least,
    "lowest": partial(_first, sign=-1),
    "highest": partial(_first, sign=1),
    "lowest_on_average": _lowest_on_average,
    "rises": partial(_moves, sign=1),
    "falls": partial(_moves, sign=-1),
    "lowest_at": partial(_extreme_at, sign=-1),
    "highest_at": partial(_extreme_at, sign=1),
    "mean_below": _mean_below,
    "median_below": _median_below,
    "ends": _ends,
    "values": _values,
    "not_compared": lambda fact, curves, others: ("", NOT_COMPARED),
}
