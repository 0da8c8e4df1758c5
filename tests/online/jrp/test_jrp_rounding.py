"""Algorithm 1 as a policy: its options, its batches and its seed."""

from __future__ import annotations

from itertools import pairwise

import pytest

from schedproof.core.errors import InputError
from schedproof.core.runtime.context import Context
from schedproof.instances.jrp import Assignment, Instance
from schedproof.online.jrp.jrp_rounding import JrpRounding
from tests.rounding.jrp.test_repaired import triangle
from tests.support import size
from tests.tiny.jrp import crowded, driven, tiny_cells


def test_repaired_is_feasible_in_any_number_of_batches() -> None:
    for seed in range(size(30, 72, 2000)):
        instance = crowded(20, seed) if seed % 20 == 0 else tiny_cells(seed, jobs=6)
        schedule = driven(JrpRounding(batches=1 + seed % 6, context=Context(seed)), instance)
        assert schedule.violations(instance) == [], seed


def test_a_policy_sees_only_its_batch() -> None:
    seen = []

    class Watching(JrpRounding):
        def assign(self, instance: Instance) -> Assignment:
            seen.append(instance)
            return super().assign(instance)

    instance = crowded(30, 1)
    schedule = driven(Watching(batches=3, context=Context(4)), instance)
    assert [len(batch.jobs) for batch in seen] == [10, 10, 10]
    first = driven(
        JrpRounding(context=Context(4)),
        instance.part(range(10), [(s.storage, s.compute, s.bandwidth) for s in instance.servers]),
    )
    assert [p for p in schedule.placements if p.job < 10] == list(first.placements)
    assert [row["batch"] for row in schedule.trace] == sorted(row["batch"] for row in schedule.trace)
    for before, after in pairwise(seen):
        pairs = list(zip(before.servers, after.servers, strict=True))
        assert all(b.storage >= a.storage and b.compute >= a.compute and b.bandwidth >= a.bandwidth for b, a in pairs)
    held = [s.storage - left.storage for s, left in zip(instance.servers, seen[1].servers, strict=True)]
    assert held == first.storage_use(instance)


def test_a_seed_gives_one_schedule_also_on_repetition() -> None:
    instance = crowded(30, 2)
    for variant in ("printed", "repaired"):
        policy = JrpRounding(variant=variant, batches=2, context=Context(3))
        assert driven(policy, instance) == driven(policy, instance)


def test_limits_are_those_of_their_variant() -> None:
    assert len(driven(JrpRounding(variant="printed", iterations=7), triangle(20)).trace) == 7
    assert len(driven(JrpRounding(variant="printed"), triangle(20)).trace) == 1000
    trace = driven(JrpRounding(resolves=1), crowded(40, 3)).trace
    assert [row["solved"] for row in trace] == [True] + [False] * (len(trace) - 1)
    with pytest.raises(InputError, match="iterations=5: expected only with variant=printed"):
        JrpRounding(iterations=5)
    with pytest.raises(InputError, match="resolves=5: expected only with variant=repaired"):
        JrpRounding(variant="printed", resolves=5)
