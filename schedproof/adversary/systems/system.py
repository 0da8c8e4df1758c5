"""`System`: an online problem with finitely many states, and an algorithm for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from inspect import signature
from itertools import islice
from typing import Any

from schedproof.core.base.numbers import as_fraction
from schedproof.core.errors import InputError, SchedproofError, describe, refuse_misspelt, short

State = Any  # numbers, texts, tuples and frozensets of them
Request = Any
Amount = int | Fraction
Belief = tuple[tuple[State, Fraction], ...]  # the algorithm's states with their probabilities


class System(ABC):
    """A finite online problem and an algorithm; derive a class with these methods.

    Each request is answered by the algorithm, which knows its state and the request, and by the offline side, which
    knows all requests. Costs are exact: integers or fractions. States are numbers, texts, tuples and frozensets.

    Two more methods are optional. ``position(state)`` is the offline state of an algorithm's state: each answer is then
    checked to be one of the offline moves, at no smaller cost. ``potential(state, offline)`` is a potential function,
    which is checked at the exact ratio.

    Attributes
    ----------
    gains
        Whether the algorithm maximises gains. Then the ratio is the offline gain divided by the algorithm's gain.
    constant
        Whether the ratio allows an additive constant: cost <= ratio * optimum + constant for all sequences. If not,
        cost <= ratio * optimum for every sequence from the start.

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

    @abstractmethod
    def start(self) -> State:
        """Return the algorithm's first state."""

    def offline(self) -> State:
        """Return the first state of the offline side; by default the algorithm's."""
        return self.start()

    @abstractmethod
    def requests(self, offline: State) -> Iterable[Request]:
        """Return the requests that may come in a state of the offline side.

        A deterministic algorithm's adversary may also look at the algorithm's state: ``requests(offline, state)``.
        """

    @abstractmethod
    def answer(self, state: State, request: Request) -> tuple[State, Amount] | Iterable[tuple[Amount, State, Amount]]:
        """Return the next state and cost, or (probability, next state, cost) per outcome."""

    @abstractmethod
    def moves(self, offline: State, request: Request) -> Iterable[tuple[State, Amount]] | Mapping[State, Amount]:
        """Return the next states of the offline side, each with its cost."""


MOST_ROWS = 10**6  # requests, answers or moves of one state
MOST_DIGITS = 1000
METHODS = ("start", "offline", "requests", "answer", "moves")


class Asked:
    """The methods of a system, whose answers are checked and written in one form."""

    def __init__(self, system: Any) -> None:
        require_methods(system, "system", METHODS, "schedproof.System")
        self.system = system
        self.name = type(system).__name__
        refuse_misspelt(system, ("position", "potential"), methods=True)
        self.gains, self.constant = settings_of(system, gains=False, constant=True)
        self.adaptive = len(signature(system.requests).parameters) > 1

    def requests(self, belief: Belief, offline: State) -> list[Request]:
        if self.adaptive and len(belief) > 1:
            raise InputError(
                f"{self.name}.requests looks at the algorithm's state, but the algorithm is randomised: an oblivious "
                "adversary does not see the state, so write requests(self, offline)"
            )
        seen = (offline, belief[0][0]) if self.adaptive else (offline,)
        return listed(*ask(self.system, "requests", *seen), "a list of requests")

    def answers(self, state: State, request: Request) -> list[tuple[Fraction, State, Fraction]]:
        given, place = ask(self.system, "answer", state, request)
        if isinstance(given, tuple) and len(given) == 2 and not isinstance(given[1], tuple):
            return [(Fraction(1), given[0], self._amount(given[1], place))]
        rows = self._rows(given, 3, place, "(next state, cost), or a list of (probability, next state, cost)")
        found = [(self._amount(p, place), after, self._amount(cost, place)) for p, after, cost in rows]
        if (total := sum(p for p, _, _ in found)) != 1:
            raise InputError(f"{place}: expected probabilities >= 0 that add up to 1, got the sum {total}")
        return [row for row in found if row[0]]

    def moves(self, offline: State, request: Request) -> list[tuple[State, Fraction]]:
        given, place = ask(self.system, "moves", offline, request)
        pairs = given.items() if isinstance(given, Mapping) else given
        rows = self._rows(pairs, 2, place, "a list of (next state, cost)")
        return [(after, self._amount(cost, place)) for after, cost in rows]

    def require_move(self, state: State, request: Request, then: State, amount: Fraction) -> None:
        """Require that an answer is an offline move, if `position` exists."""
        if not hasattr(self.system, "position"):
            return
        (offline, _), (after, _) = (ask(self.system, "position", each) for each in (state, then))
        amounts = [cost for place, cost in self.moves(offline, request) if place == after]
        best = max if self.gains else min
        if not amounts or best(amount, best(amounts)) != best(amounts):
            listed = f"lists this move with {best(amounts)}" if amounts else "does not list this move"
            raise InputError(
                f"{self.name}.answer({short(state)}, {short(request)}) moves from {short(offline)} to {short(after)} "
                f"with {'gain' if self.gains else 'cost'} {amount}; moves({short(offline)}, {short(request)}) {listed}"
            )

    def first(self, name: str) -> State:
        """Return the first state of the algorithm or of the offline side, by method."""
        return ask(self.system, name)[0]

    def _rows(self, given: Any, width: int, place: str, expected: str) -> list[Any]:
        rows = listed(given, place, expected)
        if not all(isinstance(row, tuple) and len(row) == width for row in rows):
            raise InputError(f"{place} returned {short(given)}: expected {expected}")
        return rows

    def _amount(self, given: Any, place: str) -> Fraction:
        found = exact(given, place)
        if found < 0:
            raise InputError(f"{place}: expected a number >= 0, got {short(given)}")
        return found


def require_methods(given: Any, what: str, names: Iterable[str], help: str) -> None:
    """Raise an `InputError` unless an object has these methods."""
    missing = [name for name in names if not callable(getattr(given, name, None))]
    if missing or isinstance(given, type):
        expected = f"the method {missing[0]}" if missing else f"an object, as in {given.__name__}(...)"
        raise InputError(f"{short(given)} is no {what}: expected {expected}; see help({help})")


def settings_of(given: Any, **usual: bool) -> Iterator[bool]:
    """Yield the values of settings that are True or False, from a user's object.

    Raises
    ------
    InputError
        For another value, or an attribute named almost like one of them.
    """
    refuse_misspelt(given, usual)
    for name, default in usual.items():
        value = getattr(given, name, default)
        if not isinstance(value, bool):
            raise InputError(f"{type(given).__name__}.{name}: expected True or False, got {typed(value)}")
        yield value


def ask(system: Any, name: str, *given: Any) -> tuple[Any, str]:
    """Return a method's answer, and the call as text."""
    place = f"{type(system).__name__}.{name}({', '.join(map(short, given))})"
    try:
        found = getattr(system, name)(*given)
        if isinstance(found, Iterator):
            found = [*islice(found, MOST_ROWS + 1)]
    except SchedproofError:
        raise
    except Exception as error:  # any exception of the user's method
        raise InputError(f"{place}: {describe(error)}") from error
    return found, place


def listed(given: Any, place: str, expected: str) -> list[Any]:
    """Return the parts of a collection.

    Raises
    ------
    InputError
        If it is no collection, or has too many parts.
    """
    if not isinstance(given, Iterable) or isinstance(given, str):
        raise InputError(f"{place} returned {short(given)}: expected {expected}")
    rows = [*islice(given, MOST_ROWS + 1)]
    if len(rows) > MOST_ROWS:
        raise InputError(f"{place} returned more than {MOST_ROWS} entries: expected {expected}")
    return rows


def exact(given: Any, place: str) -> Fraction:
    """Return an exact number as a Fraction of Python integers.

    Raises
    ------
    InputError
        If it is no integer or Fraction, or has too many digits.
    """
    if not isinstance(given, int | Fraction):
        raise InputError(f"{place}: expected an exact number, an integer or a Fraction, got {typed(given)}")
    found = as_fraction(given)
    if too_long(found):
        raise InputError(f"{place}: a number has more than {MOST_DIGITS} digits")
    return found


def typed(given: Any) -> str:
    return f"{short(given)} of type {type(given).__name__}"


def too_long(number: int | Fraction) -> bool:
    return max(int(part).bit_length() for part in (number.numerator, number.denominator)) > MOST_DIGITS * 10 // 3


class Names:
    """Numbers of states or requests, which are equal if their texts are.

    Python's True and 1 are equal, as are two named tuples of different types with equal entries. Here they are
    different.
    """

    def __init__(self, origin: str) -> None:
        self.values: list[Any] = []
        self._numbers: dict[str, int] = {}
        self._origin = origin

    def number(self, value: Any) -> int:
        found = self._numbers.setdefault(text_of(value, self._origin), len(self.values))
        if found == len(self.values):
            self.values.append(value)
        return found


def text_of(value: Any, origin: str = "the system") -> str:
    """Return a state or request as text, the same in every process.

    Different values or types have different texts. An error names the origin.

    Raises
    ------
    InputError
        If the state has too many parts, or other parts than numbers, texts, tuples and frozensets.
    """
    try:
        return _text(value)
    except RecursionError:
        raise InputError("a state is nested too deeply; the system probably has infinitely many states") from None
    except InputError as error:
        raise InputError(f"{origin} returned {short(value)}: {error}") from None


def _text(value: Any) -> str:
    kind = type(value)
    if kind is frozenset:
        return f"{{{', '.join(sorted(map(_text, value)))}}}"
    if kind is tuple or (isinstance(value, tuple) and hasattr(value, "_fields") and not hasattr(value, "__dict__")):
        return f"{'' if kind is tuple else kind.__qualname__}({', '.join(map(_text, value))})"
    if kind in (int, Fraction) and too_long(value):
        raise InputError(f"a state has a number of more than {MOST_DIGITS} digits; keep numbers small")
    if kind is Fraction:
        return f"{value.numerator}/{value.denominator}"
    if kind in (type(None), bool, int, str):
        return repr(value)
    raise InputError(f"expected numbers, texts, tuples and frozensets, got {typed(value)}")
