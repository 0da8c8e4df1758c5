"""`System`: an online problem with finitely many states, and an algorithm for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from inspect import signature
from numbers import Rational
from typing import Any

from schedproof.core.errors import InputError, SchedproofError, describe, short

State = Any  # hashable: numbers, texts, tuples and frozensets of them
Request = Any
Amount = int | Fraction
Belief = tuple[tuple[State, Fraction], ...]  # the algorithm's states with their probabilities


class System:
    """A finite online problem and an algorithm; derive a class with these methods.

    Each request is answered by the algorithm, which knows its own state and the request, and by the offline side,
    which knows all requests. Costs are exact: integers or fractions. States are numbers, texts, tuples and frozensets.

    Attributes
    ----------
    gains
        Whether the numbers are gains, to be made large. Then the ratio is the offline gain by the algorithm's.
    constant
        Whether the ratio leaves an additive constant out: cost <= ratio * optimum + constant for all sequences. If not,
        cost <= ratio * optimum holds for every sequence from the start.

    Examples
    --------
    >>> import schedproof as sp
    >>> class Rent(sp.System):
    ...     '''Ski rental at price 2: rent a day, then buy.'''
    ...     constant = False
    ...     def start(self):
    ...         return "no skis, day 1"
    ...     def offline(self):
    ...         return "no skis"
    ...     def requests(self, offline):
    ...         return ["snow"]
    ...     def answer(self, state, request):
    ...         return {"no skis, day 1": ("no skis, day 2", 1), "no skis, day 2": ("skis", 2)}.get(state, ("skis", 0))
    ...     def moves(self, offline, request):
    ...         return [("skis", 0)] if offline == "skis" else [("no skis", 1), ("skis", 2)]
    >>> sp.prove(Rent()).exact
    Fraction(3, 2)
    """

    gains = False
    constant = True

    def start(self) -> State:
        """Return the algorithm's first state."""
        raise NotImplementedError

    def offline(self) -> State:
        """Return the first state of the offline side; by default the algorithm's."""
        return self.start()

    def requests(self, offline: State) -> Iterable[Request]:
        """Return the requests that may come in a state of the offline side.

        A deterministic algorithm's adversary may also look at the algorithm's state: ``requests(offline, state)``.
        """
        raise NotImplementedError

    def answer(self, state: State, request: Request) -> tuple[State, Amount] | Iterable[tuple[Amount, State, Amount]]:
        """Return the next state and cost, or (probability, next state, cost) per outcome."""
        raise NotImplementedError

    def moves(self, offline: State, request: Request) -> Iterable[tuple[State, Amount]] | Mapping[State, Amount]:
        """Return the next states of the offline side, each with its cost."""
        raise NotImplementedError


METHODS = ("start", "offline", "requests", "answer", "moves")


class Asked:
    """The methods of a system, whose answers are checked and written in one form."""

    def __init__(self, system: Any) -> None:
        missing = [name for name in METHODS if not callable(getattr(system, name, None))]
        if missing or isinstance(system, type):
            what = f"the method {missing[0]}" if missing else f"an object, as in {system.__name__}(...)"
            raise InputError(f"{short(system)} is no system: expected {what}; see help(schedproof.System)")
        self.system = system
        self.name = type(system).__name__
        self.gains = bool(getattr(system, "gains", False))
        self.constant = bool(getattr(system, "constant", True))
        self.adaptive = len(signature(system.requests).parameters) > 1

    def requests(self, belief: Belief, offline: State) -> Iterator[Request]:
        if not self.adaptive:
            yield from self._ask("requests", offline)
            return
        if len(belief) > 1:
            raise InputError(
                f"{self.name}.requests looks at the algorithm's state, but the algorithm is randomised: an oblivious "
                "adversary does not see the state, so write requests(self, offline)"
            )
        yield from self._ask("requests", offline, belief[0][0])

    def answers(self, state: State, request: Request) -> list[tuple[Fraction, State, Fraction]]:
        given = self._ask("answer", state, request)
        place = f"{self.name}.answer({short(state)}, {short(request)})"
        if isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], Rational):
            text_of(given[0])
            return [(Fraction(1), given[0], self._amount(given[1], place))]
        rows = self._rows(given, 3, place, "(next state, cost), or a list of (probability, next state, cost)")
        found = [(self._amount(p, place), after, self._amount(cost, place)) for p, after, cost in rows]
        if any(p < 0 for p, _, _ in found) or sum(p for p, _, _ in found) != 1:
            total = sum(p for p, _, _ in found)
            raise InputError(f"{place}: expected probabilities >= 0 that add up to 1, got the sum {total}")
        return [row for row in found if row[0]]

    def moves(self, offline: State, request: Request) -> dict[State, Fraction]:
        """Return the offline side's next states, each with its best cost or gain."""
        given = self._ask("moves", offline, request)
        place = f"{self.name}.moves({short(offline)}, {short(request)})"
        pairs = given.items() if isinstance(given, Mapping) else given
        best = max if self.gains else min
        found: dict[State, Fraction] = {}
        for after, cost in self._rows(pairs, 2, place, "a list of (next state, cost)"):
            amount = self._amount(cost, place)
            found[after] = best(found.get(after, amount), amount)
        return found

    def first(self, name: str) -> State:
        """Return the first state of the algorithm or of the offline side, by method."""
        found = self._ask(name)
        text_of(found)
        return found

    def _ask(self, name: str, *given: Any) -> Any:
        try:
            found = getattr(self.system, name)(*given)
            return list(found) if isinstance(found, Iterator) else found
        except SchedproofError:
            raise
        except Exception as error:  # any exception of the user's method
            raise InputError(f"{self.name}.{name}({', '.join(map(short, given))}): {describe(error)}") from error

    def _rows(self, given: Any, width: int, place: str, expected: str) -> list[Any]:
        rows = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else None
        if rows is None or not all(isinstance(row, tuple) and len(row) == width for row in rows):
            raise InputError(f"{place} returned {short(given)}: expected {expected}")
        for row in rows:
            text_of(row[-2])  # the next state
        return rows

    def _amount(self, given: Any, place: str) -> Fraction:
        if not isinstance(given, Rational) or (given < 0):
            raise InputError(f"{place}: expected an exact number >= 0 (an integer or a Fraction), got {short(given)}")
        return Fraction(given)


def text_of(value: Any) -> str:
    """Return a state or request as text, the same in every process.

    Raises
    ------
    InputError
        If it has other parts than numbers, texts, tuples and frozensets.
    """
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(text_of, value)))}}}"
    if isinstance(value, tuple):
        return f"({', '.join(map(text_of, value))})"
    if value is None or isinstance(value, str | bool | int):
        return repr(value)
    if isinstance(value, Fraction):
        return str(value)
    raise InputError(f"{short(value)}: expected a state of numbers, texts, tuples and frozensets")
