"""The two bounds, each for its game, in both readings of the gain, found by name."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.errors import ProgramError
from schedproof.core.runtime import deadline
from schedproof.core.runtime.context import Context
from schedproof.formulations.multiserver.optima import slot_optimum
from schedproof.instances.multiserver import Instance
from schedproof.relaxations.multiserver import bounds
from schedproof.relaxations.multiserver.bounds import slot_optimum_bound, stationary_bound
from schedproof.relaxations.multiserver.certificate import patterns
from schedproof.relaxations.multiserver.solver import StationarySolver
from tests.relaxations.multiserver import literal
from tests.support import size
from tests.tiny.multiserver import tiny_ports

GAINS = ("node", "total")


def best_of_slots(instance: Instance, gain: str) -> Fraction:
    total = Fraction(0)
    for present in instance.present(0, instance.horizon):
        found = StationarySolver(instance.graph, gain).solve(present)
        total += literal.earned(instance, present, found.allocation, gain)[0]
    return total


@pytest.mark.parametrize("gain", GAINS)
def test_the_slots_optimum_is_above_the_stationary_one(gain: str) -> None:
    apart = 0
    for seed in range(size(3, 8, 100)):
        instance = tiny_ports(seed, copies=1 + seed % 2)
        fixed, free = stationary_bound(instance, gain=gain), slot_optimum_bound(instance, gain=gain)
        reached = best_of_slots(instance, gain)
        assert free.verify(instance) and reached <= free.exact, seed
        assert float(free.exact - reached) <= 2e-6 * float(free.exact) + 1e-9, seed
        assert free.exact >= Fraction(fixed.details["value"]) * (1 - Fraction(1, 10**12)), seed
        assert free.details["patterns"] == len(patterns(instance)[0])
        apart += free.exact > fixed.exact * (1 + Fraction(1, 10**4))  # a run that responds may exceed the fixed bound
    assert apart > 0


def test_the_slots_optimum_is_the_programs() -> None:
    for seed in range(size(2, 4, 40)):
        instance = tiny_ports(seed)
        total = sum(slot_optimum(slot=t).solve(instance, "clarabel").objective or 0.0 for t in range(instance.horizon))
        assert slot_optimum_bound(instance).value == pytest.approx(total, rel=2e-6, abs=1e-6), seed


def test_no_fixed_allocation_on_a_grid_exceeds_the_bound() -> None:
    for seed in range(size(2, 6, 50)):
        instance = tiny_ports(seed, ports=2, nodes=1)
        graph, bound = instance.graph, stationary_bound(instance)
        if graph.edge_copy.size * len(graph.overhead) > 4:
            continue
        most = np.minimum(graph.demand[graph.edge_copy], graph.capacity[graph.edge_node])
        for shares in product((0, Fraction(1, 3), Fraction(2, 3), 1), repeat=most.size):
            allocation = most * np.array(shares, dtype=float).reshape(most.shape)
            if literal.feasible(instance, allocation):
                assert literal.earned(instance, instance.counts(), allocation, "node")[0] <= bound.exact


def test_bounds_are_found_by_name_with_options_as_text() -> None:
    instance = tiny_ports(0)
    for id in ("multiserver.stationary", "multiserver.slot_optimum"):
        loose = sp.bound(id, instance, gain="total", gap="0.1")
        tight = sp.bound(id, instance, gain="total", gap="1e-8")
        assert tight.program == id and tight.kind == "upper" and tight.family == "multiserver"
        assert tight.exact <= loose.exact <= tight.exact * Fraction(12, 10)
        assert tight.parameters == {"gain": "total"}


def test_too_many_patterns_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_NUMBERS", 10)
    with pytest.raises(ProgramError, match="different arrival patterns occur"):
        slot_optimum_bound(tiny_ports(0, horizon=30))


def test_progress_is_reported_every_hundred_patterns() -> None:
    told: list[str] = []
    context = Context(progress=lambda message, done=None: told.append(message))
    bound = slot_optimum_bound(tiny_ports(0, ports=8, horizon=300), gap=Fraction(1, 1000), context=context)
    assert len(told) == bound.details["patterns"] // 100 > 0 and told[0].startswith("100 of ")


@pytest.mark.parametrize("gain", GAINS)
@pytest.mark.parametrize("program", ["multiserver.stationary", "multiserver.slot_optimum"])
def test_at_the_time_limit_the_bound_is_weaker(program: str, gain: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = tiny_ports(3, horizon=6)
    best = sp.bound(program, instance, gain=gain)
    if program == "multiserver.stationary":  # it is stopped while it solves
        monkeypatch.setattr(deadline, "grace", lambda _: 0.6)
        monkeypatch.setattr(bounds, "certify_optimum", lambda *_: all(True for _ in iter(int, 1)))
    at_once = sp.bound(program, instance, gain=gain, time_limit=0)
    assert at_once.verify(instance) and at_once.exact >= best.exact
