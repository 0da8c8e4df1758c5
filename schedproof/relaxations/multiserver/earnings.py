"""What a fixed allocation earns at the least, rigorously: the other side of a stationary bound."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from schedproof.relaxations.multiserver.enclosures import UP, least_values
from schedproof.relaxations.multiserver.exact import Numbers, largest_sum, least_sum

TINY = 2.0**-900  # what less earns is nothing


def earnings(numbers: Numbers, counts: np.ndarray, allocation: np.ndarray) -> Fraction:
    """At most sum_c n_c [gain_c(y) - max_k beta_k T_(c,k)] for an allocation y (E, K) >= 0 and counts n (C,).

    A total is a sum of at most R amounts, off by R u relatively in any order, u = 2^-53.
    """
    totals = np.zeros(numbers.shape)
    np.add.at(totals, numbers.copy, allocation)
    slack = 2.0**-52 * (len(numbers.instance.nodes) + 1)
    times = counts.astype(float)[:, None]
    kind, _, alpha = numbers.curves
    amounts = allocation if numbers.by_node else totals * (1 - slack)
    values = least_values(kind, alpha, np.where(amounts < TINY, 0, amounts))
    gains = (times[numbers.copy] if numbers.by_node else times) * values
    overheads = times[:, 0] * (totals * numbers.overheads(round_up=True)).max(axis=1) * (1 + slack) * UP
    return least_sum(gains * (1 - 2.0**-50)) - largest_sum(overheads)
