"""What solving a program gives back: a status, an objective it recomputes itself, a bound, and the values."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.solving.status import Status
from schedproof.core.untyped import Json, Model, OfFamily


@dataclass(frozen=True)
class Solution:
    """The outcome of solving a program on an instance.

    Attributes
    ----------
    status, objective, bound
        As in `schedproof.core.solving.status.Outcome`; ``objective`` is recomputed from ``values``, not the solver's
        word.
    exact
        The objective as a rational, where the route computed in integers.
    values
        Variable name -> index -> value, nonzero entries only.
    """

    program: str
    family: str
    status: Status
    objective: float | None
    bound: float | None
    exact: Fraction | None
    solver: str
    build_seconds: float
    solve_seconds: float
    values: dict[str, dict[Model, float]] = field(repr=False)
    message: str = ""
    _schedule: OfFamily = field(default=None, repr=False)

    @property
    def gap(self) -> float | None:
        """The relative distance of objective and bound; None where one of them is missing."""
        if self.objective is None or self.bound is None:
            return None
        return abs(self.objective - self.bound) / max(abs(self.objective), 1e-9)

    def schedule(self) -> OfFamily:
        """The family's Schedule that this point describes.

        Raises
        ------
        NoSolution, ProgramError
            When there is no point, or the program does not decide a schedule.
        """
        if self.status not in ("optimal", "feasible"):
            raise NoSolution(f"{self.program}: no schedule, the solve ended as '{self.status}'")
        if self._schedule is None:
            raise ProgramError(f"{self.program} does not decide a schedule")
        return self._schedule

    def to_json(self) -> dict[str, Json]:
        """The result object of ``solve --json``."""
        return {
            "program": self.program,
            "family": self.family,
            "status": self.status,
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
