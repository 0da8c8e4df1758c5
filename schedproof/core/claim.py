"""A printed statement and what is needed to judge it: its readings, the cases it speaks about, its repair, witnesses.

Nothing here knows a family. Cases are frozen dataclasses of a claim's own; a check takes one and answers with a
`Finding`, two exact numbers and how they should stand to each other, or with None for a case that the statement does
not speak about. The verdict is derived in `schedproof.core.verdict`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from schedproof.core import cases
from schedproof.core.errors import InputError
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
_PROOF = re.compile(r"^\s*Proof\n\s*-----$", re.MULTILINE)


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
        place = f" ({self.where})" if self.where else ""
        return f"{self.measured} should be {self.direction} {self.claimed}{place}"


Check = Callable[[C], "Finding | None"]


def worst(findings: Iterable[Finding | None]) -> Finding | None:
    """The finding that misses its statement by most (None of none)."""
    return max((f for f in findings if f is not None), key=lambda f: f.excess, default=None)


def has_proof(function: Callable[..., object] | None) -> bool:
    """Whether the docstring of a function has a section 'Proof' with a text in it."""
    text = inspect.getdoc(function) or "" if function else ""
    match = _PROOF.search(text)
    return match is not None and len(text[match.end() :].split()) >= 10


def with_settings(check: Callable[..., Finding | None], **settings: Value) -> Check[Case]:
    """A check with some of its parameters fixed; it keeps the docstring, and so the proof."""

    @wraps(check)
    def fixed(case: Case) -> Finding | None:
        return check(case, **settings)

    return fixed


@dataclass(frozen=True)
class Reading(Generic[C]):
    """One way in which a fair reader may take the statement.

    Attributes
    ----------
    check
        The statement under this reading. A 'Proof' in its docstring is the reading's proof.
    exhaustive
        The finite domain of the statement, where it has one: every case is then checked.
    missing
        What the printed text does not define, for a reading that cannot be evaluated at all.
    """

    name: str
    sentence: str
    check: Check[C]
    exhaustive: Callable[[], Iterable[Case]] | None = None
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


@dataclass(frozen=True)
class Assumption(Generic[C]):
    """What makes a statement true where it is not so as printed; ``proof`` is a function whose docstring proves it."""

    name: str
    sentence: str
    met: Callable[[C], bool]
    proof: Callable[..., object]

    def restricted(self, check: Check[C]) -> Check[C]:
        """The check on the cases that meet the assumption only, with its proof."""

        @wraps(check)
        def under(case: C) -> Finding | None:
            return check(case) if self.met(case) else None

        under.__doc__ = self.proof.__doc__
        return under


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


@dataclass(frozen=True)
class Claim(Generic[T]):
    """One printed statement, with everything that is needed to judge it.

    Attributes
    ----------
    readings
        The ways in which the statement can be understood, each with its check.
    domain
        The cases that it speaks about.
    false_variants
        False statements that the trials must refute, at least one.
    assumption
        Where the statement holds although it does not as printed.
    repair
        Its nearest true version, the claim ``<id>_repaired``.
    text
        Where the printed text was read: ``ocr`` is a text recognised from the paper's pages.
    """

    id: str
    source: Source
    statement: str
    readings: Sequence[Reading[T]]
    domain: Domain[T]
    false_variants: Sequence[FalseVariant[T]]
    assumption: Assumption[T] | None = None
    repair: Repair[Case] | None = None
    text: str = "ocr"

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
        kept = () if assumption is None else [replace(r, check=assumption.restricted(r.check)) for r in self.readings]
        return Claim(
            id=self.repaired_by,
            source=repair.source or self.source.but(repair.remark),
            statement=repair.statement or under,
            readings=repair.readings or kept,
            domain=repair.domain or self.domain,
            false_variants=repair.false_variants or self.false_variants,
            text=self.text,
        )

    def reading(self, name: str) -> Reading[T]:
        """The reading of that name."""
        for reading in self.readings:
            if reading.name == name:
                return reading
        raise ValueError(f"{self.id} has no reading '{name}'")

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
            if finding is None or (finding.measured, finding.claimed) != numbers:
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
        numbers = {n: (f.measured, f.claimed) for n, f in found.items() if f is not None and f.violated}
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
