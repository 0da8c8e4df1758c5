"""Whether whole slots change the ranking of policies: comparison in finer slots.

The comparison needs a family whose instances have the sizes ``inflation`` and ``short_jobs``, and whose what-if
settings include ``parts`` of a slot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import combinations, cycle
from typing import Any

from schedproof.core.base.numbers import decimals
from schedproof.core.base.untyped import Frame
from schedproof.core.cards import registry
from schedproof.core.data.options import parse_options
from schedproof.core.errors import InputError, SchedproofError
from schedproof.core.results.run import Policy
from schedproof.experiments.plans import with_settings
from schedproof.experiments.table import FINE, swept

PARTS = (1000, 100, 10)  # parts of a slot: powers of ten keep terminating decimals exact
IN_SLOTS = ("thresholds", "window")  # options of policies whose values are in slots
Runs = Sequence[tuple[Policy, Fraction | None]]


def is_distorted(table: Frame) -> bool:
    """Return whether rounding to slots inflates the work of some instance in a table."""
    return "inflation" in table and bool((table["inflation"] > 0).any())


def finest(instance: Any) -> tuple[int, Any]:
    """Return the parts of a slot and the finer instance; (1, None) if it is too large."""
    for parts in PARTS:
        with suppress(InputError):
            return parts, with_settings(instance, {"parts": parts})
    return 1, None


def with_fine_slots(
    table: Frame, instance: Any, runs: Runs, exact: Callable[[], tuple[int, Any]] = lambda: (1, None)
) -> Frame:
    """Return the table of one instance with the objectives in finer slots.

    Parameters
    ----------
    runs
        The policies and their speeds, in the order of the table.
    exact
        Returns the parts of a slot and the instance with arrivals in these parts; (1, None) if it is unknown.
    """
    if not is_distorted(table):
        return table
    parts, fine = exact()
    rounded = fine is None
    if rounded:
        parts, fine = finest(instance)
    if fine is None:
        return table
    totals = [_total(chosen, speed, fine) for chosen, speed in in_finer_slots(runs, instance.family, parts)]
    table = with_column(table, parts, totals, runs)
    table.attrs["rounded"] = rounded
    return table


def with_column(table: Frame, parts: int, objectives: Iterable[float | None], runs: Runs) -> Frame:
    """Return the table with objectives in finer slots, converted to its own slots.

    Parameters
    ----------
    objectives
        The objectives in the rows of the runs from `in_finer_slots`.
    runs
        The policies of the table, each with a row at each setting.
    """
    found, kept = iter(objectives), cycle(_has_finer_slots(chosen) for chosen, _ in runs)
    totals = [next(found) if has else None for has, _ in zip(kept, range(len(table)), strict=False)]
    table = table.assign(**{FINE: [None if total is None else total / parts for total in totals]})
    table.attrs["parts"] = parts
    return table


def _total(chosen: Policy, speed: Fraction | None, fine: Any) -> float | None:
    rate = {} if speed in (None, 1) else {"speed": str(speed)}
    try:
        run = Policy(chosen.name, chosen.options | rate, chosen.own).run(fine)
    except SchedproofError:  # the policy also fails on the instance itself, and that row has the reason
        return None
    return float(run.objective) if run.feasible else None


def in_finer_slots(runs: Runs, family: str, parts: int) -> list[tuple[Policy, Fraction | None]]:
    """Return the runs, with options that count slots converted to shorter slots.

    A user's policy may decide in each slot, so its time would grow with the number of slots. It is omitted, unless it
    has the method ``in_finer_slots(parts)``.
    """
    return [(_scaled(chosen, family, parts), speed) for chosen, speed in runs if _has_finer_slots(chosen)]


def _has_finer_slots(chosen: Policy) -> bool:
    return chosen.own is None or (not isinstance(chosen.own, type) and hasattr(chosen.own, "in_finer_slots"))


def _scaled(given: Policy, family: str, parts: int) -> Policy:
    if given.own is not None:
        return Policy(given.name, given.options, given.own.in_finer_slots(parts))
    id, entry = registry.find("policy", given.name, family)
    values = {option.name: option.default for option in entry.options} | parse_options(id, entry.options, given.options)
    scaled: dict[str, Any] = {}
    for name in IN_SLOTS & values.keys():
        value = values[name]
        scaled[name] = value * parts if isinstance(value, int) else tuple(each * parts for each in value)
    return Policy(given.name, {**given.options, **scaled})


def on_slots(table: Frame) -> list[str]:
    """Return notes on the work's inflation by slots and on reversed rankings."""
    if not is_distorted(table):
        return []
    least, most = (decimals(100 * Fraction(table["inflation"].agg(end)), 1, up=True) for end in ("min", "max"))
    short, jobs = int(table["short_jobs"].max()), int(table["jobs"].max())
    percent, at_most = (most, "") if least == most else (f"{least} to {most}", "at most ")
    notes = [f"slots inflate the work by {percent} %; {at_most}{short} of {jobs} jobs are shorter than a slot"]
    if FINE not in table:
        return [*notes, "the ranking in finer slots is unknown: the instance's numbers would be too large"]
    arrivals = "" if table.attrs.get("rounded") is False else "; arrivals stay rounded"
    return [*notes, _ranking(table, table.attrs["parts"]) + arrivals]


def _ranking(table: Frame, parts: int) -> str:
    turned = [*_reversals(table)]
    where = " (column fine)" if not swept(table) else " (fine in --json)"
    if not turned:
        return f"the ranking of policies is the same with slots of 1/{parts} of the length{where}"
    setting, (a, b, *_), (c, d, *_) = max(turned, key=lambda found: abs(found[1][3] / found[2][3] - 1))
    names = " and ".join(f"{name}{options and ':'}{options}" for name, options in ((a, b), (c, d)))
    pairs = f"{len(turned)} pairs of policies change places" if len(turned) > 1 else "two policies change places"
    return (
        f"warning: rounding to slots reverses the ranking: {pairs} with 1/{parts} of a slot{where}, "
        f"as {names}{setting and f' at {setting}'}"
    )


def _reversals(table: Frame) -> Iterator[tuple[str, Sequence[Any], Sequence[Any]]]:
    """Yield pairs of rows whose order changes in finer slots, with their setting."""
    along = swept(table)
    for _, part in table.groupby([*along, "family"], sort=False, dropna=False):
        setting = ", ".join(f"{name} {part[name].iloc[0]}" for name in along)
        rows = part[["policy", "options", "objective", FINE]].dropna().values.tolist()
        for one, two in combinations(rows, 2):
            if (one[2] - two[2]) * (one[3] - two[3]) < 0:
                yield setting, one, two
