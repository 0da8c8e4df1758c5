"""Inverses of the matrices of an interior point step, as array operations.

They use no BLAS, because its digits depend on the number of threads. Their numbers are doubles or balls.
"""

from __future__ import annotations

import numpy as np


def inverse_of_dominant(off: np.ndarray, excess: np.ndarray) -> np.ndarray:
    """Invert symmetric dominant M-matrices (K, n, n), accurate in every entry.

    The algorithm has no subtractions (Grassmann, Taksar and Heyman; Alfa, Xue and Ye), because elimination on the
    diagonal would lose an excess that is tiny relative to the entries.

    Parameters
    ----------
    off
        (K, n, n) minus the entries outside the diagonal, >= 0.
    excess
        (K, n) the diagonal minus the sums of ``off``, > 0.
    """
    rest, pivots = np.concatenate((off, excess[:, :, None]), axis=2), np.empty_like(excess)
    for k in range(excess.shape[1]):
        row = rest[:, k, k + 1 :]
        pivots[:, k] = row.sum(axis=1)
        rest[:, k + 1 :, k + 1 :] += np.einsum("ki,kj->kij", row[:, :-1] / pivots[:, k, None], row)
    diagonal = pivots[:, :, None] * np.eye(excess.shape[1])
    return _of_product((diagonal - np.triu(rest[:, :, :-1], 1)) / pivots[:, :, None] ** 0.5)


def inverse_of_definite(matrix: np.ndarray) -> np.ndarray | None:
    """Invert a symmetric (n, n) matrix; None if it is not definite."""
    rest = matrix.copy()
    for k in range(len(matrix)):
        if not rest[k, k] > 0:
            return None
        rest[k, k:] = row = rest[k, k:] / rest[k, k] ** 0.5
        rest[k + 1 :, k + 1 :] -= row[1:, None] * row[1:]
    return _of_product(np.triu(rest))


def times_dominant(off: np.ndarray, excess: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Multiply dominant matrices (K, n, n) by values (K, n), using differences."""
    product: np.ndarray = excess * values + (off * (values[:, :, None] - values[:, None, :])).sum(axis=2)
    return product


def _of_product(factor: np.ndarray) -> np.ndarray:
    """Return the inverse of U'U for upper triangular matrices U (..., n, n)."""
    inverse = np.zeros_like(factor)
    for j in range(factor.shape[-1]):
        column = np.einsum("...im,...m->...i", inverse[..., :j, :j], factor[..., :j, j])
        inverse[..., :j, j] = -column / factor[..., j, j, None]
        inverse[..., j, j] = 1 / factor[..., j, j]
    result: np.ndarray = np.einsum("...im,...jm->...ij", inverse, inverse)
    return result
