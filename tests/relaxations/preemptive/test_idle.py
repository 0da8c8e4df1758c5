"""Idle stretches: the bound of a log with a gap is that of the log without it, with the same work."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.errors import ProgramError, SchedproofError
from schedproof.instances import from_json
from schedproof.relaxations.preemptive.idle import without_idle
from schedproof.relaxations.preemptive.prices import MOST_ENTRIES
from tests.support import size
from tests.tiny.preemptive import tiny_preemptive

YEARS = 1_000_000  # slots


def with_gaps(document: dict[str, Any], after: set[int], slots: int) -> dict[str, Any]:
    """Let jobs arrive later, one after another, with so many slots before some."""
    jobs, moved = [], 0
    for n, job in enumerate(document["jobs"]):
        moved += 200 + (slots if n in after else 0)  # the jobs before are complete
        jobs.append(job | {"arrival": job["arrival"] + moved})
    return document | {"jobs": jobs, "horizon": document["horizon"] + moved}


@pytest.mark.parametrize("prices", ["lp", "ascent", "flow"])
def test_a_gap_of_years_changes_neither_the_bound_nor_the_work(prices: str) -> None:
    compared = 0
    for seed in range(size(2, 3, 100)):
        rng, options = random.Random(seed), {"prices": prices} | ({"steps": 5} if prices == "ascent" else {})
        near = tiny_preemptive(seed, jobs=4)
        after = {rng.randrange(4), rng.randrange(4)}
        both = [from_json(with_gaps(near, after, slots)) for slots in (0, YEARS)]
        shorter = [without_idle(instance, Fraction(1)) for instance in both]
        assert shorter[0].instance.to_json() == shorter[1].instance.to_json()
        try:
            bounds = [sp.bound("preemptive.lp4", instance, **options) for instance in both]
        except SchedproofError:  # the LP is no flow
            continue
        compared += 1
        assert bounds[0].exact == bounds[1].exact and all(map(sp.Bound.verify, bounds, both))
        assert bounds[0].details.get("columns") == bounds[1].details.get("columns")
    assert compared or prices == "flow"


def test_the_optimum_is_that_with_all_slots() -> None:
    """The bound without idle stretches equals the LP's optimum, to its rounding."""
    for seed in range(size(3, 3, 200)):
        instance = from_json(with_gaps(tiny_preemptive(seed, jobs=3), {1, 2}, 40))
        optimum = sp.program("preemptive.lp4").solve(instance).objective
        bound = float(sp.bound("preemptive.lp4", instance, prices="lp").exact)
        assert optimum is not None and optimum - 1e-4 <= bound <= optimum + 1e-6


def test_prices_are_put_back_in_their_slots() -> None:
    instance = from_json(with_gaps(tiny_preemptive(1, jobs=2), {1}, 1000))
    shorter = without_idle(instance, Fraction(1))
    starts = np.array([job.arrival for job in shorter.instance.jobs])
    units = np.zeros((1, int(starts.max()) + 1), dtype=np.int64)
    units[0, starts] = 1 + np.arange(starts.size)
    with pytest.raises(ProgramError, match=r"too many prices in .* take longer slots"):
        shorter.whole(units, np.zeros(MOST_ENTRIES, dtype=np.int64))
    whole = shorter.whole(units, np.array([0, 0])).units
    assert (whole[0] == whole[1]).all()
    assert {int(t): int(whole[0, t]) for t in np.flatnonzero(whole[0])} == {
        job.arrival: units[0, start] for job, start in zip(instance.jobs, starts, strict=True)
    }
