"""The hot loop of the interior point step: a matrix over copies."""

from __future__ import annotations

from typing import Any

from schedproof.core.runtime.kernels import njit


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
