from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from schedproof.instances.multiserver.review_kernels import TILE, Stretches, frozen, look_through
from schedproof.instances.multiserver.reward import GAINS, Account, slot_rewards
from tests.instances.multiserver.allocations import awkward, feasible
from tests.support import size
from tests.tiny.multiserver import tiny_ports


def drawn_edges(rng: np.random.Generator, holders: int, groups: int) -> tuple[np.ndarray, np.ndarray]:
    """Holder and group (E,) of a graph's edges, sorted by holder."""
    reached = [rng.permutation(groups)[: rng.integers(groups + 1)] for _ in range(holders)]
    if rng.integers(2):
        reached = [np.sort(row) for row in reached]
    return np.repeat(np.arange(holders), [len(row) for row in reached]), np.concatenate(reached)


@pytest.mark.parametrize("groups", [1, 5, TILE, TILE + 1, 3 * TILE + 7])
def test_stretches_have_each_edge_once_in_row_order(groups: int) -> None:
    rng = np.random.default_rng(groups)
    for _ in range(size(5, 10, 200)):
        holder, group = drawn_edges(rng, int(rng.integers(1, 9)), groups)
        stretches = Stretches.of(holder, group, groups)
        tile = np.repeat(np.arange(len(stretches.tile) - 1), np.diff(stretches.tile))
        edges = [np.arange(first, first + count) for first, count in zip(stretches.first, stretches.count, strict=True)]
        for s, mine in enumerate(edges):
            assert (holder[mine] == stretches.holder[s]).all() and (group[mine] // TILE == tile[s]).all()
            assert (group[mine] == stretches.group[s] + np.arange(len(mine))).all()
        order = np.concatenate([np.empty(0, dtype=np.int64), *edges])
        assert np.array_equal(np.sort(order), np.arange(len(group)))
        for g in range(groups):
            assert (np.diff(order[group[order] == g]) > 0).all()


def full(holders: int, groups: int) -> tuple[Stretches, np.ndarray]:
    """A full graph's stretches, and its edges (holders, groups)."""
    holder, group = np.divmod(np.arange(holders * groups), groups)
    return Stretches.of(holder, group, groups), np.arange(holders * groups).reshape(holders, groups)


@pytest.mark.parametrize("groups", [20, TILE + 6])
def test_a_row_that_is_no_doubt_fits_and_most_that_fit_are_no_doubt(groups: int) -> None:
    rng, told = np.random.default_rng(0), {(over, sign): 0 for over in (True, False) for sign in (1, -1)}
    for n in range(size(30, 30, 2000)):
        holders, sign = int(rng.integers(1, 12)), rng.choice([1, -1])
        stretches, edges = full(holders, groups)
        amounts = rng.random((2, holders * groups, 2)) * 2.0 ** rng.integers(-70, 3, size=(2, holders * groups, 2))
        amounts *= np.where(rng.random(amounts.shape) < 0.5, 1, sign)
        sums = np.array([[sum(amounts[0, edges[:, g], k].tolist()) for k in range(2)] for g in range(groups)])
        capacity = np.nextafter(sums, rng.choice([-9e9, 9e9], size=sums.shape)) if n % 2 else sums
        within, rows = look_through(frozen(amounts), stretches, np.full((holders, 2), 9.0), capacity)
        doubtful = set(map(tuple, rows.tolist()))
        assert within == (amounts >= 0).all() and len(doubtful) == len(rows)
        for t, g, k in np.ndindex(2, groups, 2):
            exact = sum(map(Fraction, amounts[t, edges[:, g], k].tolist()), Fraction(0))
            over = exact > Fraction(capacity[g, k])
            assert (t, g, k) in doubtful or not over
            told[over, sign] += 1
            if exact < Fraction(capacity[g, k]) - Fraction(np.abs(amounts[t, edges[:, g], k]).sum()) / 2**90:
                assert (t, g, k) not in doubtful
    assert min(told.values()) > 50, told


@pytest.mark.parametrize("wrong", [-5e-324, 1.0000000000000002, np.nan, np.inf, -np.inf])
def test_one_amount_out_of_range_is_detected_anywhere(wrong: float) -> None:
    stretches, _ = full(2, TILE + 1)
    most, capacity = np.ones((2, 3)), np.full((TILE + 1, 3), 9.0)
    good = np.random.default_rng(1).random((2, 2 * (TILE + 1), 3))
    assert look_through(frozen(good), stretches, most, capacity)[0]
    assert look_through(frozen(0 * good), stretches, most, capacity)[0]
    assert look_through(frozen(0 * good + 1), stretches, most, capacity)[0]
    for at in np.ndindex(good.shape):
        block = good.copy()
        block[at] = wrong
        within, rows = look_through(frozen(block), stretches, most, capacity)
        assert not within, at
        if not wrong < 9:
            assert [at[0], at[1] % (TILE + 1), at[2]] in rows.tolist()


def test_each_holder_has_its_own_limits() -> None:
    stretches, _ = full(3, 5)
    most = np.arange(6.0).reshape(3, 2)
    block = most[None].repeat(5, axis=1)
    capacity = np.full((5, 2), 99.0)
    assert look_through(frozen(block), stretches, most, capacity)[0]
    for holder in range(3):
        for k in range(2):
            less = most.copy()
            less[holder, k] = np.nextafter(less[holder, k], -1)
            assert not look_through(frozen(block), stretches, less, capacity)[0]


@pytest.mark.parametrize("gain", GAINS)
def test_rewards_of_slots_equal_numpys(gain: str) -> None:
    for seed in range(size(20, 60, 1000)):
        nodes = 1 + seed % 5 + (seed % 4 == 3) * TILE
        instance = tiny_ports(seed, copies=1 + seed % 3, ports=1 + seed % 4, nodes=nodes, horizon=5)
        block = (feasible, awkward)[seed % 2](instance, seed)
        present = instance.present(0, 5)
        account = Account(instance, gain)
        earned = np.concatenate([account.add(block[:2]), account.add(block[2:])])
        expected = slot_rewards(instance.graph, block, present, gain)
        most = 1 + np.abs(block).sum()
        assert np.allclose(earned, expected, rtol=1e-12, atol=1e-13 * most), seed
