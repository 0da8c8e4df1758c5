from __future__ import annotations

from fractions import Fraction
from math import inf, nextafter

import numpy as np

from schedproof.reference.multiserver import network
from schedproof.relaxations.multiserver.exact import Numbers, above, largest_sum, least_sum
from tests.support import size
from tests.tiny.multiserver import tiny_ports


def test_above_is_the_next_double() -> None:
    for value in (Fraction(1, 3), Fraction(2), Fraction(0), Fraction(10**18 + 1), Fraction(-1, 7)):
        found = above(value)
        assert Fraction(found) >= value > Fraction(nextafter(found, -inf))


def test_numbers_are_on_their_side() -> None:
    for seed in range(size(5, 12, 200)):
        instance = tiny_ports(seed, copies=1 + seed % 2)
        net = network(instance)
        for gain in ("node", "total"):
            numbers = Numbers(instance, gain)
            assert list(zip(numbers.copy.tolist(), numbers.node.tolist(), strict=True)) == list(net.edges)
            for k in net.resources:
                for e, (_, node) in enumerate(net.edges):
                    assert Fraction(numbers.most[e, k]) >= min(net.edge_demand(e, k), net.capacity[node][k])
                per_node = [net.utility(e, k) for e in range(len(net.edges))]
                for i, utility in enumerate(per_node if gain == "node" else [net.total[k]] * len(net.demand)):
                    ends = Fraction(numbers.curves.low[i, k]), Fraction(numbers.curves.high[i, k])
                    low, high = ends if utility.kind != "reciprocal" else ends[::-1]
                    assert low <= utility.alpha <= high and numbers.curves.kind[i, k] == utility.code
                below, over = (Fraction(numbers.overheads(up)[k]) for up in (False, True))
                assert below <= net.overhead[k] <= over


def test_sums_are_on_their_side() -> None:
    values = np.random.default_rng(0).random(1000) * 10.0 ** np.random.default_rng(1).integers(-9, 9, 1000)
    total = sum(map(Fraction, values.tolist()), Fraction(0))
    assert least_sum(values) <= total <= largest_sum(values) <= total * (1 + Fraction(1, 2**50))
    assert least_sum(np.zeros(0)) == largest_sum(np.zeros(0)) == 0
