"""The stationary problem and its certificates term by term, in rationals and enclosures; nothing is fast here."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from schedproof.core.balls import enclosed
from schedproof.instances.multiserver import Instance, Utility
from schedproof.instances.multiserver.utility import BITS as FINE
from schedproof.instances.multiserver.utility import Enclosure
from schedproof.relaxations.multiserver.certificate import BITS, Multipliers

ZERO = Fraction(0)


def ports(instance: Instance) -> list[int]:
    """The port of each copy."""
    return [port.index for port, copies in zip(instance.ports, instance.copies, strict=True) for _ in range(copies)]


def edges(instance: Instance) -> list[tuple[int, int]]:
    """(copy, node), copy by copy."""
    return [(c, node) for c, p in enumerate(ports(instance)) for node in instance.ports[p].nodes]


def earned(instance: Instance, counts: np.ndarray, allocation: np.ndarray, gain: str) -> Enclosure:
    """sum_c n_c [gain_c(y) - max_k beta_k T_(c,k)] of exactly these doubles."""
    low = high = ZERO
    for c in range(len(ports(instance))):
        mine = [
            (node, row) for (copy, node), row in zip(edges(instance), allocation.tolist(), strict=True) if copy == c
        ]
        totals = [sum((Fraction(row[k]) for _, row in mine), ZERO) for k in range(len(instance.resources))]
        parts = [instance.utilities[name].value(totals[k]) for k, name in enumerate(instance.resources)]
        if gain == "node":
            parts = [
                instance.utility(node, name).value(Fraction(row[k]))
                for node, row in mine
                for k, name in enumerate(instance.resources)
            ]
        penalty = max(instance.overhead[name] * totals[k] for k, name in enumerate(instance.resources))
        times = int(counts[c])
        low += times * (sum((part[0] for part in parts), ZERO) - penalty)
        high += times * (sum((part[1] for part in parts), ZERO) - penalty)
    return low, high


def conjugate(utility: Utility, slope: Fraction) -> Enclosure:
    """The largest f(y) - slope y over y >= 0."""
    alpha = utility.alpha
    if slope >= utility.steepest:
        return ZERO, ZERO
    if utility.kind == "log":
        return enclosed(lambda ball: ball(alpha) * (ball(alpha / slope).log() - 1) + ball(slope), FINE)
    if utility.kind == "reciprocal":
        return enclosed(lambda ball: (1 - ball(alpha) * ball(slope).sqrt()) ** 2 / ball(alpha), FINE)
    assert utility.kind == "poly", "below its slope a linear utility has no conjugate"
    return ((alpha / 2 - slope) ** 2 / slope,) * 2


def in_box(utility: Utility, times: int, cost: Fraction, most: Fraction) -> Enclosure:
    """The largest times f(y) - cost y over 0 <= y <= most."""
    if not times or not most or cost >= times * utility.steepest:
        return ZERO, ZERO
    steep = utility.slope(most)
    if utility.kind == "linear" or cost <= times * steep[0]:
        low, high = utility.value(most)
        return times * low - cost * most, times * high - cost * most
    low, high = conjugate(utility, cost / times)
    return times * low, times * high


def proven(instance: Instance, counts: np.ndarray, multipliers: Multipliers, gain: str) -> Enclosure:
    """What multipliers prove, by the formula of `certificate`."""
    low = high = ZERO
    names, copies = instance.resources, ports(instance)
    unit = Fraction(1, 1 << BITS)
    for node in instance.nodes:
        for k, name in enumerate(names):
            stock = Fraction(multipliers.prices[node.index, k]) * node.capacity.get(name, ZERO)
            low, high = low + stock, high + stock
    for k, name in enumerate(names):
        for c, p in enumerate(copies):
            times, weight = int(counts[c]), int(multipliers.weights[c, k]) * unit
            mine = [
                (
                    node,
                    min(instance.ports[p].demand.get(name, ZERO), instance.nodes[node].capacity.get(name, ZERO)),
                    times * weight * instance.overhead[name] + Fraction(multipliers.prices[node, k]),
                )
                for node in instance.ports[p].nodes
            ]
            if gain == "node":
                ends = [in_box(instance.utility(node, name), times, cost, most) for node, most, cost in mine]
            else:
                utility = instance.utilities[name]
                slope = utility.alpha if utility.kind == "linear" else Fraction(multipliers.slopes[c, k])
                best = conjugate(utility, slope)
                filled = sum((most * max(ZERO, times * slope - cost) for _, most, cost in mine), ZERO)
                ends = [(times * best[0] + filled, times * best[1] + filled)]
            low += sum((end[0] for end in ends), ZERO)
            high += sum((end[1] for end in ends), ZERO)
    return low, high


def feasible(instance: Instance, allocation: np.ndarray) -> bool:
    """(5) and (6), in rationals."""
    rows = [[Fraction(y) for y in row] for row in allocation.tolist()]
    names, copies = instance.resources, ports(instance)
    for k, name in enumerate(names):
        used = dict.fromkeys(range(len(instance.nodes)), ZERO)
        for (c, node), row in zip(edges(instance), rows, strict=True):
            if not 0 <= row[k] <= instance.ports[copies[c]].demand.get(name, ZERO):
                return False
            used[node] += row[k]
        if any(used[node.index] > node.capacity.get(name, ZERO) for node in instance.nodes):
            return False
    return True


def drawn_allocation(instance: Instance, rng: np.random.Generator) -> np.ndarray:
    """Any feasible allocation, often at its limits."""
    graph = instance.graph
    wish = graph.demand[graph.edge_copy] * rng.choice([0.0, 0.3, 1.0], size=graph.shape)
    total = np.zeros(graph.capacity.shape)
    np.add.at(total, graph.edge_node, wish)
    factor = np.divide(graph.capacity, total, out=np.ones_like(total), where=total > graph.capacity)
    return wish * factor[graph.edge_node] * (1 - 1e-12)
