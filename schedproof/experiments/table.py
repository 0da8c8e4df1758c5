"""The table of finished cells, with its means and Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import inf, isfinite
from typing import Any

from schedproof.core.base.numbers import above, decimals, from_text, rounded
from schedproof.core.base.untyped import Value
from schedproof.core.cards import registry
from schedproof.core.certificates.bound import Bound
from schedproof.core.data.store import Row
from schedproof.core.errors import Contradiction, printable
from schedproof.core.results.ratio import require_consistent
from schedproof.core.simulation.timeline import MEASURES as OVER_TIME
from schedproof.experiments.cells import bound_entry
from schedproof.experiments.families import COMPARISONS, comparison

FINE = "fine"  # the objective in finer slots
COMMON = ("objective", FINE, "relative", "to_best", "ratio")
FURTHER = dict.fromkeys(name for family in COMPARISONS.values() for name in family.measures if name not in OVER_TIME)
DETAILS = (*FURTHER, *OVER_TIME)
MEASURES = (*COMMON, *DETAILS, "seconds")

LABELS = ("preset", "trace", "file", "seed")  # labels of an instance other than settings
PROVENANCE = ("seconds", "bound_seconds", "software", "commit", "machine")
RUN = ("policy", "options", "speed", "program", "bound_options")  # the columns that name a run and its bound
PROVEN: Value = None  # in place of a certificate that was verified when the row was made
UPPER = ("ratio", "ratio_low", "ratio_high")  # columns of upper bounds
LARGE = 10**6  # from this number on, numbers are printed with three digits


def frame(rows: Iterable[Row], baseline: str | None = None) -> Any:
    """Return finished cells as a tidy pandas table.

    A row has a run and a bound on the run's instance, or only one of the two. Columns: the labels (``preset`` and
    ``seed``, or ``trace`` or ``file``, and each setting); the instance (``family``, ``instance_sha256``, sizes); the
    policy (``policy``, ``options``, ``speed``, and ``rules``, if not the default rules); ``objective``, and
    ``relative``: the objective over the baseline's on the same instance at the same speed; the bound (``program``,
    ``bound_options``, ``bound``, and ``bound_note``, if the bound has one); ``to_best`` (see `_with_best`); ``ratio``,
    rounded up, which is objective / bound for a lower bound and bound / objective for an upper bound; the family's
    measures; ``feasible``, ``error``, ``bound_error``; and the columns of `PROVENANCE`.

    Raises
    ------
    Contradiction
        If a checked run is better than a certified bound allows.
    """
    import pandas as pd

    def in_numbers(column: Any) -> Any:
        try:
            numbers = pd.to_numeric(column)
        except (TypeError, ValueError):  # pandas rejects some of Python's numbers, like 1_000 and ٣
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
    table = pd.DataFrame([_line(run, bound, base) for run, bound in pairs])
    return _with_best(table.apply(in_numbers))


def contradictions(rows: Iterable[Row]) -> dict[str, Contradiction]:
    """Return the instances on which a checked run is better than a certified bound."""
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
    entry = bound_entry(row.get("proves", ""))
    if entry is None or not row["verified"]:
        return None
    stated = row["proves"], row["side"], entry.statement(row["parameters"]), row["instance_sha256"]
    return Bound(*stated, from_text(row["value"]), PROVEN, {}, entry.among)


def _rules(run: Row) -> dict[str, Value]:
    return registry.family(run["family"]).rules_with(run.get("rules", {}))


def _with_best(table: Any) -> Any:
    """Insert the column ``to_best``, the ratio to the best known schedule.

    At speed 1 the ratio to the optimum lies between ``to_best`` and ``ratio``.
    """
    if "ratio" not in table:
        return table
    values, best = table["objective"].where(table["feasible"].eq(True)), best_found(table)
    table.insert(table.columns.get_loc("ratio"), "to_best", (values / best).where(_minimized(table), best / values))
    return table


def best_found(table: Any) -> Any:
    """Return the best known objective for each row's instance, speed and rules.

    The objective is that of a schedule under rules at least as strict as the row's: a schedule of pinned chunks is also
    a schedule of floating chunks.
    """
    minimized = _minimized(table)
    losses = table["objective"].where(minimized, -table["objective"]).where(table["feasible"].eq(True))
    same = [table[name] for name in ("family", "instance_sha256", "speed") if name in table]
    best = losses * float("nan")
    for (family, rules), rows in table.groupby(["family", "rules"], dropna=False).groups.items():
        card = registry.family(family)
        strict = [own for own in table["rules"].unique() if card.holds_for(_rules_in(own), _rules_in(rules))]
        of = losses.where(table["rules"].isin(strict)).groupby(same, dropna=False).transform("min")
        best.loc[rows] = of.loc[rows]
    return best.where(minimized, -best)


def _minimized(table: Any) -> Any:
    senses = {name: registry.family(name).load("instance").sense for name in set(table["family"])}
    return table["family"].map(senses) == "minimize"


def _rules_in(words: Any) -> dict[str, str]:
    """Return the rules in a cell of the column ``rules``."""
    return dict(rule.split("=", 1) for rule in words.split(", ")) if isinstance(words, str) and words else {}


def _line(run: Row, bound: Row, base: Mapping[tuple[Any, ...], str]) -> Row:
    either = run or bound
    family = comparison(either["family"])
    certified = bound if bound.get("verified") else {}
    line = {name: either[name] for name in LABELS if name in either} | either.get("settings", {})
    line |= {"family": either["family"], "instance_sha256": either["instance_sha256"]}
    line |= {name: either["sizes"].get(name) for name in family.sizes}
    if run:
        line |= {"policy": run["policy"], "options": _options(run)}
        line |= {"speed": float(Fraction(run["speed"]))} if "speed" in run else {}
        line |= {"rules": _unusual(run)}
        line |= {
            "objective": _number(run["objective"]),
            "relative": _quotient(run["objective"], base.get(_setting(run))),
        }
    line |= {"program": bound["program"], "bound_options": _options(bound)} if bound else {}
    line["bound"] = _number(certified.get("value"))
    line |= {"bound_note": note} if (note := certified.get("details", {}).get("note")) else {}
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


def _unusual(run: Row) -> str:
    """Return the rules (without speed) that differ from the default.

    Schedules under different rules have different optima.
    """
    usual = registry.family(run["family"]).rules_with({})
    rules = {name: value for name, value in run.get("rules", {}).items() if value != str(usual.get(name))}
    return ", ".join(f"{name}={value}" for name, value in rules.items() if name != "speed")


def named_rules(family: str, rules: str, others: Iterable[str]) -> str:
    """Return the rules that differ from the default, or the defaults of ``others``."""
    usual = registry.family(family).rules_with({})
    names = dict.fromkeys(rule.partition("=")[0] for words in others if words for rule in words.split(", "))
    return rules or ", ".join(f"{name}={usual[name]}" for name in names)


def _options(row: Row) -> str:
    return ",".join(f"{name}={value}" for name, value in row["options"].items())


def _instance(row: Row) -> tuple[Any, ...]:
    return row["instance_sha256"], *(str(row.get(name)) for name in (*LABELS, "settings"))


def _setting(row: Row) -> tuple[Any, ...]:
    return row["instance_sha256"], row.get("seed"), row.get("speed")


def _is_baseline(row: Row, baseline: str | None) -> bool:
    name = comparison(row["family"]).baseline if baseline is None else baseline
    return not row["options"] and row["policy"].rpartition(".")[2] == name.rpartition(".")[2]


def swept(table: Any) -> list[str]:
    """Return the columns of labels and settings, except the seed, that vary."""
    before = [*table.columns[: table.columns.get_loc("family")]]
    return [name for name in before if name != "seed" and table[name].nunique(dropna=False) > 1]


def summary(table: Any, by: Sequence[str] = ("policy", "options", "speed")) -> Any:
    """Return each policy's means over its cells with a feasible schedule.

    ``cells`` and ``feasible`` count cells. If a policy has several cells, ``±`` is half of the 95 % interval of the
    mean objective, and ``relative`` and ``ratio`` have their ranges.
    """
    runs, measures = "objective" in table, [name for name in MEASURES if name in table] or ["bound"]
    keys = [name for name in by if name in table]
    if runs:
        table = table.assign(cells=1, **table[measures].where(table["feasible"].eq(True)))
    groups = table.groupby(keys, sort=False, dropna=False)
    result = groups[measures].mean()
    if "ratio" in measures:
        result["ratio"] = groups["ratio"].agg(mean_above)
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


def mean_above(ratios: Any) -> float:
    """Return the mean of upper bounds, rounded up; NaN without a bound."""
    known = ratios.dropna().tolist()
    if not known or not all(map(isfinite, known)):
        return float(ratios.mean())
    return above(sum(map(Fraction, known), Fraction(0)) / len(known))


def forgone(table: Any) -> list[str]:
    """Return restrictions that only some of the table's policies have."""
    who: dict[tuple[str, str], dict[str, None]] = {}
    for family, policy in table[["family", "policy"]].drop_duplicates().values.tolist() if "policy" in table else ():
        _, entry = registry.family(family).find("policy", policy) or ("", None)
        for measure, words in entry.forgoes.items() if entry else ():
            who.setdefault((measure, words), {})[policy] = None
    done = {name for name in DETAILS if name in table and (table[name] > 0).any()}
    return [f"{', '.join(policies)}: {words}" for (measure, words), policies in who.items() if measure in done]


def counts(table: Any) -> list[str]:
    """Return the policies with a positive counted measure, and its largest value."""
    notes = []
    for measure, words in comparison(table["family"].iloc[0]).counted.items():
        if measure in table:
            rows = table[table["feasible"].eq(True) & (table[measure] > 0)]
            most = rows.groupby(["policy", "options"], sort=False)[measure].max()
            who = [f"{policy}{options and ':'}{options} {int(n)}" for (policy, options), n in most.items()]
            notes += [f"{words}: {', '.join(who)}"] if who else []
    return notes


def meanings_of_rules(table: Any) -> list[str]:
    """Return the meanings of the rules that differ between a table's rows."""
    readings = [{**_rules_in(words)} for words in table["rules"].unique()] if "rules" in table else []
    card = registry.family(table["family"].iloc[0])
    differing = [rule for rule in card.rules if rule.kind.meanings and any(rule.name in rules for rules in readings)]
    return ["; ".join(f"{r.name}={value}: {text}" for value, text in r.kind.meanings.items()) for r in differing]


def half_interval(numbers: Any) -> float:
    """Return half of the 95 % interval of a mean (Student's t), or nan."""
    import numpy as np
    from scipy.special import stdtrit

    draws = len(numbers) if np.isfinite(numbers).all() else 1
    return float(stdtrit(draws - 1, 0.975) * np.std(numbers, ddof=1) / np.sqrt(draws)) if draws > 1 else float("nan")


def markdown(table: Any) -> str:
    """Return a table in Markdown, with certified ratios rounded up."""

    def cell(name: str, value: Any) -> str:
        if isinstance(value, float):
            near = _up(value) if name in UPPER else value
            short = f"{near:.3g}" if abs(near) >= LARGE else f"{near:.3f}".rstrip("0").rstrip(".")
            return "" if value != value else short
        return "" if value is None else in_markdown(str(value)).replace("|", r"\|")

    names = list(table.columns)
    lines = [names, ["---"] * len(names)]
    lines += [[*map(cell, names, line)] for line in table.itertuples(index=False)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def in_markdown(text: str) -> str:
    """Return a text without control characters and HTML."""
    return printable(text).replace("<", "&lt;")


def _up(value: float) -> float:
    """Round a number up to three decimals, or to three digits if it is large."""
    if not isfinite(value):
        return value
    return float(rounded(value, 3, up=True) if value >= LARGE else decimals(Fraction(str(value)), 3, up=True))


def _ratio(row: Row, certified: Row) -> float | None:
    bound = _bound_of(certified)
    other = bound.other_rule(_rules(row)) if bound else _outside(row, certified)
    if other or not row["feasible"]:
        return None
    objective, value = row["objective"], certified.get("value")
    return _quotient(*((value, objective) if certified.get("side") == "upper" else (objective, value)))


def _outside(run: Row, bound: Row) -> str:
    held = ((row["reason"], row["program"], row["options"]) for row in run.get("outside", ()))
    return next((reason for reason, *of in held if of == [bound.get("program"), bound.get("options")]), "")


def _number(text: str | None) -> float | None:
    return None if text is None else float(Fraction(text))


def _quotient(top: str | None, bottom: str | None) -> float | None:
    """Return top / bottom, rounded up; infinite if only bottom is 0, None if both are."""
    if top is None or bottom is None or Fraction(top) == Fraction(bottom) == 0:
        return None
    return above(Fraction(top) / Fraction(bottom)) if Fraction(bottom) else inf
