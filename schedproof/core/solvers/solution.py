"""The result of solving a program: status, recomputed objective, bound and values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from schedproof.core.base.display import Tabled
from schedproof.core.base.untyped import AnyFamily, Json, Model, Value
from schedproof.core.cards.family import Measure
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.solvers.status import Status

AGREED, PROOF = "two solvers agree", "proof"
STATEMENTS = ("optimal", "infeasible", "unbounded")  # statuses that are statements on every point


@dataclass(frozen=True, repr=False)
class Solution(Tabled):
    """The result of solving a program on an instance.

    Attributes
    ----------
    status
        The same as ``ended`` if proven. Otherwise, for optimal, infeasible and unbounded: ``optimal (claimed by
        highs)`` for one solver, ``optimal (two solvers agree)`` for two, ``optimal (proof)`` for an integer program
        with a `proof`. ``disputed`` if two methods contradict each other.
    rests_on
        Basis of an optimal, infeasible or unbounded status: an exact certificate, complete enumeration, two methods, or
        a solver's claim. Empty for other statuses.
    ended
        Status returned by the solver or route, as in `schedproof.core.solvers.status.Outcome`.
    objective, bound
        As in `Outcome`. ``objective`` is recomputed from ``values``. A point that violates a row is not accepted
        (``solver_failed``). A bound is a solver's claim unless the status is proven.
    exact
        The objective as a rational, if the route computes in integers.
    values
        Variable name -> index -> value, nonzero entries only.
    multipliers
        Row name -> exact multiplier, if these prove the status of a linear program, else None. For an optimum,
        ``sp.bound(program, instance, multipliers=...)`` returns the certified bound. For an infeasible program, the
        multipliers combine the rows to a contradiction.
    proof
        Proof of an integer optimum for ``schedproof check-optimum``, or of a linear program's status for ``schedproof
        check-bound``; None if not requested or not found.
    doubt
        Why the agreement of a second solver would be no evidence; empty for no reason.
    """

    program: str
    family: str
    status: str
    rests_on: str
    ended: Status
    objective: float | None
    bound: float | None
    exact: Fraction | None
    solver: str
    build_seconds: float
    solve_seconds: float
    values: dict[str, dict[Model, float]] = field(repr=False)
    message: str = ""
    multipliers: Mapping[str, Fraction] | None = field(default=None, repr=False)
    proof: dict[str, Json] | None = field(default=None, repr=False)
    doubt: str = field(default="", repr=False)
    _schedule: AnyFamily = field(default=None, repr=False)

    @property
    def gap(self) -> float | None:
        """The relative distance of objective and bound, or None if one is missing."""
        if self.objective is None or self.bound is None:
            return None
        return abs(self.objective - self.bound) / max(abs(self.objective), 1e-9)

    @property
    def proven(self) -> bool:
        """Whether an optimal, infeasible or unbounded status has a proof."""
        return self.status in STATEMENTS or self.status == f"{self.ended} ({PROOF})"

    @property
    def confirmed(self) -> bool:
        """Whether such a status is proven, or two solvers agree."""
        return self.proven or self.status == f"{self.ended} ({AGREED})"

    def facts(self) -> dict[str, Value]:
        return {
            "program": self.program,
            "status": self.status,
            "objective": None if self.objective is None else f"{self.objective:.10g}",
            "bound": None if self.bound is None else f"{self.bound:.10g}",
            "solver": self.solver,
            "seconds": f"{self.build_seconds + self.solve_seconds:.2f}",
            "rests on": self.rests_on,
            "message": self.message,
        }

    @property
    def words(self) -> str:
        """Status and objective: ``optimal 31``."""
        return self.ended if self.objective is None else f"{self.ended} {self.objective:.10g}"

    def lines(self, measure: Measure) -> list[str]:
        """Return status, numbers in the family's unit, and their basis as text lines."""
        seconds = f"{self.build_seconds:.2f} s to build, {self.solve_seconds:.2f} s to solve"
        lines = [f"{self.program}: {self.status} ({self.solver}, {seconds})"]
        numbers = (self.objective, self.bound)
        if numbers != (None, None):
            objective, bound = (measure.amount(x) if x is not None else "none" for x in numbers)
            lines.append(f"objective {objective}, bound {bound}")
        lines += [f"rests on {self.rests_on}"] if self.rests_on else []
        return lines + ([self.message] if self.message else [])

    def write(self, path: str | Path, instance: AnyFamily) -> None:
        """Write the schedule of this point as a schedule file."""
        self.schedule().write(path, instance)

    def schedule(self) -> AnyFamily:
        """Return the family's Schedule of this point.

        Raises
        ------
        NoSolution, ProgramError
            If there is no point, or the program does not define a schedule.
        """
        if self.ended not in ("optimal", "feasible"):
            raise NoSolution(f"{self.program}: no schedule, the solver ended with '{self.ended}'")
        if self._schedule is None:
            raise ProgramError(
                f"{self.program} defines no to_schedule, so it has no schedule; its point is in `values` (--json)"
            )
        return self._schedule

    def to_json(self) -> dict[str, Json]:
        """Return the result object of ``solve --json``."""
        return {
            "program": self.program,
            "family": self.family,
            "status": self.status,
            "rests_on": self.rests_on,
            "objective": self.objective,
            "bound": self.bound,
            "gap": self.gap,
            "solver": self.solver,
            "build_seconds": round(self.build_seconds, 4),
            "solve_seconds": round(self.solve_seconds, 4),
            "values": {
                name: {_index_text(index): value for index, value in entries.items()}
                for name, entries in self.values.items()
            },
        }


def _index_text(index: Model) -> str:
    return ",".join(map(str, index)) if isinstance(index, tuple) else str(index)
