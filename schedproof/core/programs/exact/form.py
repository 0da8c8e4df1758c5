"""The listing of a model of either backend."""

from __future__ import annotations

from collections.abc import Callable

from schedproof.core.base.numbers import exactly
from schedproof.core.base.untyped import AnyFamily, Model
from schedproof.core.programs.exact.cvxpy_form import listing_of_problem
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.pyomo_form import listing_of
from schedproof.core.runtime.context import Progress, silent


def as_stated(build: Callable[[AnyFamily, Progress], Model], instance: AnyFamily, progress: Progress = silent) -> Model:
    """Return a program's model built from rationals instead of doubles."""
    with exactly():
        return build(instance, progress)


def listing_in(backend: str, model: Model) -> Listing:
    """Return the rows of a Pyomo or CVXPY model in rationals.

    Raises
    ------
    ProgramError
        For a program outside linear, second-order and exponential cones.
    """
    return listing_of(model) if backend == "pyomo" else listing_of_problem(model)
