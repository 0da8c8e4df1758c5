"""Programs as values: named groups of variables, constraints and objective terms, built by one declared backend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from schedproof.core.context import Context
from schedproof.core.errors import InexactPoint, InputError, ProgramError, UnknownName
from schedproof.core.group import Group
from schedproof.core.solution import Solution
from schedproof.core.solving.status import Outcome
from schedproof.core.untyped import Model, OfFamily, Value

if TYPE_CHECKING:
    from schedproof.core.backends import Backend

AGREEMENT = 1e-6  # of a solver's own objective with ours, relative; a larger gap is a failed solve, not a result


@dataclass(frozen=True)
class Program:
    """An optimization program as a value: groups that can be dropped, added, relaxed, built and printed.

    Attributes
    ----------
    id
        ``family.name``.
    sense
        ``minimize`` or ``maximize``.
    groups
        In the order in which the paper prints them.
    backend
        ``pyomo`` or ``cvxpy``; one per program.
    parameters
        Values that the builders ask for by keyword (``cost``, ``speed``, ...).
    integer
        Whether integer variables are; `relaxed` makes them continuous.
    routes
        Other ways to solve exactly this program, by name: ``route(instance, context, **parameters)`` returns an
        `Outcome` of `schedproof.core.solving`.
    to_schedule
        Reads a family's Schedule off a solved model, where the program has one.
    default_solver
        The solver or route that is used when none is named; a program that loses its routes loses such a route, too.
    """

    id: str
    sense: Literal["minimize", "maximize"]
    groups: tuple[Group, ...]
    backend: Literal["pyomo", "cvxpy"] = "pyomo"
    parameters: Mapping[str, Value] = field(default_factory=dict)
    integer: bool = True
    routes: Mapping[str, Callable[..., Outcome]] = field(default_factory=dict)
    to_schedule: Callable[..., OfFamily] | None = None
    default_solver: str = "highs"

    @property
    def family(self) -> str:
        """The paper's family, the first half of the id."""
        return self.id.split(".")[0]

    def group(self, name: str) -> Group:
        """The group of that name."""
        for g in self.groups:
            if g.name == name:
                return g
        raise UnknownName(f"group of {self.id}", name, [g.name for g in self.groups])

    def without(self, *names: str) -> Program:
        """The program less some groups; refuses to drop a group that another one needs."""
        for name in names:
            self.group(name)
        kept = tuple(g for g in self.groups if g.name not in names)
        return self._routeless(groups=kept, to_schedule=None)._checked()

    def with_(self, *groups: Group) -> Program:
        """The program with more groups, in printed order after its own."""
        return self._routeless(groups=self.groups + groups)._checked()

    def where(self, **parameters: Value) -> Program:
        """The program with other values for some of its declared parameters."""
        for name in parameters:
            if name not in self.parameters:
                raise UnknownName(f"parameter of {self.id}", name, self.parameters)
        return replace(self, parameters={**self.parameters, **parameters})

    def relaxed(self) -> Program:
        """The program with every integer variable made continuous."""
        return self._routeless(integer=False, to_schedule=None)

    def build(self, instance: OfFamily) -> Model:
        """A plain Pyomo ``ConcreteModel`` (one Block per group) or CVXPY ``Problem``, for the user to extend."""
        self._require_family(instance)
        if not any(g.role == "objective" for g in self.groups):
            raise ProgramError(f"{self.id} has no objective left; keep one objective group")
        return _backend(self).build(self, instance)

    def solve(self, instance: OfFamily, solver: str | None = None, time_limit: float | None = None) -> Solution:
        """Solve it on an instance, through a solver or one of its routes; whatever the outcome, it is a `Solution`."""
        return solve(self, instance, solver or self.default_solver, Context(time_limit=time_limit))

    def latex(self) -> str:
        """The program as rows of an align environment, each with the paper's own number."""
        printed = ("objective", "constraints", "variables")
        rows = sorted(self.groups, key=lambda g: printed.index(g.role))
        return "\n".join(rf"& {g.latex} && \text{{{g.source}}} \\" for g in rows)

    def _require_family(self, instance: OfFamily) -> None:
        if instance.family != self.family:
            raise InputError(f"{self.id} takes a {self.family} instance, this one is {instance.family}")

    def _routeless(self, **changes: Value) -> Program:
        default = _backend(self).solvers[0] if self.default_solver in self.routes else self.default_solver
        return replace(self, routes={}, default_solver=default, **changes)

    def _checked(self) -> Program:
        names = {g.name for g in self.groups}
        for n, g in enumerate(self.groups):
            if any(g.name == other.name for other in self.groups[:n]):
                raise ProgramError(f"{self.id} has a group '{g.name}' already; drop it first")
            for need in g.needs:
                if not names & set(need.split("|")):
                    raise ProgramError(f"{self.id}: group '{g.name}' {g.source} needs '{need}'; drop or keep both")
        return self


def solve(program: Program, instance: OfFamily, solver: str, context: Context) -> Solution:
    """Solve a program on an instance through a solver of its backend or one of the program's own routes.

    Raises
    ------
    ProgramError
        For a name that is neither.
    """
    program._require_family(instance)
    started = built = perf_counter()
    if solver in program.routes:
        outcome = program.routes[solver](instance, context=context, **program.parameters)
    elif solver in (known := _backend(program).solvers):
        model = program.build(instance)
        built = perf_counter()
        outcome = _solve_model(program, model, instance, solver, context)
    else:
        *others, last = dict.fromkeys((*known, *program.routes))
        raise ProgramError(
            f"{program.id} has no solver or route '{solver}' (a route belongs to a whole program, unchanged and "
            f"unrelaxed); use {', '.join(others)} or {last}"
        )
    return Solution(
        program=program.id,
        family=program.family,
        status=outcome.status,
        objective=outcome.objective,
        bound=outcome.bound,
        exact=outcome.exact,
        solver=solver,
        build_seconds=built - started,
        solve_seconds=perf_counter() - built,
        values=outcome.values,
        message=outcome.message,
        _schedule=outcome.schedule,
    )


def _solve_model(program: Program, model: Model, instance: OfFamily, solver: str, context: Context) -> Outcome:
    """Through the program's backend; the objective at its point is recomputed."""
    backend = _backend(program)
    outcome = backend.solve(model, solver, context.time_limit)
    if not outcome.has_point:
        return outcome
    recomputed, values = backend.point(model)
    if outcome.objective is not None and abs(recomputed - outcome.objective) > AGREEMENT * max(1.0, abs(recomputed)):
        return Outcome("solver_failed", message=f"{solver} says {outcome.objective}, its point costs {recomputed}")
    try:
        schedule = program.to_schedule(model, instance) if program.to_schedule else None
    except InexactPoint as error:
        return Outcome("solver_failed", bound=outcome.bound, message=str(error))
    return Outcome(outcome.status, recomputed, outcome.bound, values, schedule=schedule)


def _backend(program: Program) -> Backend:
    from schedproof.core.backends import BACKENDS

    return BACKENDS[program.backend]
