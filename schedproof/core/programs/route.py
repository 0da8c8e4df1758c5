"""Exact methods of single programs, besides the backend's solvers."""

from collections.abc import Callable
from typing import NamedTuple

from schedproof.core.solvers.status import Outcome

EXHAUSTIVE = ""  # the engine of a route that uses no solver


class Route(NamedTuple):
    """An exact method for one program.

    Attributes
    ----------
    solve
        ``solve(instance, context, **parameters)`` returns an `Outcome` of `schedproof.core.solvers`.
    engine
        The solver that the method trusts; `EXHAUSTIVE` for complete enumeration in exact arithmetic.
    """

    solve: Callable[..., Outcome]
    engine: str
