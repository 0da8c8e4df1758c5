"""What the bounds' docstrings say, number by number: no arrays, no common units, no caching."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt

from schedproof.instances.jrp import Instance

FINE = 1 << 300


def root_below(square: Fraction) -> Fraction:
    """At most the square root, by less than 2^-299."""
    return Fraction(isqrt(int(square * FINE * FINE)), FINE)


def nothing(square: Fraction) -> Fraction:
    return Fraction(0)


def proven(
    instance: Instance,
    prices: tuple[tuple[Fraction, ...], ...],
    sides: tuple[Fraction, Fraction] = (Fraction(1), Fraction(1)),
    root: Callable[[Fraction], Fraction] = root_below,
) -> Fraction:
    """The bound that prices of storage, compute and bandwidth prove, w being ``root`` of 4 p q a b."""
    total = Fraction(0)
    for server, sigma, p, q in zip(instance.servers, *prices, strict=True):
        total += sigma * server.storage + p * sides[0] * server.compute + q * sides[1] * server.bandwidth
    for job in instance.jobs:
        a, b, surplus = job.compute_rate, job.bandwidth_rate, Fraction(1)
        for node in job.nodes:
            costs = [
                node.size
                * (prices[0][j] + prices[1][j] * a + prices[2][j] * b + root(4 * prices[1][j] * prices[2][j] * a * b))
                for j in node.servers
            ]
            surplus = surplus - min(costs) if costs else Fraction(-1)
            if not costs:
                break
        total += max(Fraction(0), surplus)
    return total
