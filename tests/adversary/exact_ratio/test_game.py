from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from schedproof.adversary.exact_ratio import automata
from schedproof.adversary.exact_ratio.game import Game, Sides, between, play
from schedproof.adversary.exact_ratio.game_kernels import LOST
from schedproof.adversary.exact_ratio.work_function import excess, work_functions
from schedproof.adversary.walks.trials import Trial
from schedproof.core.runtime.context import USUAL
from tests.support import size


def test_an_early_end_leaves_an_interval() -> None:
    schedule = automata.migrating(2, range(1, 4), 3)
    kept: list[Sides] = []
    assert play(schedule, schedule, USUAL, kept.append).most == Fraction(9, 7)
    assert any(sides.least != sides.most for sides in kept)
    for sides in kept:
        assert sides.least <= Fraction(9, 7) and (sides.most is None or sides.most >= Fraction(9, 7))


def enough(game: Game, ratio: Fraction, trial: Trial) -> bool:
    numbers, answer, side = (trial.enough, min, 1) if trial.enough.size else (trial.more, max, -1)
    credit = numbers.reshape(game.open[0].shape)
    for jobs, function in product(*map(range, credit.shape)):
        needs = []
        for move, answers in enumerate(game.answers):
            if game.open[move, jobs, function]:
                after = [credit[n, game.heads[move, function]] for n in answers[:, jobs] if n >= 0]
                weight = np.broadcast_to(game.weight(ratio, move), credit.shape)[jobs, function]
                needs.append(answer(after) + side * weight)
        needed = max(needs, default=0) if side > 0 else min(needs)
        if credit[jobs, function] < min(needed, LOST):
            return False
    return bool(credit[0, 0] < LOST)


@pytest.mark.parametrize("ratio", [Fraction(1), Fraction(4, 3), Fraction(2)])
def test_credits_are_enough_after_every_move(ratio: Fraction) -> None:
    # For either side at its value 4/3. With one credit less they do not suffice.
    schedule = automata.migrating(2, range(1, 3), 4)
    game = Game(schedule, work_functions(schedule, excess(schedule, 64), 9, USUAL))
    trial = game.credits(ratio, USUAL)
    assert (trial.enough.size > 0) != (trial.more.size > 0)
    assert ratio == Fraction(4, 3) or (trial.enough.size > 0) == (ratio > Fraction(4, 3))
    assert enough(game, ratio, trial) and game.proves(ratio, trial)
    assert play(schedule, schedule, USUAL, lambda sides: None).most == Fraction(4, 3)
    numbers = np.concatenate(trial)
    for no_credits in (numbers[:-1], numbers - 1, numbers + LOST, 0 * numbers + LOST, numbers[:0]):
        assert not game.proves(ratio, Trial(enough=no_credits)) and not game.proves(ratio, Trial(more=no_credits))
    wrong = 0
    for n in np.flatnonzero((numbers > 0) & (numbers < LOST))[:: size(40, 20, 1)].tolist():
        lower = numbers.copy()
        lower[n] -= 1
        less = trial._replace(**{"enough" if trial.enough.size else "more": lower})
        assert game.proves(ratio, less) == enough(game, ratio, less)
        wrong += not game.proves(ratio, less)
    assert wrong


@pytest.mark.parametrize(
    ("least", "most", "simplest"),
    [("0", None, "1"), ("1", None, "2"), ("1", "2", "3/2"), ("4/3", "3/2", "7/5"), ("7/5", "10/7", "17/12")],
)
def test_the_simplest_fraction_between_two(least: str, most: str | None, simplest: str) -> None:
    found = between(Fraction(least), most and Fraction(most))
    assert found == Fraction(simplest)
    ends = [Fraction(p, q) for q in range(1, found.denominator) for p in range(3 * q)]
    assert not any(Fraction(least) < each < Fraction(most or 10) for each in ends if most)
