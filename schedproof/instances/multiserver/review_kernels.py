"""One pass over the doubles of some slots: which rows may exceed their capacity, and what the amounts earn.

A row is a group of channels, a node's for example, and a resource; its amounts are added up in the order of the edges.
"""

from __future__ import annotations

from math import frexp, log, sqrt

import numpy as np

from schedproof.core.kernels import kernel
from schedproof.instances.multiserver.utility import LINEAR, LOG, RECIPROCAL

LARGE = 2.0**600  # a product beyond it, times another factor <= 1 + 1e18, is still a double


def frozen(values: np.ndarray) -> np.ndarray:
    """The same numbers as the one kind of array that the kernels are compiled for: contiguous, and only to be read."""
    view = np.ascontiguousarray(values).view()
    view.setflags(write=False)
    return view


@kernel
def within(block: np.ndarray, most: np.ndarray) -> bool:
    """Whether every amount (n, E, K) is a number from 0 to ``most`` (E, K)."""
    slots, edges, resources = block.shape
    for t in range(slots):
        for e in range(edges):
            good = True
            for k in range(resources):
                good &= 0 <= block[t, e, k] <= most[e, k]
            if not good:
                return False
    return True


@kernel
def doubtful_rows(block: np.ndarray, order: np.ndarray, begin: np.ndarray, capacity: np.ndarray) -> np.ndarray:
    """(m, 3): slot, group and resource of every row that is not certain to keep its capacity (G, K).

    The edges of group g are ``order[begin[g] : begin[g + 1]]``. A row's sum is ``total + rest``: what an addition
    rounds away is known without error (two-sum) and collected in ``rest``. If nothing is, ``total`` is the sum.
    Otherwise ``rest`` is off by at most n^2 u^2 times the sum, n terms, u = 2^-53; a row is doubtful that is nearer to
    its capacity than eight times that.
    """
    slots, _, resources = block.shape
    found = []
    for t in range(slots):
        for g in range(len(begin) - 1):
            terms = begin[g + 1] - begin[g]
            share = 8 * (terms + 2.0) ** 2 * 2.0**-104
            for k in range(resources):
                total, rest, rounded = 0.0, 0.0, False
                for i in range(begin[g], begin[g + 1]):
                    amount = block[t, order[i], k]
                    both = total + amount
                    back = both - total
                    error = (total - (both - back)) + (amount - back)
                    total = both
                    rest += error
                    rounded |= error != 0
                gap = total - capacity[g, k]
                doubt = share * abs(total) + 2.0**-50 * abs(gap)
                if (rounded and not gap + rest <= -doubt) or (not rounded and gap > 0):
                    found.append((t, g, k))
    result = np.empty((len(found), 3), dtype=np.int64)
    for i, (t, g, k) in enumerate(found):
        result[i, 0], result[i, 1], result[i, 2] = t, g, k
    return result


@kernel
def add_totals(block: np.ndarray, copy: np.ndarray, totals: np.ndarray) -> None:
    """Add the amounts (n, E, K) of each edge to the total of its copy (n, C, K), in the order of the edges."""
    slots, edges, resources = block.shape
    for t in range(slots):
        for e in range(edges):
            for k in range(resources):
                totals[t, copy[e], k] += block[t, e, k]


@kernel
def add_gains(
    amounts: np.ndarray,
    present: np.ndarray,
    order: np.ndarray,
    begin: np.ndarray,
    kind: np.ndarray,
    alpha: np.ndarray,
    sums: np.ndarray,
    mantissa: np.ndarray,
    exponent: np.ndarray,
) -> np.ndarray:
    """What the amounts (n, M, K) of those present (n, M) earn in each slot (n,), in doubles.

    The amounts of group g are ``order[begin[g] : begin[g + 1]]``, and its utilities' kinds and alphas (G, K). Gains,
    without the factor alpha or 1/alpha, are added to ``sums`` (G, K), each slot's sum at once; the factors 1 + y of
    logarithms are multiplied into ``mantissa`` times 2 to the ``exponent``, each slot's product at once.
    """
    slots, _, resources = amounts.shape
    earned = np.zeros(slots)
    for t in range(slots):
        for g in range(len(begin) - 1):
            for k in range(resources):
                a, code = alpha[g, k], kind[g, k]
                if code == LOG:
                    product, scale = 1.0, 0
                    for i in range(begin[g], begin[g + 1]):
                        product *= 1 + amounts[t, order[i], k] * present[t, order[i]]
                        if product > LARGE:
                            product, more = frexp(product)
                            scale += more
                    earned[t] += a * (log(product) + scale * log(2.0))
                    mantissa[g, k], more = frexp(mantissa[g, k] * product)
                    exponent[g, k] += scale + more
                    continue
                total = 0.0
                if code == LINEAR:
                    for i in range(begin[g], begin[g + 1]):
                        total += amounts[t, order[i], k] * present[t, order[i]]
                elif code == RECIPROCAL:
                    for i in range(begin[g], begin[g + 1]):
                        amount = amounts[t, order[i], k] * present[t, order[i]]
                        total += amount / (amount + a)
                else:
                    for i in range(begin[g], begin[g + 1]):
                        amount = amounts[t, order[i], k] * present[t, order[i]]
                        total += amount / (sqrt(1 + amount) + 1)
                sums[g, k] += total
                earned[t] += total / a if code == RECIPROCAL else a * total
    return earned
