"""Whether whole slots change the ranking of policies: comparison in finer slots."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from schedproof.core.base.numbers import decimals
from schedproof.core.base.untyped import Frame
from schedproof.core.cards import registry
from schedproof.core.data.options import parse_options
from schedproof.core.errors import SchedproofError
from schedproof.core.results.run import Policy, policy
from schedproof.experiments.families import default_policies
from schedproof.experiments.table import FINE
from schedproof.instances.preemptive.slots import Distortion, refined

PARTS = (1000, 100, 10)  # parts of a slot: powers of ten keep terminating decimals exact
IN_SLOTS = ("thresholds", "window")  # options of policies whose values are in slots


def with_fine_slots(
    table: Frame, instance: Any, policies: Sequence[Any], speeds: Sequence[str]
) -> tuple[Frame, list[str]]:
    """Return the table with the objective in finer slots, and notes on distortion.

    Parameters
    ----------
    table
        The comparison on the given instance only.
    policies, speeds
        As in `compare`.
    """
    found = Distortion.of(instance)
    if not found.inflation:
        return table, []
    percent = decimals(100 * found.inflation, 1, up=True)
    notes = [f"slots inflate the work by {percent} %; {found.short} of {found.jobs} jobs are shorter than a slot"]
    fine, parts = next(((fine, n) for n in PARTS if (fine := refined(instance, n)) is not None), (None, 1))
    if fine is None:
        return table, [*notes, "the ranking in finer slots is unknown: the instance's numbers would be too large"]
    chosen = [policy(each) for each in policies] or default_policies(instance.family, instance)
    scaled = [_in_finer_slots(each, parts) for each in chosen]
    runs = [
        Policy(each.name, each.options | ({} if speed == "1" else {"speed": str(speed)}), each.own)
        for each in scaled
        for speed in speeds
    ]
    table = table.assign(**{FINE: [_total(run, fine, parts) for run in runs]})
    return table, [*notes, _ranking(table, parts)]


def _total(chosen: Policy, fine: Any, parts: int) -> float | None:
    try:
        run = chosen.run(fine)
    except SchedproofError:  # the policy also fails on the instance itself, and that row has the reason
        return None
    return float(run.objective / parts) if run.feasible else None


def _in_finer_slots(given: Policy, parts: int) -> Policy:
    if given.own is not None:
        return given
    id, entry = registry.find("policy", given.name, "preemptive")
    values = {option.name: option.default for option in entry.options} | parse_options(id, entry.options, given.options)
    scaled: dict[str, Any] = {}
    for name in IN_SLOTS & values.keys():
        value = values[name]
        scaled[name] = value * parts if isinstance(value, int) else tuple(each * parts for each in value)
    return Policy(given.name, {**given.options, **scaled})


def _ranking(table: Frame, parts: int) -> str:
    rows = table[["policy", "options", "objective", FINE]].dropna().values.tolist()
    turned = [(one, two) for one, two in combinations(rows, 2) if (one[2] - two[2]) * (one[3] - two[3]) < 0]
    if not turned:
        return f"the ranking of policies is the same with slots of 1/{parts} of the length (column fine)"
    (a, b, *_), (c, d, *_) = max(turned, key=lambda pair: abs(pair[0][3] / pair[1][3] - 1))
    names = " and ".join(f"{name}{options and ':'}{options}" for name, options in ((a, b), (c, d)))
    pairs = f"{len(turned)} pairs of policies change places" if len(turned) > 1 else "two policies change places"
    return (
        f"warning: rounding to slots reverses the ranking: {pairs} with 1/{parts} of a slot (column fine), as {names}"
    )
