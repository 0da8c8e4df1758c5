"""Finished cells as a frame, its means, and Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any

from schedproof.core import registry
from schedproof.core.journal import Row
from schedproof.core.pictures import COLOURS, axes
from schedproof.experiments.families import COMPARISONS, Comparison

COMMON = ("objective", "relative", "to_best", "ratio")
MEASURES = (*COMMON, *dict.fromkeys(name for family in COMPARISONS.values() for name in family.measures), "seconds")

MARKERS = "os^vD*"
LARGE = 10**6  # from here on three digits say enough in a table


def frame(rows: Iterable[Row], baseline: str | None = None) -> Any:
    """Finished cells as a tidy pandas frame.

    Columns: the draw (``preset``, ``seed``, and each setting); the instance (``instance_sha256`` and the family's
    sizes); the policy (``policy``, ``options``, and ``speed`` where there are speeds); ``objective``, and ``relative``
    to that of the baseline on the same instance at the same speed; ``bound``, ``to_best`` (see `_with_best`) and
    ``ratio``, which is objective / bound for a lower bound and bound / objective for an upper one; the family's
    measures; ``feasible``, ``error``, ``seconds`` and ``software``. With several bounds for one instance the last one
    counts.
    """
    import pandas as pd

    listed = list(rows)
    bounds = {row["instance_sha256"]: row for row in listed if row["kind"] == "bound" and row["verified"]}
    runs = [row for row in listed if row["kind"] == "run"]
    base = {_setting(row): row["objective"] for row in runs if _is_baseline(row, baseline)}
    table = []
    for row in runs:
        family = COMPARISONS.get(row["family"], Comparison())
        certified = bounds.get(row["instance_sha256"], {"value": None, "side": None})
        table.append(
            {
                **{name: row.get(name) for name in ("preset", "seed")},
                **row.get("settings", {}),
                "instance_sha256": row["instance_sha256"],
                **{name: row["sizes"].get(name) for name in family.sizes},
                "policy": row["policy"],
                "options": ",".join(f"{name}={value}" for name, value in row["options"].items()),
                **({"speed": float(Fraction(row["speed"]))} if "speed" in row else {}),
                "objective": _number(row["objective"]),
                "relative": _quotient(row["objective"], base.get(_setting(row))),
                "bound": _number(certified["value"]),
                "ratio": _ratio(row, certified),
                **{name: row["measures"].get(name) for name in family.measures},
                **{name: row[name] for name in ("feasible", "error", "seconds", "software")},
            }
        )
    result = pd.DataFrame(table)
    result = result.apply(lambda c: pd.to_numeric(c) if c.name in MEASURES or _numeric(c) else c)
    return _with_best(result, {row["instance_sha256"]: row["family"] for row in listed})


def _with_best(table: Any, families: Mapping[str, str]) -> Any:
    """A frame with the column ``to_best`` before ``ratio``: the ratio to the best feasible schedule that it knows.

    The best one is that of the same instance at the same speed. At speed 1 the ratio to the optimum is between the two.
    """
    if "ratio" not in table:
        return table
    senses = {name: registry.load(registry.data(name).instance).sense for name in {*families.values()}}
    minimized = table["instance_sha256"].map(lambda sha256: senses[families[sha256]] == "minimize")
    values = table["objective"].where(table["feasible"].eq(True))
    alike = values.groupby([table[name] for name in ("instance_sha256", "speed") if name in table], dropna=False)
    to_best = (values / alike.transform("min")).where(minimized, alike.transform("max") / values)
    table.insert(table.columns.get_loc("ratio"), "to_best", to_best)
    return table


def _setting(row: Row) -> tuple[Any, ...]:
    """Where a run can be compared with another policy's."""
    return row["instance_sha256"], row.get("seed"), row.get("speed")


def _is_baseline(row: Row, baseline: str | None) -> bool:
    """Whether it is the plain baseline, without options; a policy's id and its short name are the same policy."""
    name = COMPARISONS.get(row["family"], Comparison()).baseline if baseline is None else baseline
    return not row["options"] and row["policy"].rpartition(".")[2] == name.rpartition(".")[2]


def summary(table: Any, by: Sequence[str] = ("policy", "options", "speed")) -> Any:
    """The mean over instances of each policy's columns, with the range of the two relative ones, as a frame."""
    groups = table.groupby([name for name in by if name in table], sort=False, dropna=False)
    result = groups[[name for name in MEASURES if name in table]].mean()
    for column in ("relative", "ratio"):
        place = result.columns.get_loc(column) + 1
        result.insert(place, f"{column}_low", groups[column].min())
        result.insert(place + 1, f"{column}_high", groups[column].max())
    return result.reset_index()


def markdown(table: Any, digits: int = 3) -> str:
    """A frame as a Markdown table."""

    def cell(value: Any) -> str:
        if isinstance(value, float):
            short = f"{value:.3g}" if abs(value) >= LARGE else f"{value:.{digits}f}".rstrip("0").rstrip(".")
            return "" if value != value else short
        return "" if value is None else str(value)

    lines = [list(table.columns), ["---"] * len(table.columns), *table.itertuples(index=False)]
    return "\n".join("| " + " | ".join(cell(value) for value in line) + " |" for line in lines)


def _ratio(row: Row, certified: Row) -> float | None:
    """The measured ratio, never below the true one; None for a schedule that the checker rejects."""
    if not row["feasible"]:
        return None
    objective, value = row["objective"], certified["value"]
    return _quotient(value, objective) if certified["side"] == "upper" else _quotient(objective, value)


def _number(text: str | None) -> float | None:
    return None if text is None else float(Fraction(text))


def _quotient(top: str | None, bottom: str | None) -> float | None:
    """top / bottom; infinite where only the bottom is 0, None where there is none."""
    if top is None or bottom is None or Fraction(top) == Fraction(bottom) == 0:
        return None
    return float(Fraction(top) / Fraction(bottom)) if Fraction(bottom) else inf


def _numeric(column: Any) -> bool:
    try:
        return all(float(value) == float(value) for value in column)
    except (TypeError, ValueError):
        return False


def draw_means(table: Any, along: str, column: str = "objective", ax: Any = None) -> Any:
    """Draw a frame's column against one of its settings: the mean over draws, a line for each policy with its options.

    Markers are hollow where a schedule of some draw is infeasible.
    """
    ax = axes(ax, (6, 4))
    for n, ((policy, options), rows) in enumerate(table.groupby(["policy", "options"], sort=False)):
        groups, colour, marker = rows.groupby(along), COLOURS[n % len(COLOURS)], MARKERS[n % len(MARKERS)]
        means, feasible = groups[column].mean(), groups["feasible"].all()
        name = f"{policy} ({options})" if options else policy
        ax.plot(means, marker + "-", color=colour, markersize=5, linewidth=1.2, label=name)
        if not feasible.all():
            ax.plot(means[~feasible], marker, color=colour, markerfacecolor="white", markersize=5)
    ax.set(xlabel=along, ylabel=column)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
