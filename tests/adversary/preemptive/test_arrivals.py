from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from adversary_play import arriving, play_against

import schedproof as sp
from schedproof.adversary.games import Strategy
from schedproof.adversary.preemptive.arrivals import least_total
from schedproof.core.errors import NoSolution
from schedproof.online.preemptive.gang import Gang, GangPolicy
from tests.support import size


@cache
def solved() -> Strategy:
    return sp.game("preemptive.arrivals", above=1)


def test_the_least_total_jct_is_the_optimum() -> None:
    rng = random.Random(18)
    for _ in range(size(4, 4, 200)):
        jobs = tuple(sorted((rng.randrange(3), rng.randrange(1, 4)) for _ in range(rng.randrange(1, 5))))
        total, plan = least_total(jobs, 2)
        assert total == sp.program("preemptive.minlp2").solve(arriving(jobs), solver="brute").exact
        assert all(line.count(n) in (0, slots) for line in plan for n, (_, slots) in enumerate(jobs))


def test_on_one_worker_the_least_is_reached_online() -> None:
    with pytest.raises(NoSolution):
        sp.game("preemptive.arrivals", workers=1, jobs=4, sizes=(1, 2, 3), above=1)


class LongestFirst(GangPolicy):
    def order(self, gang: Gang, now: int) -> tuple[int]:
        return (-gang.remaining(now),)


@pytest.mark.parametrize(
    ("policy", "options", "sizes"),
    [
        ("srtf", {}, [1, 1, 2, 1, 1]),
        ("a_online", {"order": "residual"}, None),
        (LongestFirst(), {}, [1, 1, 2, 1, 1, 1]),
    ],
)
def test_no_policy_beats_the_value(policy: Any, options: dict[str, str], sizes: list[int] | None) -> None:
    found = solved()
    assert found.value == Fraction(8, 7)
    run = play_against(found, sp.policy(policy, **options))
    jobs = [(job.arrival, job.slots()) for job in run.instance.jobs]
    assert run.feasible and run.objective >= found.value * least_total(tuple(jobs), 2)[0]
    assert sizes is None or [slots for _, slots in jobs] == sizes
