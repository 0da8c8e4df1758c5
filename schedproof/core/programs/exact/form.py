"""The listing of a model of either backend."""

from __future__ import annotations

from schedproof.core.base.untyped import Model
from schedproof.core.programs.exact.cvxpy_form import listing_of_problem
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.pyomo_form import listing_of


def listing_in(backend: str, model: Model) -> Listing:
    """The rows of a model built with Pyomo or CVXPY, in rationals: of CVXPY's, those of its cone form.

    Raises
    ------
    ProgramError
        For a program that is neither linear nor of second-order and exponential cones.
    """
    return listing_of(model) if backend == "pyomo" else listing_of_problem(model)
