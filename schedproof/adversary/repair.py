"""Repair by search: the worst along a parameter, the expressions above it, and how each of them fares under attack.

The worst factor by which a claim is missed is searched for at each value of a parameter; `envelope` gives the simplest
expressions above; each becomes a claim of its own, and is attacked like any other. A case that contradicts it is one
more point of the curve, and all is done again. What is left is a candidate: nobody has proved it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from schedproof.adversary.doubt import WAYS, Doubt, pieces, usual_preset, ways
from schedproof.adversary.envelope import USUAL, Candidate, Curve, Term, above, keep, point
from schedproof.adversary.refutation import Refutation
from schedproof.adversary.refute import refute
from schedproof.adversary.search import State
from schedproof.core.base.numbers import plural
from schedproof.core.claims.claim import Answer, Claim, Finding, Outside, Premise, Reading
from schedproof.core.errors import SchedproofError

ROUNDS = 30  # of attacks that contradict a candidate
Parameter = Callable[[Any], Fraction | int]


class Attempt(NamedTuple):
    """An expression that was nowhere below the curve, and how it has fared.

    Attributes
    ----------
    refutation
        The attack on the claim with the candidate as a factor of its right-hand side.
    """

    candidate: Candidate
    refutation: Refutation

    @property
    def stands(self) -> bool:
        """Whether no case contradicted it: that is no proof."""
        return self.refutation.written is None


class Repair(NamedTuple):
    """The results along a parameter.

    Attributes
    ----------
    curve
        The worst factor that was found at each value.
    attempts
        In the order of the attacks.
    candidates
        Those that are above all that is known by now, the simplest first; each is nearer to the curve than all before.
    """

    curve: Curve
    attempts: tuple[Attempt, ...]
    candidates: tuple[Candidate, ...]

    def lines(self) -> Iterator[str]:
        """For a person: the curve, how each expression fared, and what is left."""
        yield "worst factor found: " + ", ".join(f"{float(value):.4g} at {x}" for x, value in self.curve)
        for one in self.attempts:
            cases = plural(sum(one.refutation.looked_at.values()), "case")
            fared = f"not contradicted by {cases}" if one.stands else f"contradicted by the last of {cases}"
            yield f"{one.candidate}: {fared}"
        rest = [f"{one} ({one.excess:.1%} above the curve at most)" for one in self.candidates]
        yield f"candidates, which nobody has proved: {'; '.join(rest) or 'none'}"


def repair(
    claim: Claim[Any],
    parameter: Parameter,
    values: Iterable[Fraction | int],
    *,
    reading: str,
    cases: int = 2000,
    by: Sequence[str] = WAYS,
    preset: str | None = None,
    terms: Sequence[Term] = USUAL,
    seed: int = 0,
) -> Repair:
    """Search the worst factor by which a claim is missed along a parameter, and attack the expressions above it.

    Parameters
    ----------
    parameter
        Of a case.
    values
        At each of which the worst is searched for.
    reading
        Of the claim; an inequality of positive numbers.
    cases
        How many are looked at for each value, and by each attack.
    by, preset
        As for `schedproof.refute`.
    """
    known: dict[Fraction, Fraction] = {}
    one, aims = replace(claim, readings=[claim.read_as(reading)]), [Fraction(value) for value in values]
    for number, value in enumerate(aims):
        _search(one, parameter, value, cases, by, preset, seed + number, known)
    attempts: list[Attempt] = []
    while True:
        curve = [(x, known[x]) for x in aims if x in known]
        rest = [result for result in above(curve, terms) if all(result.above(x, value) for x, value in known.items())]
        tried = {str(attempt.candidate) for attempt in attempts}
        new = next((candidate for candidate in rest if str(candidate) not in tried), None)
        if new is None or sum(not attempt.stands for attempt in attempts) == ROUNDS:
            return Repair(curve, tuple(attempts), tuple(rest))
        result = refute(with_factor(one, new, parameter), cases=cases, by=by, preset=preset, seed=seed + 1)
        attempts.append(Attempt(new, result))
        if result.case is not None:
            keep(known, point(one.readings[0].check, result.case, parameter))


def with_factor(claim: Claim[Any], candidate: Candidate, parameter: Parameter) -> Claim[Any]:
    """The claim that the factor by which another one is missed is at most an expression in a parameter."""

    def with_limit(reading: Reading[Any]) -> Reading[Any]:
        positive: Premise[Any] = Premise(
            "T and the factor are positive", lambda case: point(reading.check, case, parameter) is not None
        )

        def check(case: Any) -> Answer:
            result = point(reading.check, case, parameter)
            if result is None:
                return Outside(positive)
            x, factor = result
            return Finding(factor, candidate.upper(x), "at most", f"the factor, and {candidate} at T = {x}")

        sentence = f"{reading.sentence} The factor is at most {candidate}."
        return Reading(reading.name, sentence, check, where=(*reading.where, positive))

    words = f"{claim.statement} With {candidate} times as much it is true."
    readings = [with_limit(reading) for reading in claim.readings]
    return replace(claim, id=f"{claim.id}_candidate", statement=words, readings=readings, assumption=None)


def _search(
    claim: Claim[Any],
    parameter: Parameter,
    value: Fraction,
    cases: int,
    by: Sequence[str],
    preset: str | None,
    seed: int,
    known: dict[Fraction, Fraction],
) -> None:
    """Look for the worst at one value; what is found at others on the way is kept as well."""

    def measure(claim: Claim[Any], case: Any) -> Fraction:
        result = point(claim.readings[0].check, case, parameter)
        keep(known, result)
        if result is None or result[0] != value:
            raise SchedproofError("another value of the parameter, or no factor")
        return result[1]

    used = [way for way in ways(claim) if way in by]
    goal = Doubt(claim, measure=measure, enough=inf)
    for piece in pieces(goal, used, usual_preset(claim, preset), cases, seed, lambda: None):
        state = State()
        while not state.done:
            state = piece.advance(state, inf)
