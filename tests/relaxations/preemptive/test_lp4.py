from __future__ import annotations

import pytest

import schedproof as sp
from schedproof.core.programs.program import Program
from schedproof.formulations.preemptive.ilp import DECOUPLED
from schedproof.instances.preemptive import Instance
from tests.formulations.preemptive.micro import SPEEDS, micro_instance
from tests.formulations.preemptive.test_minlp import answer
from tests.formulations.preemptive.test_storage import flow, same
from tests.support import size
from tests.tiny.preemptive import instance_of, job
from tests.tiny.restarts import few_jobs, least_total_jct

CHOICES = [("printed", "ceil_chunk"), ("half", "ceil_chunk"), ("printed", "fluid"), ("half", "fluid")]


def by_chunks(**options: object) -> Program:
    """(4) relaxed, without the rows that the paper drops before the dual."""
    return sp.program("preemptive.ilp4", **options).drop(*DECOUPLED).relaxed()


@pytest.mark.parametrize(("cost", "reading"), CHOICES)
def test_classes_arrays_and_chunks_have_the_same_optimum(cost: str, reading: str) -> None:
    seen: set[bool] = set()
    for seed in range(size(5, 20, 500)):
        instance = micro_instance(seed, units=8, late=2 + seed % 7)
        options = {"cost": cost, "reading": reading, "speed": SPEEDS[seed % 4]}
        classes = sp.program("preemptive.lp4", **options)
        found = [flow(classes.solve(instance)), flow(classes.solve(instance, solver="matrix"))]
        found.append(flow(by_chunks(**options).solve(instance)))
        assert same(found[0], found[1]) and same(found[0], found[2]), (seed, found)
        seen.add(found[0] == float("inf"))
    assert seen == {True, False} or size(0, 1, 1) == 0


def with_more_of_everything(seed: int) -> Instance:
    return micro_instance(seed, units=30, most_jobs=8, servers=2, late=20)


def test_classes_and_arrays_agree_on_larger_instances() -> None:
    for seed in range(1000, 1000 + size(5, 9, 200)):
        instance = with_more_of_everything(seed)
        for cost in ("printed", "half"):
            program = sp.program("preemptive.lp4", cost=cost, speed=SPEEDS[seed % 4])
            pyomo, arrays = flow(program.solve(instance)), flow(program.solve(instance, solver="matrix"))
            assert arrays == pytest.approx(pyomo, rel=1e-9, abs=1e-9), seed


def test_it_is_never_above_the_exact_optima() -> None:
    # lp4 printed <= ilp4 printed; lp4 half <= ilp4 half <= minlp2.
    compared = 0
    for seed in range(2000, 2000 + size(5, 10, 400)):
        instance, speed = micro_instance(seed), SPEEDS[seed % 4]
        for cost in ("printed", "half"):
            lower = flow(sp.program("preemptive.lp4", cost=cost, speed=speed).solve(instance))
            exact = flow(sp.program("preemptive.ilp4", cost=cost, speed=speed).solve(instance))
            assert lower <= exact + 1e-6, seed
        jct = answer(sp.program("preemptive.minlp2", speed=speed).solve(instance, solver="cpsat"))
        if jct is not None:
            assert lower <= jct + 1e-6, seed
            compared += 1
    assert compared


def test_the_row_of_4e_matters() -> None:
    instance = instance_of(job("a", minibatch_time=4), workers=2)
    assert flow(sp.program("preemptive.lp4", cost="printed").solve(instance)) == pytest.approx((0 + 1 + 2 + 3) / 4)
    without = sp.program("preemptive.lp4", cost="printed").drop("chunks_at_once")
    assert flow(without.solve(instance)) == pytest.approx((0 + 0 + 1 + 1) / 4)


def test_dropping_4e_by_classes_is_dropping_it_by_chunks() -> None:
    for seed in range(3000, 3000 + size(5, 9, 200)):
        instance = micro_instance(seed, units=8)
        classes = sp.program("preemptive.lp4", cost="printed").drop("chunks_at_once")
        chunks = by_chunks().drop("one_worker_per_chunk")
        assert same(flow(classes.solve(instance)), flow(chunks.solve(instance))), seed


def test_half_processing_is_at_least_the_printed_cost_plus_half_a_slot_a_job() -> None:
    # Each unit of work costs (p + 1)/(2p) per slot more, and a job's slots weigh one in all: (p1 + 1)/2 or more.
    for seed in range(4000, 4000 + size(5, 9, 200)):
        instance = micro_instance(seed, units=8)
        printed, half = (flow(sp.program("preemptive.lp4", cost=c).solve(instance)) for c in ("printed", "half"))
        least = sum((job.slots(in_cloud=True) + 1) / 2 for job in instance.jobs)
        assert half >= printed + least - 1e-6, seed


def test_bounds_hold_for_restarts() -> None:
    costly = 0
    for seed in range(size(8, 10, 500)):
        without = least_total_jct(few_jobs(seed, 0))
        assert without == answer(sp.program("preemptive.minlp2").solve(few_jobs(seed, 0), solver="brute"))
        for restart in (1, 3):
            instance = few_jobs(seed, restart)
            least = least_total_jct(instance)
            costly += least > without
            bounds = [
                sp.bound(f"preemptive.{program}", instance)
                for program in ("lp4", "configuration_lp", "floating_configuration_lp")
            ]
            for bound in bounds:
                assert bound.exact <= without <= least, (seed, restart, bound.program)
            for policy in ("srtf", "tiresias_l", "a_online", "gang_online", "fifo", "batch_sche"):
                run = sp.policy(f"preemptive.{policy}").run(instance)
                assert run.feasible and run.objective >= least, (seed, restart, policy)
                assert run.ratio(bounds[0]).gap_or_why_not()[0] is not None
    assert costly
