"""Check a finite system's ratio: ``python -I system.py FILE.py:NAME CERTIFICATE``.

FILE.py defines the system: a class with the methods ``start``, ``offline``, ``requests``, ``answer`` and ``moves``. It
is executed, so read it first: it is the statement's definition. Only the standard library is used here, in one file.

The game: requests come one by one. The algorithm answers each from its state, perhaps at random. The offline side
chooses its moves with all requests known. A belief is the distribution of the algorithm's state; the adversary does not
see the state itself. The checker lists all reachable pairs of a belief and an offline state from the source.

Upper bound: each pair has a number. Let p/q be the ratio. For each step with the algorithm's cost a and the offline
cost o, q a - p o plus the number before is at most the number after. With finitely many numbers, the cost of every
sequence is at most p/q times the offline cost plus a constant. If no constant is allowed, the start has the number 0
and no number is above 0. For gains, a and o change places.

Lower bound: a way leads to a pair and a cycle returns to it; enough rounds of the cycle reach every ratio below the
cycle's. If no constant is allowed, one sequence from the start may have the ratio.
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
    need(isinstance(found, dict) and found.keys() == {*FIELDS.split()}, f"{path}: expected the fields: {FIELDS}")
    need(found["version"] == 1, f"{path}: expected version 1")
    return found


def text_of(value: Any) -> str:
    """Return a state or request as text; different values or types have different texts."""
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


def amount(value: Any) -> Fraction:
    need(isinstance(value, int | Fraction) and value >= 0, f"expected an exact number >= 0, found {value!a:.40}")
    return Fraction(int(value.numerator), int(value.denominator))


def load(path: Path, name: str, source: bytes, options: dict[str, Any]) -> Any:
    spec = importlib.util.spec_from_loader("system_to_check", loader=None)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__file__ = str(path)
    sys.modules[spec.name] = module  # for dataclasses, which look their module up
    exec(compile(source, str(path), "exec"), module.__dict__)
    need(hasattr(module, name), f"{path} has no {name}")
    found = getattr(module, name)
    given = {key: int(value) if re.fullmatch("-?[0-9]+", value) else value for key, value in options.items()}
    given = {k: Fraction(v) if isinstance(v, str) and re.fullmatch(RATIONAL, v) else v for k, v in given.items()}
    return found(**given) if callable(found) else found


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


def check(system: str, certificate: str, *, most_steps: int = MOST_STEPS) -> dict[str, Any]:
    """Return what the certificate proves about the system ``FILE.py:NAME``.

    Raises
    ------
    Refused
        If it proves nothing.
    """
    file, _, name = system.rpartition(":")
    need(file.endswith(".py") and name.isidentifier(), f"expected FILE.py:NAME, not {system:.80}")
    given, source = read(certificate), content(file, MOST_SOURCE)
    need(hashlib.sha256(source).hexdigest() == given["source"], f"the certificate is for another text of {file}")
    options = given["options"]
    need(isinstance(options, dict) and all(isinstance(v, str) for v in options.values()), "options: expected texts")
    try:
        made = load(Path(file), name, source, options)
        need(given["system"] in (name, type(made).__name__), "the certificate is for another system")
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
    except Refused:
        raise
    except (Exception, SystemExit) as error:  # any exception: both files are the user's
        raise Refused(f"{type(error).__name__}: {error}"[:200]) from None
    words = f" ({', '.join(f'{key}={value}' for key, value in options.items())})" if options else ""
    what = f"the competitive ratio of {given['system']}{words}"
    most = given["at_most"]
    value = "infinite" if least == inf else str(least) if most == str(least) else f"at least {least}"
    value = value if most in (None, str(least)) else f"{value} and at most {most}"
    constant = "up to" if walker.constant else "without"
    statement = f"{what} is {value}, {constant} an additive constant"
    side = {"at_least": given["at_least"], "at_most": most}
    return {"statement": statement, "source": given["source"], **side, "states": pairs}


def lines(result: dict[str, Any]) -> list[str]:
    """Return the result as text."""
    return [f"proven: {result['statement']}", f"source {result['source'][:16]}, {result['states']} states"]


if __name__ == "__main__":
    try:
        asked = re.fullmatch("--steps=([0-9]{1,18})", sys.argv[-1])
        files = sys.argv[1 : -1 if asked else None]
        need(len(files) == 2, "usage: python -I system.py FILE.py:NAME CERTIFICATE [--steps=N]")
        print(*lines(check(*files, most_steps=int(asked[1]) if asked else MOST_STEPS)), sep="\n")
    except Refused as refused:
        raise SystemExit(f"NOT proven: {refused}") from None
