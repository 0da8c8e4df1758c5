"""The doubles that certificates reckon with lie on their side of the rationals, and as near as doubles can."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nextafter

import numpy as np

from schedproof.relaxations.multiserver.exact import Numbers, above, largest_sum, least_sum
from tests.relaxations.multiserver import literal
from tests.support import size
from tests.tiny.multiserver import tiny_ports


def test_above_is_the_next_double() -> None:
    for value in (Fraction(1, 3), Fraction(2), Fraction(0), Fraction(10**18 + 1), Fraction(-1, 7)):
        found = above(value)
        assert Fraction(found) >= value > Fraction(nextafter(found, -inf))


def test_numbers_are_on_their_side() -> None:
    for seed in range(size(5, 20, 200)):
        instance = tiny_ports(seed, copies=1 + seed % 2)
        names, ports = instance.resources, [instance.ports[p] for p in literal.ports(instance)]
        for gain in ("node", "total"):
            numbers = Numbers(instance, gain)
            assert list(zip(numbers.copy.tolist(), numbers.node.tolist(), strict=True)) == literal.edges(instance)
            for e, (c, node) in enumerate(literal.edges(instance)):
                for k, name in enumerate(names):
                    room = instance.nodes[node].capacity.get(name, Fraction(0))
                    assert Fraction(numbers.most[e, k]) >= min(ports[c].demand.get(name, Fraction(0)), room)
            rows = literal.edges(instance) if gain == "node" else [(c, 0) for c in range(len(ports))]
            for i, (_, node) in enumerate(rows):
                for k, name in enumerate(names):
                    utility = instance.utility(node, name) if gain == "node" else instance.utilities[name]
                    ends = Fraction(numbers.curves.low[i, k]), Fraction(numbers.curves.high[i, k])
                    low, high = ends if utility.kind != "reciprocal" else ends[::-1]
                    assert low <= utility.alpha <= high and numbers.curves.kind[i, k] == utility.code
            for k, name in enumerate(names):
                below, over = (Fraction(numbers.overheads(up)[k]) for up in (False, True))
                assert below <= instance.overhead[name] <= over


def test_sums_are_on_their_side() -> None:
    values = np.random.default_rng(0).random(1000) * 10.0 ** np.random.default_rng(1).integers(-9, 9, 1000)
    total = sum(map(Fraction, values.tolist()), Fraction(0))
    assert least_sum(values) <= total <= largest_sum(values) <= total * (1 + Fraction(1, 2**50))
    assert least_sum(np.zeros(0)) == largest_sum(np.zeros(0)) == 0
