"""Algorithm 1 as printed: where it is the projection, and where it is not."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from schedproof.core.errors import UnknownName
from schedproof.online.multiserver.printed_projection import printed_projection, printed_row
from schedproof.online.multiserver.projection import project
from tests.online.multiserver.exact import broken, clipped
from tests.online.multiserver.exact import project as exactly
from tests.online.multiserver.literal import cluster
from tests.support import size


def drawn(rng: random.Random, n: int) -> tuple[list[Fraction], list[Fraction]]:
    return [Fraction(rng.randrange(-20, 60), 8) for _ in range(n)], [Fraction(rng.randrange(30), 8) for _ in range(n)]


def test_without_demands() -> None:
    """With demands above everything and a capacity that is used up, it is the projection, exactly."""
    for seed in range(size(50, 200, 3000)):
        rng = random.Random(seed)
        z, _ = drawn(rng, rng.randrange(1, 9))
        a = [Fraction(99)] * len(z)
        c = sum(clipped(z, a, Fraction(0))) * Fraction(rng.randrange(9), 8)
        assert printed_row(z, a, c) == exactly(z, a, c), seed


def test_ends() -> None:
    """It ends on every row under both readings; under one of them without a negative amount."""
    for seed in range(size(50, 200, 3000)):
        rng = random.Random(seed)
        z, a = drawn(rng, rng.randrange(9))
        c = Fraction(rng.randrange(40), 8)
        given = printed_row(z, a, c)
        assert len(given) == len(z) == len(printed_row(z, a, c, "kept"))
        assert all(amount >= 0 for amount in given), seed


def test_second_port() -> None:
    """Only the first port is held to its demand."""
    z, a, c = [Fraction(5)] * 2, [Fraction(1)] * 2, Fraction(4)
    assert printed_row(z, a, c) == [1, 3]
    assert broken(z, a, c, printed_row(z, a, c)) == ["demand"]
    assert exactly(z, a, c) == [1, 1]


def test_room_to_spare() -> None:
    """rho of (38) is negative where there is room: amounts are pushed up to the capacity."""
    z, a, c = [Fraction(1), Fraction(2)], [Fraction(9)] * 2, Fraction(11)
    assert printed_row(z, a, c) == [5, 6]
    assert broken(z, a, c, printed_row(z, a, c)) == ["tau"]


def test_single_port() -> None:
    """Held to its demand, a port that is alone leaves B3 empty: the end."""
    assert printed_row([Fraction(9)], [Fraction(3)], Fraction(5)) == [3]
    assert printed_row([Fraction(9)], [Fraction(3)], Fraction(2)) == [2]
    assert printed_row([], [], Fraction(2)) == []


def test_left_out() -> None:
    """What lines 21-28 leave behind: the first port that is left out stays negative."""
    z, a, c = [Fraction(4), Fraction(-4), Fraction(-5)], [Fraction(9)] * 3, Fraction(2)
    assert printed_row(z, a, c, "zero") == [2, 0, 0]
    assert printed_row(z, a, c, "kept") == [2, Fraction(-5, 3), 0]
    with pytest.raises(UnknownName):
        printed_row(z, a, c, "cut")


def test_all_rows() -> None:
    """Rows of a graph, each by itself; the exact projection differs."""
    graph = cluster(4, 3, 0.8)
    point = np.random.default_rng(1).normal(2, 2, graph.shape)
    printed = printed_projection(graph, point)
    for r in range(3):
        edges = graph.edge_node == r
        for k in range(graph.shape[1]):
            demand = graph.demand[graph.edge_copy[edges], k].tolist()
            assert printed[edges, k].tolist() == printed_row(point[edges, k].tolist(), demand, graph.capacity[r, k])
    assert not np.allclose(printed, project(point, graph))
