"""Cases that no strategy draws: the JSON of stored and drawn ones with a few places changed, and what claims say."""

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

Place = tuple[Any, ...]
NUMBERS = ("0/1", "1/1", "-1/1", "1/2", "2/1", "3/1", "10/1", "1/100", "100/1", "3/2", "7/3", "1000000/1")
DRAWN, SECONDS = 6, 2.0


class TooLong(BaseException):
    """Ends the judgement of a mutant; not an Exception, so that no check takes it for its own."""


def places(value: Json, place: Place = ()) -> Iterator[Place]:
    """Every number, boolean and list in a JSON value."""
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
    """Another value for a place: a number of a few, a list with an item less, twice, or two of them exchanged."""
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
    """What mutants are made of: the stored cases, the witnesses, and a few drawn ones."""
    result = [cases.to_json(case) for case in filed.cases()]
    claim = filed.claim
    printed = claim.repairs or claim
    result += [cases.to_json(w.case) for w in filed.witnesses()] if printed is claim else []
    draw(claim.domain.strategy, DRAWN, seed, lambda case: result.append(cases.to_json(case)))
    return result


def mutants(filed: Filed, count: int, seed: int) -> Iterator[Json]:
    """So many of a claim, the same for the same seed."""
    rng = random.Random(f"{filed.claim.id} {seed}")
    rows = origins(filed, seed)
    for _ in range(count):
        yield mutant(rng.choice(rows), rng)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Stop what is within by `TooLong` after so many seconds, again and again where the first one is swallowed."""

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
    """Why a case is refused, or the readings that it contradicts although they hold."""
    try:
        case = cases.from_json(row, claim.domain.case)
        claim.require(case)
        answers = {reading.name: claim.ask(reading, case) for reading in claim.readings if not reading.missing}
        saved = claim.assumption is not None and not claim.assumption.met(case)
    except SchedproofError as error:
        return str(error)
    return [name for name, answer in answers.items() if isinstance(answer, Finding) and answer.violated and not saved]
