"""The game of a policy and an adversary: its ends close in, and its strategies do what they say."""

from __future__ import annotations

from fractions import Fraction

import pytest

from schedproof.adversary.exact_ratio import automata
from schedproof.adversary.exact_ratio.game import Game, Sides, between, play
from schedproof.adversary.exact_ratio.work_function import excess, work_functions
from schedproof.core.context import USUAL


def test_an_early_end_leaves_an_interval() -> None:
    schedule = automata.migrating(2, range(1, 4), 3)
    kept: list[Sides] = []
    assert play(schedule, schedule, USUAL, kept.append).most == Fraction(9, 7)
    assert any(sides.least != sides.most for sides in kept)
    for sides in kept:
        assert sides.least <= Fraction(9, 7) and (sides.most is None or sides.most >= Fraction(9, 7))


@pytest.mark.parametrize("ratio", [Fraction(1), Fraction(4, 3), Fraction(2)])
def test_credits_are_enough_after_every_move(ratio: Fraction) -> None:
    """Of whoever has them; at 4/3, the value, that is either."""
    schedule = automata.migrating(2, range(1, 3), 4)
    game = Game(schedule, work_functions(schedule, excess(schedule, 64), 9, USUAL))
    policy, adversary = game.credits(ratio, 100, USUAL)
    assert (policy is None) != (adversary is None)
    assert (policy is not None, ratio >= Fraction(4, 3)) in (
        (True, True),
        (False, False),
        (False, ratio == Fraction(4, 3)),
    )
    credit, answer, side = (policy, min, 1) if policy is not None else (adversary, max, -1)
    assert credit is not None
    for jobs in range(len(credit)):
        for function in range(credit.shape[1]):
            needs = []
            for move, answers in enumerate(game.answers):
                if game.open[move][jobs, function]:
                    after = [credit[n, game.heads[move][function]] for n in answers[:, jobs] if n >= 0]
                    weight = game.weight(ratio, move)
                    needs.append(answer(after) + side * (weight if isinstance(weight, int) else weight[jobs, function]))
            enough = max(needs, default=0) if side > 0 else min(needs)
            assert enough <= credit[jobs, function] or credit[jobs, function] > 100
    assert (play(schedule, schedule, USUAL, lambda sides: None).most == Fraction(4, 3)) and credit[0, 0] <= 100


@pytest.mark.parametrize(
    ("least", "most", "simplest"),
    [("0", None, "1"), ("1", None, "2"), ("1", "2", "3/2"), ("4/3", "3/2", "7/5"), ("7/5", "10/7", "17/12")],
)
def test_the_simplest_fraction_between_two(least: str, most: str | None, simplest: str) -> None:
    found = between(Fraction(least), most and Fraction(most))
    assert found == Fraction(simplest)
    ends = [Fraction(p, q) for q in range(1, found.denominator) for p in range(3 * q)]
    assert not any(Fraction(least) < each < Fraction(most or 10) for each in ends if most)
