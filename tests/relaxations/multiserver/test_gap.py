from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import schedproof as sp
from schedproof.instances.multiserver import Schedule
from tests.certificates import instance_of
from tests.gaps import adds_up, ratios, refused
from tests.support import size


@settings(max_examples=size(6, 6, 1000))
@given(st.integers(0, 10**6))
def test_the_parts_are_nonnegative_and_add_up(seed: int) -> None:
    for ratio in ratios("multiserver", seed):
        gap, why_not = ratio.gap_or_why_not()
        if gap is None:
            assert (
                ratio.bound.program == "multiserver.stationary"
                and "exceeds the capacity of any fixed allocation" in why_not
            ), why_not
        else:
            adds_up(gap)
            assert gap["rounding"].amount <= Fraction(1, 10**8) * max(1, gap.bound)


def test_a_fixed_allocation_always_has_an_account() -> None:
    counted = 0
    for seed in range(10):
        instance = instance_of("multiserver", seed)
        graph = instance.graph
        shares = np.bincount(graph.edge_node, minlength=len(graph.capacity))[graph.edge_node, None]
        each = np.minimum(graph.demand[graph.edge_copy], graph.capacity[graph.edge_node] / shares) / 2
        for gain in ("node", "total"):
            schedule = Schedule.of(
                np.repeat(each[None], instance.horizon, axis=0), instance, "half", options={"gain": gain}
            )
            run = sp.policy("multiserver.drf", gain=gain).run(instance)
            run = replace(run, schedule=schedule, objective=schedule.objective(instance, gain=gain), violations=())
            assert schedule.violations(instance, gain=gain) == []
            for program in ("multiserver.stationary", "multiserver.slot_optimum"):
                if run.objective > 0:
                    adds_up(run.ratio(sp.bound(program, instance, gain=gain)).gap)
                    counted += 1
    assert counted >= 10


def test_another_schedule_or_other_prices_are_rejected() -> None:
    broken = 0
    for seed in range(10):
        instance = instance_of("multiserver", seed)
        run = sp.policy("multiserver.fairness").run(instance)
        bound = sp.bound("multiserver.slot_optimum", instance)
        played = np.concatenate(list(run.schedule.blocks()))
        if run.objective <= 0 or not played.any():
            continue
        gone = np.zeros_like(played)
        refused(run, bound, schedule=Schedule.of(gone, instance, "nobody")) if run.objective != 0 else None
        for factor in (1.001, 0.999):
            proofs = tuple(replace(each, prices=each.prices * factor) for each in bound.witness.multipliers)
            changed = replace(bound.witness, multipliers=proofs)
            if abs(changed.value(instance, gain="node") - bound.exact) > Fraction(1, 10**6) * bound.exact:
                refused(run, bound, witness=changed)
                broken += 1
    assert broken >= 2
