"""The draws of line 8 of Algorithm 1: every data node on its own, to one of its servers or nowhere."""

from __future__ import annotations

import numpy as np


def draw(x: np.ndarray, chance: np.ndarray, first: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Which edges are drawn, at most one for each node; one uniform number for each node decides.

    A node is placed with probability ``chance`` (N,), and then chooses among its edges, first[i] to first[i + 1], in
    proportion to ``x`` (E,); where x is 0 all over, it goes nowhere.
    """
    sums = np.cumsum(x)
    ends = np.concatenate([[0.0], sums])[first]
    uniform = rng.random(len(chance))
    nodes = np.flatnonzero((uniform < chance) & (ends[:-1] < ends[1:]))
    begin, end = ends[:-1][nodes], ends[1:][nodes]
    at = begin + uniform[nodes] / chance[nodes] * (end - begin)
    at = np.minimum(at, np.nextafter(end, -np.inf))  # so that rounding leads to no other node, and to no x of 0
    return np.searchsorted(sums, at, side="right")
