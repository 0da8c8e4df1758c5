"""Finished cells as a frame, its means, and Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

from schedproof.core.base.numbers import from_text
from schedproof.core.base.untyped import Axes, Value
from schedproof.core.cards import registry
from schedproof.core.certificates.bound import Bound
from schedproof.core.data.store import Row
from schedproof.core.errors import Contradiction, SchedproofError, printable
from schedproof.core.results.ratio import require_consistent
from schedproof.core.simulation.timeline import LEGEND
from schedproof.core.simulation.timeline import MEASURES as OVER_TIME
from schedproof.experiments.cells import bound_entry
from schedproof.experiments.families import COMPARISONS, comparison

COMMON = ("objective", "relative", "to_best", "ratio")
FURTHER = dict.fromkeys(name for family in COMPARISONS.values() for name in family.measures if name not in OVER_TIME)
DETAILS = (*FURTHER, *OVER_TIME)
MEASURES = (*COMMON, *DETAILS, "seconds")

CALLED = ("preset", "trace", "file", "seed")  # what an instance is called, beside its settings
PROVENANCE = ("seconds", "bound_seconds", "software", "commit", "machine")
PROVEN: Value = None  # in place of a certificate that was checked when the row was made
LARGE = 10**6  # from here on three digits say enough in a table


def frame(rows: Iterable[Row], baseline: str | None = None) -> Any:
    """Finished cells as a tidy pandas frame: one row per run and bound on its instance, or per bound where none ran.

    Columns: what the instance is called (``preset`` and ``seed``, or ``trace`` or ``file``, and each setting); the
    instance (``family``, ``instance_sha256`` and the family's sizes); the policy (``policy``, ``options``, ``speed``
    where there are speeds); ``objective``, and ``relative`` to that of the baseline on the same instance at the same
    speed; the bound (``program``, ``bound_options``, ``bound``), ``to_best`` (see `_with_best`) and ``ratio``, which is
    objective / bound for a lower bound and bound / objective for an upper one; the family's measures; ``feasible``,
    ``error``, ``bound_error``; and last what `PROVENANCE` names.

    Raises
    ------
    Contradiction
        When a checked run is better than a certified bound allows.
    """
    import pandas as pd

    def in_numbers(column: Any) -> Any:
        try:
            numbers = pd.to_numeric(column)
        except (TypeError, ValueError):  # Python reads numbers as well that pandas does not, 1_000 and ٣
            return column
        return numbers if column.name in MEASURES or numbers.notna().all() else column

    listed = list(rows)
    for contradiction in contradictions(listed).values():
        raise contradiction
    base = {_setting(row): row["objective"] for row in listed if row["kind"] == "run" and _is_baseline(row, baseline)}
    by_instance: dict[tuple[Any, ...], dict[str, list[Row]]] = {}
    for row in listed:
        by_kind = by_instance.setdefault(_instance(row), {"run": [], "bound": []})
        by_kind.setdefault(row["kind"], []).append(row)
    pairs = [
        (run, bound)
        for by_kind in by_instance.values()
        for run in by_kind["run"] or [{}] * bool(by_kind["bound"])
        for bound in by_kind["bound"] or [{}]
    ]
    rules = [str(run.get("rules", "")) for run, _ in pairs]
    table = pd.DataFrame([_line(run, bound, base) for run, bound in pairs])
    return _with_best(table.apply(in_numbers), rules)


def contradictions(rows: Iterable[Row]) -> dict[str, Contradiction]:
    """The instances on which a checked run is better than a certified bound allows, each with the two numbers."""
    runs: dict[str, list[Row]] = {}
    bounds: dict[str, list[Bound]] = {}
    for row in rows:
        if row["kind"] == "run" and row.get("feasible"):
            runs.setdefault(row["instance_sha256"], []).append(row)
        elif bound := _bound_of(row):
            bounds.setdefault(row["instance_sha256"], []).append(bound)
    result: dict[str, Contradiction] = {}
    for sha256 in runs.keys() & bounds.keys():
        for run, bound in product(runs[sha256], bounds[sha256]):
            try:
                require_consistent(run["policy"], from_text(run["objective"]), _rules(run), bound)
            except Contradiction as contradiction:
                result[sha256] = contradiction
    return result


def _bound_of(row: Row) -> Bound | None:
    """The bound of a row whose certificate proves it."""
    entry = bound_entry(row.get("proves", ""))
    if entry is None or not row["verified"]:
        return None
    stated = row["proves"], row["side"], entry.statement(row["parameters"]), row["instance_sha256"]
    return Bound(*stated, from_text(row["value"]), PROVEN, {}, entry.among)


def _rules(run: Row) -> dict[str, Value]:
    """What a run was judged by."""
    return registry.family(run["family"]).rules_with(run.get("rules", {}))


def _with_best(table: Any, rules: Sequence[str]) -> Any:
    """A frame with the column ``to_best`` before ``ratio``: the ratio to the best feasible schedule that it knows.

    The best one is that of the same instance by the same rules. At speed 1 the ratio to the optimum is between the two.
    """
    if "ratio" not in table:
        return table
    senses = {name: registry.family(name).load("instance").sense for name in set(table["family"])}
    minimized = table["family"].map(senses) == "minimize"
    values = table["objective"].where(table["feasible"].eq(True))
    alike = values.groupby([table["instance_sha256"], rules], dropna=False)
    to_best = (values / alike.transform("min")).where(minimized, alike.transform("max") / values)
    table.insert(table.columns.get_loc("ratio"), "to_best", to_best)
    return table


def _line(run: Row, bound: Row, base: Mapping[tuple[Any, ...], str]) -> Row:
    """A line of the frame, of a run or a bound or both."""
    either = run or bound
    family = comparison(either["family"])
    certified = bound if bound.get("verified") else {}
    line = {name: either[name] for name in CALLED if name in either} | either.get("settings", {})
    line |= {"family": either["family"], "instance_sha256": either["instance_sha256"]}
    line |= {name: either["sizes"].get(name) for name in family.sizes}
    if run:
        line |= {"policy": run["policy"], "options": _options(run)}
        line |= {"speed": float(Fraction(run["speed"]))} if "speed" in run else {}
        line |= {
            "objective": _number(run["objective"]),
            "relative": _quotient(run["objective"], base.get(_setting(run))),
        }
    line |= {"program": bound["program"], "bound_options": _options(bound)} if bound else {}
    line["bound"] = _number(certified.get("value"))
    if run:
        line["ratio"] = _ratio(run, certified)
        line |= {
            name: run["measures"].get(name) for name in DETAILS if name in run["measures"] or name in family.measures
        }
        line |= {"feasible": run["feasible"], "error": run["error"]}
    line |= {"bound_error": bound["error"] or _outside(run, bound)} if bound else {}
    line |= {"seconds": run["seconds"]} if run else {}
    line |= {"bound_seconds": bound["seconds"]} if bound else {}
    return line | {name: either[name] for name in ("software", "commit", "machine")}


def _options(row: Row) -> str:
    return ",".join(f"{name}={value}" for name, value in row["options"].items())


def _instance(row: Row) -> tuple[Any, ...]:
    """The instance and what it is called: two draws may be alike."""
    return row["instance_sha256"], *(str(row.get(name)) for name in (*CALLED, "settings"))


def _setting(row: Row) -> tuple[Any, ...]:
    """Where a run can be compared with another policy's."""
    return row["instance_sha256"], row.get("seed"), row.get("speed")


def _is_baseline(row: Row, baseline: str | None) -> bool:
    """Whether it is the plain baseline, without options; a policy's id and its short name are the same policy."""
    name = comparison(row["family"]).baseline if baseline is None else baseline
    return not row["options"] and row["policy"].rpartition(".")[2] == name.rpartition(".")[2]


def summary(table: Any, by: Sequence[str] = ("policy", "options", "speed")) -> Any:
    """The mean of each policy's columns over the cells with a feasible schedule, as a frame.

    Columns: how many ``cells`` there are and how many are ``feasible``; where some policy has several, beside the
    objective ``±``, half of the 95 % interval of its mean, and beside ``relative`` and ``ratio`` the range of each.
    """
    runs, measures = "objective" in table, [name for name in MEASURES if name in table] or ["bound"]
    keys = [name for name in by if name in table]
    if runs:
        table = table.assign(cells=1, **table[measures].where(table["feasible"].eq(True)))
    groups = table.groupby(keys, sort=False, dropna=False)
    result = groups[measures].mean()
    if runs:
        counts = groups["feasible"].agg(lambda cells: cells.eq(True).sum())
        for place, (name, column) in enumerate({"cells": groups["cells"].sum(), "feasible": counts}.items()):
            result.insert(place, name, column)
        if counts.max() < 2:
            return result.reset_index()
        spread = groups["objective"].agg(lambda values: half_interval(values.dropna().to_numpy()))
        result.insert(result.columns.get_loc("objective") + 1, "±", spread)
        for name in ("relative", "ratio"):
            place = result.columns.get_loc(name) + 1
            result.insert(place, f"{name}_low", groups[name].min())
            result.insert(place + 1, f"{name}_high", groups[name].max())
    return result.reset_index()


def report(table: Any, by: Sequence[str] = ("policy", "options", "speed")) -> str:
    """The means of `summary` in Markdown: what is reached, then how; and what policies forgo that others do not."""
    means = summary(table, by)
    details = [name for name in DETAILS if name in means]
    parts = [markdown(means.drop(columns=details))]
    if details:
        parts.append(markdown(means[[*(name for name in by if name in means), *details]]))
    notes = _forgone(table) + [LEGEND] * ("jct_p50" in details)
    return "\n\n".join([*parts, *(["\n".join(notes)] if notes else [])])


def _forgone(table: Any) -> list[str]:
    """What policies never do, by their cards, that others do in the table."""
    who: dict[tuple[str, str], dict[str, None]] = {}
    for family, policy in table[["family", "policy"]].drop_duplicates().values.tolist() if "policy" in table else ():
        _, entry = registry.family(family).find("policy", policy) or ("", None)
        for measure, words in entry.forgoes.items() if entry else ():
            who.setdefault((measure, words), {})[policy] = None
    done = {name for name in DETAILS if name in table and (table[name] > 0).any()}
    return [f"{', '.join(policies)}: {words}" for (measure, words), policies in who.items() if measure in done]


def picture(table: Any, by: Sequence[str] = ("policy", "options", "speed")) -> Axes:
    """The certified ratio of each policy, or its mean, with the least and the largest, and a bar to that to the best.

    Raises
    ------
    SchedproofError
        Where the table has no ratio, or rows of several families, whose ratios say different things.
    """
    from schedproof.core.simulation.pictures import Enclosed, caption, draw_enclosures

    if "ratio" not in table or table["ratio"].isna().all():
        raise SchedproofError("there is no certified ratio in the table: a picture of it needs a bound")
    families = table["family"].unique().tolist()
    if len(families) > 1:
        raise SchedproofError(f"a picture is of one family's ratios, and the table has {', '.join(families)}")
    varied = [name for name in by if name in table and name not in ("policy", "options") and table[name].nunique() > 1]
    rows = []
    for row in summary(table, by).astype(object).to_dict("records"):
        low, high, least, most = (_or_none(row.get(name)) for name in ("to_best", "ratio", "ratio_low", "ratio_high"))
        low = low if row.get("speed", 1) == 1 else None  # the best of a faster system bounds no optimum
        others = [caption(f"{name} {_short(row[name])}") for name in varied]
        rows.append(Enclosed(", ".join([_title(families[0], row), *others]), low, high, least, most))
    ax = draw_enclosures(rows, registry.family(families[0]).load("instance").sense == "minimize")
    if (cells := table.groupby([name for name in by if name in table], dropna=False).size().max()) > 1:
        ax.set_xlabel(f"{ax.get_xlabel()}: the mean of {cells} instances, the least and the largest")
    return ax


def _short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _or_none(value: Any) -> float | None:
    return None if value is None or value != value else float(value)


def _title(family: str, row: Mapping[str, Any]) -> str:
    """A policy's name with its options, where the table tells them apart."""
    from schedproof.core.simulation.pictures import title

    id, _ = registry.family(family).find("policy", row["policy"]) or (row["policy"], None)
    options = re.findall(r"(\w+)=(.*?)(?=,\w+=|$)", row.get("options") or "")
    return title(id, dict(options))


def half_interval(numbers: Any) -> float:
    """Half of the 95 % interval of a mean over draws, by Student's t; nan of one draw, or where one is infinite."""
    import numpy as np
    from scipy.stats import t

    draws = len(numbers) if np.isfinite(numbers).all() else 1
    return float(t.ppf(0.975, draws - 1) * np.std(numbers, ddof=1) / np.sqrt(draws)) if draws > 1 else float("nan")


def markdown(table: Any) -> str:
    """A frame as a Markdown table."""

    def cell(value: Any) -> str:
        if isinstance(value, float):
            short = f"{value:.3g}" if abs(value) >= LARGE else f"{value:.3f}".rstrip("0").rstrip(".")
            return "" if value != value else short
        return "" if value is None else printable(str(value)).replace("|", r"\|")

    lines = [list(table.columns), ["---"] * len(table.columns), *table.itertuples(index=False)]
    return "\n".join("| " + " | ".join(cell(value) for value in line) + " |" for line in lines)


def _ratio(row: Row, certified: Row) -> float | None:
    """The measured ratio, never below the true one; None for a schedule that the checker rejects, or other rules."""
    bound = _bound_of(certified)
    other = bound.other_rule(_rules(row)) if bound else _outside(row, certified)
    if other or not row["feasible"]:
        return None
    objective, value = row["objective"], certified.get("value")
    return _quotient(value, objective) if certified.get("side") == "upper" else _quotient(objective, value)


def _outside(run: Row, bound: Row) -> str:
    """What keeps the bound of a program's own rows from speaking of a run; empty for a bound of a card."""
    held = ((row["reason"], row["program"], row["options"]) for row in run.get("outside", ()))
    return next((reason for reason, *of in held if of == [bound.get("program"), bound.get("options")]), "")


def _number(text: str | None) -> float | None:
    return None if text is None else float(Fraction(text))


def _quotient(top: str | None, bottom: str | None) -> float | None:
    """top / bottom; infinite where only the bottom is 0, None where there is none."""
    if top is None or bottom is None or Fraction(top) == Fraction(bottom) == 0:
        return None
    return float(Fraction(top) / Fraction(bottom)) if Fraction(bottom) else inf
