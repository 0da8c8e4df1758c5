"""Statuses of a solve, and the common result of all solver adapters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from schedproof.core.base.untyped import AnyFamily, Model

Status = Literal["optimal", "feasible", "infeasible", "unbounded", "time_limit", "interrupted", "solver_failed"]


@dataclass(frozen=True)
class Outcome:
    """The result of a solver or another route.

    Attributes
    ----------
    status
        ``optimal``; ``feasible`` (stopped early with an incumbent); ``time_limit`` or ``interrupted`` (stopped early
        without one); ``infeasible``; ``unbounded``; ``solver_failed``.
    objective, bound
        The incumbent's value and the bound on the optimum, if known.
    values
        Variable name -> index -> value; empty without an incumbent.
    exact
        The objective as a rational, if the route computes in integers.
    schedule
        The family's Schedule, if the route builds it.
    message
        The solver's message, if it failed.
    rests_on
        Basis of the status, if more than a solver's claim.
    multipliers
        Row -> dual value of a linear Pyomo model, if the solver returns them.
    proof
        Row name -> exact multiplier, if these prove that ``exact`` is the optimum, or infeasibility.
    doubt
        Why another solver's agreement is no evidence: a dropped small number, or a narrowly violated row.
    solver
        The solver that answered, if another one was tried first and failed.
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
