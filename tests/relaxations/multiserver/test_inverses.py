from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from schedproof.relaxations.multiserver.inverses import inverse_of_definite, inverse_of_dominant, times_dominant
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
        inverse = inverse_of_dominant(off[None], excess[None])[0]
        for found, row in zip(inverse.tolist(), exact_inverse(off, excess), strict=True):
            assert all(abs(Fraction(x) - y) <= y * Fraction(n**3, 2**50) for x, y in zip(found, row, strict=True)), seed


def test_a_dominant_matrix_times_values_sees_their_differences() -> None:
    rng = np.random.default_rng(0)
    off, excess = drawn(rng, 5, 1.0)
    values = 1e8 + rng.random(5)
    product = times_dominant(off[None], excess[None], values[None])[0]
    for i in range(5):
        differences = (Fraction(off[i, j]) * (Fraction(values[i]) - Fraction(values[j])) for j in range(5))
        exact = Fraction(excess[i]) * Fraction(values[i]) + sum(differences, Fraction(0))
        assert product[i] == pytest.approx(float(exact), rel=1e-13)


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_a_definite_inverse_is_numpys(n: int) -> None:
    root = np.random.default_rng(n).random((n, n))
    matrix = root @ root.T + np.eye(n)
    assert inverse_of_definite(matrix) == pytest.approx(np.linalg.inv(matrix), abs=1e-11)
    assert inverse_of_definite(matrix - 1e6 * np.eye(n)) is None
