"""The compiled pass leaves no row that is over its capacity, and earns what numpy and rationals earn."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from schedproof.instances.multiserver.review_kernels import doubtful_rows, within
from schedproof.instances.multiserver.reward import GAINS, Account, slot_rewards
from tests.instances.multiserver.allocations import awkward, feasible
from tests.support import size
from tests.tiny.multiserver import tiny_ports


def rows(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Amounts (1, E, 1) of so many rows, one after the other, their beginnings and their capacities (G, 1)."""
    lengths = rng.integers(0, 12, size=count)
    begin = np.concatenate([[0], np.cumsum(lengths)])
    amounts = rng.random(begin[-1]) * 2.0 ** rng.integers(-70, 3, size=begin[-1])
    sums = np.array([sum(amounts[a:b].tolist()) for a, b in pairwise(begin)])
    nudged = np.nextafter(sums, rng.choice([0.0, 9e9], size=count)) if rng.integers(2) else sums
    return amounts.reshape(1, -1, 1), begin, nudged.reshape(-1, 1)


def test_a_row_that_is_no_doubt_fits_and_most_that_fit_are_no_doubt() -> None:
    rng, told = np.random.default_rng(0), {True: 0, False: 0}
    for _ in range(size(30, 100, 2000)):
        amounts, begin, capacity = rows(rng, 20)
        order = np.arange(amounts.shape[1])
        doubtful = {row for _, row, _ in doubtful_rows(amounts, order, begin, capacity).tolist()}
        for row in range(20):
            exact = sum(map(Fraction, amounts[0, begin[row] : begin[row + 1], 0].tolist()), Fraction(0))
            over = exact > Fraction(capacity[row, 0])
            assert row in doubtful or not over
            told[over] += 1
            if exact < Fraction(capacity[row, 0]) * (1 - Fraction(1, 2**40)):
                assert row not in doubtful
    assert min(told.values()) > 50, told


@pytest.mark.parametrize("wrong", [-5e-324, 1.0000000000000002, np.nan, np.inf, -np.inf])
def test_one_amount_out_of_its_range_is_seen_wherever_it_stands(wrong: float) -> None:
    most = np.ones((4, 3))
    good = np.random.default_rng(1).random((2, 4, 3))
    assert within(good, most) and within(most[None], most) and within(0 * good, most)
    for at in np.ndindex(good.shape):
        block = good.copy()
        block[at] = wrong
        assert not within(block, most), at


@pytest.mark.parametrize("gain", GAINS)
def test_slots_earn_what_numpy_says(gain: str) -> None:
    for seed in range(size(20, 60, 1000)):
        instance = tiny_ports(seed, copies=1 + seed % 3, ports=1 + seed % 4, nodes=1 + seed % 5, horizon=5)
        block = (feasible, awkward)[seed % 2](instance, seed)
        present = instance.present(0, 5)
        account = Account(instance, gain)
        earned = np.concatenate([account.add(block[:2]), account.add(block[2:])])
        expected = slot_rewards(instance.graph, block, present, gain)
        most = 1 + np.abs(block).sum()
        assert np.allclose(earned, expected, rtol=1e-12, atol=1e-13 * most), seed
