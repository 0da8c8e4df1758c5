"""Algorithm 1 as printed: cases with and without the projection as its result."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from schedproof.online.multiserver.printed_projection import printed_projection, printed_row
from schedproof.online.multiserver.projection import project
from schedproof.reference.multiserver_projection import algorithm1, clip, gap, outside, project_row
from tests.online.multiserver.literal import cluster
from tests.support import size


def drawn(rng: random.Random, n: int) -> tuple[list[Fraction], list[Fraction]]:
    return [Fraction(rng.randrange(-20, 60), 8) for _ in range(n)], [Fraction(rng.randrange(30), 8) for _ in range(n)]


def test_without_demands() -> None:
    for seed in range(size(50, 120, 3000)):
        rng = random.Random(seed)
        z, _ = drawn(rng, rng.randrange(1, 9))
        a = [Fraction(99)] * len(z)
        c = sum(clip(z, a)) * Fraction(rng.randrange(9), 8)
        assert tuple(printed_row(z, a, c)) == project_row(z, a, c), seed


def test_reference() -> None:
    # It ends on every row, with the result of the reference's reading of lines 6-31.
    for seed in range(size(50, 120, 3000)):
        rng = random.Random(seed)
        z, a = drawn(rng, rng.randrange(9))
        c = Fraction(rng.randrange(40), 8)
        assert tuple(printed_row(z, a, c)) == algorithm1(z, a, c), seed


@pytest.mark.parametrize(
    ("z", "a", "c", "given", "infeasible"),
    [
        ([5, 5], [1, 1], 4, [1, 3], True),  # only the first port is held to its demand
        ([1, 2], [9, 9], 11, [5, 6], False),  # rho of (38) is negative: amounts are pushed up to the capacity
    ],
)
def test_not_the_projection(z: list[int], a: list[int], c: int, given: list[int], infeasible: bool) -> None:
    rows = [list(map(Fraction, row)) for row in (z, a)]
    assert printed_row(*rows, Fraction(c)) == given
    assert (outside(given, rows[1], Fraction(c)) > 0) == infeasible
    assert infeasible or gap(rows[0], given, rows[1], Fraction(c)) > 0


def test_single_port() -> None:
    # A single port above its demand leaves B3 empty: the end.
    assert printed_row([Fraction(9)], [Fraction(3)], Fraction(5)) == [3]
    assert printed_row([Fraction(9)], [Fraction(3)], Fraction(2)) == [2]
    assert printed_row([], [], Fraction(2)) == []


def test_all_rows() -> None:
    graph = cluster(4, 3, 0.8)
    point = np.random.default_rng(1).normal(2, 2, graph.shape)
    printed = printed_projection(graph, point)
    for r in range(3):
        edges = graph.edge_node == r
        for k in range(graph.shape[1]):
            demand = graph.demand[graph.edge_copy[edges], k].tolist()
            assert printed[edges, k].tolist() == printed_row(point[edges, k].tolist(), demand, graph.capacity[r, k])
    assert not np.allclose(printed, project(point, graph))
