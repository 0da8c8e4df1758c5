"""Judge one claim: replay its witnesses, run cases, exhaust finite sets.

Stored cases come before seeded ones. A case that violates a premise of the statement is skipped: the case neither
supports nor refutes the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import wraps
from time import perf_counter
from types import MappingProxyType
from typing import Any

from schedproof.core.claims import cases, claims
from schedproof.core.claims.claim import Claim, Exhaustive, Finding, Open, Outside, Premise, Reading, violates
from schedproof.core.claims.verdict import ReadingOutcome, decide, outcome
from schedproof.core.claims.witness import Witness
from schedproof.core.errors import SchedproofError, one_sentence, short
from schedproof.core.runtime.context import USUAL, Context, Progress, silent
from schedproof.proofs_checks.result import Result, Tally
from schedproof.proofs_checks.trials import OutOfTime, draw, profile_size, smallest


def _one_sentence(work: Callable[..., Result]) -> Callable[..., Result]:

    @wraps(work)
    def wrapper(first: Claim[Any] | Result, *given: Any, **more: Any) -> Result:
        claim = first.claim if isinstance(first, Result) else first
        with one_sentence(f"{claim.id}: the claim's strategy or check stopped with"):
            return work(first, *given, **more)

    return wrapper


@_one_sentence
def judge(
    claim: Claim[Any],
    witnesses: Iterable[Witness] = (),
    stored: Iterable[Any] = (),
    seed: int = 0,
    repair_holds: bool = False,
    expected: str | None = None,
    context: Context = USUAL,
) -> Result:
    """Replay, try, and derive the verdict of one claim.

    Parameters
    ----------
    stored
        Cases that are tried before the random draws. Their coverage does not depend on the seed.

    Raises
    ------
    OutOfTime
        Before the next case, if the context's time limit has passed.
    """

    def visit(case: Any) -> None:
        if context.over:
            raise OutOfTime
        try_case(claim, tally, case)
        tried.append(case)

    started = perf_counter()
    witnesses = tuple(witnesses)
    tally, blocks, tried = Tally(hits={r.name: 0 for r in claim.domain.regimes}), list[str](), list[Any]()
    for witness in witnesses:
        replayed = dict[str, Finding]()
        try:
            replayed = witness.replay(claim)
            tally.worst |= {name: at for name, at in replayed.items() if name not in tally.witnessed}
            tally.witnessed |= witness.expected.keys()
        except ValueError as error:
            blocks.append(str(error))
        if claim.domain.missed(witness.case) is None:
            _try_readings(claim, tally, witness.case, replayed)
            _try_false_variants(claim, tally, witness.case)
    for case in stored:
        visit(case)
    if claim.evaluable:
        draw(claim.domain.strategy, profile_size(), seed, visit)
    outcomes = tuple(_outcome(claim, reading, tally, blocks, tried) for reading in claim.readings)
    blocks += _gaps(claim, tally) if claim.evaluable else []
    verdict = decide(outcomes, small_repair_holds=repair_holds, blocked=bool(blocks))
    seconds = perf_counter() - started
    return Result(claim, verdict, outcomes, tally, witnesses, tuple(blocks), {}, seed, seconds, expected)


@_one_sentence
def look_for_witnesses(first: Result, budget: float, seed: int = 0, progress: Progress = silent) -> Result:
    """For each reading, search a violating case, shrink it, and add it."""
    started, claim = perf_counter(), first.claim
    readings = [r for r in claim.readings if not r.missing]
    result: dict[str, Any] = {}
    for reading in readings:

        def violates_reading(case: Any, reading: Reading[Any] = reading) -> bool:
            answer = claim.ask(reading, case)
            return isinstance(answer, Finding) and answer.violated

        def tell(message: str, reading: Reading[Any] = reading) -> None:
            progress(f"{claim.id} [{reading.name}]: {message}")

        case = smallest(claim.domain.strategy, violates_reading, budget / len(readings), seed, tell)
        if case is not None:
            result[reading.name] = case
    return replace(first, found=result, seconds=first.seconds + perf_counter() - started)


def _gaps(claim: Claim[Any], tally: Tally) -> list[str]:
    """Return the coverage cases that are not reached and unrefuted false variants."""
    if not claim.domain.regimes or not claim.false_variants:
        return ["no coverage case or no false variant is declared"]
    standing = [variant.name for variant in claim.false_variants if variant.name not in tally.rejected]
    silent = [r.name for r in claim.readings if not r.missing and r.name not in tally.worst]
    assumption = claim.assumption
    return [
        *(f"no trial reached the coverage case '{name}'" for name, hits in tally.hits.items() if not hits),
        *(f"the false variant '{name}' was not rejected" for name in standing),
        *(f"no numbers were compared in the reading '{name}'" for name in silent),
        *(f"{how} case meets the assumption: {assumption.sentence}" for how in _one_sided(tally) if assumption),
        *sorted(tally.wrong),
    ]


def _one_sided(tally: Tally) -> list[str]:
    return ["every"] * (False not in tally.assumed) + ["no"] * (True not in tally.assumed)


def try_case(claim: Claim[Any], tally: Tally, case: Any) -> None:
    """Evaluate every reading, regime and remaining false variant on a case."""
    missed = claim.domain.missed(case)
    if missed is not None:
        tally.pass_over(f"not {missed.sentence}")
        return
    if _try_readings(claim, tally, case):
        tally.cases += 1
        for regime in claim.domain.regimes:
            tally.hits[regime.name] += bool(regime.reached(case))
    _try_false_variants(claim, tally, case)


def _try_readings(
    claim: Claim[Any], tally: Tally, case: Any, replayed: Mapping[str, Finding] = MappingProxyType({})
) -> bool:
    if claim.assumption is not None:
        tally.assumed.add(bool(claim.assumption.met(case)))
    answers = [
        _try(claim, tally, reading, case, replayed.get(reading.name))
        for reading in claim.readings
        if not reading.missing
    ]
    return any(isinstance(answer, Finding) for answer in answers)


def _try(
    claim: Claim[Any], tally: Tally, reading: Reading[Any], case: Any, replayed: Finding | None = None
) -> Finding | Outside | Open:
    answer = replayed or reading.answer(case)
    if not isinstance(answer, Finding | Outside | Open):
        what = f"the check of {claim.id}, {reading.name}, returned {short(answer)}"
        raise SchedproofError(f"{what}, expected a Finding, or Outside(premise) or Open(reason)")
    if isinstance(answer, Finding):
        known = tally.worst.get(reading.name)
        if known is None or (reading.name not in tally.witnessed and answer.tightness > known.tightness):
            tally.worst[reading.name] = answer
        if answer.violated:
            tally.violated.add(reading.name)
            if claim.assumption is not None and claim.assumption.met(case):
                tally.under_assumption.add(reading.name)
    elif isinstance(answer, Open):
        tally.unanswered.add(reading.name)
        tally.pass_over(answer.reason)
    else:
        tally.wrong |= _wrongly_outside(claim, reading, answer.premise, case)
        tally.pass_over(f"not {answer.premise.sentence}")
    return answer


def _wrongly_outside(claim: Claim[Any], reading: Reading[Any], premise: Any, case: Any) -> set[str]:
    if not isinstance(premise, Premise):
        what = f"the check of {claim.id}, {reading.name}, is outside of {short(premise)}"
        raise SchedproofError(f"{what}, expected a Premise")
    if premise not in (*claim.domain.premises, *reading.where):
        return {f"'{premise.sentence}' is a premise neither of the statement nor of the reading '{reading.name}'"}
    if premise.met(case):
        return {f"the check excludes a case that satisfies the premise: {premise.sentence}"}
    return set()


def _try_false_variants(claim: Claim[Any], tally: Tally, case: Any) -> None:
    for variant in claim.false_variants:
        if variant.name not in tally.rejected and violates(variant.check, case):
            tally.rejected.add(variant.name)


def _outcome(
    claim: Claim[Any], reading: Reading[Any], tally: Tally, blocks: list[str], tried: list[Any]
) -> ReadingOutcome:
    exhausted = reading.exhaustive is not None and _exhaust(claim, reading, reading.exhaustive, tally, blocks, tried)
    name = reading.name
    violated, under_assumption = name in tally.violated, name in tally.under_assumption
    if violated and reading.proof is not None:
        blocks.append(f"a case contradicts the proof of the reading '{name}'")
    if under_assumption:
        blocks.append(f"a case contradicts the proof under the assumption, in the reading '{name}'")
    if violated and name not in tally.witnessed:
        place = f"witnesses/{claim.id.partition('.')[2]}.json beside the claim's file"
        blocks.append(
            f"a case contradicts the reading '{name}': store it as a witness, which `refute` writes, in {place}"
        )
    return outcome(
        reading,
        witnessed=name in tally.witnessed,
        violated=violated,
        under_assumption=under_assumption,
        assumption=claim.assumption,
        exhausted=exhausted,
        unanswered=name in tally.unanswered,
        printed=claim.domain.printed,
        reviewed=claims.reviewed(claim),
    )


def _exhaust(
    claim: Claim[Any], reading: Reading[Any], whole: Exhaustive[Any], tally: Tally, blocks: list[str], tried: list[Any]
) -> bool:
    """Check every case of a finite domain.

    Return whether all declared cases were compared, and no other case was tried.
    """
    compared = set()
    for case in whole.cases():
        if isinstance(claim.domain.missed(case) or _try(claim, tally, reading, case), Finding):
            compared.add(cases.text(cases.to_json(case)))
        _try_false_variants(claim, tally, case)
    tally.cases += len(compared)
    enough = len(compared) >= whole.size > 1
    if not enough:
        blocks.append(f"cases of '{whole.domain}': expected {whole.size}, as declared, {len(compared)} were compared")
    others = (case for case in tried if isinstance(claim.ask(reading, case), Finding))
    if other := next((text for text in (cases.text(cases.to_json(c)) for c in others) if text not in compared), None):
        blocks.append(f"the statement is about a case that is not in '{whole.domain}': {short(other.decode())}")
    return enough and other is None
