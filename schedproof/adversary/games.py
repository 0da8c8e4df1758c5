"""Games of an adversary against every deterministic online algorithm.

The adversary moves, the algorithm answers, and so on. The game ends with a payoff when the adversary stops, for example
the algorithm's cost over the least possible cost. A strategy has a move of the adversary for each position that the
algorithm can reach; its least payoff is a lower bound for every deterministic algorithm. The games here have finitely
many answers; other families compute their `Strategy` themselves. `schedproof.check.game` checks a strategy's file
independently.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from schedproof.core.base.lazy import networkx
from schedproof.core.base.numbers import as_text, plural
from schedproof.core.base.untyped import Json, Network
from schedproof.core.data.graphml import write_graphml
from schedproof.core.errors import InputError, require, short
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.files import encode, write_json

Payoff = Fraction | float  # a rational, or `inf` if the algorithm earns nothing
State = TypeVar("State", bound=Hashable)
Move = TypeVar("Move")


class Game(Protocol[State, Move]):
    """A finite game of an adversary against an algorithm.

    Subclasses inherit defaults of `position`, `hopeless` and `row`.

    Attributes
    ----------
    name
        The game's name in `schedproof.adversary.catalogue` and for the checker.
    setting
        The parameters of the game, as in the file.
    """

    name: str
    setting: dict[str, Json]

    def start(self) -> State:
        """Return the first position of the adversary."""

    def moves(self, state: State) -> Iterable[Move]:
        """Return the adversary's moves, the most promising first."""

    def answers(self, state: State, move: Move) -> Iterable[State]:
        """Return the positions after the algorithm's answers, at least one."""

    def payoff(self, state: State) -> Payoff:
        """Return the payoff if the adversary stops now; 0 if it cannot stop."""

    def position(self, state: State) -> Hashable:
        """Return a state's entry in the strategy file; the adversary's moves depend on it."""
        return state

    def hopeless(self, state: State, floor: Fraction) -> bool:
        """Return whether a quick argument shows that no payoff exceeds the floor."""
        return False

    def row(self, state: State, move: Move, stops: bool) -> dict[str, Json]:
        """Return a row of the file; if the adversary stops, with the proof of its payoffs."""
        return {"position": self.position(state), "move": move}


class Step(NamedTuple):
    """A transition between two rows, or to the end of the game."""

    before: int
    after: int | None
    payoff: Payoff | None = None
    probability: Fraction | None = None


@dataclass(frozen=True)
class Strategy:
    """A strategy of the adversary, and the bound that it proves.

    Attributes
    ----------
    game, setting
        The game's name and parameters.
    value
        The payoff that the strategy forces.
    rows
        One row for each position that an algorithm can reach: the start first, each before its successors.
    best
        Whether no strategy of this game forces more, by exhaustive search; the file does not prove this.
    steps
        The transitions between the rows; not in the file.
    """

    game: str
    setting: Mapping[str, Json]
    value: Fraction
    rows: tuple[dict[str, Json], ...] = field(repr=False)
    best: bool = False
    steps: tuple[Step, ...] = field(default=(), repr=False)

    def lines(self) -> list[str]:
        words = ", ".join(f"{name}={short(value)}" for name, value in self.setting.items())
        head = f"{self.game} ({words}): at least {self.value} = {float(self.value):.10g}"
        more = "no strategy of this game forces more" if self.best else "a strategy that forces more may exist"
        return [head, f"a strategy for {plural(len(self.rows), 'position')}; {more}"]

    def to_json(self) -> dict[str, Json]:
        head = {"game": self.game, "setting": dict(self.setting), "value": as_text(self.value)}
        return head | {"positions": len(self.rows), "best": self.best}

    def to_file(self) -> dict[str, Json]:
        """Return the content of the file that `schedproof.check.game` reads."""
        head = {"version": 1, "game": self.game, "setting": dict(self.setting), "value": as_text(self.value)}
        return head | {"moves": list(self.rows)}

    def write(self, path: str | Path) -> None:
        write_json(path, self.to_file())

    def to_networkx(self) -> Network:
        """Return the graph of the strategy's positions and of the steps between them.

        Returns
        -------
        networkx.MultiDiGraph
            A node is the number of a row, and its ``label`` the row: the position and the adversary's move. The node
            "end" is the end of the game. An edge is an answer to the move. It has ``payoff`` if the answer ends the
            game with a payoff, and ``probability`` if the adversary draws.
        """
        graph = networkx.MultiDiGraph(game=self.game, value=as_text(self.value))
        graph.add_nodes_from((n, {"label": encode(row).decode()}) for n, row in enumerate(self.rows))
        graph.add_node("end", label="end")
        for step in self.steps:
            numbers = {"payoff": step.payoff, "probability": step.probability}
            facts = {name: str(number) for name, number in numbers.items() if number is not None}
            graph.add_edge(step.before, "end" if step.after is None else step.after, **facts)
        return graph

    def write_graph(self, path: str | Path) -> None:
        write_graphml(path, self.to_networkx())


def best(game: Game[State, Move], floor: Fraction, context: Context) -> Strategy | None:
    """Return the adversary's best strategy, or None if it forces at most the floor.

    Each improvement goes to ``context.keep``.
    """
    result: Strategy | None = None
    while better := forcing(game, floor if result is None else result.value):
        result = better
        context.keep(result)
        context.progress(f"at least {result.value}")
    return None if result is None else replace(result, best=True)


def forcing(game: Game[State, Move], floor: Fraction) -> Strategy | None:
    """Return a strategy that forces more than a floor, if one exists.

    Raises
    ------
    InputError
        If the recursive search is deeper than some hundred moves.
    """
    chosen: dict[State, Move | None] = {}  # None: the algorithm has an answer to every move

    def wins(state: State) -> bool:
        if state not in chosen:
            moves = () if game.hopeless(state, floor) else game.moves(state)
            chosen[state] = next((move for move in moves if forces(state, move)), None)
        return chosen[state] is not None

    def forces(state: State, move: Move) -> bool:
        return all(game.payoff(after) > floor or wins(after) for after in game.answers(state, move))

    try:
        return _strategy(game, chosen, floor) if wins(game.start()) else None
    except RecursionError:
        raise InputError(f"{game.name} has too many moves for the recursive search: choose a smaller game") from None


def _strategy(game: Game[State, Move], chosen: Mapping[State, Move | None], floor: Fraction) -> Strategy:
    rows: dict[Hashable, dict[str, Json]] = {}
    steps: list[tuple[Hashable, Hashable, Payoff | None]] = []
    seen: set[Hashable] = set()
    value: Payoff = inf

    def visit(state: State) -> None:
        nonlocal value
        here = game.position(state)
        seen.add(here)
        move = chosen[state]
        assert move is not None
        stops = False
        for after in game.answers(state, move):
            if (payoff := game.payoff(after)) > floor:
                value, stops = min(value, payoff), True
                steps.append((here, None, payoff))
                continue
            steps.append((here, there := game.position(after), None))
            if there not in seen:
                visit(after)
        rows[here] = game.row(state, move, stops)

    visit(game.start())
    number = {position: n for n, position in enumerate(reversed(rows))}
    require(game.setting, Mapping, f"a mapping of names to numbers as the attribute `setting` of the game {game.name}")
    numbered = (Step(number[here], number[there] if payoff is None else None, payoff) for here, there, payoff in steps)
    return Strategy(game.name, game.setting, Fraction(value), tuple(reversed(rows.values())), steps=tuple(numbered))
