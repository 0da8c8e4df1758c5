"""Check a finite system's ratio or a game's value.

Usage: ``python -I system.py FILE.py:NAME CERTIFICATE``.

FILE.py defines the system: a class with the methods ``start``, ``offline``, ``requests``, ``answer`` and ``moves``. It
is executed, so read it and the files beside it that it imports first: they are the statement's definition. The
certificate's hash covers FILE.py only. Only the standard library is used here, in one file.

The game: requests come one by one. The algorithm answers each from its state, perhaps at random. The offline side
chooses its moves with all requests known. A belief is the distribution of the algorithm's state; the adversary does not
see the state itself. The checker lists all reachable pairs of a belief and an offline state from the source.

Upper bound: each pair has a number. Let p/q be the ratio. For each step with the algorithm's cost a and the offline
cost o, q a - p o plus the number before is at most the number after. With finitely many numbers, the cost of every
sequence is at most p/q times the offline cost plus a constant. If no constant is allowed, the start has the number 0
and no number is above 0. For gains, a and o change places.

Lower bound: a way leads to a pair and a cycle returns to it; enough rounds of the cycle reach every ratio below the
cycle's. If no constant is allowed, one sequence from the start may have the ratio.

The best randomised algorithm of a game: a class with the methods ``start``, ``moves``, ``answers`` and ``payoff``. The
adversary chooses a sequence of moves in advance. The certificate has the probabilities of the answers, whose worst
expected payoff is computed over all sequences, and a distribution of sequences, against which the best answers'
expected payoff is computed backwards. The moves may not depend on the algorithm's state.
"""

import hashlib
import importlib.util
import json
import re
import sys
from collections.abc import Mapping
from fractions import Fraction
from inspect import signature
from itertools import islice
from math import inf
from pathlib import Path
from stat import S_ISREG
from typing import Any

MOST_BYTES, MOST_SOURCE = 1 << 28, 1 << 20
MOST_STEPS = 10**7
RATIONAL = "-?[0-9]{1,4000}(/[1-9][0-9]{0,3999})?"
FIELDS = "version system options source at_least at_most unit beliefs others potential way closed walk"
GAME_FIELDS = "version game options source at_least at_most algorithm distribution"
Belief = tuple[tuple[str, Fraction], ...]


class Refused(Exception):
    """A reason, in one sentence, why the certificate proves nothing."""


def need(holds: object, sentence: str) -> None:
    if not holds:
        raise Refused(sentence)


def rational(text: Any) -> Fraction:
    fine = isinstance(text, str) and re.fullmatch(RATIONAL, text)
    need(fine, f"expected a rational like 7/3, found {text!a:.40}")
    return Fraction(text)


def content(path: str | Path, most: int) -> bytes:
    try:
        need(S_ISREG(Path(path).stat().st_mode), f"{path}: expected a regular file")
        with Path(path).open("rb") as stream:
            found = b"".join(islice(iter(lambda: stream.read(1 << 20), b""), (most >> 20) + 1))
    except (OSError, ValueError) as error:
        raise Refused(f"{path}: cannot be read: {error}") from None
    need(len(found) <= most, f"{path}: the file has more than {most} bytes")
    return found


def read(path: str) -> dict[str, Any]:
    def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "a key occurs twice in one object")
        return dict(pairs)

    try:
        found = json.loads(content(path, MOST_BYTES).decode("utf-8-sig"), object_pairs_hook=unique_keys)
    except (ValueError, RecursionError, MemoryError) as error:
        raise Refused(f"{path}: cannot be read: {error}") from None
    fields = GAME_FIELDS if isinstance(found, dict) and "game" in found else FIELDS
    need(isinstance(found, dict) and found.keys() == {*fields.split()}, f"{path}: expected the fields: {fields}")
    need(found["version"] == 1, f"{path}: expected version 1")
    return found


def text_of(value: Any) -> str:
    """Return a state or request as text, different for values and types."""
    kind = type(value)
    if kind is frozenset:
        return "{" + ", ".join(sorted(text_of(each) for each in value)) + "}"
    if isinstance(value, tuple):
        plain = kind is tuple or (hasattr(value, "_fields") and not hasattr(value, "__dict__"))
        need(plain, f"a state has a part of type {kind.__name__}")
        return ("" if kind is tuple else kind.__qualname__) + "(" + ", ".join(text_of(each) for each in value) + ")"
    if kind is Fraction:
        return f"{value.numerator}/{value.denominator}"
    need(value is None or kind in (str, bool, int), f"a state has a part of type {kind.__name__}")
    return repr(value)


def exact(value: Any) -> Fraction:
    need(isinstance(value, int | Fraction), f"expected an exact number, found {value!a:.40}")
    return Fraction(int(value.numerator), int(value.denominator))


def amount(value: Any) -> Fraction:
    found = exact(value)
    need(found >= 0, f"expected a number >= 0, found {value!a:.40}")
    return found


def load(path: Path, name: str, source: bytes, options: dict[str, Any]) -> Any:
    spec = importlib.util.spec_from_loader("system_to_check", loader=None)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__file__ = str(path)
    sys.modules[spec.name] = module  # for dataclasses, which look their module up
    sys.path.append(str(path.resolve().parent))  # for the files beside it
    exec(compile(source, str(path), "exec"), module.__dict__)
    need(hasattr(module, name), f"{path} has no {name}")
    found = getattr(module, name)
    return found(**{key: option(text) for key, text in options.items()}) if callable(found) else found


def option(text: str) -> bool | int | Fraction | str:
    if text in ("True", "False"):
        return text == "True"
    if re.fullmatch("-?[0-9]+", text):
        return int(text)
    return Fraction(text) if re.fullmatch(RATIONAL, text) else text


class Walker:
    """The steps of a system, listed from its source."""

    def __init__(self, system: Any, most: int) -> None:
        self.system, self.left = system, most
        self.gains = bool(getattr(system, "gains", False))
        self.constant = bool(getattr(system, "constant", True))
        self.values: dict[str, Any] = {}  # the algorithm's states and offline states by their texts
        self.known: dict[tuple[Belief, str], tuple[Belief, Fraction]] = {}
        belief: Belief = ((self.named(system.start()), Fraction(1)),)
        self.start = belief, self.named(system.offline())

    def named(self, value: Any) -> str:
        text = text_of(value)
        self.values.setdefault(text, value)
        return text

    def take(self, count: int = 1) -> None:
        self.left -= count
        need(self.left >= 0, "the check takes more steps than allowed; allow more with --steps=N")

    def requests(self, belief: Belief, place: str) -> dict[str, Any]:
        adaptive = len(signature(self.system.requests).parameters) > 1
        need(not adaptive or len(belief) == 1, "the requests depend on the state of a randomised algorithm")
        seen = [self.values[place]] + ([self.values[belief[0][0]]] if adaptive else [])
        found = {}
        for request in self.system.requests(*seen):
            self.take()
            found[text_of(request)] = request
        return found

    def answer(self, belief: Belief, name: str, request: Any) -> tuple[Belief, Fraction]:
        if (belief, name) not in self.known:
            after, cost = dict[str, Fraction](), Fraction(0)
            for text, weight in belief:
                given = self.system.answer(self.values[text], request)
                single = isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], int | Fraction)
                rows = [(1, *given)] if single else list(islice(given, self.left + 1))
                total = sum(amount(row[0]) for row in rows)
                need(total == 1, f"the probabilities of answer({text:.60}, ...) add up to {total}")
                for p, then, paid in rows:
                    if p:
                        self.take()
                        state = self.named(then)
                        after[state] = after.get(state, Fraction(0)) + weight * amount(p)
                        cost += weight * amount(p) * amount(paid)
            self.known[belief, name] = tuple(sorted(after.items())), cost
        return self.known[belief, name]

    def moves(self, place: str, request: Any) -> dict[str, Fraction]:
        given = self.system.moves(self.values[place], request)
        found: dict[str, Fraction] = {}
        for then, paid in given.items() if isinstance(given, Mapping) else given:
            self.take()
            text, cost = self.named(then), amount(paid)
            found[text] = (max if self.gains else min)(found.get(text, cost), cost)
        return found

    def weigh(self, own: Fraction, other: Fraction) -> tuple[Fraction, Fraction]:
        return (other, own) if self.gains else (own, other)

    def follow(self, pair: tuple[Belief, str], steps: Any) -> tuple[tuple[Belief, str], Fraction, Fraction]:
        a, o = Fraction(0), Fraction(0)
        need(isinstance(steps, list), "expected a list of steps")
        for row in steps:
            need(isinstance(row, list) and len(row) == 2, "expected steps of a request and an offline state")
            name, place = row
            requests = self.requests(*pair)
            need(name in requests, f"the request {name!a:.60} cannot come there")
            then, own = self.answer(pair[0], name, requests[name])
            moves = self.moves(pair[1], requests[name])
            need(place in moves, f"the offline side has no move to {place!a:.60}")
            more = self.weigh(own, moves[place])
            a, o, pair = a + more[0], o + more[1], (then, place)
        return pair, a, o


def upper(walker: Walker, given: dict[str, Any], ratio: Fraction) -> int:
    """Check the potential on every reachable step; return the number of pairs."""
    unit = given["unit"]
    need(type(unit) is int and unit > 0, "unit: expected a whole number > 0")
    beliefs: list[Belief] = [
        tuple(sorted((text, rational(weight)) for text, weight in belief)) for belief in given["beliefs"]
    ]
    numbers = {}
    for belief, place, value in given["potential"]:
        whole = all(type(n) is int for n in (belief, place, value))
        need(whole and belief >= 0 <= place, "potential: expected rows of integers")
        numbers[beliefs[belief], given["others"][place]] = value
    need(walker.start in numbers, "the potential of the start is missing")
    if not walker.constant:
        least = numbers[walker.start] == 0 and max(numbers.values()) <= 0
        need(least, "without an additive constant the start's potential is 0, and no potential is larger")
    p, q = ratio.numerator * unit, ratio.denominator * unit
    seen: set[tuple[Belief, str]] = {walker.start}
    todo = [walker.start]
    while todo:
        pair = todo.pop()
        for name, request in walker.requests(*pair).items():
            then, own = walker.answer(pair[0], name, request)
            for place, other in walker.moves(pair[1], request).items():
                after = then, place
                need(after in numbers, f"the potential of a reachable pair is missing, offline state {place:.60}")
                a, o = walker.weigh(own, other)
                need(
                    q * a - p * o + numbers[pair] <= numbers[after],
                    f"the potential fails at request {name:.60} in offline state {pair[1]:.60}",
                )
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
    return len(seen)


class Board:
    """All sequences of a game's moves, an algorithm and a distribution."""

    def __init__(self, game: Any, given: dict[str, Any], most: int) -> None:
        self.game, self.left = game, most
        self.gains = bool(getattr(game, "gains", False))
        self.chances = {
            (tuple(word), state, move): {then: amount(rational(p)) for then, p in after}
            for word, state, move, after in given["algorithm"]
        }
        rows = [(tuple(word), amount(rational(p))) for word, p in given["distribution"]]
        self.weights = dict(rows)
        need(len(rows) == len(self.weights) and sum(self.weights.values()) == 1, "the distribution's sum is not 1")
        self.worst: Fraction | None = None
        start = game.start()
        self.forced = self.visit((), {text_of(start): (start, Fraction(1))})[text_of(start)]
        need(not self.weights, "the distribution has a sequence of moves that cannot come")

    def visit(self, word: tuple[str, ...], states: dict[str, tuple[Any, Fraction]]) -> dict[str, Fraction]:
        """Return each state's best expected payoff; keep the algorithm's worst."""
        self.left -= len(states)
        need(self.left >= 0, "the check takes more steps than allowed; allow more with --steps=N")
        payoffs = {text: self.game.payoff(state) for text, (state, _) in states.items()}
        moves = {text: {text_of(m): m for m in self.game.moves(state)} for text, (state, _) in states.items()}
        first = next(iter(moves.values()))
        alone = all(each.keys() == first.keys() for each in moves.values())
        need(alone and len({each is None for each in payoffs.values()}) == 1, "the moves depend on the state")
        weight, found = self.weights.pop(word, Fraction(0)), dict.fromkeys(states, Fraction(0))
        if None not in payoffs.values():
            expected = sum((p * exact(payoffs[text]) for text, (_, p) in states.items()), Fraction(0))
            worse = min if self.gains else max
            self.worst = expected if self.worst is None else worse(self.worst, expected)
            found = {text: weight * exact(payoffs[text]) for text in states}
        need(not weight or None not in payoffs.values(), "the distribution stops where the adversary may not")
        for move in first:
            then: dict[str, tuple[Any, Fraction]] = {}
            ways = {}
            for text, (state, p) in states.items():
                answers = {
                    text_of(after): after for after in islice(self.game.answers(state, moves[text][move]), 10**6)
                }
                need(answers, "a move has no answer")
                chances = self.chances.get((word, text, move), {})
                fair = chances.keys() <= answers.keys() and sum(chances.values()) == 1
                need(fair or not p, f"the algorithm's answers to {move:.60} have no probabilities that add up to 1")
                ways[text] = [*answers]
                for name, after in answers.items():
                    then[name] = after, then.get(name, (after, Fraction(0)))[1] + p * chances.get(name, Fraction(0))
            values = self.visit((*word, move), then)
            for text, names in ways.items():
                found[text] += (max if self.gains else min)(values[name] for name in names)
        return found


def play(made: Any, given: dict[str, Any], most_steps: int) -> tuple[str, dict[str, Any]]:
    """Return what the certificate proves about a game, and the number of steps."""
    board = Board(made, given, most_steps)
    need(board.worst is not None, "the adversary may never stop")
    assert board.worst is not None
    least, most = sorted((board.worst, board.forced))
    need(rational(given["at_least"]) <= least, f"the value is proven to be at least {least}, not {given['at_least']}")
    need(rational(given["at_most"]) >= most, f"the value is proven to be at most {most}, not {given['at_most']}")
    return "the best expected payoff of a randomised algorithm in", {"steps": most_steps - board.left}


def walk(made: Any, given: dict[str, Any], most_steps: int) -> tuple[str, dict[str, Any]]:
    """Return what the certificate proves about a system, and the number of states."""
    walker = Walker(made, most_steps)
    pairs = 0
    if given["at_most"] is not None:
        pairs = upper(walker, given, rational(given["at_most"]))
    least: Fraction | float = inf if given["at_least"] == "inf" else rational(given["at_least"])
    turn, _, _ = walker.follow(walker.start, given["way"])
    end, a, o = walker.follow(turn, given["walk"])
    if given["closed"]:
        need(end == turn or not given["walk"], "the cycle does not return")
    else:
        need(not walker.constant and not given["way"], "a sequence proves a ratio only without a constant")
    need(least == 0 or (a > 0 if o == 0 else least != inf and a / o >= least), "the walk has a smaller ratio")
    return "the competitive ratio of", {"states": pairs, "constant": walker.constant}


def check(system: str, certificate: str, *, most_steps: int = MOST_STEPS) -> dict[str, Any]:
    """Return what the certificate proves about the system or game ``FILE.py:NAME``.

    Raises
    ------
    Refused
        If it proves nothing.
    """
    file, _, name = system.rpartition(":")
    need(file.endswith(".py") and name.isidentifier(), f"expected FILE.py:NAME, not {system:.80}")
    given, source = read(certificate), content(file, MOST_SOURCE)
    need(hashlib.sha256(source).hexdigest() == given["source"], f"the certificate is for another text of {file}")
    options, kind = given["options"], "game" if "game" in given else "system"
    need(isinstance(options, dict) and all(isinstance(v, str) for v in options.values()), "options: expected texts")
    try:
        made = load(Path(file), name, source, options)
        need(given[kind] in (name, type(made).__name__), f"the certificate is for another {kind}")
        what, facts = (play if kind == "game" else walk)(made, given, most_steps)
    except Refused:
        raise
    except (Exception, SystemExit) as error:  # any exception: both files are the user's
        raise Refused(f"{type(error).__name__}: {error}"[:200]) from None
    words = f" ({', '.join(f'{key}={value}' for key, value in options.items())})" if options else ""
    least, most = given["at_least"], given["at_most"]
    value = "infinite" if least == "inf" else least if most == least else f"at least {least}"
    value = value if most in (None, least) else f"{value} and at most {most}"
    side = {True: ", up to an additive constant", False: ", without an additive constant"}
    statement = f"{what} {given[kind]}{words} is {value}{side.get(facts.pop('constant', None), '')}"
    return {"statement": statement, "source": given["source"], "at_least": least, "at_most": most, **facts}


def lines(result: dict[str, Any]) -> list[str]:
    """Return the result as text."""
    size = f"{result['states']} states" if "states" in result else f"{result['steps']} steps"
    return [f"proven: {result['statement']}", f"source {result['source'][:16]}, {size}"]


if __name__ == "__main__":
    try:
        asked = re.fullmatch("--steps=([0-9]{1,18})", sys.argv[-1])
        files = sys.argv[1 : -1 if asked else None]
        need(len(files) == 2, "usage: python -I system.py FILE.py:NAME CERTIFICATE [--steps=N]")
        print(*lines(check(*files, most_steps=int(asked[1]) if asked else MOST_STEPS)), sep="\n")
    except Refused as refused:
        raise SystemExit(f"NOT proven: {refused}") from None
