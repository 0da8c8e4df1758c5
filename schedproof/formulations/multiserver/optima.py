"""The stationary optimum (10), regret's reference, and a slot's offline optimum.

A solved allocation becomes a Schedule by inward rounding, so that the exact checker accepts it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from schedproof.core.base.untyped import Model, Value
from schedproof.core.programs.exact.point import Values
from schedproof.core.programs.group import Group
from schedproof.core.programs.program import Program
from schedproof.formulations.multiserver import reward
from schedproof.formulations.multiserver.allocation import allocation, capacity, demand
from schedproof.instances.multiserver import Instance, Schedule
from schedproof.instances.multiserver.inward import inward
from schedproof.instances.multiserver.schedule import slots_at_once

GAINS = {"node": reward.gain_by_node, "total": reward.gain_by_total}


def stationary(*, gain: str = "node") -> Program:
    program = _largest_reward("multiserver.stationary", reward.presence_in_all_slots, {"gain": gain})
    return replace(program, to_point=mean_allocation)


def slot_optimum(*, slot: int, gain: str = "node") -> Program:
    program = _largest_reward("multiserver.slot_optimum", reward.presence_in_a_slot, {"slot": slot, "gain": gain})
    return replace(program, parameters={"slot": slot})


def _largest_reward(id: str, presence: Group, options: dict[str, Value]) -> Program:
    return Program(
        id=id,
        sense="maximize",
        groups=(GAINS[options["gain"]], reward.overhead, demand, capacity, presence, allocation),
        backend="cvxpy",
        integer=False,
        to_schedule=partial(_schedule, decided_by=id, options=options),
        default_solver="clarabel",
    )


def _schedule(problem: Model, instance: Instance, *, decided_by: str, options: dict[str, Value]) -> Schedule:
    y = inward(instance.graph, problem.var_dict["allocation"].value)
    only, step = options.get("slot"), slots_at_once(instance)

    def blocks() -> Iterator[np.ndarray]:
        for start in range(0, instance.horizon, step):
            slots = np.arange(start, min(start + step, instance.horizon))
            yield np.where((only is None) | (slots == only)[:, None, None], y, 0.0)

    return Schedule.by(decided_by, instance, blocks, options["gain"], options=options)


def mean_allocation(schedule: Schedule, instance: Instance, **parameters: Value) -> Values:
    """The mean allocation of each port while present; its reward is no smaller."""
    graph, times, sums = instance.graph, instance.counts(), defaultdict[tuple[int, int], Fraction](Fraction)
    at = 0
    for block in schedule.blocks():
        given = block * instance.present(at, at + len(block))[:, graph.edge_copy, None]
        at += len(block)
        for e, k in np.ndindex(graph.shape):
            amounts, counts = np.unique(given[:, e, k], return_counts=True)
            sums[e, k] += sum(n * Fraction(amount) for amount, n in zip(amounts.tolist(), counts.tolist(), strict=True))
    often = {index: int(times[graph.edge_copy[index[0]]]) for index in sums}
    return {"allocation": {index: sum / often[index] for index, sum in sums.items() if sum}}
