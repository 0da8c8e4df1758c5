"""How a solve can end, and what every solver adapter returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from schedproof.core.base.untyped import AnyFamily, Model

Status = Literal["optimal", "feasible", "infeasible", "unbounded", "time_limit", "interrupted", "solver_failed"]


@dataclass(frozen=True)
class Outcome:
    """What a solver or another route says: a status, never swallowed, and what comes with it.

    Attributes
    ----------
    status
        ``optimal``; ``feasible`` (stopped early with an incumbent); ``time_limit`` or ``interrupted`` (stopped early
        without one); ``infeasible``; ``unbounded``; ``solver_failed``.
    objective, bound
        The incumbent's value and the proven bound on the optimum, where there are such.
    values
        Variable name -> index -> value; empty without an incumbent.
    exact
        The objective as a rational, where the route computes in integers.
    schedule
        The family's Schedule, where the route builds one itself.
    message
        What the solver said, when it failed.
    rests_on
        What proves the status, where it is more than a solver's word.
    multipliers
        Row -> dual value of a linear Pyomo model, where the solver says them.
    proof
        Name of a row -> multiplier, exactly, where these prove that ``exact`` is the optimum, or infeasibility.
    doubt
        Why another solver's agreement is no evidence: a number that solvers drop, a row that the point just breaks.
    solver
        The solver that answered, where another one was asked first and failed.
    """

    status: Status
    objective: float | None = None
    bound: float | None = None
    values: dict[str, dict[Model, float]] = field(default_factory=dict)
    exact: Fraction | None = None
    schedule: AnyFamily = None
    message: str = ""
    rests_on: str = ""
    multipliers: Mapping[Model, float] | None = field(default=None, repr=False)
    proof: Mapping[str, Fraction] | None = field(default=None, repr=False)
    doubt: str = ""
    solver: str = ""

    @property
    def has_point(self) -> bool:
        """Whether there is an incumbent."""
        return self.status in ("optimal", "feasible")
