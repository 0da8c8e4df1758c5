"""The result for a claim: its verdict and evidence, in words and as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import partial
from typing import Any, get_type_hints

import msgspec

from schedproof.core.base.display import Tabled
from schedproof.core.base.numbers import as_text, from_text
from schedproof.core.claims import cases, claims
from schedproof.core.claims.claim import Claim, Finding, violates
from schedproof.core.claims.claims import Filed
from schedproof.core.claims.verdict import STANDING, Evidence, Kind, ReadingOutcome, State, decide, outcome
from schedproof.core.claims.witness import Witness
from schedproof.core.data.reading import parse
from schedproof.core.data.store import Row
from schedproof.core.errors import UNREADABLE, InputError, one_sentence
from schedproof.core.runtime.files import encode

UNJUDGED = "not judged within the time limit"


@dataclass
class Tally:
    """Counts and findings over the cases of one claim.

    Attributes
    ----------
    cases
        The number of cases on which some reading compared numbers.
    passed_over
        Reason (a violated premise, or an obstacle to an answer) -> number of cases passed over.
    witnessed
        The readings that a stored witness contradicts.
    violated
        The readings that any case contradicts.
    unanswered
        The readings whose check reached a limit on some case.
    assumed
        Whether the cases met the claim's assumption.
    wrong
        Errors in the premises that the checks report.
    worst
        Reading -> measure of the first witness against the reading, so that a refutation has the same number
        everywhere. Without a witness, the measure of the tightest trial.
    """

    cases: int = 0
    passed_over: dict[str, int] = field(default_factory=dict)
    hits: dict[str, int] = field(default_factory=dict)
    rejected: set[str] = field(default_factory=set)
    witnessed: set[str] = field(default_factory=set)
    violated: set[str] = field(default_factory=set)
    under_assumption: set[str] = field(default_factory=set)
    unanswered: set[str] = field(default_factory=set)
    assumed: set[bool] = field(default_factory=set)
    wrong: set[str] = field(default_factory=set)
    worst: dict[str, Finding] = field(default_factory=dict)

    def pass_over(self, why: str) -> None:
        self.passed_over[why] = self.passed_over.get(why, 0) + 1


@dataclass(frozen=True, repr=False)
class Result(Tabled):
    """One claim's verdict with its evidence.

    Attributes
    ----------
    blocks
        The reasons why the claim is undecided, one sentence each.
    found
        Reading -> the smallest counterexample that a search found.
    expected
        The verdict in the shipped ledger, if the claim is in the ledger.
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

    @classmethod
    def unjudged(cls, claim: Claim[Any], seed: int) -> Result:
        """The result of a claim that was not judged within the time limit."""
        return cls(claim, "undecided", (), Tally(), (), (UNJUDGED,), {}, seed, 0.0)

    @property
    def judged(self) -> bool:
        return bool(self.outcomes)

    def facts(self) -> dict[str, Any]:
        """The verdict, its evidence, the statement, and the counterexamples."""
        return {
            "claim": self.claim.id,
            "verdict": claims.in_words(self.verdict),
            "evidence": self.evidence,
            "statement": self.claim.statement,
            **{f"witness {witness.name}": witness.note for witness in self.witnesses},
        }

    @property
    def differs(self) -> bool:
        return self.expected is not None and self.expected != self.verdict

    @property
    def assumed(self) -> str:
        """The assumption that the verdict needs, or an empty text."""
        assumption = self.claim.assumption
        return assumption.sentence if assumption and self.verdict in ("holds_under", "argued_under") else ""

    @property
    def evidence(self) -> Evidence:
        if not self.judged:
            return "none"
        decisive = _decisive(self.verdict, self.outcomes)
        return "trials" if decisive is None or self.verdict == "undecided" else decisive.evidence

    def __str__(self) -> str:
        return "\n".join(self.lines())

    @property
    def sentence(self) -> str:
        """The verdict with its evidence, assumption and severity, in words."""
        claim = self.claim
        more = self.assumed or (claim.severity or "" if self.verdict.startswith("refuted") else "")
        more = more if self.judged else UNJUDGED
        return f"{claim.id:44}  {claims.in_words(self.verdict):25}  {self.evidence:20}  {more}".rstrip()

    def lines(self) -> list[str]:
        """The verdict, the statement, each reading's tightest case, witnesses and gaps."""
        rows = [self.sentence, f"  {self.claim.statement}"]
        rows += [f"  premise: {premise.sentence}" for premise in self.claim.domain.premises]
        for reading in self.outcomes:
            worst = self.tally.worst.get(reading.reading)
            by = f"{'worst' if worst is not None and worst.violated else 'tightest'} trial"
            by = "witness" if reading.reading in self.tally.witnessed else by
            trial = "" if worst is None else f"; {by}: {worst}"
            where = "".join(f", where {one.sentence}" for one in self.claim.read_as(reading.reading).where)
            rows.append(f"  {reading.reading}{where}: {reading.state}{trial}")
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
            "premises": [premise.sentence for premise in claim.domain.premises],
            "source": str(claim.source),
            "reading": decisive.reading if decisive else "",
            "verdict": self.verdict,
            "evidence": self.evidence,
            "severity": claim.severity,
            "assumption": self.assumed or None,
            "instances": self.tally.cases,
            "passed_over": self.tally.passed_over,
            "regimes": self.tally.hits,
            "worst": {name: str(finding) for name, finding in self.tally.worst.items()},
            "witness": self.witnesses[0].name if self.witnesses else None,
            "repaired_by": claim.repaired_by or None,
            "seed": self.seed,
            "seconds": round(self.seconds, 3),
            "readings": {o.reading: self._row(o) for o in self.outcomes},
            "witnesses": {w.name: w.note for w in self.witnesses},
            "blocked_by": list(self.blocks),
            "ledger": self.expected,
            "found": {name: cases.to_json(case) | {"bytes": cases.size(case)} for name, case in self.found.items()},
        }

    def _row(self, said: ReadingOutcome) -> dict[str, Any]:
        where = [premise.sentence for premise in self.claim.read_as(said.reading).where]
        return {"state": said.state, "evidence": said.evidence} | ({"where": where} if where else {})

    def to_row(self) -> Row:
        """The row of a store; the claim and its witnesses are not in it.

        The claim and its witnesses are in the package.
        """
        kept = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("claim", "witnesses", "found")}
        row: Row = msgspec.to_builtins(kept, enc_hook=as_text)
        for value in row["tally"].values():
            if isinstance(value, list):  # a set: the order does not matter
                value.sort()
        return row | {"found": {name: encode(cases.to_json(case)).decode() for name, case in self.found.items()}}

    @classmethod
    def from_row(cls, row: Row, filed: Filed) -> Result:
        """Read a result from a store's row.

        Raises
        ------
        InputError
            For a malformed row, or a row that `require_derived` rejects.
        """
        hints = get_type_hints(cls)
        try:
            kept = {n: msgspec.convert(value, hints[n], dec_hook=_exact) for n, value in row.items() if n != "found"}
            found = {name: filed.claim.domain.read(parse(text.encode())) for name, text in row["found"].items()}
            result = cls(filed.claim, witnesses=tuple(filed.witnesses()), found=found, **kept)
            result.require_derived()
        except UNREADABLE as error:
            raise InputError(f"expected the result of the claim {filed.claim.id}: {error}") from None
        return result

    def require_derived(self) -> None:
        """Derive states and verdict again from the cases, and compare them.

        Raises
        ------
        ValueError
            If the states or the verdict differ, or if a stored counterexample contradicts no reading.
        """
        tally, claim = self.tally, self.claim
        known = {name for witness in self.witnesses for name in witness.expected}
        if not tally.witnessed <= known or (tally.witnessed < known and not self.blocks):
            raise ValueError("the stored witnesses contradict other readings than the recorded ones")
        for name in tally.witnessed:
            first, numbers = tally.worst[name], [witness.expected.get(name) for witness in self.witnesses]
            if (first.measured, first.claimed) not in numbers:
                raise ValueError(f"expected the numbers of a stored witness for the reading '{name}'")
        for name, case in self.found.items():
            with one_sentence("the claim's check stopped with"):
                violated = violates(partial(claim.ask, claim.read_as(name)), case)
            if not violated:
                raise ValueError(f"the stored counterexample does not contradict the reading '{name}'")
        for reading, said in zip(claim.readings, self.outcomes, strict=True):
            derived = outcome(
                reading,
                witnessed=reading.name in tally.witnessed,
                violated=reading.name in tally.violated,
                under_assumption=reading.name in tally.under_assumption,
                assumption=claim.assumption,
                exhausted=reading.exhaustive is not None and said.evidence in ("exhaustive", "printed numbers"),
                unanswered=reading.name in tally.unanswered,
                printed=claim.domain.printed,
                reviewed=claims.reviewed(claim),
            )
            worst = tally.worst.get(reading.name)
            if said != derived or (worst is not None and worst.violated and reading.name not in tally.violated):
                raise ValueError(f"the state {said.state} of the reading '{reading.name}' does not match its cases")
        small = claim.repaired is not None and claim.repaired.small
        ways = {decide(self.outcomes, small_repair_holds=holds, blocked=bool(self.blocks)) for holds in {False, small}}
        if self.verdict not in ways:
            raise ValueError(
                f"the states of the claim's readings do not imply the verdict {claims.in_words(self.verdict)}"
            )


def _exact(kind: type, value: Any) -> Any:
    if kind is Fraction:
        return from_text(value)
    raise NotImplementedError(kind)


def _decisive(verdict: Kind, outcomes: tuple[ReadingOutcome, ...]) -> ReadingOutcome | None:
    """The reading that decides the verdict.

    For a positive verdict it is a reading that holds: of several, the reading with the least formal proof. Otherwise
    it is the first reading that fails.
    """
    orders: dict[Kind, tuple[State, ...]] = {
        "holds": ("holds",),
        "holds_under": ("holds_under_assumption",),
        "argued": ("argued",),
        "argued_under": ("argued_under_assumption", "argued", "cited"),
        "cited": ("cited",),
        "refuted": ("violated",),
        "refuted_as_printed": ("violated",),
        "ill_posed": ("undefined",),
        "undecided": ("open", "violated", "holds_under_assumption", "argued_under_assumption", "undefined", *STANDING),
    }
    formal_last = sorted(outcomes, key=lambda o: {"formal core": 1, "formal": 2}.get(o.evidence, 0))
    return next((o for state in orders[verdict] for o in formal_last if o.state == state), None)
