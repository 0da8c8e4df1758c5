"""Arrivals on one server: the least total JCT is that of (2), one worker can be served best, and ours are beaten."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import schedproof as sp
from schedproof.adversary.catalogue import play
from schedproof.adversary.preemptive_arrivals import Arrivals, least
from schedproof.core.context import Context
from schedproof.core.errors import NoSolution
from schedproof.instances.preemptive import Instance
from tests.support import size
from tests.tiny.preemptive import instance_of, job


def arriving(jobs: Arrivals, workers: int = 2) -> Instance:
    """The jobs on one server's workers."""
    rows = (job(f"j{n}", arrival=slot, minibatch_time=slots) for n, (slot, slots) in enumerate(jobs))
    return instance_of(*rows, workers=workers)


def test_the_least_total_jct_is_the_optimum() -> None:
    rng = random.Random(18)
    for _ in range(size(6, 4, 200)):
        jobs = tuple(sorted((rng.randrange(3), rng.randrange(1, 4)) for _ in range(rng.randrange(1, 5))))
        total, plan = least(jobs, 2)
        assert total == sp.program("preemptive.minlp2").solve(arriving(jobs), solver="brute").exact
        assert all(line.count(n) in (0, slots) for line in plan for n, (_, slots) in enumerate(jobs))


def test_on_one_worker_the_least_is_reached_online() -> None:
    with pytest.raises(NoSolution):
        play("preemptive.arrivals", {"workers": 1, "jobs": 4, "sizes": (1, 2, 3)}, Fraction(1), Context())


@pytest.mark.parametrize(("policy", "options"), [("srtf", {}), ("a_online", {"order": "residual"})])
def test_no_policy_of_ours_is_better(policy: str, options: dict[str, str]) -> None:
    """The adversary's strategy, played against a policy: it loses as much as the strategy says."""
    found = play("preemptive.arrivals", {}, Fraction(1), Context())
    assert found.value == Fraction(8, 7)
    rows = {(row["slot"], tuple(row["arrived"]), row["left"]): row for row in found.rows}
    jobs: Arrivals = ()
    left: tuple[int, ...] = ()
    for slot in range(20):
        row = rows.get((slot, jobs, left))
        if row is None:
            break
        jobs += tuple((slot, slots) for slots in row["arrive"])
        run = sp.policy(policy, **options).run(arriving(jobs))
        assert run.feasible
        ran = [0] * len(jobs)
        for n, start, end in zip(*(getattr(run.schedule.intervals, c) for c in ("job", "start", "end")), strict=True):
            ran[n] += max(0, min(int(end), slot + 1) - int(start))
        left = tuple(sorted(slots - done for (_, slots), done in zip(jobs, ran, strict=True) if slots > done))
    assert not left
    assert run.objective >= found.value * least(jobs, 2)[0]
