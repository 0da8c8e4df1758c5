from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from schedproof.relaxations.multiserver.kernels import couple_rows, invert_definite, invert_dominant, times_dominant
from tests.support import size


def drawn(rng: np.random.Generator, n: int, tiny: float) -> tuple[np.ndarray, np.ndarray]:
    off = rng.random((n, n)) * rng.choice([0.0, 1.0, 1e6], size=(n, n))
    off = off + off.T
    np.fill_diagonal(off, 0)
    return off, rng.random(n) * tiny


def exact_inverse(off: np.ndarray, excess: np.ndarray) -> list[list[Fraction]]:
    n = len(off)
    rows = [[-Fraction(x) for x in row] + [Fraction(i == j) for j in range(n)] for i, row in enumerate(off.tolist())]
    for i in range(n):
        rows[i][i] = Fraction(excess[i]) + sum((Fraction(x) for x in off[i].tolist()), Fraction(0))
    for i in range(n):
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j in range(n):
            if j != i:
                rows[j] = [x - rows[j][i] * y for x, y in zip(rows[j], rows[i], strict=True)]
    return [row[n:] for row in rows]


@pytest.mark.parametrize("tiny", [1.0, 1e-8, 1e-18])
def test_every_entry_of_a_dominant_inverse_has_its_digits(tiny: float) -> None:
    for seed in range(size(3, 6, 100)):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 7))
        off, excess = drawn(rng, n, tiny)
        out = np.empty((n, n))
        invert_dominant(off.copy(), excess.copy(), np.empty((n + 2, n + 2)), out)
        for found, row in zip(out.tolist(), exact_inverse(off, excess), strict=True):
            assert all(abs(Fraction(x) - y) <= y * Fraction(n**3, 2**50) for x, y in zip(found, row, strict=True)), seed


def test_a_dominant_matrix_times_values_sees_their_differences() -> None:
    rng = np.random.default_rng(0)
    off, excess = drawn(rng, 5, 1.0)
    values = 1e8 + rng.random(5)
    out = np.empty((1, 5))
    times_dominant(off[None], excess[None], values[None], out)
    for i in range(5):
        differences = (Fraction(off[i, j]) * (Fraction(values[i]) - Fraction(values[j])) for j in range(5))
        exact = Fraction(excess[i]) * Fraction(values[i]) + sum(differences, Fraction(0))
        assert out[0, i] == pytest.approx(float(exact), rel=1e-13)


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_a_definite_inverse_is_numpys(n: int) -> None:
    root = np.random.default_rng(n).random((n, n))
    matrix, out = root @ root.T + np.eye(n), np.empty((n, n))
    assert invert_definite(matrix, np.zeros((n, n)), out)
    assert out == pytest.approx(np.linalg.inv(matrix), abs=1e-11)
    assert not invert_definite(matrix - 1e6 * np.eye(n), np.zeros((n, n)), out)


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
