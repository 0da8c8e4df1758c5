"""verify: replay the stored witnesses, run seeded trials, and derive each claim's verdict.

No verdict is written down in the code: it follows from the readings' outcomes (`schedproof.core.verdict.decide`), and
is then compared with the shipped ledger.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from schedproof.core import cases, claims, registry
from schedproof.core.claim import Claim, Finding, Reading, Witness
from schedproof.core.claims import Filed
from schedproof.core.context import Progress, silent
from schedproof.core.errors import SchedproofError
from schedproof.core.verdict import Kind, ReadingOutcome, decide, outcome
from schedproof.proofs_checks.trials import draw, profile_size, smallest


@dataclass
class Tally:
    """What the trials of one claim have shown so far."""

    cases: int = 0
    hits: dict[str, int] = field(default_factory=dict)
    rejected: set[str] = field(default_factory=set)
    violated: dict[str, Any] = field(default_factory=dict)
    under_assumption: set[str] = field(default_factory=set)
    worst: dict[str, Finding] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """One claim's verdict with what it rests on.

    Attributes
    ----------
    blocks
        What keeps it from being decided, one sentence each.
    found
        Reading -> the smallest case against it that a search found.
    expected
        The shipped ledger's verdict; None while it has none.
    """

    claim: Claim[Any]
    verdict: Kind
    outcomes: tuple[ReadingOutcome, ...]
    tally: Tally
    witnesses: tuple[Witness, ...]
    blocks: tuple[str, ...]
    found: dict[str, Any]
    seed: int
    seconds: float
    expected: str | None = None

    @property
    def differs(self) -> bool:
        """Whether the shipped ledger says otherwise."""
        return self.expected is not None and self.expected != self.verdict

    @property
    def evidence(self) -> str:
        """``proof``, ``exhaustive`` or ``tested``; an exact witness proves a refutation."""
        decisive = _decisive(self.verdict, self.outcomes)
        if decisive is None or self.verdict == "undecided":
            return "tested"
        return "proof" if decisive.evidence == "witness" else decisive.evidence

    def to_json(self) -> dict[str, Any]:
        """The row that ``verify --json`` prints."""
        claim, decisive = self.claim, _decisive(self.verdict, self.outcomes)
        return {
            "id": claim.id,
            "statement": claim.statement,
            "source": str(claim.source),
            "reading": decisive.reading if decisive else "",
            "verdict": self.verdict,
            "evidence": self.evidence,
            "assumption": claim.assumption.sentence if claim.assumption and self.verdict == "holds_under" else None,
            "instances": self.tally.cases,
            "regimes": self.tally.hits,
            "worst": {name: str(finding) for name, finding in self.tally.worst.items()},
            "witness": self.witnesses[0].name if self.witnesses else None,
            "repaired_by": claim.repaired_by or None,
            "seed": self.seed,
            "seconds": round(self.seconds, 3),
            "readings": {o.reading: {"state": o.state, "evidence": o.evidence} for o in self.outcomes},
            "witnesses": {w.name: w.note for w in self.witnesses},
            "blocked_by": list(self.blocks),
            "ledger": self.expected,
            "found": {name: cases.to_json(case) | {"bytes": cases.size(case)} for name, case in self.found.items()},
        }


def verify(
    claims: Iterable[str] | str | None = None,
    family: str | None = None,
    search: bool = False,
    budget: float | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> list[Result]:
    """Judge claims by their ids (all of a family's, or all there are, when none is named).

    Parameters
    ----------
    search
        Also look for new and smaller witnesses; ``found`` of a result holds the smallest case for each violated
        reading.
    budget
        Seconds that the search of one claim may take (10 when not given).
    progress
        Told what is going on.
    """
    chosen = _chosen([claims] if isinstance(claims, str) else list(claims or []), family)
    known: dict[str, Result] = {}
    for number, filed in enumerate(chosen):
        progress(filed.claim.id, number / len(chosen))
        _judge_into(known, filed, seed, (budget or 10.0) if search else 0.0, progress)
    return [known[filed.claim.id] for filed in chosen]


def _chosen(ids: list[str], family: str | None) -> list[Filed]:
    if ids:
        return [claims.find(id, family) for id in ids]
    names = [family] if family else list(registry.families())
    every = [filed for name in names for filed in claims.of_family(name).values()]
    if not every:
        raise SchedproofError(f"the family '{family}' has no claims")
    return every


def _judge_into(known: dict[str, Result], filed: Filed, seed: int, budget: float, progress: Progress) -> None:
    """Judge one claim, and before it the repaired claim on which its verdict may rest."""
    claim = filed.claim
    if claim.id in known:
        return
    repair_holds = False
    if claim.repair is not None and claim.repair.small:
        _judge_into(known, claims.find(claim.repaired_by), seed, 0.0, progress)
        repair_holds = known[claim.repaired_by].verdict == "holds"
    expected = claims.ledger(claim.family).get(claim.id, {}).get("verdict")
    known[claim.id] = judge(claim, filed.witnesses(), seed, repair_holds, budget, expected, progress)


def judge(
    claim: Claim[Any],
    witnesses: Iterable[Witness] = (),
    seed: int = 0,
    repair_holds: bool = False,
    budget: float = 0.0,
    expected: str | None = None,
    progress: Progress = silent,
) -> Result:
    """Replay, try, and derive the verdict of one claim."""
    started = perf_counter()
    tally, blocks = Tally(hits={r.name: 0 for r in claim.domain.regimes}), []
    for witness in witnesses:
        try:
            for name in witness.replay(claim):
                _violation(claim, tally, name, witness.case)
        except ValueError as error:
            blocks.append(str(error))
        try_false_variants(claim, tally, witness.case)
    draw(claim.domain.strategy, profile_size(), seed, lambda case: try_case(claim, tally, case))
    outcomes = tuple(_outcome(claim, reading, tally, blocks) for reading in claim.readings)
    if any(not reading.missing for reading in claim.readings):
        blocks += _untried(claim, tally)
    verdict = decide(outcomes, small_repair_holds=repair_holds, blocked=bool(blocks))
    found = _search(claim, budget, seed, progress) if budget else {}
    seconds = perf_counter() - started
    return Result(claim, verdict, outcomes, tally, tuple(witnesses), tuple(blocks), found, seed, seconds, expected)


def _untried(claim: Claim[Any], tally: Tally) -> list[str]:
    """What the trials did not reach, or let through."""
    if not claim.domain.regimes or not claim.false_variants:
        return ["no regime or no false variant is declared"]
    standing = [variant.name for variant in claim.false_variants if variant.name not in tally.rejected]
    return [
        *(f"no case reached the regime '{name}'" for name, hits in tally.hits.items() if not hits),
        *(f"the false variant '{name}' was not rejected" for name in standing),
    ]


def try_case(claim: Claim[Any], tally: Tally, case: Any) -> None:
    """One trial: every reading, every regime, every false variant that is still standing."""
    speaks = False
    for reading in claim.readings:
        finding = None if reading.missing else reading.check(case)
        if finding is None:
            continue
        speaks = True
        if reading.name not in tally.worst or finding.excess > tally.worst[reading.name].excess:
            tally.worst[reading.name] = finding
        if finding.violated:
            _violation(claim, tally, reading.name, case)
    if speaks:
        tally.cases += 1
        for regime in claim.domain.regimes:
            tally.hits[regime.name] += bool(regime.reached(case))
    try_false_variants(claim, tally, case)


def try_false_variants(claim: Claim[Any], tally: Tally, case: Any) -> None:
    """Note the false variants that the case contradicts."""
    for variant in claim.false_variants:
        if variant.name not in tally.rejected:
            finding = variant.check(case)
            if finding is not None and finding.violated:
                tally.rejected.add(variant.name)


def _violation(claim: Claim[Any], tally: Tally, reading: str, case: Any) -> None:
    tally.violated.setdefault(reading, case)
    if claim.assumption is not None and claim.assumption.met(case):
        tally.under_assumption.add(reading)


def _outcome(claim: Claim[Any], reading: Reading[Any], tally: Tally, blocks: list[str]) -> ReadingOutcome:
    exhausted = False
    if reading.exhaustive is not None:
        for case in reading.exhaustive():
            finding = reading.check(case)
            tally.cases += 1
            if finding is not None and finding.violated:
                _violation(claim, tally, reading.name, case)
        exhausted = True
    result = outcome(
        reading,
        violated=reading.name in tally.violated,
        under_assumption=reading.name in tally.under_assumption,
        assumption=claim.assumption,
        exhausted=exhausted,
    )
    claimed_proof = outcome(reading, violated=False, under_assumption=False, assumption=None, exhausted=False).evidence
    if reading.name in tally.violated and claimed_proof == "proof":
        blocks.append(f"a case contradicts the proof of the reading '{reading.name}'")
    if reading.name in tally.under_assumption:
        blocks.append(f"a case contradicts the proof under the assumption, in the reading '{reading.name}'")
    return result


def _search(claim: Claim[Any], budget: float, seed: int, progress: Progress) -> dict[str, Any]:
    """The smallest violating case that a shrinking search finds, for each reading without a proof."""
    readings = [r for r in claim.readings if not r.missing]
    found: dict[str, Any] = {}
    for reading in readings:

        def wanted(case: Any, reading: Reading[Any] = reading) -> bool:
            finding = reading.check(case)
            return finding is not None and finding.violated

        def tell(message: str, reading: Reading[Any] = reading) -> None:
            progress(f"{claim.id} [{reading.name}]: {message}")

        case = smallest(claim.domain.strategy, wanted, budget / len(readings), seed, tell)
        if case is not None:
            found[reading.name] = case
    return found


def _decisive(verdict: Kind, outcomes: tuple[ReadingOutcome, ...]) -> ReadingOutcome | None:
    """The reading on which the verdict rests: one that holds for a positive verdict, else the first that fails."""
    order = {
        "holds": ("holds",),
        "holds_under": ("holds_under_assumption",),
        "refuted": ("violated",),
        "refuted_as_printed": ("holds", "violated"),
        "ill_posed": ("undefined",),
        "undecided": ("open", "violated", "holds_under_assumption", "undefined", "holds"),
    }[verdict]
    return next((o for state in order for o in outcomes if o.state == state), None)
