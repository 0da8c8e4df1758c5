"""The cases of a statement: type, premises, random draws, and required regimes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from schedproof.core.base.untyped import Case, Json, Value
from schedproof.core.claims import cases
from schedproof.core.claims.answer import C, Premise

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


@dataclass(frozen=True)
class Exhaustive(Generic[C]):
    """A finite domain of a statement, checked completely.

    Attributes
    ----------
    domain
        Description.
    size
        Number of different cases.
    """

    domain: str
    size: int
    cases: Callable[[], Iterable[C]]


@dataclass(frozen=True)
class Regime(Generic[C]):
    """A situation that the random draws must reach."""

    name: str
    reached: Callable[[C], bool]


@dataclass(frozen=True)
class Domain(Generic[T]):
    """The cases of a statement.

    Attributes
    ----------
    case
        Type of the cases, a frozen dataclass. A field ``instance`` holds a family's instance.
    strategy
        Hypothesis strategy that draws cases.
    regimes
        Situations that some drawn cases must reach.
    premises
        Premises besides those of the type. A case that violates a premise neither supports nor refutes the statement.
    others
        Further case types, for instances too large to be listed.
    printed
        Whether the cases are numbers printed in the paper or its authors' files; these numbers are then the evidence.
    """

    case: type[T]
    strategy: SearchStrategy[T]
    regimes: tuple[Regime[T], ...]
    premises: tuple[Premise[T], ...] = ()
    printed: bool = False
    others: tuple[type[Case], ...] = ()

    @classmethod
    def of(
        cls,
        case: type[T],
        strategy: SearchStrategy[T],
        regimes: Mapping[str, Callable[[T], bool]],
        *shared: Regime[T],
        premises: tuple[Premise[T], ...] = (),
        printed: bool = False,
    ) -> Domain[T]:
        """Return a domain with ``regimes`` (name -> predicate) and ``shared`` regimes."""
        every = (*(Regime(name, reached) for name, reached in regimes.items()), *shared)
        return cls(case, strategy, every, premises, printed)

    def but(self, **changes: Value) -> Domain[T]:
        """Return the same domain with some fields replaced."""
        return replace(self, **changes)

    def read(self, row: Mapping[str, Json]) -> T:
        """Return the case of a parsed JSON object; its fields determine the case type."""
        kind = next((other for other in self.others if cases.fits(row, other)), self.case)
        return cast(T, cases.from_json(row, kind))

    def missed(self, case: T) -> Premise[T] | None:
        """Return the first premise that a case violates, or None if it satisfies all.

        Raises
        ------
        InputError
            If the case has the wrong type.
        """
        cases.require(case, type(case) if isinstance(case, self.others) else self.case)
        return next((premise for premise in self.premises if not premise.met(case)), None)


# the domain of a statement that cannot be evaluated: no case is drawn
NO_CASES: Domain[Case] = Domain(type(None), None, ())  # type: ignore[arg-type]
