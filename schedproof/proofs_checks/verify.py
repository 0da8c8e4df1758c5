"""verify: replay the stored witnesses, try the stored cases and seeded ones, and derive each claim's verdict.

No verdict is written down in the code: it follows from the readings' outcomes (`schedproof.core.verdict.decide`), and
is then compared with the shipped ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import wraps
from pathlib import Path
from time import perf_counter
from typing import Any, get_type_hints

import msgspec

from schedproof.core import cases, claims, registry
from schedproof.core.claim import Claim, Exhaustive, Finding, Open, Outside, Reading, Witness, violates
from schedproof.core.claims import Filed
from schedproof.core.context import Progress, silent
from schedproof.core.deadline import Interrupted
from schedproof.core.display import Tabled
from schedproof.core.errors import InputError, SchedproofError, short, told
from schedproof.core.files import encode
from schedproof.core.numbers import as_text
from schedproof.core.provenance import code, software
from schedproof.core.reading import parse
from schedproof.core.store import Row, Store
from schedproof.core.verdict import Evidence, Kind, ReadingOutcome, decide, outcome
from schedproof.proofs_checks.trials import draw, profile, profile_size, smallest


@dataclass
class Tally:
    """What the cases of one claim have shown so far.

    Attributes
    ----------
    cases
        On how many of them some reading compared something.
    passed_over
        Why others were passed over (a premise that they miss, or what kept the check from an answer) -> how often.
    witnessed
        The readings that a stored witness contradicts.
    violated
        The readings that any case contradicts.
    """

    cases: int = 0
    passed_over: dict[str, int] = field(default_factory=dict)
    hits: dict[str, int] = field(default_factory=dict)
    rejected: set[str] = field(default_factory=set)
    witnessed: set[str] = field(default_factory=set)
    violated: set[str] = field(default_factory=set)
    under_assumption: set[str] = field(default_factory=set)
    unstated: set[str] = field(default_factory=set)
    worst: dict[str, Finding] = field(default_factory=dict)


@dataclass(frozen=True, repr=False)
class Result(Tabled):
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

    def facts(self) -> dict[str, Any]:
        """The verdict, what it rests on, the statement, and the counterexamples."""
        return {
            "claim": self.claim.id,
            "verdict": claims.in_words(self.verdict),
            "evidence": self.evidence,
            "statement": self.claim.statement,
            **{f"witness {witness.name}": witness.note for witness in self.witnesses},
        }

    @property
    def differs(self) -> bool:
        """Whether the shipped ledger says otherwise."""
        return self.expected is not None and self.expected != self.verdict

    @property
    def evidence(self) -> Evidence:
        """What the verdict rests on."""
        decisive = _decisive(self.verdict, self.outcomes)
        return "trials" if decisive is None or self.verdict == "undecided" else decisive.evidence

    def __str__(self) -> str:
        return "\n".join(self.lines())

    @property
    def sentence(self) -> str:
        """The verdict, what it rests on, and under what assumption, or how severe it is."""
        claim = self.claim
        more = claim.assumption.sentence if claim.assumption and self.verdict == "holds_under" else ""
        more = more or (claim.severity or "" if self.verdict.startswith("refuted") else "")
        return f"{claim.id:44}  {claims.in_words(self.verdict):25}  {self.evidence:17}  {more}".rstrip()

    def lines(self) -> list[str]:
        """The verdict, the statement, each reading with its tightest case, the witnesses, and what is missing."""
        rows = [self.sentence, f"  {self.claim.statement}"]
        for reading in self.outcomes:
            worst = self.tally.worst.get(reading.reading)
            trial = "" if worst is None else f"; {'worst' if worst.violated else 'tightest'} trial: {worst}"
            rows.append(f"  {reading.reading}: {reading.state}{trial}")
        for witness in self.witnesses:
            rows.append(f"  witness {witness.name}: {witness.note}")
            rows += [" ".join(["   ", *cases.text(cases.to_json(witness.case)).decode().split()])] * bool(self.found)
        rows += [f"  repaired by {self.claim.repaired_by}"] if self.claim.repaired_by else []
        return rows + [f"  blocked: {block}" for block in self.blocks]

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
            "severity": claim.severity,
            "assumption": claim.assumption.sentence if claim.assumption and self.verdict == "holds_under" else None,
            "instances": self.tally.cases,
            "passed_over": self.tally.passed_over,
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

    def to_row(self) -> Row:
        """The row of a store: all but the claim and its witnesses, which stand in the package."""
        kept = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("claim", "witnesses", "found")}
        row: Row = msgspec.to_builtins(kept, enc_hook=as_text)
        for value in row["tally"].values():
            if isinstance(value, list):  # a set, in no order
                value.sort()
        return row | {"found": {name: encode(cases.to_json(case)).decode() for name, case in self.found.items()}}

    @classmethod
    def from_row(cls, row: Row, filed: Filed) -> Result:
        """The result that a store's row is of.

        Raises
        ------
        InputError
            For a row of something else.
        """
        hints = get_type_hints(cls)
        try:
            kept = {n: msgspec.convert(value, hints[n], dec_hook=_exact) for n, value in row.items() if n != "found"}
            case = filed.claim.domain.case
            found = {name: cases.from_json(parse(text.encode()), case) for name, text in row["found"].items()}
            return cls(filed.claim, witnesses=tuple(filed.witnesses()), found=found, **kept)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InputError(f"expected the result of the claim {filed.claim.id}: {error}") from None


def _exact(kind: type, value: Any) -> Any:
    if kind is Fraction:
        return Fraction(value)
    raise NotImplementedError(kind)


def verify(
    claims: Iterable[str | Claim[Any]] | str | Claim[Any] | None = None,
    family: str | None = None,
    search: bool = False,
    budget: float | None = None,
    seed: int = 0,
    progress: Progress = silent,
    record: str | Path | None = None,
) -> list[Result]:
    """Judge claims by their ids (all of a family's, or all there are, when none is named), or claims of your own.

    Parameters
    ----------
    claims
        Ids, and any `Claim`: one that stands in no package has no stored witnesses, so a search is made for it in any
        case, and what that finds are its witnesses.
    search
        Also look for new and smaller witnesses; ``found`` of a result holds the smallest case for each violated
        reading.
    budget
        Seconds that the search of one claim may take (10 when not given).
    progress
        Told what is going on.
    record
        A store of finished results (`schedproof.core.store`); those of the same claim, seed, budget, profile, code and
        libraries are taken from there, and each new one is added as soon as it is known.

    Raises
    ------
    Interrupted
        When the user interrupts it (Ctrl-C); its ``best`` are the results until then.
    """
    named = [claims] if isinstance(claims, str | Claim) or not isinstance(claims, Iterable) else claims
    chosen = _chosen([name for name in named if name is not None], family)
    known: dict[str, Result] = {}
    ids = [one.id if isinstance(one, Claim) else one.claim.id for one in chosen]
    try:
        with nullcontext() if record is None else Store("claims", record) as finished:
            for number, one in enumerate(chosen):
                progress(ids[number], number / len(chosen))
                if isinstance(one, Claim):
                    known[one.id] = _judge_own(one, seed, budget or 10.0, progress)
                else:
                    _judge_into(known, one, seed, (budget or 10.0) if search else 0.0, progress, finished)
    except KeyboardInterrupt:
        raise Interrupted([known[id] for id in ids if id in known]) from None
    return [known[id] for id in ids]


def _chosen(named: list[str | Claim[Any]], family: str | None) -> list[Filed | Claim[Any]]:
    for name in named:
        if not isinstance(name, str | Claim):
            raise SchedproofError(f"expected a Claim, or a claim's name, found {short(name)}")
    if named:
        return [name if isinstance(name, Claim) else claims.find(name, family) for name in named]
    names = [family] if family else list(registry.families())
    every = [filed for name in names for filed in claims.of_family(name).values()]
    if not every:
        raise SchedproofError(f"the family '{family}' has no claims")
    return [*every]


def _judge_own(claim: Claim[Any], seed: int, budget: float, progress: Progress) -> Result:
    """Judge a claim that stands in no package: the smallest cases that a search finds against it are its witnesses."""
    first = judge(claim, seed=seed, budget=budget, progress=progress)
    witnesses = [Witness.of(name, claim, "found by the search", case, [name]) for name, case in first.found.items()]
    return replace(judge(claim, witnesses, seed=seed), found=first.found) if witnesses else first


def _judge_into(
    known: dict[str, Result], filed: Filed, seed: int, budget: float, progress: Progress, finished: Store | None
) -> None:
    """Judge one claim, and before it the repaired claim on which its verdict may rest."""
    claim = filed.claim
    if claim.id in known:
        return
    repair_holds = False
    if claim.repair is not None and claim.repair.small:
        _judge_into(known, claims.find(claim.repaired_by), seed, 0.0, progress, finished)
        repair_holds = known[claim.repaired_by].verdict == "holds"
    expected = claims.ledger(claim.family).get(claim.id, {}).get("verdict")

    def work() -> Result:
        return judge(claim, filed.witnesses(), filed.cases(), seed, repair_holds, budget, expected, progress)

    if finished is None:
        known[claim.id] = work()
    else:
        row = finished.once(_key(claim, seed, budget), lambda: work().to_row())
        known[claim.id] = Result.from_row(row, filed)


def _key(claim: Claim[Any], seed: int, budget: float) -> Row:
    """Everything on which a claim's result depends."""
    packages = {"schedproof", *(name.partition(".")[0] for name in registry.family(claim.family).claims)}
    return {
        "claim": claim.id,
        "seed": seed,
        "search": budget,
        "profile": profile(),
        "code": {name: code(name) for name in sorted(packages)},
        "software": software(),
    }


def _one_sentence(work: Callable[..., Result]) -> Callable[..., Result]:
    """What a claim's check or strategy raises, as a sentence that names the claim and the line."""

    @wraps(work)
    def judged(claim: Claim[Any], *given: Any, **more: Any) -> Result:
        try:
            return work(claim, *given, **more)
        except (SchedproofError, MemoryError):
            raise
        except Exception as error:
            raise SchedproofError(f"{claim.id}: its strategy or a check stopped with {told(error)}") from error

    return judged


@_one_sentence
def judge(
    claim: Claim[Any],
    witnesses: Iterable[Witness] = (),
    stored: Iterable[Any] = (),
    seed: int = 0,
    repair_holds: bool = False,
    budget: float = 0.0,
    expected: str | None = None,
    progress: Progress = silent,
) -> Result:
    """Replay, try, and derive the verdict of one claim.

    Parameters
    ----------
    stored
        Cases to be tried before any are drawn, so that what they reach does not hang on the seed.
    """
    started = perf_counter()
    witnesses = tuple(witnesses)
    tally, blocks = Tally(hits={r.name: 0 for r in claim.domain.regimes}), []
    for witness in witnesses:
        try:
            tally.witnessed |= witness.replay(claim).keys()
        except ValueError as error:
            blocks.append(str(error))
        _try_readings(claim, tally, witness.case)
        _try_false_variants(claim, tally, witness.case)
    for case in stored:
        try_case(claim, tally, case)
    if claim.evaluable:
        draw(claim.domain.strategy, profile_size(), seed, lambda case: try_case(claim, tally, case))
    outcomes = tuple(_outcome(claim, reading, tally, blocks) for reading in claim.readings)
    blocks += _untried(claim, tally) if claim.evaluable else []
    verdict = decide(outcomes, small_repair_holds=repair_holds, blocked=bool(blocks))
    found = _search(claim, budget, seed, progress) if budget else {}
    seconds = perf_counter() - started
    return Result(claim, verdict, outcomes, tally, witnesses, tuple(blocks), found, seed, seconds, expected)


def _untried(claim: Claim[Any], tally: Tally) -> list[str]:
    """What the cases did not reach, or let through."""
    if not claim.domain.regimes or not claim.false_variants:
        return ["no coverage case or no false variant is declared"]
    standing = [variant.name for variant in claim.false_variants if variant.name not in tally.rejected]
    return [
        *(f"no trial reached the coverage case '{name}'" for name, hits in tally.hits.items() if not hits),
        *(f"the false variant '{name}' was not rejected" for name in standing),
        *(f"the statement does not name the premise '{premise}'" for premise in sorted(tally.unstated)),
    ]


def try_case(claim: Claim[Any], tally: Tally, case: Any) -> None:
    """One trial: every reading, every regime, every false variant that is still standing."""
    if _try_readings(claim, tally, case):
        tally.cases += 1
        for regime in claim.domain.regimes:
            tally.hits[regime.name] += bool(regime.reached(case))
    _try_false_variants(claim, tally, case)


def _try_readings(claim: Claim[Any], tally: Tally, case: Any) -> bool:
    """Evaluate every reading on a case; whether any of them compared something."""
    answers = [_try(claim, tally, reading, case) for reading in claim.readings if not reading.missing]
    return any(isinstance(answer, Finding) for answer in answers)


def _try(claim: Claim[Any], tally: Tally, reading: Reading[Any], case: Any) -> Finding | Outside | Open:
    answer = reading.check(case)
    if not isinstance(answer, Finding | Outside | Open):
        what = f"the check of {claim.id}, {reading.name}, returned {short(answer)}"
        raise SchedproofError(f"{what}, expected a Finding, or Outside(premise) or Open(reason)")
    if isinstance(answer, Finding):
        if reading.name not in tally.worst or answer.excess > tally.worst[reading.name].excess:
            tally.worst[reading.name] = answer
        if answer.violated:
            tally.violated.add(reading.name)
            if claim.assumption is not None and claim.assumption.met(case):
                tally.under_assumption.add(reading.name)
        return answer
    why = answer.reason if isinstance(answer, Open) else f"not {answer.premise}"
    if isinstance(answer, Outside) and not _states(claim, reading, answer.premise):
        tally.unstated.add(answer.premise)
    tally.passed_over[why] = tally.passed_over.get(why, 0) + 1
    return answer


def _states(claim: Claim[Any], reading: Reading[Any], premise: str) -> bool:
    """Whether the statement, or what a reading makes of it, has the premise in it, word for word."""
    said = (" ".join(text.casefold().split()) for text in (claim.statement, reading.sentence))
    return any(premise.casefold() in text for text in said)


def _try_false_variants(claim: Claim[Any], tally: Tally, case: Any) -> None:
    """Note the false variants that the case contradicts."""
    for variant in claim.false_variants:
        if variant.name not in tally.rejected and violates(variant.check, case):
            tally.rejected.add(variant.name)


def _outcome(claim: Claim[Any], reading: Reading[Any], tally: Tally, blocks: list[str]) -> ReadingOutcome:
    exhausted = reading.exhaustive is not None and _exhaust(claim, reading, reading.exhaustive, tally, blocks)
    name = reading.name
    violated, under_assumption = name in tally.violated, name in tally.under_assumption
    if violated and reading.proof is not None:
        blocks.append(f"a case contradicts the proof of the reading '{name}'")
    if under_assumption:
        blocks.append(f"a case contradicts the proof under the assumption, in the reading '{name}'")
    if violated and name not in tally.witnessed:
        blocks.append(f"a case contradicts the reading '{name}': store it as a witness")
    return outcome(
        reading,
        witnessed=name in tally.witnessed,
        violated=violated,
        under_assumption=under_assumption,
        assumption=claim.assumption,
        exhausted=exhausted,
    )


def _exhaust(claim: Claim[Any], reading: Reading[Any], whole: Exhaustive[Any], tally: Tally, blocks: list[str]) -> bool:
    """Check every case of a finite domain; whether all that were declared were compared."""
    compared = set()
    for case in whole.cases():
        if isinstance(_try(claim, tally, reading, case), Finding):
            compared.add(cases.text(cases.to_json(case)))
        _try_false_variants(claim, tally, case)
    tally.cases += len(compared)
    enough = len(compared) >= whole.size > 1
    if not enough:
        blocks.append(f"{len(compared)} cases of '{whole.domain}' were compared, declared are {whole.size}")
    return enough


def _search(claim: Claim[Any], budget: float, seed: int, progress: Progress) -> dict[str, Any]:
    """The smallest violating case that a shrinking search finds, for each reading without a proof."""
    readings = [r for r in claim.readings if not r.missing]
    found: dict[str, Any] = {}
    for reading in readings:

        def wanted(case: Any, reading: Reading[Any] = reading) -> bool:
            return violates(reading.check, case)

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
        "refuted_as_printed": ("violated", "holds"),
        "ill_posed": ("undefined",),
        "undecided": ("open", "violated", "holds_under_assumption", "undefined", "holds"),
    }[verdict]
    return next((o for state in order for o in outcomes if o.state == state), None)
