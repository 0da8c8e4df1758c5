"""Compare policies: objective, relative objective, and certified ratio.

``compare(draws("simulator", seeds=5))`` returns a pandas table with one row per instance, policy and speed. The cells
are computed one after the other in this process. With a results file every finished cell is stored at once, an
interrupted comparison resumes, and ``load`` reads the stored cells. `schedproof.experiments.families` defines the
columns of each family.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from schedproof.core.cards import registry
from schedproof.core.data.options import number, read
from schedproof.core.data.reading import convert
from schedproof.core.data.store import Row
from schedproof.core.errors import InputError, family_of, require
from schedproof.core.results.run import Policy, policy
from schedproof.core.runtime.context import Progress as Report
from schedproof.core.runtime.context import silent
from schedproof.core.simulation.coerce import as_instance
from schedproof.core.simulation.instance import Instance
from schedproof.experiments.cells import IDENTITY, LABELS, Draw, Given, cells_on, describe_instance, finish, open_store
from schedproof.experiments.families import comparison, default_policies
from schedproof.experiments.finer_slots import finest, in_finer_slots, is_distorted, with_column
from schedproof.experiments.plans import Changed, Plan, Source, cases, changed
from schedproof.experiments.sweep import BoundsAndRuns, on_each
from schedproof.experiments.table import frame

Progress = Callable[[int, int, Row], None]

POLICIES = "a list of policies, like ['a_online'] or [sp.policy('a_online')]"
USUAL = "usual"  # the bound of the family's comparison


def draws(
    preset: str, *, seeds: int | Iterable[int] = 5, family: str = "preemptive", vary: Any = None, **settings: Any
) -> list[Draw]:
    """Return draws of a preset.

    Parameters
    ----------
    seeds
        Number of seeds (from 0 on), or the seeds.
    vary
        Values of settings, by name; every combination is drawn.
    settings
        Fixed settings of the generator.
    """
    numbers = range(seeds) if isinstance(seeds, int) else list(seeds)
    fixed = {name: str(value) for name, value in settings.items()}
    lines = [[(name, str(value)) for value in values] for name, values in (vary or {}).items()]
    return [Draw(family, preset, seed, fixed | dict(chosen)) for chosen in product(*lines) for seed in numbers]


def compare(
    instances: Iterable[Any],
    policies: Iterable[Any] = (),
    *,
    bound: str | None = USUAL,
    bound_options: Mapping[str, Any] | None = None,
    speeds: Sequence[Any] = (1,),
    baseline: str | None = None,
    results: str | Path | None = None,
    progress: Progress = lambda done, total, row: None,
    time_limit: float | None = None,
) -> Any:
    """Run policies on instances and compare them.

    Parameters
    ----------
    instances
        A list of instances, instance files or `Draw` objects, or a single one. A randomised policy has the seed of the
        `Draw`, otherwise 0.
    policies
        Names, policy classes or objects, or ``sp.policy(name, **options)``. If empty, the family's default policies.
        On given instances without a cloud, these are the policies of cluster managers, with pinned and with floating
        chunks.
    bound, bound_options
        The program of the certified bound and its options; ``usual`` is the family's bound, None omits ratios.
    speeds
        Speeds 1 + eps of the policies; the bound has speed 1. Only for a family whose policies have speeds.
    baseline
        The policy whose objective, on the same instance at the same speed, is the unit of ``relative``; by default the
        family's baseline.
    results
        A store of finished cells. Stored cells with the same instance, seed, policy, options, code and libraries are
        not computed again.
    progress
        Called with (finished cells, all cells, row of the cell).
    time_limit
        Seconds for each bound, and for each program that a policy solves.

    Returns
    -------
    pandas.DataFrame
        One row per instance, policy and speed, in that order; see `frame`.
    """
    chosen = [policy(choice) for choice in _several(policies, POLICIES)]
    if baseline is not None and baseline not in {choice.name for choice in chosen}:
        registry.find("policy", baseline)
    chosen_cases = [as_instance(given) for given in _several(instances, "a list of instances, or of their files")]
    tried = [bounds_and_runs(case, chosen, bound, bound_options, speeds) for case in chosen_cases]
    total = sum(len(bounds) + len(runs) for bounds, runs in tried)
    rows: list[Row] = []
    with open_store(results) as finished:
        for given, of in zip(chosen_cases, tried, strict=True):
            case = given if isinstance(given, Draw) else Given(given)
            instance = case.instance()
            for cell in cells_on(case, case.labels | describe_instance(instance), *of, time_limit):
                rows.append(finish(finished, cell, instance))
                progress(len(rows), total, rows[-1])
    return frame(rows, baseline)


def what_if(
    source: Mapping[str, Any],
    settings: Mapping[str, Any],
    policies: Iterable[Any] = (),
    *,
    bound: str | None = USUAL,
    bound_options: Mapping[str, Any] | None = None,
    speeds: Sequence[Any] = (1,),
    baseline: str | None = None,
    results: str | Path | None = None,
    jobs: int | None = None,
    progress: Report = silent,
    time_limit: float | None = None,
) -> Any:
    """Compare policies on one instance with changed settings, as a sweep.

    If rounding to slots inflates the work, the column ``fine`` has the objectives in finer slots, in units of the
    instance's slots.

    Parameters
    ----------
    source
        A plan's ``files`` or ``traces`` with one instance (`schedproof.experiments.plans.Plan`).
    settings
        Values of the family's what-if settings, like ``{"machines": "40..80"}``.
    jobs
        Number of parallel cells; as many as processors if not given.
    progress
        Called with a sentence and the finished share.
    policies, bound, bound_options, speeds, baseline, results, time_limit
        As for `compare`.

    Raises
    ------
    InputError
        For an unknown setting, an invalid value, or only one value of each setting.
    """
    base = cases(convert(dict(source), Plan))[0]
    if isinstance(base, Draw | Changed):
        raise InputError("what-if: expected a plan's files or traces with one instance")
    sources = changed([base], settings)
    if len(sources) < 2:
        raise InputError("what-if: expected at least two values, like machines=40..80 or machines=40,60,80")
    instance = base.instance()
    bounds, runs = bounds_and_runs(instance, [policy(choice) for choice in policies], bound, bound_options, speeds)

    def rows(of: Sequence[Source], tried: BoundsAndRuns, report: Report = progress) -> list[Row]:
        return on_each(of, tried, results, jobs=jobs, time_limit=time_limit, progress=report)

    def with_phase(message: str, done: float | None = None) -> None:
        progress(f"finer slots: {message}", done)

    table = frame(rows(sources, (bounds, runs)), baseline)
    parts = finest(instance)[0] if is_distorted(table) else 1
    if parts == 1:
        return table
    finer = changed([base], {**settings, "parts": parts})
    fine = frame(rows(finer, ([], in_finer_slots(runs, base.family, parts)), with_phase))
    return with_column(table, parts, fine["objective"].where(fine["feasible"].eq(True)), runs)


def bounds_and_runs(
    case: Any,
    chosen: Sequence[Policy],
    bound: str | None,
    bound_options: Mapping[str, Any] | None,
    speeds: Sequence[Any],
) -> BoundsAndRuns:
    """Return a comparison's bounds on an instance, and its policies with speeds."""
    family = family_of(case)
    own = comparison(family)
    usual = own.bound if own.bounds_draws or not isinstance(case, Draw) else None
    program = usual if bound == USUAL else bound
    policies = chosen or default_policies(family, None if isinstance(case, Draw) else case)
    if not policies:
        raise InputError(f"policies: the family {family} has no default policies; name some with --policy")
    return [] if program is None else [(program, bound_options or {})], [*product(policies, _rates(family, speeds))]


def _several(given: Any, what: str) -> Iterable[Any]:
    if isinstance(given, str | Path | Policy | Instance | Draw | type):
        return [given]
    require(given, Iterable, what)
    listed: Iterable[Any] = given
    return listed


def _rates(family: str, speeds: Sequence[Any]) -> list[Fraction | None]:
    rates: list[Fraction | None] = [read("speed", number(), speed) for speed in speeds]
    if comparison(family).speeds or (
        rates != [1] and any(rule.name == "speed" for rule in registry.family(family).rules)
    ):
        return rates
    if rates != [1]:
        raise InputError(f"speeds: expected no speeds: policies of the family {family} have no option speed")
    return [None]


def load(results: str | Path, baseline: str | None = None) -> Any:
    """Return the table of a store, with the newest row of each cell."""
    with open_store(results) as finished:
        newest = {json.dumps([row.get(name) for name in (*IDENTITY, *LABELS, "speed")]): row for row in finished.rows}
    return frame(newest.values(), baseline)
