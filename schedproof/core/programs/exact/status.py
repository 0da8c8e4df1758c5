"""The status of a linear program, proven in rationals.

An optimum is proven by a point and multipliers whose bound is the point's objective. Infeasibility is proven by an
empty range, or by Farkas' multipliers, which prove a bound > 0 with costs 0. Unboundedness is proven by a point and an
improving ray. Candidates come from HiGHS on scaled numbers, rounded to small denominators; if they fail, `Simplex`
starts from the solver's basis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Literal

import numpy as np

from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.programs.exact import conic
from schedproof.core.programs.exact.entries import ZERO, Column
from schedproof.core.programs.exact.integers import IntegerForm
from schedproof.core.programs.exact.listing import Listing, Multipliers
from schedproof.core.programs.exact.point import Point
from schedproof.core.programs.exact.scaling import Scaled
from schedproof.core.programs.exact.solving import DENOMINATORS, Doubles, multipliers, near
from schedproof.core.runtime.context import USUAL, Context

Found = tuple[Iterable[float], np.ndarray]  # a point and multipliers in doubles


@dataclass(frozen=True)
class Settled:
    """The proven status of a listed linear program.

    Attributes
    ----------
    multipliers
        Multipliers of the rows by number; empty for an unbounded program.
    point, ray
        Values of the columns; empty if the proof does not need them.
    known
        The objective at the point, if computed before.
    """

    listing: Listing = field(repr=False)
    status: Literal["optimal", "infeasible", "unbounded"]
    multipliers: Multipliers = field(default_factory=dict)
    point: tuple[Fraction, ...] = ()
    ray: tuple[Fraction, ...] = ()
    known: Fraction | None = field(default=None, compare=False, repr=False)

    @property
    def value(self) -> Fraction:
        """The objective at the point."""
        return Point(self.listing, self.point).value if self.known is None else self.known

    @property
    def words(self) -> str:
        """Status and optimum: ``optimal 31``."""
        return f"optimal {float(self.value):.10g}" if self.status == "optimal" else self.status

    @property
    def rests_on(self) -> str:
        """The proof, in words."""
        return {
            "optimal": "multipliers whose bound is the objective, in rationals",
            "infeasible": "multipliers whose combination of the rows is a contradiction, in rationals",
            "unbounded": "a point and a ray along which the objective improves, in rationals",
        }[self.status]

    def check(self) -> Settled:
        """Return the status if it is proven, otherwise raise ValueError."""
        try:
            proven = getattr(self, f"_{self.status}")
        except ProgramError as error:
            raise ValueError(str(error)) from None
        if not proven:
            raise ValueError(f"the point, ray or multipliers do not prove that the program is {self.status}")
        return self

    @property
    def _optimal(self) -> bool:
        Point(self.listing, self.point).require_feasible()
        return self.listing.bound(self.multipliers) == self.value

    @property
    def _infeasible(self) -> bool:
        return self.listing.crossed is not None or self.listing.without_costs().bound(self.multipliers) > 0

    @property
    def _unbounded(self) -> bool:
        ray = Point(self.listing.recession(), self.ray)
        for point in (Point(self.listing, self.point), ray):
            point.require_feasible()
        return self.listing.sign * ray.value < 0


def optimal(listing: Listing, form: IntegerForm, found: Found) -> Settled | None:
    """Return the optimum near a solver's point and multipliers if integers prove it."""
    proven = form.optimum(np.asarray(found[0], dtype=float), found[1])
    if proven is None:
        return None
    return Settled(listing, "optimal", proven.multipliers(), tuple(proven.x.fractions()), known=proven.value)


def settle(listing: Listing, context: Context = USUAL, found: Found | None = None) -> Settled | None:
    """Return a linear program's proven status, or None if it is too large or slow.

    For a program with cones only infeasibility is proven.

    Parameters
    ----------
    found
        A solver's allegedly optimal point and multipliers, in doubles.
    """
    if listing.crossed is not None:
        return Settled(listing, "infeasible")
    if found is not None and not listing.cones:
        with suppress(OverflowError):
            if proven := optimal(listing, IntegerForm(listing), found):
                return proven
    for attempt in _attempts(listing, context, found):
        try:
            return attempt().check()
        except (ValueError, NoSolution):
            if context.over:
                return None
    return None


def _attempts(listing: Listing, context: Context, found: Found | None) -> Iterator[Callable[[], Settled]]:
    if listing.cones:
        yield lambda: Settled(listing, "infeasible", conic.contradiction(listing, context))
        return
    if found is not None:
        yield partial(_rounded, Scaled.none(listing), listing, *found)
    scaled = Scaled.of(listing)
    try:
        program = Doubles(scaled.listing).program()
        status = program.solve(context).status
    except ProgramError:  # a number exceeds the range of doubles
        yield partial(_by_simplex, listing)
        return
    if status == "optimal":
        yield lambda: _rounded(scaled, listing, program.point, listing.sign * program.multipliers)
        yield partial(_by_basis, listing, *program.basis)
    yield partial(_by_simplex, listing, *program.basis)
    if status != "optimal":
        yield partial(_by_elastic_program, listing, scaled, context)
        if any(column.cost for column in listing.columns):
            yield partial(_by_ray, listing, context)


def _rounded(scaled: Scaled, listing: Listing, point: Iterable[float], multipliers: np.ndarray) -> Settled:
    rationals = [Fraction(x).limit_denominator(DENOMINATORS) for x in point]
    proof, _ = near(scaled.listing, multipliers)
    return Settled(listing, "optimal", scaled.multipliers(proof), scaled.point(rationals))


def _by_basis(listing: Listing, basis: Iterable[int], upper: Iterable[int]) -> Settled:
    from schedproof.core.programs.exact.simplex import basic_solution

    point, proof = basic_solution(listing, basis, upper)
    return Settled(listing, "optimal", proof, tuple(point))


def _by_simplex(listing: Listing, basis: Iterable[int] = (), upper: Iterable[int] = ()) -> Settled:
    from schedproof.core.programs.exact.simplex import Simplex

    simplex = Simplex(listing, basis, upper)
    if (farkas := simplex.contradiction()) is not None:
        return Settled(listing, "infeasible", farkas)
    ray = simplex.ray()
    if ray is not None:
        return Settled(listing, "unbounded", point=tuple(simplex.point), ray=tuple(ray))
    proof = {i: listing.sign * y for i, y in simplex.multipliers.items()}
    return Settled(listing, "optimal", proof, tuple(simplex.point))


def _by_elastic_program(listing: Listing, scaled: Scaled, context: Context) -> Settled:
    rows, slacks = list(scaled.listing.rows), list[Column]()
    for i, row in enumerate(rows):
        ways = [way for side, way in ((row.lower, 1), (row.upper, -1)) if side is not None]
        first = len(listing.columns) + len(slacks)
        rows[i] = replace(row, terms={**row.terms, **{first + n: way for n, way in enumerate(ways)}})
        slacks += [Column(f"{row.name}.slack", ZERO, None, Fraction(1)) for _ in ways]
    without = scaled.listing.without_costs()
    proof, _ = multipliers(replace(without, columns=(*without.columns, *slacks), rows=tuple(rows)), context)
    return Settled(listing, "infeasible", scaled.multipliers(proof))


def _by_ray(listing: Listing, context: Context) -> Settled:
    recession = listing.recession()
    boxed = tuple(
        replace(c, lower=Fraction(-1) if c.lower is None else ZERO, upper=Fraction(1) if c.upper is None else ZERO)
        for c in recession.columns
    )
    feasible = settle(listing.without_costs(), context)
    best = settle(replace(recession, columns=boxed), context)
    if feasible is None or best is None:
        raise NoSolution("no proof of unboundedness: no point or no ray was found")
    return Settled(listing, "unbounded", point=feasible.point, ray=best.point)
