"""The cases that a statement speaks about: their type, its premises, what the draws must reach, all of them."""

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
    premises
        What the statement supposes of a case, beside what its type says. A case that misses one is no case of the
        statement: it supports nothing and refutes nothing.
    others
        Further types of cases, of instances with too much in them to be listed.
    printed
        Whether its cases are numbers that the paper or its authors' files print, typed in here: then they are the
        evidence, for the statement or against it.
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
        """The domain with these regimes, name -> whether a case reaches it, and those that several claims share."""
        every = (*(Regime(name, reached) for name, reached in regimes.items()), *shared)
        return cls(case, strategy, every, premises, printed)

    def but(self, **changes: Value) -> Domain[T]:
        """The same with another strategy, other regimes or other premises."""
        return replace(self, **changes)

    def read(self, row: Mapping[str, Json]) -> T:
        """The case from a parsed JSON object: of the type whose fields its data have.

        Raises
        ------
        InputError
            For data that are no such case.
        """
        kind = next((other for other in self.others if cases.fits(row, other)), self.case)
        return cast(T, cases.from_json(row, kind))

    def missed(self, case: T) -> Premise[T] | None:
        """The first premise that a case misses; None for one that the statement speaks about.

        Raises
        ------
        InputError
            For what is no case of this type.
        """
        cases.require(case, type(case) if isinstance(case, self.others) else self.case)
        return next((premise for premise in self.premises if not premise.met(case)), None)


# of a statement that nobody can evaluate: nothing is ever drawn
NO_CASES: Domain[Case] = Domain(type(None), None, ())  # type: ignore[arg-type]
