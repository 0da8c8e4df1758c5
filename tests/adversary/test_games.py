"""The search for strategies: a game of our own, what is kept on the way, and what it cannot do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import schedproof as sp
from schedproof.adversary.games import Strategy, best, forcing
from schedproof.core.errors import InputError, UnknownName
from schedproof.core.runtime.context import USUAL


class Guess:
    """The adversary hides one of three numbers, the algorithm names one after the other until it has it."""

    name = "guess"
    setting: dict[str, Any] = {"numbers": 3}  # noqa: RUF012

    def start(self) -> tuple[int, ...]:
        return ()

    def moves(self, state: tuple[int, ...]) -> list[str]:
        return ["wrong", "right"] if len(state) < 3 else []

    def answers(self, state: tuple[int, ...], move: str) -> Iterator[tuple[int, ...]]:
        return ((*state, n) for n in range(3) if n not in state)

    def payoff(self, state: tuple[int, ...]) -> Fraction:
        return Fraction(len(state))

    def position(self, state: tuple[int, ...]) -> frozenset[int]:
        return frozenset(state)

    def hopeless(self, state: tuple[int, ...], floor: Fraction) -> bool:
        return floor >= 3

    def row(self, state: tuple[int, ...], move: str, stops: bool) -> dict[str, Any]:
        return {"named": sorted(state), "stops": stops}


def test_the_best_strategy_and_those_on_the_way() -> None:
    kept: list[Strategy] = []
    found = best(Guess(), Fraction(0), replace(USUAL, keep=kept.append))
    assert found is not None and (found.value, found.best) == (3, True)
    assert [strategy.value for strategy in kept] == [1, 2, 3] and not any(strategy.best for strategy in kept)
    assert best(Guess(), Fraction(3), USUAL) is None


def test_positions_that_are_alike_stand_once_and_before_those_that_follow() -> None:
    found = forcing(Guess(), Fraction(2))
    assert found is not None
    assert sorted(row["named"] for row in found.rows) == [[], [0], [0, 1], [0, 2], [1], [1, 2], [2]]
    assert found.rows[0]["named"] == []
    place = {tuple(row["named"]): n for n, row in enumerate(found.rows)}
    assert all(place[n,] < place[pair] for pair in [(0, 1), (0, 2), (1, 2)] for n in pair)
    assert [row["stops"] for row in found.rows] == [len(row["named"]) == 2 for row in found.rows]


def test_it_says_what_it_found() -> None:
    found = sp.game("bin_stretching", bins=2, capacity=3)
    assert found.lines()[0] == "bin_stretching (bins=2, capacity=3): at least 4/3 = 1.333333333"
    assert found.to_json()["positions"] == len(found.to_file()["moves"]) == 5
    assert "may exist" in sp.game("bin_stretching", bins=2, capacity=3, drop=1).lines()[1]


def test_a_setting_that_is_a_method_is_a_sentence() -> None:
    class Asked(Guess):
        """Its numbers have to be asked for."""

        def setting(self) -> dict[str, Any]:  # type: ignore[override]
            return {"numbers": 3}

    with pytest.raises(InputError, match="expected the numbers of the game guess as an attribute or a property"):
        best(Asked(), Fraction(0), USUAL)


def test_what_cannot_be_played_is_a_sentence() -> None:
    with pytest.raises(UnknownName, match="unknown game 'chess'"):
        sp.game("chess")
    with pytest.raises(InputError, match=r"guess: a game of your own has no options \(numbers\)"):
        sp.game(Guess(), numbers=3)
    with pytest.raises(InputError, match="above=-1: expected a number"):
        sp.game("dmlrs.offers", above=-1)
    with pytest.raises(InputError, match="too many moves"):
        sp.game("dmlrs.offers", fits=20, values=range(1, 400), above=19)
