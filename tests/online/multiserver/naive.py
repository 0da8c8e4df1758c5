"""The four baselines as plain loops over jobs, nodes and resources, in rationals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf

import numpy as np

from schedproof.core.base.numbers import below
from schedproof.instances.multiserver import Instance, Port

Job = tuple[Port, int]  # and which of the port's copies
Given = dict[tuple[int, int, int, str], Fraction]  # (port, copy, node, resource) -> amount
Rule = Callable[[Instance, list[Job]], Given]
NOTHING = Fraction(0)


def jobs(instance: Instance, counts: Sequence[int]) -> list[Job]:
    """Return this many jobs of each port, in file order."""
    return [(port, j) for port, count in zip(instance.ports, counts, strict=True) for j in range(count)]


def allocation(instance: Instance, given: Given) -> np.ndarray:
    """Return (E, K) doubles just below the amounts, edges in the graph's order."""
    rows = [
        [below(given.get((port.index, j, r, name), NOTHING)) for name in instance.resources]
        for port, j in jobs(instance, instance.copies)
        for r in port.nodes
    ]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(instance.resources))


def played(instance: Instance, rule: Rule, protocol: str) -> np.ndarray:
    """Return (T, E, K): the rule for each slot's arrivals, or the previous slot's."""
    seen = instance.arrivals.tolist()
    if protocol == "commits":
        seen = [[0] * len(instance.ports), *seen[:-1]]
    return np.array([allocation(instance, rule(instance, jobs(instance, counts))) for counts in seen])


def demand(port: Port, name: str) -> Fraction:
    return port.demand.get(name, NOTHING)


def capacities(instance: Instance) -> dict[tuple[int, str], Fraction]:
    return {(n.index, name): n.capacity.get(name, NOTHING) for n in instance.nodes for name in instance.resources}


def drf(instance: Instance, present: list[Job]) -> Given:
    def dominant(job: Job) -> Fraction | float:
        shares: list[Fraction | float] = []
        for name in instance.resources:
            total = sum(instance.nodes[r].capacity.get(name, NOTHING) for r in job[0].nodes)
            asked = demand(job[0], name)
            shares.append(asked / total if total else (inf if asked else NOTHING))
        return max(shares)

    return _in_turn(instance, sorted(present, key=lambda job: (dominant(job), job[0].index, job[1])))


def first_come(instance: Instance, present: list[Job]) -> Given:
    return _in_turn(instance, present)


def _in_turn(instance: Instance, ordered: list[Job]) -> Given:
    left, given = capacities(instance), Given()
    for port, j in ordered:
        for r in port.nodes:
            for name in instance.resources:
                amount = min(demand(port, name), left[r, name])
                given[port.index, j, r, name] = amount
                left[r, name] -= amount
    return given


def fairness(instance: Instance, present: list[Job]) -> Given:
    return _in_proportion(instance, present, jobs(instance, instance.copies))


def fairness_arrived(instance: Instance, present: list[Job]) -> Given:
    return _in_proportion(instance, present, present)


def _in_proportion(instance: Instance, present: list[Job], counted: list[Job]) -> Given:
    given = Given()
    for (r, name), capacity in capacities(instance).items():
        total = sum(demand(port, name) for port, _ in counted if r in port.nodes)
        for port, j in present:
            if r in port.nodes and (asked := demand(port, name)):
                given[port.index, j, r, name] = min(asked, capacity * asked / total)
    return given


def binpacking(instance: Instance, present: list[Job]) -> Given:
    return _one_node(instance, present, lambda utilisation: -utilisation)


def spreading(instance: Instance, present: list[Job]) -> Given:
    return _one_node(instance, present, lambda utilisation: utilisation)


def _one_node(instance: Instance, present: list[Job], badness: Callable[[Fraction], Fraction]) -> Given:
    capacity, left, given = capacities(instance), capacities(instance), Given()
    for port, j in present:
        for name in instance.resources:
            asked = demand(port, name)
            if not asked or not port.nodes:
                continue
            if able := [r for r in port.nodes if left[r, name] >= asked]:
                chosen = min(able, key=lambda r: (badness(1 - left[r, name] / capacity[r, name]), r))
            else:
                chosen = min(port.nodes, key=lambda r: (-left[r, name], r))
            amount = min(asked, left[chosen, name])
            given[port.index, j, chosen, name] = amount
            left[chosen, name] -= amount
    return given
