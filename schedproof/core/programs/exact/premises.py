"""Premises of reformulations by cones: affine expressions that are nonnegative.

The reformulation of 1 / z needs z >= 0, that of a product u v needs u >= 0 and v >= 0. Premises are proven in rationals
from ranges and linear rows; otherwise the program is rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.programs.exact.entries import ZERO, Terms
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.solving import multipliers


class Premise(NamedTuple):
    """An affine expression that must be nonnegative for a row's reformulation.

    Attributes
    ----------
    row, form
        The row or objective, and the reformulated form, like ``a reciprocal``.
    """

    row: str
    form: str
    terms: Terms
    constant: Fraction


def require(premises: Sequence[Premise], listing: Listing) -> None:
    """Prove every premise from the ranges and the linear rows of a listing.

    Raises
    ------
    ProgramError
        For an unproven premise; the message names its row and the bound to add.
    """
    for premise in premises:
        if (least := _least(premise, listing)) is None or least < 0:
            expression = _words(premise, listing)
            proven = "nothing" if least is None else f"only {expression} >= {float(least):.6g}"
            raise ProgramError(
                f"{premise.row} has {premise.form}, which is a cone only if {expression} >= 0. Bounds and "
                f"linear rows prove {proven}: add the bound {expression} >= 0, or drop or replace {premise.row}"
            )


def _least(premise: Premise, listing: Listing) -> Fraction | None:
    total: Fraction | None = premise.constant
    for j, coefficient in premise.terms.items():
        end = listing.columns[j].lower if coefficient > 0 else listing.columns[j].upper
        total = None if total is None or end is None else total + coefficient * end
    if total is not None and total >= 0:
        return total
    rows = tuple(row for i, row in enumerate(listing.rows) if i not in listing.conic)
    costs = {j: Fraction(coefficient) for j, coefficient in premise.terms.items()}
    columns = tuple(replace(column, cost=costs.get(j, ZERO)) for j, column in enumerate(listing.columns))
    try:
        _, least = multipliers(Listing("minimize", premise.constant, columns, rows))
    except NoSolution:
        return total
    return least if total is None else max(total, least)


def _words(premise: Premise, listing: Listing) -> str:
    parts = [f"{_factor(Fraction(a))}{listing.columns[j].name}" for j, a in premise.terms.items()]
    parts += [f"{float(premise.constant):g}"] if premise.constant or not parts else []
    return " + ".join(parts).replace("+ -", "- ")


def _factor(coefficient: Fraction) -> str:
    return {Fraction(1): "", Fraction(-1): "-"}.get(coefficient, f"{float(coefficient):g} ")
