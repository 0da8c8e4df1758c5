"""An allocation's reward and the bound of multipliers, term by term, in rationals."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from schedproof.core.base.balls import enclose
from schedproof.instances.multiserver import Instance, Utility
from schedproof.instances.multiserver.utility import BITS as FINE
from schedproof.instances.multiserver.utility import Enclosure
from schedproof.reference import multiserver as model
from schedproof.reference.multiserver import ZERO
from schedproof.relaxations.multiserver.certificate import UNITS, Multipliers


def exactly(allocation: np.ndarray) -> list[list[Fraction]]:
    """The doubles of an allocation as rationals."""
    return [[Fraction(y) for y in row] for row in allocation.tolist()]


def earned(instance: Instance, counts: np.ndarray, allocation: np.ndarray, gain: model.Gain) -> Enclosure:
    """sum_c n_c [gain_c(y) - max_k beta_k T_(c,k)] of these doubles, exactly."""
    rows, low, high = exactly(allocation), ZERO, ZERO
    for c, times in enumerate(counts.tolist()):
        ends = model.computation_gain(instance, rows, c, gain)
        penalty = model.penalty(instance, rows, c)
        low, high = low + times * (ends[0] - penalty), high + times * (ends[1] - penalty)
    return low, high


def conjugate(utility: Utility, slope: Fraction) -> Enclosure:
    """The largest f(y) - slope y over y >= 0."""
    alpha = utility.alpha
    if slope >= utility.steepest:
        return ZERO, ZERO
    if utility.kind == "log":
        return enclose(lambda ball: ball(alpha) * (ball(alpha / slope).log() - 1) + ball(slope), FINE)
    if utility.kind == "reciprocal":
        return enclose(lambda ball: (1 - ball(alpha) * ball(slope).sqrt()) ** 2 / ball(alpha), FINE)
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


def proven(instance: Instance, counts: np.ndarray, multipliers: Multipliers, gain: model.Gain) -> Enclosure:
    """The bound of multipliers, by the formula of `certificate`."""
    net, prices = model.network(instance), exactly(multipliers.prices)
    stock = sum(
        (p * c for row, own in zip(prices, net.capacity, strict=True) for p, c in zip(row, own, strict=True)), ZERO
    )
    ends = [(stock, stock)]
    for c, k in product(range(len(net.demand)), net.resources):
        times, weight = int(counts[c]), Fraction(int(multipliers.weights[c, k]), UNITS)
        mine = [
            (e, min(net.edge_demand(e, k), net.capacity[node][k]), times * weight * net.overhead[k] + prices[node][k])
            for e in net.of_copy[c]
            for node in [net.edges[e][1]]
        ]
        if gain == "node":
            ends += [in_box(net.utility(e, k), times, cost, most) for e, most, cost in mine]
        else:
            utility = net.total[k]
            slope = utility.alpha if utility.kind == "linear" else Fraction(multipliers.slopes[c, k])
            best = conjugate(utility, slope)
            filled = sum((most * max(ZERO, times * slope - cost) for _, most, cost in mine), ZERO)
            ends.append((times * best[0] + filled, times * best[1] + filled))
    return model.plus(ends)


def feasible(instance: Instance, allocation: np.ndarray) -> bool:
    """(5) and (6), in rationals."""
    return model.excess(instance, exactly(allocation)) == 0


def drawn_allocation(instance: Instance, rng: np.random.Generator) -> np.ndarray:
    graph = instance.graph
    wish = graph.demand[graph.edge_copy] * rng.choice([0.0, 0.3, 1.0], size=graph.shape)
    total = np.zeros(graph.capacity.shape)
    np.add.at(total, graph.edge_node, wish)
    factor = np.divide(graph.capacity, total, out=np.ones_like(total), where=total > graph.capacity)
    return wish * factor[graph.edge_node] * (1 - 1e-12)
