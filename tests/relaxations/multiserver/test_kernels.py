from __future__ import annotations

import numpy as np
import pytest

from schedproof.relaxations.multiserver.kernels import couple_rows


def test_rows_couple_the_pairs_of_their_variables() -> None:
    rng = np.random.default_rng(1)
    resource, copy = np.array([0, 0, 0, 1, 1, 0]), np.array([0, 1, 2, 0, 2, 1])
    row = np.array([0, 0, 1, 2, 2, 1])  # variables 2 and 5 share row 1, 3 and 4 row 2
    member, begin = np.argsort(row, kind="stable"), np.array([0, 2, 4, 6])
    reach, pull = rng.random(6), rng.random(3)
    found = np.zeros((2, 3, 3))
    couple_rows(begin, member, resource, copy, reach, pull, found)
    expected = np.zeros((2, 3, 3))
    for v in range(6):
        for w in range(6):
            if v != w and row[v] == row[w]:
                expected[resource[v], copy[v], copy[w]] += pull[row[v]] * reach[v] * reach[w]
    assert found == pytest.approx(expected)
