"""The hot loops of the interior point step: a matrix over copies, and inverses.

They use numba, because the digits of BLAS depend on the number of threads.
"""

from __future__ import annotations

from typing import Any

from schedproof.core.runtime.kernels import njit

FAST = {"reassoc", "contract", "nsz"}  # sums may be reordered, but in the same order in every run


@njit(cache=True, error_model="numpy")
def couple_rows(begin: Any, member: Any, resource: Any, copy: Any, reach: Any, pull: Any, matrix: Any) -> None:
    """matrix[k, c, c'] += sum over rows of pull reach_c reach_c', for pairs in a row.

    Row i's variables are ``member[begin[i]:begin[i + 1]]``, each of a resource and a copy.
    """
    for i in range(begin.size - 1):
        for a in range(begin[i], begin[i + 1]):
            v = member[a]
            pulled = pull[i] * reach[v]
            for b in range(begin[i], a):
                w = member[b]
                amount = pulled * reach[w]
                matrix[resource[v], copy[v], copy[w]] += amount
                matrix[resource[v], copy[w], copy[v]] += amount


@njit(cache=True, error_model="numpy", fastmath=FAST)
def invert_dominant(off: Any, excess: Any, scratch: Any, out: Any) -> None:
    """Invert a symmetric diagonally dominant M-matrix (n, n), accurate in every entry.

    The algorithm has no subtractions (Grassmann, Taksar and Heyman; Alfa, Xue and Ye), because elimination on the
    diagonal would lose an excess that is tiny relative to the entries. ``off`` has minus the entries below the
    diagonal, >= 0, and is overwritten with L. ``excess`` is the diagonal minus the sums of ``off``, > 0, and is
    overwritten with the pivots.
    """
    n = off.shape[0]
    for k in range(n):
        pivot = excess[k]
        for i in range(k + 1, n):
            pivot += off[i, k]
        for i in range(k + 1, n):
            factor = off[i, k] / pivot
            excess[i] += factor * excess[k]
            for j in range(k + 1, i):
                off[i, j] += factor * off[j, k]
            scratch[i, k] = factor
        excess[k] = pivot
    for j in range(n):  # column j of L's inverse, as row j of out
        out[j, j] = 1.0
        for i in range(j + 1, n):
            total = 0.0
            for m in range(j, i):
                total += scratch[i, m] * out[j, m]
            out[j, i] = total
    for i in range(n):
        for j in range(i + 1):
            total = 0.0
            for m in range(i, n):
                total += out[i, m] * out[j, m] / excess[m]
            scratch[i, j] = total
    for i in range(n):
        for j in range(i + 1):
            out[i, j] = out[j, i] = scratch[i, j]


@njit(cache=True, error_model="numpy", fastmath=FAST)
def times_dominant(off: Any, excess: Any, values: Any, out: Any) -> None:
    """Multiply dominant matrices (K, C, C) by values (K, C), using differences."""
    for k in range(off.shape[0]):
        for i in range(off.shape[1]):
            total = excess[k, i] * values[k, i]
            for j in range(off.shape[1]):
                total += off[k, i, j] * (values[k, i] - values[k, j])
            out[k, i] = total


@njit(cache=True, error_model="numpy", fastmath=FAST)
def invert_definite(matrix: Any, lower: Any, out: Any) -> bool:
    """Invert a symmetric (n, n) matrix to ``out``; False if it is not definite."""
    n = matrix.shape[0]
    for i in range(n):
        for j in range(i + 1):
            total = matrix[i, j]
            for m in range(j):
                total -= lower[i, m] * lower[j, m]
            if j < i:
                lower[i, j] = total / lower[j, j]
            elif total > 0:
                lower[i, i] = total**0.5
            else:
                return False
    for j in range(n):  # column j of L's inverse, as row j of out
        out[j, j] = 1 / lower[j, j]
        for i in range(j + 1, n):
            total = 0.0
            for m in range(j, i):
                total += lower[i, m] * out[j, m]
            out[j, i] = -total / lower[i, i]
    for i in range(n):
        for j in range(i + 1):
            total = 0.0
            for m in range(i, n):
                total += out[i, m] * out[j, m]
            lower[i, j] = total
    for i in range(n):
        for j in range(i + 1):
            out[i, j] = out[j, i] = lower[i, j]
    return True
