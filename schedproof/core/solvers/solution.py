"""What solving a program gives back: a status and what it rests on, a recomputed objective, a bound, and the values."""

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
STATEMENTS = ("optimal", "infeasible", "unbounded")  # how a solve can end that says something of every point


@dataclass(frozen=True, repr=False)
class Solution(Tabled):
    """The outcome of solving a program on an instance.

    Attributes
    ----------
    status
        ``ended``, when that is proven; ``optimal (claimed by highs)``, and so for ``infeasible`` and ``unbounded``,
        when it is the word of a solver, ``optimal (two solvers agree)`` when it is that of two, and ``optimal (proof)``
        where `proof` says so of an integer program; ``disputed``, when two routes contradict each other.
    rests_on
        What an optimal, infeasible or unbounded status rests on: an exact certificate, every choice tried, two routes,
        or the word of a solver. Empty for any other.
    ended
        How the solver or route says that it ended, as in `schedproof.core.solvers.status.Outcome`.
    objective, bound
        As in `Outcome`; ``objective`` is recomputed from ``values``, not the solver's word, and a point that breaks a
        row is no solution (``solver_failed``). A bound is the solver's word unless the status is proven.
    exact
        The objective as a rational, where the route computed in integers.
    values
        Variable name -> index -> value, nonzero entries only.
    multipliers
        Name of a row -> multiplier, exactly, where these prove the end of a linear program; None where they do not.
        Of an optimum, ``sp.bound(program, instance, multipliers=...)`` is the certified bound that they prove; of an
        infeasible program, they combine its rows to a contradiction.
    proof
        Of an integer optimum, for ``schedproof check-optimum``; of the end of a linear program, for ``schedproof
        check-bound``; None where none was asked for, or found.
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
        """The relative distance of objective and bound; None where one of them is missing."""
        if self.objective is None or self.bound is None:
            return None
        return abs(self.objective - self.bound) / max(abs(self.objective), 1e-9)

    @property
    def proven(self) -> bool:
        """Whether it is optimal, infeasible or unbounded by more than the word of solvers."""
        return self.status in STATEMENTS or self.status == f"{self.ended} ({PROOF})"

    @property
    def confirmed(self) -> bool:
        """Whether it is so by more than the word of one solver."""
        return self.proven or self.status == f"{self.ended} ({AGREED})"

    def facts(self) -> dict[str, Value]:
        """How the solve ended, its numbers, and what they rest on."""
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
        """How it ended, with the objective: ``optimal 31``."""
        return self.ended if self.objective is None else f"{self.ended} {self.objective:.10g}"

    def lines(self, measure: Measure) -> list[str]:
        """For a person: how it ended, its numbers in the family's unit, and what they rest on."""
        seconds = f"{self.build_seconds:.2f} s to build, {self.solve_seconds:.2f} s to solve"
        lines = [f"{self.program}: {self.status} ({self.solver}, {seconds})"]
        numbers = (self.objective, self.bound)
        if numbers != (None, None):
            objective, bound = (measure.amount(x) if x is not None else "none" for x in numbers)
            lines.append(f"objective {objective}, bound {bound}")
        lines += [f"rests on {self.rests_on}"] if self.rests_on else []
        return lines + ([self.message] if self.message else [])

    def write(self, path: str | Path, instance: AnyFamily) -> None:
        """Write the schedule that this point describes, as a schedule file."""
        self.schedule().write(path, instance)

    def schedule(self) -> AnyFamily:
        """The family's Schedule that this point describes.

        Raises
        ------
        NoSolution, ProgramError
            When there is no point, or the program does not decide a schedule.
        """
        if self.ended not in ("optimal", "feasible"):
            raise NoSolution(f"{self.program}: no schedule, the solve ended as '{self.ended}'")
        if self._schedule is None:
            raise ProgramError(
                f"{self.program} does not decide a schedule, for want of a to_schedule; its point is in `values`, "
                "with --json"
            )
        return self._schedule

    def to_json(self) -> dict[str, Json]:
        """The result object of ``solve --json``."""
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
