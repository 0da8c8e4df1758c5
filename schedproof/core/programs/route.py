"""A way to solve exactly one program, beside the solvers of its backend."""

from collections.abc import Callable
from typing import NamedTuple

from schedproof.core.solvers.status import Outcome

EXHAUSTIVE = ""  # the engine of a route that rests on no solver


class Route(NamedTuple):
    """Another way to solve exactly one program.

    Attributes
    ----------
    solve
        ``solve(instance, context, **parameters)`` returns an `Outcome` of `schedproof.core.solvers`.
    engine
        The solver on whose word its answer rests; `EXHAUSTIVE` where it tries every choice itself, in exact arithmetic.
    """

    solve: Callable[..., Outcome]
    engine: str
