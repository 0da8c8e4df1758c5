"""The best randomised algorithm of a finite game, by one linear program.

The adversary's sequences of moves are words. A node is a word and a state that the algorithm may then have. The LP's
variables are the probabilities of the answers at the nodes (sequence form), and the largest expected payoff of a word.
The multipliers of the words are a distribution, against which no deterministic algorithm has a better payoff (Yao).
The probabilities and the distribution are rounded to rationals, and their values are computed exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from schedproof.adversary.systems.source import decimals, file_of, hash_of, made_of, options_of, words_of
from schedproof.adversary.systems.system import State, ask, exact, listed, require_methods, settings_of, text_of
from schedproof.core.base.display import Tabled
from schedproof.core.base.untyped import Json, Value
from schedproof.core.errors import InputError, NoSolution
from schedproof.core.programs.exact.entries import Column, Row
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.solving import Doubles
from schedproof.core.programs.exact.status import settle
from schedproof.core.runtime.context import Context, Progress, silent
from schedproof.core.runtime.deadline import best_within
from schedproof.core.runtime.files import write_json

METHODS = ("start", "moves", "answers", "payoff")
MOST_ANSWERS = 200_000
FINEST = 10**9  # largest denominator of a rounded probability
ZERO, ONE = Fraction(0), Fraction(1)
Word = tuple[str, ...]


class Tree:
    """All words of a game, the nodes, and the answers at each node.

    Attributes
    ----------
    words
        The adversary's sequences of moves, each after its prefix.
    nodes
        The word's number, the state and the payoff of each node; node 0 is the start.
    ends
        The nodes of each word at which the adversary may stop, by the word's number.
    choices
        Node, move, and nodes after the possible answers.
    """

    def __init__(self, game: Any, context: Context) -> None:
        require_methods(game, "game", METHODS, "schedproof.best_randomised")
        self.name, (self.gains,) = type(game).__name__, settings_of(game, gains=False)
        self.words: list[Word] = [()]
        self.nodes: list[tuple[int, State, Fraction | None]] = []
        self.ends: dict[int, list[int]] = {}
        self.choices: list[tuple[int, str, list[int]]] = []
        members: list[dict[str, int]] = [{}]
        answers = 0

        def number(word: int, state: State) -> int:
            text = text_of(state, f"{self.name}.{'answers' if word else 'start'}")
            found = members[word].setdefault(text, len(self.nodes))
            if found == len(self.nodes):
                payoff, place = ask(game, "payoff", state)
                self.nodes.append((word, state, None if payoff is None else exact(payoff, place)))
            return found

        number(0, ask(game, "start")[0])
        for word, sequence in enumerate(self.words):  # the list grows while it is read
            nodes = [*members[word].values()]
            paid = {self.nodes[node][2] is None for node in nodes}
            moves = [self._moves(game, self.nodes[node][1]) for node in nodes]
            if len(paid) > 1 or any(each.keys() != moves[0].keys() for each in moves):
                what = "the adversary's moves depend" if len(paid) == 1 else "whether the adversary may stop depends"
                raise InputError(
                    f"{self.name}: after the moves {' '.join(sequence) or 'none'} {what} on the algorithm's state. "
                    "The adversary of a randomised algorithm does not see this state: use past moves only"
                )
            if paid == {False}:
                self.ends[word] = nodes
            for text in moves[0]:
                self.words.append((*sequence, text))
                members.append({})
                for node, own in zip(nodes, moves, strict=True):
                    found, place = ask(game, "answers", self.nodes[node][1], own[text])
                    after = [number(len(self.words) - 1, state) for state in listed(found, place, "a list of states")]
                    if not after:
                        raise InputError(f"{place} returned no state: expected at least one answer")
                    self.choices.append((node, text, [*dict.fromkeys(after)]))
                    answers += len(after)
            if answers > MOST_ANSWERS:
                raise InputError(f"{self.name} has more than {MOST_ANSWERS} answers, the limit; make the game smaller")
            context.progress(f"{len(self.words)} sequences of moves, {word + 1} of them expanded")
        if not self.choices or not self.ends:
            raise InputError(f"{self.name}: the adversary has no move, or may never stop")

    @staticmethod
    def _moves(game: Any, state: State) -> dict[str, Any]:
        found, place = ask(game, "moves", state)
        return {text_of(move, place): move for move in listed(found, place, "a list of moves")}

    def program(self) -> Listing:
        """Return the LP; its last column is the value, and its last rows are the words."""
        into: list[dict[int, Fraction]] = [{} for _ in self.nodes]
        columns, rows = list[Column](), list[Row]()
        for node, _, after in self.choices:
            terms = {}
            for then in after:
                terms[len(columns)] = ONE
                into[then][len(columns)] = ONE
                columns.append(Column(f"answer[{len(columns)}]", ZERO, None, ZERO))
            inflow = {column: -one for column, one in into[node].items()}
            side = ZERO if node else ONE
            rows.append(Row(f"flow[{len(rows)}]", side, side, terms | inflow))
        value = len(columns)
        columns.append(Column("value", None, None, ONE))
        for word, nodes in self.ends.items():
            terms = {value: -ONE}
            for node in nodes:
                terms |= {column: self._payoff(node) for column in into[node]}
            side = ZERO if word else -self._payoff(0)
            rows.append(Row(f"word[{word}]", side if self.gains else None, None if self.gains else side, terms))
        return Listing("maximize" if self.gains else "minimize", ZERO, tuple(columns), tuple(rows))

    def _payoff(self, node: int) -> Fraction:
        found = self.nodes[node][2]
        assert found is not None
        return found

    def guaranteed(self, chances: Sequence[Sequence[Fraction]]) -> Fraction:
        """Return the worst expected payoff, given the answers' probabilities."""
        reached = [ONE] + [ZERO] * (len(self.nodes) - 1)
        for (node, _, after), weights in zip(self.choices, chances, strict=True):  # nodes before their successors
            for then, weight in zip(after, weights, strict=True):
                reached[then] += reached[node] * weight
        worst = min if self.gains else max
        return worst(sum((reached[n] * self._payoff(n) for n in nodes), ZERO) for nodes in self.ends.values())

    def forced(self, weights: Mapping[int, Fraction]) -> Fraction:
        """Return the best expected payoff against a distribution of move sequences."""
        best = max if self.gains else min
        values = [
            weights[word] * self._payoff(node) if weights.get(word) else ZERO
            for node, (word, _, _) in enumerate(self.nodes)
        ]
        for node, _, after in reversed(self.choices):
            values[node] += best(values[then] for then in after)
        return values[0]


@dataclass(frozen=True, repr=False)
class BestRandomised(Tabled):
    """The best randomised algorithm of a finite game, and its expected payoff.

    Attributes
    ----------
    tree
        The game's words, states and answers.
    chances
        The algorithm: the probabilities of the answers, by choice.
    weights
        Yao's distribution: the probability of each word, by its number.
    source
        The file that defines the game, or None.
    options
        The arguments of the game's class.
    """

    tree: Tree = field(repr=False)
    chances: Sequence[Sequence[Fraction]] = field(repr=False)
    weights: Mapping[int, Fraction] = field(repr=False)
    source: Path | None = None
    options: Mapping[str, Value] = field(default_factory=dict)

    @property
    def least(self) -> Fraction:
        """A lower bound on the value."""
        return min(self._sides)

    @property
    def most(self) -> Fraction:
        """An upper bound on the value."""
        return max(self._sides)

    @property
    def _sides(self) -> tuple[Fraction, Fraction]:
        return self.tree.guaranteed(self.chances), self.tree.forced(self.weights)

    @property
    def exact(self) -> Fraction | None:
        """The value, or None while the bounds differ."""
        return self.least if self.least == self.most else None

    @property
    def algorithm(self) -> Iterator[tuple[Word, State, str, list[tuple[State, Fraction]]]]:
        """Past moves, state, move, and the next states with probabilities."""
        nodes = self.tree.nodes
        for (node, move, after), weights in zip(self.tree.choices, self.chances, strict=True):
            word, state, _ = nodes[node]
            yield self.tree.words[word], state, move, [(nodes[n][1], w) for n, w in zip(after, weights, strict=True)]

    @property
    def distribution(self) -> list[tuple[Word, Fraction]]:
        """The adversary's sequences of moves with their probabilities."""
        return [(self.tree.words[word], weight) for word, weight in self.weights.items()]

    @property
    def sentence(self) -> str:
        """The statement that is proven."""
        least, most = decimals(self.least), decimals(self.most, up=True)
        value = least if self.exact is not None else f"at least {least} and at most {most}"
        name = f"{self.tree.name}{words_of(self.options)}"
        return f"the best expected payoff of a randomised algorithm in {name} is {value}"

    def facts(self) -> Mapping[str, Value]:
        return {"proof": self.sentence, "sequences": len(self.tree.words), "choices": len(self.tree.choices)}

    def lines(self) -> Iterator[str]:
        """Yield the result as text."""
        yield self.sentence
        yield f"{len(self.tree.words)} sequences of moves, {len(self.tree.choices)} choices of the algorithm"
        for word, weight in self.distribution[:10]:
            yield f"adversary: {' '.join(word) or 'no move'} with probability {weight}"

    def to_json(self) -> dict[str, Json]:
        """Return the result object of ``best-ratio --json``."""
        return {
            "game": self.tree.name,
            "options": {name: str(value) for name, value in self.options.items()},
            "at_least": str(self.least),
            "at_most": str(self.most),
            "exact": None if self.exact is None else str(self.exact),
            "algorithm": [
                [[*word], text_of(state), move, [[text_of(then), str(weight)] for then, weight in after if weight]]
                for word, state, move, after in self.algorithm
            ],
            "distribution": [[[*word], str(weight)] for word, weight in self.distribution],
        }

    def to_file(self) -> dict[str, Json]:
        """Return the certificate that `schedproof.check.ratio` reads with the source.

        Raises
        ------
        InputError
            If the game's class is not written in a file.
        """
        facts = self.to_json()
        del facts["exact"]
        return {"version": 1, "source": hash_of(self.source, self.tree.name), **facts}

    def write(self, path: str | Path) -> None:
        """Write the certificate into a file, atomically."""
        write_json(path, self.to_file())


def best_randomised(game: Any, /, *, progress: Progress = silent, time_limit: float | None = None) -> BestRandomised:
    """Find the best randomised algorithm of a finite game, and prove it best.

    The adversary chooses a sequence of moves in advance; the algorithm answers each move at random. The value is the
    worst expected payoff of the best algorithm. It is a competitive ratio if the payoff is the algorithm's cost divided
    by an optimum that depends only on the moves. With ``gains = True`` the algorithm makes the payoff large, and the
    ratio is 1 / value if the payoff is the algorithm's gain divided by that optimum.

    Parameters
    ----------
    game
        An object with the methods ``start``, ``moves``, ``answers`` and ``payoff`` of
        `schedproof.adversary.games.Game`. The moves must depend only on past moves. The payoff is exact, or None if the
        adversary cannot stop. Or the class as ``FILE.py:NAME``.
    progress
        Called with the progress.
    time_limit
        Seconds.

    Raises
    ------
    InputError
        If the moves depend on the algorithm's state, or the game is too large.
    NoSolution
        If the LP is not solved within the time limit.

    Examples
    --------
    >>> from fractions import Fraction
    >>> import schedproof as sp
    >>> class Rent:
    ...     '''Ski rental at price 2, for up to 3 days: the state is (days, cost, whether skis are bought).'''
    ...     def start(self):
    ...         return 0, 0, False
    ...     def moves(self, state):
    ...         return ["day"] if state[0] < 3 else []
    ...     def answers(self, state, move):
    ...         days, cost, bought = state
    ...         return [(days + 1, cost, True)] if bought else [(days + 1, cost + 1, False), (days + 1, cost + 2, True)]
    ...     def payoff(self, state):
    ...         days, cost, _ = state
    ...         return Fraction(cost, min(days, 2)) if days else None
    >>> sp.best_randomised(Rent()).exact
    Fraction(4, 3)
    """
    context = Context(progress=progress, time_limit=time_limit)
    if isinstance(game, str):
        return best_randomised_in(game, {}, context)
    return _best(game, context, file_of(game), options_of(game))


def best_randomised_in(words: str, given: Mapping[str, Value], context: Context) -> BestRandomised:
    """Return the best randomised algorithm of the game ``FILE.py:NAME``."""
    game, options = made_of(words, given)
    return _best(game, context, Path(words.rpartition(":")[0]), options)


def _best(game: Any, context: Context, source: Path | None, options: Mapping[str, Value]) -> BestRandomised:
    def work(inner: Context) -> BestRandomised:
        tree = Tree(game, inner)
        listing = tree.program()
        found = settle(listing, inner)
        if found is not None:
            values, multipliers = found.point, tuple(found.multipliers.get(i, ZERO) for i in range(len(listing.rows)))
        else:
            program = Doubles(listing).program()
            if program.solve(inner).status != "optimal":
                raise NoSolution(f"{tree.name}: the LP was not solved within the time limit")
            values, multipliers = (
                tuple(Fraction(x).limit_denominator(FINEST) for x in part.tolist())
                for part in (program.point, program.multipliers)
            )
        return BestRandomised(tree, *_rounded(tree, values, multipliers), source, options)

    result = best_within(context, work)
    if result is None:
        raise NoSolution(f"{type(game).__name__}: the time limit was reached before the LP was solved")
    return result


def _rounded(
    tree: Tree, values: Sequence[Fraction], multipliers: Sequence[Fraction]
) -> tuple[list[list[Fraction]], dict[int, Fraction]]:
    """Return probabilities of answers and words, from a point and multipliers."""
    chances, column = [], 0
    for _, _, after in tree.choices:
        flows = [max(ZERO, value) for value in values[column : column + len(after)]]
        column += len(after)
        total = sum(flows, ZERO)
        chances.append([flow / total for flow in flows] if total else [ONE, *[ZERO] * (len(after) - 1)])
    weights = dict(zip(tree.ends, map(abs, multipliers[len(tree.choices) :]), strict=True))
    total = sum(weights.values(), ZERO)
    return chances, {word: weight / total for word, weight in weights.items() if weight}
