"""Worst arrivals for OGASched, by `formulations.multiserver.worst_arrivals`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from schedproof.adversary.documents import Document, copy, put
from schedproof.adversary.objective import Objective
from schedproof.adversary.space import Documents
from schedproof.core.base.untyped import Model
from schedproof.core.programs.program import Program
from schedproof.formulations.multiserver.worst_arrivals import unit_gains, worst_arrivals
from schedproof.instances.multiserver import Instance, from_json
from schedproof.instances.multiserver.drive import system
from schedproof.online.multiserver.kernels import NOTHING
from schedproof.online.multiserver.oga_sched import OgaSched

MOST = 5000  # entries of all allocations together; larger programs cannot be solved


@dataclass(frozen=True)
class WorstArrivals:
    """The program for a system with some free arrivals.

    Attributes
    ----------
    low, high
        Least and largest arrivals, shape (slots, ports).
    """

    space: Documents
    instance: Instance
    program: Program
    low: np.ndarray
    high: np.ndarray

    def model(self) -> Model:
        model = self.program.build(self.instance)
        for place in zip(*np.nonzero(self.low == self.high), strict=True):
            slot, port = map(int, place)
            model.arrivals.comes[slot, port].fix(int(self.low[slot, port]))
        return model

    def document(self, model: Model) -> Document:
        answer = copy(self.space.starts[0])
        for (slot, port), comes in model.arrivals.comes.items():
            put(answer, ("arrivals", slot, port), round(comes.value))
        return answer

    def most(self, value: float) -> float:
        return value


def attack(space: Documents, objective: Objective) -> WorstArrivals | None:
    """Return the program of a space whose free numbers are arrivals of 0 and 1.

    The answer is None if other numbers are free, gains are nonlinear, steps depend on gradients, or the projection is
    not exact.
    """
    low = np.array(space.starts[0]["arrivals"], dtype=np.int64)
    high = low.copy()
    for place, values in space.free:
        if place[0] != "arrivals":
            return None
        slot, port = (int(key) for key in place[1:])
        low[slot, port], high[slot, port] = values[0], values[-1]
    if low.min(initial=0) < 0 or high.max(initial=0) > 1:
        return None
    instance = from_json(copy(space.starts[0]) | {"arrivals": high.tolist()})
    options = objective.policy.options
    gain = str(options.get("gain", "node"))
    policy = objective.policy.build(instance)
    if not isinstance(policy, OgaSched) or str(objective.options.get("gain") or gain) != gain:
        return None
    rule = policy.steps.rule(system(instance))
    hopeless = instance.graph.demand.shape[1] * len(instance.graph.edge_copy) * instance.horizon > MOST
    if rule.measures != NOTHING or unit_gains(instance, gain) is None or hopeless:
        return None
    program = worst_arrivals(steps=rule.sizes(0, instance.horizon), gain=gain)
    return WorstArrivals(space, instance, program, low, high)
