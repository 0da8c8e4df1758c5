"""A printed statement and what is needed to judge it: the cases it speaks about, its readings, its repair.

Nothing here knows a family. Cases are frozen dataclasses of a claim's own; a check takes one and answers with a
`Finding`, or with the reason why there is none (`schedproof.core.claims.answer`). The verdict is derived in
`schedproof.core.claims.verdict`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Generic, Literal, TypeVar

from schedproof.core.base.display import Tabled
from schedproof.core.base.untyped import Case, Value
from schedproof.core.cards.sources import Source
from schedproof.core.claims.answer import (
    Answer,
    C,
    Check,
    Finding,
    Open,
    Outside,
    Premise,
    violates,
    with_settings,
    worst,
)
from schedproof.core.claims.argument import Proof
from schedproof.core.claims.domain import NO_CASES, Domain, Exhaustive, Regime, T
from schedproof.core.errors import InputError, short

__all__ = [  # what a file of claims needs, on one line of imports
    "Answer",
    "Assumption",
    "Claim",
    "Domain",
    "Exhaustive",
    "FalseVariant",
    "Finding",
    "Open",
    "Outside",
    "Premise",
    "Proof",
    "Reading",
    "Regime",
    "violates",
    "worst",
]

R = TypeVar("R", bound="Reading[Any] | FalseVariant[Any]")
F = TypeVar("F", bound=Callable[..., Any])
Severity = Literal["false theorem", "false proof step", "slip"]


_proof = cache(Proof)  # readings that are given the same text share one proof


def _not_evaluated(case: Case) -> Answer:
    raise ValueError("the statement is not defined as printed")


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
    where
        What this reading supposes of a case beside the premises of the statement.
    """

    name: str
    sentence: str
    check: Check[C] = _not_evaluated
    proof: Proof | None = None
    exhaustive: Exhaustive[C] | None = None
    missing: str = ""
    where: tuple[Premise[C], ...] = ()

    def answer(self, case: C) -> Answer:
        """What it finds on a case of the statement."""
        missed = next((premise for premise in self.where if not premise.met(case)), None)
        return self.check(case) if missed is None else Outside(missed)


@dataclass(frozen=True)
class Assumption(Generic[C]):
    """What makes a statement true where it is not so as printed; ``proof`` is the statement's under it."""

    name: str
    sentence: str
    met: Callable[[C], bool]
    proof: Proof

    def impose(self, reading: Reading[C]) -> Reading[C]:
        """The reading under the assumption, with its proof."""
        where = (*reading.where, Premise(self.sentence, self.met))
        return replace(reading, where=where, proof=self.proof, exhaustive=None)


@dataclass(frozen=True)
class FalseVariant(Generic[C]):
    """A negative control: a false statement that the trials must reject, lest they miss a false claim as well."""

    name: str
    check: Check[C]


@dataclass(eq=False, repr=False)
class Claim(Tabled, Generic[T]):
    """One printed statement; its readings, false variants and repair are registered where their functions stand.

    A file of claims opens with the statement, and each check below it says which readings it is of::

        SQUARE = Claim("notes.square", NOTES.at("page 1"), "x^2 >= x.", Domain.of(Number, numbers(), {...}))

        @SQUARE.reading("as printed", "For every x.")
        @SQUARE.false_variant("with a unit to spare", spare=1)
        def square(case: Number, spare: int = 0) -> Finding:
            return Finding(case.x**2, case.x + spare, "at least")

    Attributes
    ----------
    domain
        The cases that it speaks about.
    severity
        Of a refutation: the theorem is false, or a step of its proof, or it is a slip of the pen.
    readings
        The ways in which the statement can be understood, each with its check.
    false_variants
        False statements that the cases must refute, at least one. Only a statement that cannot be evaluated has none.
    assumption
        Where the statement holds although it does not as printed.
    small
        Of a repair: whether it differs from the printed statement by a detail only.
    """

    id: str
    source: Source
    statement: str
    domain: Domain[T] = NO_CASES
    severity: Severity | None = None
    readings: list[Reading[T]] = field(default_factory=list)
    false_variants: list[FalseVariant[T]] = field(default_factory=list)
    assumption: Assumption[T] | None = None
    small: bool = False
    repairs: Claim[Case] | None = field(default=None, init=False)
    _repair: Claim[Case] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if "." not in self.id:
            raise InputError(f"expected an id like family.name of a claim, found {short(self.id)}")
        self.readings, self.false_variants = [*self.readings], [*self.false_variants]  # a copy of a claim has its own

    def facts(self) -> dict[str, Value]:
        """Where it stands, what it says, how it may be read, and its nearest true version."""
        return {
            "id": self.id,
            "source": self.source,
            "statement": self.statement,
            "readings": ", ".join(reading.name for reading in self.readings),
            "repaired by": self.repaired_by,
        }

    def reading(
        self,
        name: str,
        sentence: str,
        proof: str | None = None,
        *,
        exhaustive: Exhaustive[T] | None = None,
        where: tuple[Premise[T], ...] = (),
        also: Claim[Case] | None = None,
        **settings: Value,
    ) -> Callable[[F], F]:
        """Register a reading: the function below, with these settings, is its check; ``also`` of another claim."""

        def register(check: F) -> F:
            given = with_settings(check, **settings) if settings else check
            row = Reading(name, sentence, given, None if proof is None else _proof(proof), exhaustive, where=where)
            for claim in (self, also):
                if claim is not None:
                    _insert(claim.readings, row, check)
            return check

        return register

    def open_reading(self, name: str, sentence: str, missing: str) -> None:
        """Register a reading that cannot be evaluated, with what the printed text does not define."""
        self.readings.append(Reading(name, sentence, missing=missing))

    def false_variant(self, name: str, *, also: Claim[Case] | None = None, **settings: Value) -> Callable[[F], F]:
        """Register a false variant: what the function below, with these settings, states is false."""

        def register(check: F) -> F:
            row = FalseVariant(name, with_settings(check, **settings) if settings else check)
            for claim in (self, also):
                if claim is not None:
                    _insert(claim.false_variants, row, check)
            return check

        return register

    def assume(self, name: str, sentence: str, proof: str) -> Callable[[F], F]:
        """Register the assumption under which the statement holds: the function below says which cases meet it."""

        def register(met: F) -> F:
            self.assumption = Assumption(name, sentence, met, _proof(proof))
            return met

        return register

    def repair(
        self,
        statement: str = "",
        *,
        domain: Domain[Case] | None = None,
        small: bool = False,
        source: Source | None = None,
        remark: str = "repaired",
    ) -> Claim[Case]:
        """Register the nearest true version, the claim ``<id>_repaired``, and return it for its readings.

        Parameters
        ----------
        statement
            Without one, and without readings, it is this claim under its assumption.
        domain, source
            This claim's where they are not given, the source with the ``remark``.
        """
        source = source or self.source.but(remark)
        self._repair = Claim(f"{self.id}_repaired", source, statement, domain or self.domain, small=small)
        self._repair.repairs = self
        return self._repair

    @cached_property
    def repaired(self) -> Claim[Case] | None:
        """The nearest true version; its readings and false variants are this claim's where it has none of its own."""
        one, assumption = self._repair, self.assumption
        if one is None:
            return None
        if assumption is not None:
            one.statement = one.statement or f"If {assumption.sentence}: {self.statement}"
            one.readings = one.readings or [assumption.impose(reading) for reading in self.readings]
        one.false_variants = one.false_variants or self.false_variants
        return one

    @property
    def repaired_by(self) -> str:
        """The id of its nearest true version; empty for a claim without one."""
        return "" if self._repair is None else self._repair.id

    @property
    def family(self) -> str:
        """The family's name, the id's first word."""
        return self.id.partition(".")[0]

    @property
    def page(self) -> str:
        """The refutation's page, relative to the repository."""
        return f"docs/refutations/{self.id.replace('.', '/')}.md"

    @property
    def evaluable(self) -> bool:
        """Whether any reading of it can be evaluated."""
        return any(not reading.missing for reading in self.readings)

    def ask(self, reading: Reading[T], case: T) -> Answer:
        """What a reading finds on a case, which is outside if it misses a premise of the statement or the reading."""
        missed = self.domain.missed(case)
        return reading.answer(case) if missed is None else Outside(missed)

    def answers(self, case: T) -> list[Answer]:
        """What each reading that can be evaluated finds on a case."""
        return [self.ask(reading, case) for reading in self.readings if not reading.missing]

    def rejects(self, variant: FalseVariant[T], case: T) -> bool:
        """Whether a case of the statement contradicts a false variant."""
        return self.domain.missed(case) is None and violates(variant.check, case)

    def require(self, case: T, names: Iterable[str] = ()) -> None:
        """Refuse a case that the statement, or one of the readings of these names, does not speak about.

        Raises
        ------
        InputError
            With the premise that the case misses, in its sentence.
        """
        answers: list[Answer] = [Outside(missed)] if (missed := self.domain.missed(case)) else []
        answers += [self.ask(self.read_as(name), case) for name in names if not answers]
        for answer in answers:
            if isinstance(answer, Outside):
                raise InputError(f"expected a case of {self.id}, this one is not: {answer.premise.sentence}")

    def read_as(self, name: str) -> Reading[T]:
        """The reading of that name."""
        for reading in self.readings:
            if reading.name == name:
                return reading
        raise ValueError(f"{self.id} has no reading '{name}'")

    def require_reading(self) -> None:
        """Refuse a claim of which nothing can be judged.

        Raises
        ------
        InputError
            When no reading is registered.
        """
        if not self.readings:
            raise InputError(f"the claim {self.id} has no reading: expected a check below @CLAIM.reading(...)")


def _insert(rows: list[R], row: R, check: Callable[..., Answer]) -> None:
    """Add a row in the order of the file: decorators of one function are called from the last to the first."""
    place = len(rows)
    while place and check in (rows[place - 1].check, getattr(rows[place - 1].check, "__wrapped__", None)):
        place -= 1
    rows.insert(place, row)
