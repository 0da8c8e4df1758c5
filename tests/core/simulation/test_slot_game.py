from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedproof.core.errors import PolicyError
from schedproof.core.simulation.slot_game import Run, SlotGame, fits

ONE, TWO = (1,), (2,)


def test_a_slot_in_which_no_job_can_start_is_skipped() -> None:
    game = SlotGame([0, 1, 4], [{TWO: 3}, {ONE: 1}, {ONE: 2}], [TWO], 9)
    assert game.goes_on() and game.slot == 0 and game.waiting == [0]
    game.start(0, 0, TWO)
    assert game.free == [(0,)] and game.goes_on() and game.slot == 3 and game.waiting == [1]
    assert game.completed() == [Run(0, 0, TWO, 0, 3)] and game.completed() == []
    game.start(1, 0, ONE)
    assert game.goes_on() and game.slot == 4 and game.waiting == [2] and game.free == [TWO]
    game.start(2, 0, ONE)
    assert not game.goes_on() and [run[:2] for run in game.rows] == [(0, 0), (1, 0), (2, 0)]


def test_progress_before_a_preemption_is_kept() -> None:
    game = SlotGame([0, 0], [{ONE: 4}, {ONE: 1}], [ONE], 20, may_stop=True, switch=Fraction(1, 2))
    assert game.goes_on()
    game.start(0, 0, ONE)
    assert game.goes_on() and game.slot == 1
    game.stop(0)
    game.start(1, 0, ONE)
    assert game.rows[0].until == 1 and game.waiting == [0] and game.goes_on() and game.slot == 2
    game.start(0, 0, ONE)  # 3 of 4 slots are left, and half a slot is lost
    assert game.running[0].end == 6


@pytest.mark.parametrize(
    ("decide", "words"),
    [
        (lambda game: game.start(3, 0, ONE), "number 3, which it has not seen by slot 0"),
        (lambda game: game.start(2, 0, ONE), "number 2, which it has not seen by slot 0"),
        (lambda game: game.start(0, 0, (3,)), "has no duration for this allocation"),
        (lambda game: game.start(1, 0, TWO), r"on place 0 with \(2,\) in slot 0, but only \(1,\) is free there"),
        (lambda game: game.start(0, 1, ONE), "job 0, which is not for place 1"),
        (lambda game: game.stop(1), "preemption=allowed"),
    ],
)
def test_an_impossible_decision_gives_one_message(decide: Any, words: str) -> None:
    class Once(SlotGame):
        def objection(self, j: int, n: int) -> str:
            return "" if n == 0 else ", which is not for place 1"

    game = Once([0, 0, 5], [{ONE: 1}, {TWO: 1}, {ONE: 1}], [ONE, ONE], 9)
    assert game.goes_on()
    with pytest.raises(PolicyError, match=words):
        decide(game)


@given(st.data())
def test_free_and_used_resources_always_add_up(data: st.DataObject) -> None:
    jobs = data.draw(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 3), st.integers(1, 4)), max_size=5))
    has = data.draw(st.lists(st.integers(1, 4).map(lambda n: (n,)), min_size=1, max_size=2))
    stops = data.draw(st.booleans())
    game = SlotGame([a for a, _, _ in jobs], [{(need,): long} for _, need, long in jobs], has, 40, may_stop=stops)
    ended: list[Run] = []
    while game.goes_on():
        ended += game.completed()
        for n, (there,) in enumerate(has):
            used = sum(work.run.mode[0] for work in game.running.values() if work.run.place == n)
            assert game.free[n] == (there - used,) and game.free[n][0] >= 0
        if stops and game.running and data.draw(st.booleans()):
            game.stop(data.draw(st.sampled_from(sorted(game.running))))
        for j in [*game.waiting]:
            places = [n for n in range(len(has)) if fits((jobs[j][1],), game.free[n])]
            if places and data.draw(st.booleans() if game.slot < 20 else st.just(True)):
                game.start(j, data.draw(st.sampled_from(places)), (jobs[j][1],))
    ended += game.completed()
    for j, (arrival, need, long) in enumerate(jobs):
        runs = [run for run in game.rows if run.job == j]
        assert all(run.slot >= arrival for run in runs)
        if j in {run.job for run in ended}:
            until = next(run.until for run in ended if run.job == j)
            assert sum((until if run.until is None else run.until) - run.slot for run in runs) == long
        elif any(fits((need,), room) for room in has):
            assert j in game.running or j in game.waiting
