from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest

import schedproof as sp
from schedproof.adversary.placement.starts import least_total
from schedproof.core.errors import NoSolution
from schedproof.instances.placement import Instance
from schedproof.proofs_checks.strategies.placement import build
from schedproof.proofs_checks.strategies.placement_runs import Committed
from tests.support import size

Arrivals = tuple[tuple[int, int], ...]


def on_one_unit(tasks: Arrivals) -> Instance:
    end = max(slot for slot, _ in tasks) + sum(slots for _, slots in tasks)
    return build([(slot, [0], [((1,), slots)]) for slot, slots in tasks], [(1,)], end)


def test_the_least_total_is_the_optimum() -> None:
    rng = random.Random(4)
    for _ in range(size(20, 20, 300)):
        tasks = tuple(sorted((rng.randrange(5), rng.randrange(1, 5)) for _ in range(rng.randrange(1, 5))))
        total, starts = least_total(tasks)
        assert total == sp.program("placement.exact").solve(on_one_unit(tasks), solver="brute").exact
        runs = sorted((start, start + slots) for start, (_, slots) in zip(starts, tasks, strict=True))
        assert all(begin >= end for (_, end), (begin, _) in pairwise(runs))


def test_a_task_of_four_slots_and_four_of_one_force_20_thirteenths() -> None:
    found = sp.game("placement.starts", slots=7)
    assert found.best and found.value == Fraction(20, 13)
    with pytest.raises(NoSolution):
        sp.game("placement.starts", sizes=(2,), above=1)  # with equal tasks nothing is lost in order of arrival


@pytest.mark.parametrize("policy", ["minimum", "random", "optimus", "tiresias"])
def test_no_policy_beats_the_value(policy: str) -> None:
    for n in (4, 10):
        alone = sp.policy(f"placement.{policy}").run(on_one_unit(((0, n),)))
        start = alone.schedule.starts[0].slot
        run = sp.policy(f"placement.{policy}").run(Committed(n, start).instance)
        assert not run.violations and run.schedule.runs()[0][0].slot == start
        best = least_total(tuple((task.arrival, task.modes[0].slots) for task in run.instance.tasks))[0]
        assert run.objective / best >= Fraction(n, 4)
