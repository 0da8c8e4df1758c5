"""The numbers of a figure: each policy and bound on each draw, and the means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from schedproof.core.cards import registry
from schedproof.core.data.store import Row, Store
from schedproof.core.errors import InputError
from schedproof.core.results.run import policy
from schedproof.core.runtime.context import Progress, silent
from schedproof.experiments.cells import (
    Cell,
    Draw,
    Given,
    bound_of,
    describe_instance,
    finish,
    run_of,
    stored_or_new,
)
from schedproof.experiments.certified import Certified
from schedproof.experiments.figures.plan import Curve, Figure, Panel, X
from schedproof.experiments.plans import Trace
from schedproof.experiments.sweep import complete
from schedproof.experiments.table import half_interval

COLUMNS = ("panel", "curve", "x", "seed", "y", "feasible")
POINTS = 160  # most points of a line over time


@dataclass
class Cells:
    """The cells of a figure's draws, computed on demand.

    Attributes
    ----------
    finished
        The store of finished cells.
    traces
        The folder with the traces' files.
    jobs
        Number of parallel cells; if None, as many as processors.
    """

    finished: Store
    traces: Path = Path()
    jobs: int | None = 1
    _cases: dict[str, Given] = field(default_factory=dict)

    def case(self, family: str, panel: Panel, x: str, seed: int) -> Given:
        settings = {key: value.replace(X, x) for key, value in panel.settings.items()}
        drawn: Draw | Trace = Draw(family, panel.preset.replace(X, x), seed, settings)
        if panel.trace:
            drawn = Trace(panel.trace, family, tuple(str(self.traces / name) for name in panel.files), seed, settings)
        if repr(drawn) not in self._cases:
            self._cases[repr(drawn)] = Given(drawn.instance(), seed, drawn.labels)
        return self._cases[repr(drawn)]

    def cell(self, kind: str, name: str, case: Given) -> Cell:
        """Return the cell of a policy or a bound, ``NAME`` or ``NAME:KEY=VALUE,...``."""
        short, options = _parts(name)
        if kind == "run":
            return run_of(policy(short, **options), case, _describe(case), profiled=True)
        return bound_of(Certified(short, options), case, _describe(case))

    def row(self, kind: str, name: str, case: Given) -> Row:
        return finish(self.finished, self.cell(kind, name, case), case.given)

    def prepare(self, wanted: Iterable[tuple[str, str, Given]], progress: Progress) -> None:
        """Compute the missing cells of given policies and bounds on their draws."""
        complete([self.cell(*each) for each in wanted], self.finished, jobs=self.jobs, progress=progress)

    def compute(self, home: str, case: Given, x: str) -> Row:
        known = _describe(case) | {"kind": "computed", "program": home, "options": {"x": x}}
        return stored_or_new(self.finished, known, lambda: {"value": float(registry.load(home)(case.given, x))})


def _describe(case: Given) -> Row:
    return case.labels | describe_instance(case.given)


def _parts(name: str) -> tuple[str, dict[str, str]]:
    short, _, listed = name.partition(":")
    if not listed:
        return short, {}
    pairs = [word.partition("=") for word in re.split(r",(?=\w+=)", listed)]  # values may contain commas
    for key, equals, _ in pairs:
        if not equals:
            raise InputError(f"{key}: expected key=value", path=name)
    return short, {key: value for key, _, value in pairs}


def rows(figure: Figure, cells: Cells, seeds: int | None = None, progress: Progress = silent) -> Any:
    """Return every number of a figure.

    Parameters
    ----------
    seeds
        Number of draws from seed 0 on, in place of the figure's number.

    Returns
    -------
    pandas.DataFrame
        Columns ``panel`` (a number), ``curve`` (a label), ``x``, ``seed``, ``y``, ``feasible``, with one row for each
        panel, curve, value of x and draw. ``feasible`` is the checker's result on a run's schedule, or whether a
        bound's certificate was verified. A policy without a result has no row.
    """
    import pandas as pd

    result: list[tuple[Any, ...]] = []
    todo = [
        (n, panel, x, seed)
        for n, panel in enumerate(figure.panels)
        for x in panel.values
        for seed in range(panel.seeds if seeds is None else seeds)
    ]
    drawn = [(n, panel, x, cells.case(figure.family, panel, x, seed)) for n, panel, x, seed in todo]
    cells.prepare([(*each, case) for _, panel, x, case in drawn for each in _requests(panel, x)], progress)
    for n, panel, x, case in drawn:
        for curve in panel.curves:
            for at, y, feasible in _points(panel, curve.at(x), x, cells, case):
                result.append((n, curve.label, at, case.seed, y, feasible))
    return pd.DataFrame(result, columns=list(COLUMNS))


def _requests(panel: Panel, x: str) -> Iterator[tuple[str, str]]:
    for curve in panel.curves:
        if curve.policy or curve.bound:
            yield ("run", curve.at(x).policy) if curve.policy else ("bound", curve.at(x).bound)
        if against := curve.relative_to or panel.relative_to:
            yield "run", against.replace(X, x)
    if panel.ratio_to:
        yield "bound", panel.ratio_to.replace(X, x)


def _points(panel: Panel, curve: Curve, x: str, cells: Cells, case: Given) -> Iterator[tuple[Any, float, bool]]:
    if curve.computed:
        yield _x(x), cells.compute(curve.computed, case, x)["value"], True
        return
    if curve.bound:
        row = cells.row("bound", curve.bound, case)
        value, fine = row["value"], bool(row.get("verified"))
    else:
        row = cells.row("run", curve.policy, case)
        value, fine = row["objective"], bool(row["feasible"])
    if value is None:
        return
    if panel.ratio_to:
        yield _x(x), _certified_ratio(cells.row("bound", panel.ratio_to.replace(X, x), case), row), fine
        return
    against = curve.relative_to or panel.relative_to
    other = cells.row("run", against.replace(X, x), case) if against else None
    quantity = "objective" if curve.bound else curve.quantity or panel.quantity
    divisor = float(row["sizes"][panel.per]) if panel.per else 1.0
    if panel.kind in ("over_time", "distribution") and not curve.bound:
        profile = row["profiles"][quantity]
        numbers = np.array(profile["y"] or [0.0], dtype=float)
        if other is not None:
            theirs = np.array(other["profiles"][quantity]["y"], dtype=float)
            numbers = numbers[: len(theirs)] / theirs[: len(numbers)]
        for slot, number in enumerate(numbers):
            yield slot * profile["step"], number, fine
        return
    y = _number(row, value, quantity) / divisor
    if other is not None:
        y = y / _number(other, other["objective"], quantity)
    yield _x(x), y, fine


def _number(row: Row, value: str, quantity: str) -> float:
    if quantity == "objective":
        return float(Fraction(value))
    return float(row["seconds"] if quantity == "seconds" else row["measures"][quantity])


def _certified_ratio(bound: Row, run: Row) -> float:
    top, bottom = Fraction(run["objective"]), Fraction(bound["value"])
    if bound["side"] == "upper":
        top, bottom = bottom, top
    if bottom == 0:
        return 1.0 if top == 0 else float("inf")
    return float(top / bottom)


def _x(text: str) -> float | str:
    try:
        return float(Fraction(text)) if text else 0.0
    except ValueError:
        return text


# --- means -----------------------------------------------------------------------------------------------------------


def means(figure: Figure, table: Any) -> Any:
    """Return the mean over draws with its 95 % interval (Student's t), for each point.

    If a panel's ``middle`` is the median, the interval is the range of the draws.

    Returns
    -------
    pandas.DataFrame
        Columns ``panel``, ``curve``, ``x``, ``y``, ``low``, ``high``, ``draws``, and ``feasible``, the share of the
        draws with a feasible schedule.
    """
    import pandas as pd

    parts = []
    for n, panel in enumerate(figure.panels):
        mine = table[table["panel"] == n]
        if panel.kind in ("over_time", "distribution"):
            parts.append(_over_slots(panel, mine))
        else:
            order = {curve.label: place for place, curve in enumerate(panel.curves)}
            mine = mine.assign(place=mine["curve"].map(order)).sort_values(["place"], kind="stable")
            parts.append(mine[list(COLUMNS)])
    whole = pd.concat(parts, ignore_index=True)
    result = []
    for (n, curve, x), group in whole.groupby(["panel", "curve", "x"], sort=False):
        y = group["y"].to_numpy(dtype=float)
        if figure.panels[n].middle == "median":
            middle, low, high = float(np.median(y)), float(y.min()), float(y.max())
        else:
            middle, half = float(y.mean()), half_interval(y)
            low, high = middle - half, middle + half
        result.append((n, curve, x, middle, low, high, len(y), float(group["feasible"].mean())))
    return pd.DataFrame(result, columns=["panel", "curve", "x", "y", "low", "high", "draws", "feasible"])


def _over_slots(panel: Panel, table: Any) -> Any:
    import pandas as pd

    bounds = {curve.label for curve in panel.curves if curve.bound}
    lines = table[~table["curve"].isin(bounds)]
    step = int(np.gcd.reduce(np.unique(lines["x"].to_numpy(dtype=int)))) or 1
    groups = list(lines.groupby(["curve", "seed"], sort=False))
    last = max(int(group["x"].max()) for _, group in groups)
    if panel.until:
        last = min(last, panel.until)
    result = []
    for (curve, seed), group in groups:
        numbers = np.full(1 + last // step, 0.0)
        at = group["x"].to_numpy(dtype=int) // step
        numbers[at[at < len(numbers)]] = group["y"].to_numpy()[at < len(numbers)]
        if panel.kind == "distribution":
            numbers = np.cumsum(numbers) / group["y"].sum()
        block = max(1, -(-len(numbers) // POINTS))
        for start in range(0, len(numbers), block):
            part = numbers[start : start + block]
            y = part[-1] if panel.kind == "distribution" else part.mean()
            slot = step * (start + (len(part) - 1) / (1 if panel.kind == "distribution" else 2))
            result.append((panel_of(group), curve, slot, seed, float(y), bool(group["feasible"].all())))
    frame = pd.DataFrame(result, columns=list(COLUMNS))
    return pd.concat([frame, table[table["curve"].isin(bounds)]], ignore_index=True)


def panel_of(group: Any) -> int:
    return int(group["panel"].iloc[0])
