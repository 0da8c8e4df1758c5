"""Attacks on claims: a search for a case that contradicts a statement, from presets or from what its domain draws.

An attack knows neither the stored witnesses nor the stored cases of a claim. From presets it moves from instance to
instance, whatever else a case has taken from the domain's draws; there the case that misses a statement by least is
the next to be changed. From the domain it looks at what Hypothesis draws, which it steers the same way.
"""

from __future__ import annotations

import random
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from functools import cached_property
from time import process_time
from typing import Any, NamedTuple

from hypothesis import Phase, find, settings, target
from hypothesis.errors import NoSuchExample, Unsatisfiable

from schedproof.adversary.documents import read
from schedproof.adversary.objective import Score
from schedproof.adversary.search import Chain, State
from schedproof.adversary.shrink import Shrinking
from schedproof.adversary.space import of_preset
from schedproof.core import cases, claims, registry
from schedproof.core.claim import Claim, Finding
from schedproof.core.errors import SchedproofError, told
from schedproof.instances import from_json
from schedproof.proofs_checks.trials import QUIET, OutOfTime, draw, nothing_kept

REFUTED = Fraction(1)  # the score that a case has exactly where it contradicts its claim, or more
STEPS, FOLLOWED = 300, 6  # of a chain; different values of what a case has beside its instance
TO_SHRINK = 400  # smaller cases that are looked at


class Doubted(NamedTuple):
    """How near a case comes to contradicting a claim; `REFUTED` or more where it does."""

    score: Score


def doubt(claim: Claim[Any], case: Any) -> Fraction:
    """How near a case comes to contradicting a claim: minus the relative distance, or 1 and by how much it does so.

    Raises
    ------
    SchedproofError
        Where nothing is compared.
    """
    try:
        answers = [reading.check(case) for reading in claim.readings if not reading.missing]
    except SchedproofError:
        raise
    except Exception as error:
        raise SchedproofError(f"{claim.id}: a check stopped with {told(error)}") from error
    found = [answer for answer in answers if isinstance(answer, Finding)]
    if not found:
        raise SchedproofError(f"{claim.id} does not speak about the case")
    return max(_distance(finding) for finding in found)


def _distance(finding: Finding) -> Fraction:
    whole = abs(Fraction(finding.measured)) + abs(Fraction(finding.claimed))
    part = Fraction(finding.excess) / whole if whole else Fraction(0)
    return REFUTED + part if finding.violated else part


@dataclass(frozen=True)
class Doubt:
    """The goal of a search for an instance that contradicts a claim.

    Attributes
    ----------
    id
        Of the claim.
    rest
        What its cases have beside the instance, by name.
    """

    id: str
    rest: tuple[tuple[str, Any], ...] = ()

    @cached_property
    def claim(self) -> Claim[Any]:
        """The claim."""
        return claims.claim(self.id)

    @property
    def enough(self) -> Score:
        """One contradiction will do."""
        return REFUTED

    def case(self, instance: Any) -> Any:
        """The case with that instance."""
        return self.claim.domain.case(instance=instance, **dict(self.rest))

    def judge(self, instance: Any) -> Doubted:
        """How near an instance comes."""
        return Doubted(doubt(self.claim, self.case(instance)))


class Attack(NamedTuple):
    """What an attack has found.

    Attributes
    ----------
    way
        ``presets``, or ``domain``.
    case
        One that contradicts the claim; None where none was found.
    seconds
        Of the processor, until the first such case.
    looked_at
        Cases until then.
    """

    way: str
    case: Any
    seconds: float
    looked_at: int


def from_presets(claim: Claim[Any], seconds: float, seed: int = 0, preset: str = "tiny") -> Attack | None:
    """Attack a claim by moves from instance to instance, from a preset's draws; None where its cases are no instances.

    Parameters
    ----------
    seconds
        Of the processor, at most, until the first case.
    """
    kind, began, looked_at = claim.domain.case, process_time(), 0
    needed = [one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING]
    if needed != ["instance"] or claim.family not in registry.entries("generator"):
        return None
    space = of_preset(claim.family, preset, {}, seed)
    goals = [Doubt(claim.id, rest) for rest in _rests(claim, seed)]
    for number in range(10**6):
        goal = goals[number % len(goals)]
        chain = Chain(space, goal, seed, number, number + 1, STEPS)
        state = State()
        while not state.done and process_time() - began < seconds:
            state = chain.advance(state, 0.5)
        looked_at += state.steps
        if state.score is not None and state.score >= REFUTED:
            spent = process_time() - began
            shrunk = Shrinking(goal, read(str(state.best)), REFUTED, Fraction(1), TO_SHRINK)
            least = shrunk.advance(State(), 1e9).best
            return Attack("presets", goal.case(from_json(read(str(least)))), spent, looked_at)
        if process_time() - began >= seconds:
            break
    return Attack("presets", None, process_time() - began, looked_at)


def _rests(claim: Claim[Any], seed: int) -> list[tuple[tuple[str, Any], ...]]:
    """The numbers that cases have beside their instances, as the domain draws them; at first none but the usual."""
    names = [one.name for one in fields(claim.domain.case) if one.name != "instance"]
    found: dict[tuple[tuple[str, Any], ...], None] = {(): None}

    def visit(case: Any) -> None:
        numbers = [(name, getattr(case, name)) for name in names if isinstance(getattr(case, name), int | Fraction)]
        found.setdefault(tuple(numbers))

    if names:
        draw(claim.domain.strategy, 30, seed, visit)
    return list(found)[:FOLLOWED]


def from_domain(claim: Claim[Any], seconds: float, seed: int = 0) -> Attack:
    """Attack a claim by what its domain draws, steered to where the statement is missed by least; then shrink that."""
    began, looked_at, first = process_time(), 0, float("inf")
    found: list[Any] = []

    def look(case: Any) -> bool:
        nonlocal looked_at, first
        if process_time() - began > (seconds if not found else first + seconds):
            raise OutOfTime
        looked_at += not found
        try:
            score = doubt(claim, case)
        except SchedproofError:
            return False
        if score < REFUTED:
            target(float(score))
            return False
        first = min(first, process_time() - began)
        if not found or cases.size(case) <= cases.size(found[-1]):
            found.append(case)
        return True

    rule = settings(max_examples=500, phases=[Phase.generate, Phase.target, Phase.shrink], **QUIET)
    try:
        for number in range(10**6):
            try:
                with nothing_kept():
                    find(claim.domain.strategy, look, settings=rule, random=random.Random(10**6 * seed + number))
            except (NoSuchExample, Unsatisfiable):
                continue
            break
    except OutOfTime:
        pass
    return Attack("domain", found[-1] if found else None, min(first, process_time() - began), looked_at)
