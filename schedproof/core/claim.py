"""A printed statement and what is needed to judge it: its readings, the cases it speaks about, its repair, witnesses.

Nothing here knows a family. Cases are frozen dataclasses of a claim's own; a check takes one and answers with a
`Finding`, two exact numbers and how they should stand to each other, or with the reason why there is none: the premise
of the statement that the case misses, or what kept the check from an answer. The verdict is derived in
`schedproof.core.verdict`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import wraps
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from schedproof.core import cases
from schedproof.core.display import Tabled
from schedproof.core.errors import InputError, short
from schedproof.core.files import write_bytes
from schedproof.core.numbers import as_text
from schedproof.core.reading import parse, read_text
from schedproof.core.sources import Source
from schedproof.core.untyped import Case, Json, Value

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")
C = TypeVar("C", contravariant=True)  # of what is asked of a case: what works for every instance works for this kind
Direction = Literal["at most", "at least", "equal"]
Severity = Literal["false theorem", "false proof step", "slip"]


@dataclass(frozen=True)
class Finding:
    """One comparison of a check: ``measured`` should be at most, at least or equal to ``claimed``, both exact."""

    measured: Fraction
    claimed: Fraction
    direction: Direction = "at most"
    where: str = ""

    @property
    def excess(self) -> Fraction:
        """By how much the statement is missed; positive exactly when it is violated."""
        gap = Fraction(self.measured) - Fraction(self.claimed)
        return {"at most": gap, "at least": -gap, "equal": abs(gap)}[self.direction]

    @property
    def violated(self) -> bool:
        """Whether the case contradicts the statement."""
        return self.excess > 0

    def __str__(self) -> str:
        sign = {"at most": "<=", "at least": ">=", "equal": "="}[self.direction]
        met = "violated" if self.violated else "satisfied"
        return f"{self.measured} {sign} {self.claimed} ({met}{f'; {self.where}' if self.where else ''})"


@dataclass(frozen=True)
class Outside:
    """The statement does not speak about the case: the premise that it misses, in the statement's own words."""

    premise: str


@dataclass(frozen=True)
class Open:
    """The check could not compare anything on the case, although the statement speaks about it, and why."""

    reason: str


Answer = Finding | Outside | Open
Check = Callable[[C], Answer]


def worst(answers: Iterable[Answer]) -> Answer:
    """The finding that misses its statement by most; where there is no finding, the first answer."""
    every = list(answers)
    found = [answer for answer in every if isinstance(answer, Finding)]
    return max(found, key=lambda f: f.excess) if found else next(iter(every), Open("there is nothing to compare"))


def violates(check: Check[C], case: C) -> bool:
    """Whether the case contradicts what a check states."""
    answer = check(case)
    return isinstance(answer, Finding) and answer.violated


def with_settings(check: Callable[..., Answer], **settings: Value) -> Check[Case]:
    """A check with some of its parameters fixed."""

    @wraps(check)
    def fixed(case: Case) -> Answer:
        return check(case, **settings)

    return fixed


@dataclass(frozen=True)
class Proof:
    """A proof in prose; nothing of it is checked by a machine.

    Attributes
    ----------
    text
        The argument.
    answers
        What a sceptical reader objected -> the answer. A text that nobody has questioned proves nothing here.
    """

    text: str
    answers: Mapping[str, str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", cleandoc(self.text))
        if not self.text or not self.answers or not all(o and a for o, a in self.answers.items()):
            raise ValueError("a proof has a text, and at least one objection with its answer")


@dataclass(frozen=True)
class Exhaustive(Generic[C]):
    """The finite domain of a statement, all of which is checked.

    Attributes
    ----------
    domain
        In words.
    size
        How many different cases it has.
    """

    domain: str
    size: int
    cases: Callable[[], Iterable[C]]


def _not_evaluated(case: Case) -> Answer:
    return Open("the statement is not defined as printed")


@dataclass(frozen=True)
class Reading(Generic[C]):
    """One way in which a fair reader may take the statement.

    Attributes
    ----------
    check
        The statement under this reading.
    proof
        In prose, for every case.
    exhaustive
        The finite domain of the statement, where it has one.
    missing
        What the printed text does not define, for a reading that cannot be evaluated at all and so has no check.
    """

    name: str
    sentence: str
    check: Check[C] = _not_evaluated
    proof: Proof | None = None
    exhaustive: Exhaustive[C] | None = None
    missing: str = ""


@dataclass(frozen=True)
class Regime(Generic[C]):
    """A situation that the draws must reach."""

    name: str
    reached: Callable[[C], bool]


@dataclass(frozen=True)
class Domain(Generic[T]):
    """The cases that a statement speaks about.

    Attributes
    ----------
    case
        Their type, a frozen dataclass; a field ``instance`` holds a family's instance.
    strategy
        Draws them (a Hypothesis strategy).
    regimes
        What the draws must reach.
    """

    case: type[T]
    strategy: SearchStrategy[T]
    regimes: tuple[Regime[T], ...]

    def but(self, **changes: Value) -> Domain[T]:
        """The same with another strategy or other regimes."""
        return replace(self, **changes)


# of a statement that nobody can evaluate: nothing is ever drawn
NO_CASES: Domain[Case] = Domain(type(None), None, ())  # type: ignore[arg-type]


@dataclass(frozen=True)
class Assumption(Generic[C]):
    """What makes a statement true where it is not so as printed; ``proof`` is the statement's under it."""

    name: str
    sentence: str
    met: Callable[[C], bool]
    proof: Proof

    def restricted(self, check: Check[C]) -> Check[C]:
        """The check on the cases that meet the assumption only."""

        @wraps(check)
        def under(case: C) -> Answer:
            return check(case) if self.met(case) else Outside(self.sentence)

        return under

    def imposed(self, reading: Reading[C]) -> Reading[C]:
        """The reading under the assumption, with its proof."""
        return replace(reading, check=self.restricted(reading.check), proof=self.proof, exhaustive=None)


@dataclass(frozen=True)
class FalseVariant(Generic[C]):
    """A negative control: a false statement that the trials must reject, lest they miss a false claim as well."""

    name: str
    check: Check[C]


@dataclass(frozen=True)
class Repair(Generic[T]):
    """The nearest true version of a claim; what is not set here is taken from the claim.

    Attributes
    ----------
    statement, readings
        With neither, it is the claim under its assumption: the readings restricted to it, with its proof.
    small
        Whether it differs from the printed statement by a detail only.
    remark
        Added to the claim's source, where there is no source of its own.
    """

    statement: str = ""
    readings: Sequence[Reading[Case]] = ()
    domain: Domain[Case] | None = None
    false_variants: Sequence[FalseVariant[Case]] = ()
    small: bool = False
    source: Source | None = None
    remark: str = "repaired"


@dataclass(frozen=True, repr=False)
class Claim(Tabled, Generic[T]):
    """One printed statement, with everything that is needed to judge it.

    Attributes
    ----------
    readings
        The ways in which the statement can be understood, each with its check.
    domain
        The cases that it speaks about.
    false_variants
        False statements that the cases must refute, at least one. Only a statement that cannot be evaluated has none.
    assumption
        Where the statement holds although it does not as printed.
    repair
        Its nearest true version, the claim ``<id>_repaired``.
    severity
        Of a refutation: the theorem is false, or a step of its proof, or it is a slip of the pen.
    """

    id: str
    source: Source
    statement: str
    readings: Sequence[Reading[T]]
    domain: Domain[T] = NO_CASES
    false_variants: Sequence[FalseVariant[T]] = ()
    assumption: Assumption[T] | None = None
    repair: Repair[Case] | None = None
    severity: Severity | None = None

    def facts(self) -> dict[str, Value]:
        """Where it stands, what it says, how it may be read, and its nearest true version."""
        return {
            "id": self.id,
            "source": self.source,
            "statement": self.statement,
            "readings": ", ".join(reading.name for reading in self.readings),
            "repaired by": self.repaired_by,
        }

    def __post_init__(self) -> None:
        if "." not in self.id:
            raise InputError(f"expected an id like family.name of a claim, found {short(self.id)}")
        if not self.readings:
            raise InputError(f"the claim {self.id} has no reading: expected a Reading(name, sentence, check)")

    @property
    def family(self) -> str:
        """The family's name, the id's first word."""
        return self.id.partition(".")[0]

    @property
    def page(self) -> str:
        """The refutation's page, relative to the repository."""
        return f"docs/refutations/{self.id.replace('.', '/')}.md"

    @property
    def repaired_by(self) -> str:
        """The id of its nearest true version; empty for a claim without one."""
        return f"{self.id}_repaired" if self.repair is not None else ""

    def repaired(self) -> Claim[Case] | None:
        """Its nearest true version as a claim of its own."""
        if self.repair is None:
            return None
        assumption, repair = self.assumption, self.repair
        under = "" if assumption is None else f"If {assumption.sentence}: {self.statement}"
        kept = [] if assumption is None else [assumption.imposed(reading) for reading in self.readings]
        return Claim(
            id=self.repaired_by,
            source=repair.source or self.source.but(repair.remark),
            statement=repair.statement or under,
            readings=repair.readings or kept,
            domain=repair.domain or self.domain,
            false_variants=repair.false_variants or self.false_variants,
        )

    def reading(self, name: str) -> Reading[T]:
        """The reading of that name."""
        for reading in self.readings:
            if reading.name == name:
                return reading
        raise ValueError(f"{self.id} has no reading '{name}'")

    @property
    def evaluable(self) -> bool:
        """Whether any reading of it can be evaluated."""
        return any(not reading.missing for reading in self.readings)

    def stored(self, folder: Path) -> list[Witness]:
        """The stored witnesses of this claim in a folder, by name: ``<name>.json`` or ``<name>-<what>.json``."""
        short = self.id.partition(".")[2]
        files = (path for path in folder.glob("*.json") if path.stem.partition("-")[0] == short)
        return [Witness.load(path, self) for path in sorted(files, key=lambda path: path.stem)]


@dataclass(frozen=True)
class Witness:
    """A stored counterexample, with the exact numbers that each reading's check must find on it."""

    name: str
    claim: str
    note: str
    case: Case
    expected: Mapping[str, tuple[Fraction, Fraction]]

    def replay(self, claim: Claim[Case]) -> dict[str, Finding]:
        """Evaluate it anew: reading -> finding.

        Raises
        ------
        ValueError
            When a reading is unknown, the numbers differ from the stored ones, or nothing is violated.
        """
        found = {}
        for name, numbers in self.expected.items():
            finding = claim.reading(name).check(self.case)
            if not isinstance(finding, Finding) or (finding.measured, finding.claimed) != numbers:
                raise ValueError(f"{self.claim}: the witness '{self.name}' gives {finding}, stored is {numbers}")
            if not finding.violated:
                raise ValueError(f"{self.claim}: the witness '{self.name}' does not violate the reading '{name}'")
            found[name] = finding
        return found

    def to_json(self) -> dict[str, Json]:
        """The witness file's JSON object."""
        numbers = {n: {"measured": as_text(m), "claimed": as_text(c)} for n, (m, c) in self.expected.items()}
        return {"claim": self.claim, "note": self.note, "violates": numbers} | cases.to_json(self.case)

    @classmethod
    def of(cls, name: str, claim: Claim[T], note: str, case: T, readings: Iterable[str] = ()) -> Witness:
        """A witness from a case, its numbers evaluated now; by default for every reading that it violates."""
        found = {r.name: r.check(case) for r in claim.readings if not readings or r.name in set(readings)}
        numbers = {n: (f.measured, f.claimed) for n, f in found.items() if isinstance(f, Finding) and f.violated}
        return cls(name, claim.id, note, case, numbers)

    def store(self, folder: Path) -> Path:
        """Write it into a folder of witnesses, whole or not at all."""
        path = folder / f"{self.name}.json"
        write_bytes(path, cases.text(self.to_json()))
        return path

    @classmethod
    def load(cls, path: Path, claim: Claim[Case]) -> Witness:
        """Read a claim's witness file."""
        row = parse(read_text(path))
        try:
            numbers = {n: (Fraction(v["measured"]), Fraction(v["claimed"])) for n, v in row["violates"].items()}
            return cls(path.stem, row["claim"], row["note"], cases.from_json(row, claim.domain.case), numbers)
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"expected a witness: {error!r}", file=str(path)) from None
