"""Mutated cases: JSON of stored and random ones with a few changes."""

from __future__ import annotations

import copy
import gc
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from types import FrameType
from typing import Any

from schedproof.core.base.untyped import Json
from schedproof.core.claims import cases
from schedproof.core.claims.claim import Claim, Finding
from schedproof.core.claims.claims import Filed
from schedproof.core.errors import SchedproofError
from schedproof.core.runtime.deadline import importing
from schedproof.proofs_checks.trials import draw
from tests.support import size

Place = tuple[Any, ...]
NUMBERS = ("0/1", "1/1", "-1/1", "1/2", "2/1", "3/1", "10/1", "1/100", "100/1", "3/2", "7/3", "1000000/1")
DRAWN, SECONDS = size(2, 2, 6), 2.0


class TooLong(BaseException):
    """An end of a mutant's judgement; checks for Exception do not catch it."""


def places(value: Json, place: Place = ()) -> Iterator[Place]:
    """The paths of numbers, booleans and lists in a JSON value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*place, key)) if key != "version" else ()
    elif isinstance(value, list):
        yield from [place] if value else []
        for n, inner in enumerate(value):
            yield from places(inner, (*place, n))
    elif isinstance(value, int | float | Decimal) or (
        isinstance(value, str) and value.strip("-").replace("/", "").isdigit()
    ):
        yield place


def changed(value: Json, rng: random.Random) -> Json:
    """Change a number, or remove, double or swap items of a list."""
    if isinstance(value, list):
        result = copy.deepcopy(value)
        n, way = rng.randrange(len(result)), rng.randrange(3)
        if way == 0:
            del result[n]
        elif way == 1:
            twin = copy.deepcopy(result[n])
            if isinstance(twin, dict) and isinstance(twin.get("name"), str):
                twin["name"] += str(rng.randrange(99))
            result.insert(rng.randrange(len(result) + 1), twin)
        else:
            other = rng.randrange(len(result))
            result[n], result[other] = result[other], result[n]
        return result
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        twice, half = Fraction(value) * 2, Fraction(value) / 2
        return rng.choice([*NUMBERS, *(f"{x.numerator}/{x.denominator}" for x in (twice, half, -half))])
    if isinstance(value, int):
        return rng.choice([0, 1, -1, 2, 3, 5, 50, value + 1, value - 1, 2 * value, 10 * value, -value, value // 2])
    return rng.choice([0, 1, value * 2, value / 2, value + 1, -value])


def mutant(row: Json, rng: random.Random) -> Json:
    """A case's JSON with one to three places changed."""
    row = copy.deepcopy(row)
    for _ in range(rng.choice((1, 1, 2, 3))):
        where = rng.choice(list(places(row)) or [()])
        if not where:
            return row
        holder = row
        for key in where[:-1]:
            holder = holder[key]
        holder[where[-1]] = changed(holder[where[-1]], rng)
    return row


def origins(filed: Filed, seed: int) -> list[Json]:
    """The sources of mutants: stored cases, witnesses, and a few random cases."""
    result = [cases.to_json(case) for case in filed.cases()]
    claim = filed.claim
    printed = claim.repairs or claim
    result += [cases.to_json(w.case) for w in filed.witnesses()] if printed is claim else []
    draw(claim.domain.strategy, DRAWN, seed, lambda case: result.append(cases.to_json(case)))
    return result


def mutants(filed: Filed, count: int, seed: int) -> Iterator[Json]:
    """Return this many mutants of a claim, determined by the seed."""
    rng = random.Random(f"{filed.claim.id} {seed}")
    rows = origins(filed, seed)
    for _ in range(count):
        yield mutant(rng.choice(rows), rng)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        if not importing(frame):
            raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    gc.disable()  # what is raised within a callback of the collector would be a warning
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()


def judged(claim: Claim[Any], row: Json) -> str | list[str]:
    """Return why a case is rejected, or the violated readings that should hold."""
    try:
        case = cases.from_json(row, claim.domain.case)
        claim.require(case)
        answers = {reading.name: claim.ask(reading, case) for reading in claim.readings if not reading.missing}
        saved = claim.assumption is not None and not claim.assumption.met(case)
    except SchedproofError as error:
        return str(error)
    return [name for name, answer in answers.items() if isinstance(answer, Finding) and answer.violated and not saved]
