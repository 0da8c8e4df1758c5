from __future__ import annotations

from fractions import Fraction

import pytest

import schedproof as sp
from schedproof.formulations.preemptive.ilp import DECOUPLED
from tests.formulations.preemptive.literal import least_flow
from tests.formulations.preemptive.micro import RELEASES, SPEEDS, micro_instance
from tests.formulations.preemptive.test_minlp import answer
from tests.formulations.preemptive.test_storage import flow, same
from tests.support import size
from tests.tiny.preemptive import instance_of, job


@pytest.mark.parametrize("cost", ["printed", "half"])
def test_it_equals_enumeration(cost: str) -> None:
    seen: set[bool] = set()
    for seed in range(size(10, 24, 500)):
        instance, speed, release = micro_instance(seed, units=4), SPEEDS[seed % 4], RELEASES[seed % 5]
        found = flow(sp.program("preemptive.ilp4", cost=cost, ps_release=release, speed=speed).solve(instance))
        tried = least_flow(instance, cost, speed, at_once=release == "none")
        assert same(found, float("inf") if tried is None else float(tried)), (seed, found, tried)
        seen.add(tried is None)
    assert seen == {True, False}


def test_without_a_cloud_half_processing_adds_half_of_each_jobs_chunk_time() -> None:
    # Every column of a job has the same rate, so the extra cost is (p + 1)/2 per job for all decisions.
    for seed in range(1000, 1000 + size(5, 12, 300)):
        instance = micro_instance(seed, cloud=False)
        printed, half = (flow(sp.program("preemptive.ilp4", cost=c).solve(instance)) for c in ("printed", "half"))
        assert same(half, printed + sum((job.slots() + 1) / 2 for job in instance.jobs)), seed


def test_half_processing_never_costs_more_than_the_total_jct() -> None:
    # sum over chunks of (C - r)/D is at most the JCT, and pinned schedules are schedules of (4).
    for seed in range(2000, 2000 + size(5, 12, 300)):
        instance = micro_instance(seed)
        jct = answer(sp.program("preemptive.minlp2").solve(instance))
        if jct is not None:
            assert flow(sp.program("preemptive.ilp4", cost="half").solve(instance)) <= jct + 1e-6, seed


def test_dropping_groups_or_integrality_never_costs_more() -> None:
    program = sp.program("preemptive.ilp4")
    for seed in range(3000, 3000 + size(5, 9, 200)):
        instance = micro_instance(seed)
        values = [program.solve(instance)]
        values += [p.solve(instance) for p in (program.drop(*DECOUPLED), program.drop(*DECOUPLED).relaxed())]
        costs = [flow(v) for v in values]
        assert costs[0] >= costs[1] - 1e-6 and costs[1] >= costs[2] - 1e-6, seed


@pytest.mark.parametrize(
    ("changes", "printed", "half"),
    [
        ({}, (0 + 1) / 2, 0.5 + 1.5),  # slots 0 and 1
        ({"upload_delay": {"e": 3}}, (3 + 4) / 2, 3.5 + 1.5),
        ({"chunks": 2}, (0 + 1 + 2 + 3) / 4, 1.5 + 1.5),  # one worker, two chunks of weight 1/2
        ({"upload_delay": {"e": 5, "sky": 1}, "gradient_size": 1}, (1 + 2) / 2, 1.5 + 1.5),  # all in the cloud
    ],
)
def test_hand_worked_costs(changes: dict[str, object], printed: float, half: float) -> None:
    instance = instance_of(job("a", **changes))
    assert flow(sp.program("preemptive.ilp4").solve(instance)) == pytest.approx(printed, abs=1e-9)
    assert flow(sp.program("preemptive.ilp4", cost="half").solve(instance)) == pytest.approx(half, abs=1e-9)


def test_fluid_uses_the_chunk_time_unrounded() -> None:
    # p = 3/2: two whole slots cover it, each at t/p; read as ceil_chunk it is two slots at t/2.
    instance = instance_of(job("a", minibatch_time=Fraction(3, 2), upload_delay={"e": 1}))
    assert flow(sp.program("preemptive.ilp4", reading="fluid").solve(instance)) == pytest.approx(3 / 1.5, abs=1e-9)
    assert flow(sp.program("preemptive.ilp4").solve(instance)) == pytest.approx(3 / 2, abs=1e-9)
    relaxed = sp.program("preemptive.ilp4", reading="fluid").relaxed()
    assert flow(relaxed.solve(instance)) == pytest.approx((1 + 2 * 0.5) / 1.5, abs=1e-9)
