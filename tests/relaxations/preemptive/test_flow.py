from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.errors import ProgramError
from schedproof.core.solvers import flow as network
from schedproof.core.solvers.potentials import potentials
from tests.formulations.preemptive.micro import SPEEDS, micro_instance
from tests.support import size
from tests.tiny.preemptive import instance_of, job


@pytest.mark.parametrize("cost", ["printed", "half"])
def test_it_equals_the_lp_without_a_usable_cloud(cost: str) -> None:
    seen: set[str] = set()
    for seed in range(size(10, 36, 500)):
        instance = micro_instance(seed, cloud=False, units=[6, 12, 40][seed % 3], most_jobs=8, late=1 + seed % 9)
        program = sp.program("preemptive.lp4", cost=cost, speed=SPEEDS[seed % 4])
        exact, lp = program.solve(instance, solver="flow"), program.solve(instance)
        assert exact.ended == lp.ended, seed
        assert program.solve(instance, solver="network_simplex").exact == exact.exact, seed
        if exact.exact is not None:
            assert float(exact.exact) == exact.objective == pytest.approx(lp.objective, rel=1e-9, abs=1e-9), seed
        seen.add(exact.ended)
    assert seen == {"optimal", "infeasible"}


def test_the_optimum_is_a_rational() -> None:
    # Two chunks of three slots on one worker, weight 1/6 a slot: (0 + ... + 5)/6; half adds 6 (3 + 1)/2 / 6.
    instance = instance_of(job("a", chunks=2, minibatch_time=3))
    assert sp.program("preemptive.lp4", cost="printed").solve(instance, solver="flow").exact == Fraction(15, 6)
    assert sp.program("preemptive.lp4", cost="half").solve(instance, solver="flow").exact == Fraction(15, 6) + 2


def test_two_rates_or_a_fluid_reading_are_rejected() -> None:
    with pytest.raises(ProgramError, match="needs jobs that take as long in the cloud as at the edge"):
        row = job("a", gradient_size=2, upload_delay={"e": 0, "sky": 3})
        sp.program("preemptive.lp4").solve(instance_of(row), solver="flow")
    with pytest.raises(ProgramError, match="whole slots"):
        instance = instance_of(job("a", minibatch_time=Fraction(3, 2)))
        sp.program("preemptive.lp4", reading="fluid").solve(instance, solver="flow")


def test_costs_too_large_to_be_exact_are_rejected() -> None:
    jobs = [job(f"j{d}", chunks=d, minibatch_time=p) for d, p in ((97, 89), (83, 79), (73, 71), (67, 61), (59, 53))]
    with pytest.raises(ProgramError, match="too large"):
        sp.program("preemptive.lp4").solve(instance_of(*jobs, workers=50, horizon=10**5), solver="flow")


def solve(
    arcs: list[tuple[int, int, int, int]], supplies: list[int], method: network.Solver = network.solve
) -> tuple[str, Fraction | None]:
    table = np.array(arcs, dtype=np.int64)
    outcome, _ = method(*table.T, np.array(supplies, dtype=np.int64))
    return outcome.status, outcome.exact


@pytest.mark.parametrize("method", [network.solve, network.network_simplex])
def test_a_flow_by_hand(method: network.Solver) -> None:
    assert solve([(0, 1, 1, 2), (0, 1, 5, 7)], [2, -2], method) == ("optimal", Fraction(9))
    assert solve([(0, 1, 1, 2)], [2, -2], method) == ("infeasible", None)
    assert solve([(0, 1, 5, 2)], [2, -1], method) == ("infeasible", None)  # more is sent than taken


def test_both_methods_find_the_same_optimum() -> None:
    ended: set[str] = set()
    for seed in range(size(100, 300, 5000)):
        rng = random.Random(seed)
        nodes = rng.randrange(2, 8)
        arcs = np.array(
            [
                (*rng.sample(range(nodes), 2), rng.randrange(4), rng.randrange(-3, 7))
                for _ in range(rng.randrange(1, 25))
            ]
        )
        sent = [rng.randrange(-2, 3) for _ in range(nodes - 1)]
        supplies = np.array([*sent, -sum(sent) + (seed % 10 == 0)])
        (one, flows), (other, others) = (
            method(*arcs.T, supplies) for method in (network.solve, network.network_simplex)
        )
        assert (one.status, one.exact) == (other.status, other.exact), seed
        ended.add(one.status)
        for found in (flows, others) if one.exact is not None else ():
            assert found @ arcs[:, 3] == one.exact and (found >= 0).all() and (found <= arcs[:, 2]).all(), seed
            potentials(*arcs.T, found, nodes)  # refuses a flow that is not the cheapest
    assert ended == {"optimal", "infeasible"}


def test_the_network_simplex_method_accepts_only_integers_of_any_size() -> None:
    arc = [(0, 1, 5, 2**62)]
    assert solve(arc, [5, -5], network.network_simplex) == ("optimal", Fraction(5 * 2**62))
    tails, heads, most, costs = np.array([(0, 1, 5, 2)], dtype=np.int64).T
    with pytest.raises(TypeError, match="expected integers"):
        network.network_simplex(tails, heads, most, costs + 0.5, np.array([5, -5]))


def test_a_cost_that_could_overflow_is_not_computed() -> None:
    assert solve([(0, 1, 5, 2**50 + 1)], [5, -5]) == ("optimal", Fraction(5 * 2**50 + 5))
    with pytest.raises(OverflowError, match="too large for an exact min-cost flow"):
        solve([(0, 1, 5, 2**62)], [5, -5])
