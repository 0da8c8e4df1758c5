"""Algorithm 1 as a policy: its options, its batches and its seed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from schedproof.core.errors import InputError, UnknownName
from schedproof.instances.jrp import Assignment, Instance, Schedule
from schedproof.online.jrp import POLICIES
from schedproof.online.jrp.jrp_rounding import JrpRounding, jrp_rounding
from tests.rounding.jrp.cells import crowded
from tests.rounding.jrp.test_repaired import triangle
from tests.support import size
from tests.tiny.jrp import tiny_cells


def drive(policy: Any, instance: Instance) -> Schedule:
    schedule = instance.drive(policy, "jrp.x", {}, 0, lambda jobs: None)
    assert isinstance(schedule, Schedule)
    return schedule


def test_repaired_is_feasible_in_any_number_of_batches() -> None:
    for seed in range(size(30, 120, 2000)):
        instance = crowded(20, seed) if seed % 20 == 0 else tiny_cells(seed, jobs=6)
        schedule = drive(jrp_rounding(seed=seed, batches=1 + seed % 6), instance)
        assert schedule.violations(instance) == [], seed


def test_a_batch_is_all_that_it_sees() -> None:
    """The first batch is decided in the same way whatever comes after it; what is left is all that the next one has."""
    seen = []

    class Watching(JrpRounding):
        def assign(self, instance: Instance) -> Assignment:
            seen.append(instance)
            return super().assign(instance)

    instance = crowded(30, 1)
    schedule = drive(Watching("repaired", 4, None, 3), instance)
    assert [len(batch.jobs) for batch in seen] == [10, 10, 10]
    first = drive(
        jrp_rounding(seed=4), instance.part(range(10), [(s.storage, s.compute, s.bandwidth) for s in instance.servers])
    )
    assert [p for p in schedule.placements if p.job < 10] == list(first.placements)
    assert [row["batch"] for row in schedule.trace] == sorted(row["batch"] for row in schedule.trace)
    for before, after in pairwise(seen):
        pairs = list(zip(before.servers, after.servers, strict=True))
        assert all(b.storage >= a.storage and b.compute >= a.compute and b.bandwidth >= a.bandwidth for b, a in pairs)
    held = [s.storage - left.storage for s, left in zip(instance.servers, seen[1].servers, strict=True)]
    assert held == first.stored(instance)


def test_a_seed_gives_one_schedule_also_from_one_policy_twice() -> None:
    instance = crowded(30, 2)
    for variant in ("printed", "repaired"):
        policy = jrp_rounding(variant=variant, seed=3, batches=2)
        assert drive(policy, instance) == drive(policy, instance)
        assert drive(policy, instance) == drive(jrp_rounding(variant=variant, seed="3", batches="2"), instance)


def test_limits_are_those_of_their_variant() -> None:
    assert len(drive(jrp_rounding(variant="printed", iterations="7"), triangle(20)).trace) == 7
    assert len(drive(jrp_rounding(variant="printed"), triangle(20)).trace) == 1000
    trace = drive(jrp_rounding(resolves=1), crowded(40, 3)).trace
    assert [row["solved"] for row in trace] == [True] + [False] * (len(trace) - 1)
    with pytest.raises(InputError, match="iterations=5: expected with variant=printed only"):
        jrp_rounding(iterations=5)
    with pytest.raises(InputError, match="resolves=5: expected with variant=repaired only"):
        jrp_rounding(variant="printed", resolves=5)
    with pytest.raises(UnknownName, match="there is no variant 'exact'; there is: printed, repaired"):
        jrp_rounding(variant="exact")
    for option in ("iterations", "batches"):
        with pytest.raises(InputError, match=f"{option}=0: expected a whole number >= 1"):
            jrp_rounding(variant="printed", **{option: 0})


def test_nothing_is_promised() -> None:
    for name, factory in POLICIES.items():
        assert name.startswith("jrp.")
        assert factory().guarantee(crowded(2, 0)).value is None
