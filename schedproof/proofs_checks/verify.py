"""verify: replay the stored witnesses, run seeded trials, and derive each claim's verdict.

No verdict is written down in the code: it follows from the readings' outcomes (`schedproof.core.verdict.decide`), and
is then compared with the shipped ledger.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from schedproof.core import registry
from schedproof.core.claim import Case, Claim, Finding, Reading, Witness
from schedproof.core.errors import SchedproofError
from schedproof.core.verdict import Kind, Outcome, decide, outcome
from schedproof.proofs_checks.trials import draw, profile_size, smallest

LEDGER = Path(__file__).parent / "ledger.json"
Progress = Callable[[str], None]


@dataclass
class Tally:
    """What the trials of one claim have shown so far."""

    cases: int = 0
    hits: dict[str, int] = field(default_factory=dict)
    rejected: set[str] = field(default_factory=set)
    violated: dict[str, Case] = field(default_factory=dict)
    under_assumption: set[str] = field(default_factory=set)
    worst: dict[str, Finding] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """One claim's verdict with what it rests on."""

    claim: Claim
    verdict: Kind
    outcomes: tuple[Outcome, ...]
    tally: Tally
    witnesses: tuple[Witness, ...]
    blocks: tuple[str, ...]
    found: dict[str, Case]
    seed: int
    seconds: float
    expected: str | None = None

    @property
    def differs(self) -> bool:
        """Whether the shipped ledger says otherwise."""
        return self.expected is not None and self.expected != self.verdict

    def to_json(self) -> dict[str, Any]:
        """The row that ``verify --json`` prints."""
        claim, decisive = self.claim, _decisive(self.verdict, self.outcomes)
        return {
            "id": claim.id,
            "reading": decisive.reading if decisive else "",
            "verdict": self.verdict,
            "evidence": _evidence(self.verdict, decisive),
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
            "found": {name: case.to_json() | {"bytes": case.size} for name, case in self.found.items()},
        }


def verify(
    claims: Iterable[str] | str | None = None,
    family: str | None = None,
    search: bool = False,
    budget: float | None = None,
    seed: int = 0,
    progress: Progress = lambda message: None,
) -> list[dict[str, Any]]:
    """Judge claims by their ids (all of a family's, or all there are, when none is named).

    Parameters
    ----------
    search
        Also look for new and smaller witnesses; ``found`` in a row holds the smallest case for each violated reading.
    budget
        Seconds that the search of one claim may take (10 when not given).
    progress
        Told what is going on.

    Returns
    -------
    list of dict
        One row per claim, as `Result.to_json` describes it; ``ledger`` is the verdict that the shipped ledger has.
    """
    return [result.to_json() for result in results(claims, family, search, budget, seed, progress)]


def results(
    claims: Iterable[str] | str | None = None,
    family: str | None = None,
    search: bool = False,
    budget: float | None = None,
    seed: int = 0,
    progress: Progress = lambda message: None,
) -> list[Result]:
    """The same as `verify`, as objects."""
    known: dict[str, Result] = {}
    shipped = ledger_verdicts()
    ids = [claims] if isinstance(claims, str) else list(claims or [])
    chosen = [registry.look_up("claims", id, family)[1] for id in ids] or [
        claim for claim in registry.table("claims").values() if family in (None, claim.family)
    ]
    if not chosen:
        raise SchedproofError(f"the family '{family}' has no claims")
    for claim in chosen:
        progress(claim.id)
        _judge_into(known, claim, seed, (budget or 10.0) if search else 0.0, shipped, progress)
    return [known[claim.id] for claim in chosen]


def ledger_verdicts(path: Path = LEDGER) -> dict[str, str]:
    """The shipped ledger: id -> verdict; empty while there is none."""
    if not path.exists():
        return {}
    return {row["id"]: row["verdict"] for row in json.loads(path.read_text())["claims"]}


def _judge_into(
    known: dict[str, Result], claim: Claim, seed: int, budget: float, shipped: dict[str, str], progress: Progress
) -> None:
    """Judge one claim, and before it the repaired claim on which its verdict may rest."""
    if claim.id in known:
        return
    repair_holds = False
    if claim.small_repair:
        repair = registry.table("claims")[claim.repaired_by]
        _judge_into(known, repair, seed, 0.0, shipped, progress)
        repair_holds = known[repair.id].verdict == "holds"
    known[claim.id] = judge(claim, seed, repair_holds, budget, shipped.get(claim.id), progress)


def judge(
    claim: Claim,
    seed: int = 0,
    repair_holds: bool = False,
    budget: float = 0.0,
    expected: str | None = None,
    progress: Progress = lambda message: None,
) -> Result:
    """Replay, try, and derive the verdict of one claim."""
    started = perf_counter()
    tally, blocks = Tally(hits={r.name: 0 for r in claim.regimes}), []
    witnesses = claim.stored()
    for witness in witnesses:
        try:
            for name in witness.replay(claim):
                _violation(claim, tally, name, witness.case)
        except ValueError as error:
            blocks.append(str(error))
        _plant(claim, tally, witness.case)
    draw(claim.strategy, profile_size(), seed, lambda case: _look(claim, tally, case))
    outcomes = tuple(_outcome(claim, reading, tally, blocks) for reading in claim.readings)
    blocks += [f"no case reached the regime '{name}'" for name, hits in tally.hits.items() if not hits]
    blocks += [f"the false variant '{p.name}' was not rejected" for p in claim.planted if p.name not in tally.rejected]
    if not claim.regimes or not claim.planted:
        blocks.append("no regime or no false variant is declared")
    verdict = decide(outcomes, small_repair_holds=repair_holds, blocked=bool(blocks))
    found = _search(claim, budget, seed, progress) if budget else {}
    seconds = perf_counter() - started
    return Result(claim, verdict, outcomes, tally, tuple(witnesses), tuple(blocks), found, seed, seconds, expected)


def _look(claim: Claim, tally: Tally, case: Case) -> None:
    """One trial: every reading, every regime, every planted variant that is still standing."""
    looked = False
    for reading in claim.readings:
        if reading.missing:
            continue
        finding = reading.check(case)
        if finding is None:
            continue
        looked = True
        if reading.name not in tally.worst or finding.excess > tally.worst[reading.name].excess:
            tally.worst[reading.name] = finding
        if finding.violated:
            _violation(claim, tally, reading.name, case)
    if looked:
        tally.cases += 1
        for regime in claim.regimes:
            tally.hits[regime.name] += bool(regime.reached(case))
    _plant(claim, tally, case)


def _plant(claim: Claim, tally: Tally, case: Case) -> None:
    for variant in claim.planted:
        if variant.name not in tally.rejected:
            finding = variant.check(case)
            if finding is not None and finding.violated:
                tally.rejected.add(variant.name)


def _violation(claim: Claim, tally: Tally, reading: str, case: Case) -> None:
    tally.violated.setdefault(reading, case)
    if claim.assumption is not None and claim.assumption.met(case):
        tally.under_assumption.add(reading)


def _outcome(claim: Claim, reading: Reading, tally: Tally, blocks: list[str]) -> Outcome:
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


def _search(claim: Claim, budget: float, seed: int, progress: Progress) -> dict[str, Case]:
    """The smallest violating case that a shrinking search finds, for each reading without a proof."""
    readings = [r for r in claim.readings if not r.missing]
    found: dict[str, Case] = {}
    for reading in readings:

        def wanted(case: Case, reading: Reading = reading) -> bool:
            finding = reading.check(case)
            return finding is not None and finding.violated

        def tell(message: str, reading: Reading = reading) -> None:
            progress(f"{claim.id} [{reading.name}]: {message}")

        case = smallest(claim.strategy, wanted, budget / len(readings), seed, tell)
        if case is not None:
            found[reading.name] = case
    return found


def _decisive(verdict: Kind, outcomes: tuple[Outcome, ...]) -> Outcome | None:
    """The reading on which the verdict rests: one that holds for a positive verdict, else the first that fails."""
    order = {
        "holds": ("holds",),
        "holds_under": ("rescued",),
        "refuted": ("violated",),
        "refuted_as_printed": ("holds", "violated"),
        "ill_posed": ("undefined",),
        "undecided": ("open", "violated", "rescued", "undefined", "holds"),
    }[verdict]
    return next((o for state in order for o in outcomes if o.state == state), None)


def _evidence(verdict: Kind, decisive: Outcome | None) -> str:
    """``proof``, ``exhaustive`` or ``tested``; an exact witness proves a refutation."""
    if decisive is None or verdict == "undecided":
        return "tested"
    return "proof" if decisive.evidence == "witness" else decisive.evidence
