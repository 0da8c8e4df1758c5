from __future__ import annotations

import random
from fractions import Fraction

import pytest

from schedproof.online.placement.conflict import Contender, argmax, resolve, room, winner
from tests.support import size


@pytest.mark.parametrize(
    ("free", "needs", "count"),
    [((16, 8), (2, 1), 8), ((7, 9), (2, 1), 3), ((1, 9), (2, 1), 0), ((5, 0), (2, 0), 2), ((0, 0), (0, 0), 1)],
)
def test_room_is_how_many_tasks_of_these_needs_fit(free: tuple[int, int], needs: tuple[int, int], count: int) -> None:
    assert room(free, needs) == count


def test_exactly_one_chooser_gets_a_task() -> None:
    rng = random.Random(1)
    for _ in range(size(300, 1800, 30000)):
        chosen = {n: rng.randrange(4) for n in range(6) if rng.random() < 0.7}
        rows = {n: Contender(n, Fraction(1, rng.randrange(1, 9)), rng.randrange(3)) for n in chosen}
        granted = resolve(chosen, rows)
        for task in set(chosen.values()):
            contenders = [n for n in chosen if chosen[n] == task]
            weight = {n: rows[n].score * rows[n].room for n in contenders}
            best = [n for n in contenders if weight[n] == max(weight.values()) > 0]
            assert [n for n, given in granted.items() if given == task] == best[:1]


def test_as_printed_other_clusters_may_win_and_ties_win_together() -> None:
    rows = [Contender(0, Fraction(1, 4), 2), Contender(1, Fraction(1, 2), 4), Contender(2, Fraction(1, 4), 8)]
    assert argmax(rows) == (1, 2), "though only cluster 0 chose it"
    assert winner(rows[:1]) == 0 and winner(rows) == 1
    assert argmax([row._replace(room=0) for row in rows]) == () == argmax([])
    assert winner([row._replace(room=0) for row in rows]) is None and winner([]) is None
    assert resolve({}, {}) == {}
