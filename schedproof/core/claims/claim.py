"""A printed statement with its cases, readings and repair.

This module is independent of the families. Each claim has a frozen dataclass for its cases. A check takes a case and
returns a `Finding`, or the reason for none (`schedproof.core.claims.answer`). `schedproof.core.claims.verdict` derives
the verdict.
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

__all__ = [  # the names that a file of claims imports
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


_proof = cache(Proof)  # readings with the same text share one proof


def _not_evaluated(case: Case) -> Answer:
    raise ValueError("the printed statement is undefined; name one of its readings")


@dataclass(frozen=True)
class Reading(Generic[C]):
    """One fair reading of the statement.

    Attributes
    ----------
    check
        The statement under this reading.
    proof
        A prose proof for all cases.
    exhaustive
        The finite domain of the statement, if it has one.
    missing
        The undefined part of the printed text, for a reading that cannot be evaluated and has no check.
    where
        Premises of this reading besides those of the statement.
    """

    name: str
    sentence: str
    check: Check[C] = _not_evaluated
    proof: Proof | None = None
    exhaustive: Exhaustive[C] | None = None
    missing: str = ""
    where: tuple[Premise[C], ...] = ()

    def answer(self, case: C) -> Answer:
        """Return the check's answer on a case of the statement."""
        missed = next((premise for premise in self.where if not premise.met(case)), None)
        return self.check(case) if missed is None else Outside(missed)


@dataclass(frozen=True)
class Assumption(Generic[C]):
    """An assumption under which a statement holds, with the ``proof`` that uses it."""

    name: str
    sentence: str
    met: Callable[[C], bool]
    proof: Proof

    def impose(self, reading: Reading[C]) -> Reading[C]:
        """Return the reading under the assumption, with its proof."""
        where = (*reading.where, Premise(self.sentence, self.met))
        return replace(reading, where=where, proof=self.proof, exhaustive=None)


@dataclass(frozen=True)
class FalseVariant(Generic[C]):
    """A negative control: a false statement that the trials must reject.

    Trials that accept such a statement could miss a false claim too.
    """

    name: str
    check: Check[C]


@dataclass(eq=False, repr=False)
class Claim(Tabled, Generic[T]):
    """One printed statement; decorators at the checks register its readings.

    A file of claims starts with the statement; each check below names its readings::

        SQUARE = Claim("notes.square", NOTES.at("page 1"), "x^2 >= x.", Domain.of(Number, numbers(), {...}))

        @SQUARE.reading("as printed", "For every x.")
        @SQUARE.false_variant("with a unit to spare", spare=1)
        def square(case: Number, spare: int = 0) -> Finding:
            return Finding(case.x**2, case.x + spare, "at least")

    Attributes
    ----------
    domain
        The cases of the statement.
    severity
        Severity of a refutation: false theorem, false proof step or slip of the pen.
    readings
        Interpretations of the statement, each with its check.
    false_variants
        False statements that the cases must refute; at least one, unless the statement cannot be evaluated.
    assumption
        Assumption under which the statement holds although it is false as printed.
    small
        Whether a repair changes only a detail of the printed statement.
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
            raise InputError(f"id of a claim: expected a name like family.name, found {short(self.id)}")
        self.readings, self.false_variants = [*self.readings], [*self.false_variants]  # not shared with a copied claim

    def facts(self) -> dict[str, Value]:
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
        """Register the decorated function, with these settings, as a reading's check.

        ``also`` registers it for another claim too.
        """

        def register(check: F) -> F:
            given = with_settings(check, **settings) if settings else check
            row = Reading(name, sentence, given, None if proof is None else _proof(proof), exhaustive, where=where)
            for claim in (self, also):
                if claim is not None:
                    _insert(claim.readings, row, check)
            return check

        return register

    def open_reading(self, name: str, sentence: str, missing: str) -> None:
        """Register a reading that cannot be evaluated; ``missing`` is undefined."""
        self.readings.append(Reading(name, sentence, missing=missing))

    def false_variant(self, name: str, *, also: Claim[Case] | None = None, **settings: Value) -> Callable[[F], F]:
        """Register the decorated function, with these settings, as a false statement."""

        def register(check: F) -> F:
            row = FalseVariant(name, with_settings(check, **settings) if settings else check)
            for claim in (self, also):
                if claim is not None:
                    _insert(claim.false_variants, row, check)
            return check

        return register

    def assume(self, name: str, sentence: str, proof: str) -> Callable[[F], F]:
        """Register the decorated function as the assumption's predicate on cases."""

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
        """Register the repaired claim ``<id>_repaired`` and return it for its readings.

        Parameters
        ----------
        statement
            The repaired statement. Without it, the repaired claim is this claim under its assumption.
        domain, source
            Default: the domain and source of this claim, with the ``remark`` added to the source.
        """
        source = source or self.source.but(remark)
        self._repair = Claim(f"{self.id}_repaired", source, statement, domain or self.domain, small=small)
        self._repair.repairs = self
        return self._repair

    @cached_property
    def repaired(self) -> Claim[Case] | None:
        """The repaired claim; it inherits missing readings and false variants."""
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
        """The id of the repaired claim; empty for a claim without one."""
        return "" if self._repair is None else self._repair.id

    @property
    def family(self) -> str:
        """The family's name, the first part of the id."""
        return self.id.partition(".")[0]

    @property
    def page(self) -> str:
        """The refutation's page, relative to the repository."""
        return f"docs/refutations/{self.id.replace('.', '/')}.md"

    @property
    def evaluable(self) -> bool:
        """Whether any reading can be evaluated."""
        return any(not reading.missing for reading in self.readings)

    def ask(self, reading: Reading[T], case: T) -> Answer:
        """Return a reading's answer on a case; `Outside` if a premise is violated."""
        missed = self.domain.missed(case)
        return reading.answer(case) if missed is None else Outside(missed)

    def answers(self, case: T) -> list[Answer]:
        """Return the answers of all readings that can be evaluated."""
        return [self.ask(reading, case) for reading in self.readings if not reading.missing]

    def rejects(self, variant: FalseVariant[T], case: T) -> bool:
        """Whether a case of the statement contradicts a false variant."""
        return self.domain.missed(case) is None and violates(variant.check, case)

    def require(self, case: T, names: Iterable[str] = ()) -> None:
        """Raise an error for a case that violates a premise of the claim or a reading.

        Raises
        ------
        InputError
            With the violated premise.
        """
        own = (premise for name in names for premise in self.read_as(name).where)
        missed = self.domain.missed(case) or next((premise for premise in own if not premise.met(case)), None)
        if missed is not None:
            raise InputError(f"expected a case of {self.id}; violated premise: {missed.sentence}")

    def read_as(self, name: str) -> Reading[T]:
        """Return the reading with this name."""
        for reading in self.readings:
            if reading.name == name:
                return reading
        raise ValueError(f"{self.id}: unknown reading '{name}'")

    def require_reading(self) -> None:
        """Raise an error for a claim without a reading.

        Raises
        ------
        InputError
            If no reading is registered.
        """
        if not self.readings:
            raise InputError(f"the claim {self.id} has no reading: expected a check below @CLAIM.reading(...)")


def _insert(rows: list[R], row: R, check: Callable[..., Answer]) -> None:
    """Insert a row in file order; decorators of a function run from last to first."""
    place = len(rows)
    while place and check in (rows[place - 1].check, getattr(rows[place - 1].check, "__wrapped__", None)):
        place -= 1
    rows.insert(place, row)
