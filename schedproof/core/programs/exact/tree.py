"""The status of a small integer program, proven by branches with multipliers.

The search is depth-first over the ranges of integer columns, on one dictionary of `Simplex`. A part is closed by
Farkas' multipliers, or by multipliers with a bound no better than the best point. The multipliers are checked on the
part's listing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from schedproof.core.errors import NoSolution
from schedproof.core.programs.exact.entries import Side
from schedproof.core.programs.exact.listing import Listing, Multipliers
from schedproof.core.programs.exact.status import Settled
from schedproof.core.runtime.context import USUAL, Context

if TYPE_CHECKING:
    from schedproof.core.programs.exact.simplex import Simplex

MOST_PARTS, MOST_STEPS = 500, 3 * 10**5
Ranges = Mapping[int, tuple[Side, Side]]
Node = tuple[int, int] | Multipliers  # a branch at x_j <= v or x_j >= v + 1, or the multipliers that close a part


@dataclass(frozen=True)
class Branched(Settled):
    """The status of an integer program, and its proof.

    Attributes
    ----------
    integers
        Numbers of columns.
    tree
        Branches and leaves, depth first; the part with x_j <= v comes first.
    """

    integers: tuple[int, ...] = ()
    tree: tuple[Node, ...] = ()

    @property
    def rests_on(self) -> str:
        """The proof, in words."""
        many = "one part" if len(self.tree) == 1 else f"{len(self.tree)} parts"
        return {
            "optimal": f"a tree of {many}, closed by multipliers in rationals, and a point whose value is the bound",
            "infeasible": f"a tree of {many}, each closed by multipliers in rationals",
            "unbounded": "a point with its integers, and a ray along which the objective improves, in rationals",
        }[self.status]


def settle_integers(listing: Listing, integers: frozenset[int], context: Context = USUAL) -> Branched | None:
    """Return an integer program's status, or None if it is too large or slow."""
    try:
        return _Tree(listing, integers, context).settle()
    except NoSolution:
        return None


class _Tree:
    def __init__(self, listing: Listing, integers: frozenset[int], context: Context) -> None:
        self._listing, self._integers, self._context = listing, sorted(integers), context
        self._best: tuple[Fraction, tuple[Fraction, ...]] | None = None
        self._nodes = list[Node]()

    def settle(self) -> Branched:
        from schedproof.core.programs.exact.simplex import Simplex

        listing, whole = self._listing, {j: _whole(self._listing, j) for j in self._integers}
        if listing.crossed is not None:
            return Branched(listing, "infeasible", integers=(*whole,), tree=({},))
        simplex, later = Simplex(listing, most=MOST_STEPS), [whole]
        while later:
            if len(self._nodes) >= MOST_PARTS or self._context.over:
                raise NoSolution(f"no result within {MOST_PARTS} branches")
            ranges = later.pop()
            if any(low is not None and high is not None and low > high for low, high in ranges.values()):
                self._nodes.append({})
                continue
            for j, (low, high) in ranges.items():
                simplex.narrow(j, low, high)
            if (farkas := simplex.contradiction()) is not None:
                self._close(ranges, farkas)
            elif (ray := simplex.ray()) is not None:
                return self._unbounded(ray)
            elif (split := self._look(ranges, simplex)) is not None:
                v, (low, high) = floor(simplex.point[split]), ranges[split]
                self._nodes.append((split, v))
                later += [{**ranges, split: (Fraction(v + 1), high)}, {**ranges, split: (low, Fraction(v))}]
        tree = Branched(listing, "infeasible", integers=(*whole,), tree=(*self._nodes,))
        return tree if self._best is None else replace(tree, status="optimal", point=self._best[1])

    def _look(self, ranges: Ranges, simplex: Simplex) -> int | None:
        sign, point = self._listing.sign, tuple(simplex.point)
        own = _with_ranges(self._listing, ranges)
        proof = {i: sign * y for i, y in simplex.multipliers.items()}
        bound = own.bound(proof)
        if self._best is not None and sign * (bound - self._best[0]) >= 0:
            self._nodes.append(proof)
            return None
        j = next((j for j in self._integers if point[j].denominator > 1), None)
        if j is None:
            best = Settled(own, "optimal", proof, point).check()
            self._best = best.value, point
            self._nodes.append(proof)
        return j

    def _close(self, ranges: Ranges, farkas: Multipliers) -> None:
        Settled(_with_ranges(self._listing, ranges), "infeasible", farkas).check()
        self._nodes.append(farkas)

    def _unbounded(self, ray: list[Fraction]) -> Branched:
        """Prove unboundedness by a point, since a multiple of the ray is integer."""
        feasible = _Tree(self._listing.without_costs(), frozenset(self._integers), self._context).settle()
        if feasible.status == "infeasible":
            return replace(feasible, listing=self._listing)
        proven = replace(feasible, listing=self._listing, status="unbounded", ray=tuple(ray), tree=())
        proven.check()
        return proven


def _whole(listing: Listing, j: int) -> tuple[Side, Side]:
    low, high = listing.columns[j].lower, listing.columns[j].upper
    return None if low is None else Fraction(ceil(low)), None if high is None else Fraction(floor(high))


def _with_ranges(listing: Listing, ranges: Ranges) -> Listing:
    columns = list(listing.columns)
    for j, (low, high) in ranges.items():
        columns[j] = replace(columns[j], lower=low, upper=high)
    return replace(listing, columns=tuple(columns))
