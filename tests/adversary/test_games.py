from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import schedproof as sp
from schedproof.adversary.games import Strategy, best, forcing
from schedproof.core.errors import InputError, UnknownName
from schedproof.core.runtime.context import USUAL
from tests.command_line import Cli


class Guess:
    """The adversary hides one of three numbers; the algorithm guesses it."""

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


def test_equal_positions_appear_once_and_before_their_successors() -> None:
    found = forcing(Guess(), Fraction(2))
    assert found is not None
    assert sorted(row["named"] for row in found.rows) == [[], [0], [0, 1], [0, 2], [1], [1, 2], [2]]
    assert found.rows[0]["named"] == []
    place = {tuple(row["named"]): n for n, row in enumerate(found.rows)}
    assert all(place[n,] < place[pair] for pair in [(0, 1), (0, 2), (1, 2)] for n in pair)
    assert [row["stops"] for row in found.rows] == [len(row["named"]) == 2 for row in found.rows]


def test_it_reports_its_findings() -> None:
    found = sp.game("bin_stretching", bins=2, capacity=3)
    assert found.lines()[0] == "bin_stretching (bins=2, capacity=3): at least 4/3 = 1.333333333"
    assert found.to_json()["positions"] == len(found.to_file()["moves"]) == 5
    assert "may exist" in sp.game("bin_stretching", bins=2, capacity=3, drop=1).lines()[1]


def test_a_setting_that_is_a_method_gives_a_message() -> None:
    class Asked(Guess):
        """A game whose `setting` is a method by mistake."""

        def setting(self) -> dict[str, Any]:  # type: ignore[override]
            return {"numbers": 3}

    with pytest.raises(
        InputError, match="expected a mapping of names to numbers as the attribute `setting` of the game guess"
    ):
        best(Asked(), Fraction(0), USUAL)


def test_an_unplayable_game_gives_a_message() -> None:
    with pytest.raises(UnknownName, match="unknown game 'chess'"):
        sp.game("chess")
    with pytest.raises(InputError, match="guess: expected no options for a Game object, got numbers"):
        sp.game(Guess(), numbers=3)
    with pytest.raises(InputError, match="above=-1: expected a number"):
        sp.game("dmlrs.offers", above=-1)
    with pytest.raises(InputError, match="too many moves"):
        sp.game("dmlrs.offers", fits=20, values=range(1, 400), above=19)


@pytest.mark.parametrize(
    ("name", "options"),
    [("bin_stretching", {"bins": 2, "capacity": 3}), ("dmlrs.offers", {"fits": 1, "values": (2, 3, 4)})],
)
def test_a_strategys_graph_ends_with_the_value_at_least(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    strategy = sp.game(name, **options)
    strategy.write_graph(tmp_path / "game.graphml")
    graph = nx.read_graphml(tmp_path / "game.graphml", force_multigraph=True)
    assert nx.is_directed_acyclic_graph(graph) and graph.number_of_nodes() == len(strategy.rows) + 1
    assert [node for node, degree in graph.out_degree if degree == 0] == ["end"]
    assert nx.descendants(graph, "0") == set(graph) - {"0"}
    payoffs = [facts["payoff"] for _, after, facts in graph.edges(data=True) if after == "end"]
    assert min(Fraction(payoff) for payoff in payoffs if payoff != "inf") == strategy.value


def test_a_randomised_adversarys_graph_has_its_probabilities(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "game.graphml"
    code, _, error = cli("game", "multiserver.regret", "--option", "slots=2", "--graph", file)
    assert (code, error) == (0, "")
    graph = nx.read_graphml(file, force_multigraph=True)
    for node in set(graph) - {"end"}:
        drawn = [Fraction(facts["probability"]) for *_, facts in graph.out_edges(node, data=True)]
        assert sum(drawn) == 1, node
