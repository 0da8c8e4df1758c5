"""The tightest cases of a ratio claim, by the search for worst instances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from time import monotonic
from typing import Any

from schedproof.adversary.doubt import REFUTED, Doubt, distance, pieces, usual_preset, ways
from schedproof.adversary.search import State
from schedproof.core.claims.claim import Claim, Finding
from schedproof.core.errors import SchedproofError
from schedproof.core.runtime.context import Context
from schedproof.proofs_checks.result import Result
from schedproof.proofs_checks.trials import OutOfTime

CASES = 5000  # most cases of a search
AT_ONCE = 1.0  # seconds of a chain between two looks at the clock


def tighten(first: Result, seconds: float, context: Context) -> Result:
    """Add each reading's tightest case, and any counterexamples, to a result."""
    claim, end = first.claim, monotonic() + seconds
    worst, found = dict(first.tally.worst), dict(first.found)

    def look_up() -> None:
        if monotonic() > end or context.over:
            raise OutOfTime

    def measure(claim: Claim[Any], case: Any) -> Fraction:
        look_up()
        answers = {reading.name: claim.ask(reading, case) for reading in claim.readings if not reading.missing}
        findings = {name: answer for name, answer in answers.items() if isinstance(answer, Finding)}
        for name, finding in findings.items():
            if finding.violated:
                found.setdefault(name, case)
            elif name not in first.tally.violated and (name not in worst or finding.tightness > worst[name].tightness):
                worst[name] = finding
                context.progress(f"{claim.id} [{name}]: {finding}")
        if not findings:
            raise SchedproofError("no policy or bound can be compared on this instance")
        return max(map(distance, findings.values()))

    _search(Doubt(claim, measure=measure, enough=REFUTED), context.seed, look_up)
    return replace(first, tally=replace(first.tally, worst=worst), found=found)


def _search(goal: Doubt, seed: int, look_up: Callable[[], None]) -> None:
    try:
        for piece in pieces(goal, ways(goal.claim), usual_preset(goal.claim), CASES, seed, look_up):
            state = State()
            while not state.done:
                state = piece.advance(state, AT_ONCE)
    except OutOfTime:
        pass
