"""Programs as values: named groups of variables, constraints and objective terms, built by one declared backend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import isfinite, isnan
from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple

from schedproof.core.context import Context
from schedproof.core.deadline import best_within
from schedproof.core.errors import (
    InexactPoint,
    ProgramError,
    SchedproofError,
    UnknownName,
    nearly,
    require_family,
    short,
)
from schedproof.core.group import Group
from schedproof.core.solution import STATEMENTS, Solution
from schedproof.core.solving.exact_check import certified_optimum
from schedproof.core.solving.status import Outcome
from schedproof.core.untyped import Model, OfFamily, Value

if TYPE_CHECKING:
    from schedproof.core.backends import Backend
    from schedproof.core.infeasible import InfeasibleSubsystem

AGREEMENT = 1e-6  # of a solver's own objective with ours, relative; a larger gap is a failed solve, not a result
TO_CHECK = 0.1  # of a time limit is for what follows on the solver
UNBUILT = Outcome("time_limit", message="the model was not built in time")
LATE = Outcome("time_limit", message="nothing was found in time")
EXHAUSTIVE = ""  # the engine of a route that rests on no solver


class Route(NamedTuple):
    """Another way to solve exactly one program.

    Attributes
    ----------
    solve
        ``solve(instance, context, **parameters)`` returns an `Outcome` of `schedproof.core.solving`.
    engine
        The solver on whose word its answer rests; `EXHAUSTIVE` where it tries every choice itself, in exact arithmetic.
    """

    solve: Callable[..., Outcome]
    engine: str


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
        Other ways to solve exactly this program, by name.
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
    routes: Mapping[str, Route] = field(default_factory=dict)
    to_schedule: Callable[..., OfFamily] | None = None
    default_solver: str = "highs"

    def __post_init__(self) -> None:
        self._checked()

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

    def solve(
        self, instance: OfFamily, solver: str | None = None, time_limit: float | None = None, confirm: bool = False
    ) -> Solution:
        """Solve it on an instance, through a solver or one of its routes; whatever the outcome, it is a `Solution`.

        With ``confirm`` a second route, which shares no solver with the first, has to say the same. The time limit is
        that of everything: the model, the solver, the second route.
        """
        _backend(self).load()
        context = Context(time_limit=time_limit)
        solution = solve(self, instance, solver or self.default_solver, context)
        return confirmed(self, instance, solution, context) if confirm else solution

    def why_infeasible(self, instance: OfFamily, time_limit: float | None = None) -> InfeasibleSubsystem:
        """Why it has no point: groups, rows and bounds that cannot be met together, and without any one of them can.

        Parameters
        ----------
        time_limit
            Seconds; a minute if not given. What is left when they are over may have more than is needed, and says so.

        Raises
        ------
        ProgramError
            For a program that is feasible.
        NoSolution
            When it is not known in time whether it is infeasible.
        """
        from schedproof.core.infeasible import why_infeasible

        self._require_family(instance)
        _backend(self).load()
        return why_infeasible(self, instance, Context(time_limit=time_limit))

    def engine(self, solver: str) -> str:
        """The solver on whose word the answers of a solver or route rest; `EXHAUSTIVE` for none."""
        return self.routes[solver].engine if solver in self.routes else solver

    def latex(self) -> str:
        """The program as rows of an align environment, each with the paper's own number."""
        printed = ("objective", "constraints", "variables")
        rows = sorted(self.groups, key=lambda g: printed.index(g.role))
        return "\n".join(rf"& {g.latex} && \text{{{g.source}}} \\" for g in rows)

    def _require_family(self, instance: OfFamily) -> None:
        require_family(self.id, instance)

    def _routeless(self, **changes: Value) -> Program:
        default = _backend(self).solvers[0] if self.default_solver in self.routes else self.default_solver
        return replace(self, routes={}, default_solver=default, **changes)

    def _checked(self) -> Program:
        for g in self.groups:
            if not isinstance(g, Group):
                raise ProgramError(f"{self.id}: expected groups, as sp.group makes them of functions, found {short(g)}")
        names = {g.name for g in self.groups}
        for n, g in enumerate(self.groups):
            if any(g.name == other.name for other in self.groups[:n]):
                raise ProgramError(f"{self.id} has a group '{g.name}' already; drop it first")
            for need in g.needs:
                if not names & set(need.split("|")):
                    near = "".join(f"; did you mean {name}?" for name in nearly(need, sorted(names - {g.name}))[:1])
                    what = f"{self.id}: group '{g.name}' {g.source} needs '{need}'"
                    raise ProgramError(f"{what}{near or '; drop or keep both'}")
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
        route = partial(program.routes[solver].solve, instance, **program.parameters)
        outcome = best_within(context, lambda context: route(context=context)) or LATE
        flaw = _flaw_of_schedule(outcome, instance)
    elif solver in (known := _backend(program).solvers):
        model = best_within(context, lambda _: program.build(instance))
        built, flaw = perf_counter(), ""
        solved = partial(_solve_model, program, model, instance, solver)
        outcome = UNBUILT if model is None else best_within(context, solved) or LATE
    else:
        *others, last = dict.fromkeys((*known, *program.routes))
        raise ProgramError(
            f"{program.id} has no solver or route '{solver}' (a route belongs to a whole program, unchanged and "
            f"unrelaxed); use {', '.join(others)} or {last}"
        )
    if flaw := flaw or _flaw_of_bound(outcome, program.sense):
        outcome = Outcome("solver_failed", message=f"{solver} says {outcome.status} {outcome.objective}, but {flaw}")
    status, rests_on = _said(outcome, program.engine(solver))
    return Solution(
        program=program.id,
        family=program.family,
        status=status,
        rests_on=rests_on,
        ended=outcome.status,
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


def confirmed(program: Program, instance: OfFamily, first: Solution, context: Context) -> Solution:
    """A solution beside the answer of another route, which shares no solver with it.

    Its status is then plain or ``disputed``; it stays as it is where it is proven, or no other route has an answer.
    """
    if first.proven or first.ended not in STATEMENTS:
        return first
    refusals = []
    for name in dict.fromkeys((*program.routes, *_backend(program).solvers)):
        if program.engine(name) == program.engine(first.solver):
            continue
        try:
            second = solve(program, instance, name, context)
        except SchedproofError as error:
            refusals.append(str(error))
            continue
        if _contradict(first, second, program.sense):
            message = f"{first.solver} says {first.words}, {name} says {second.words}"
            return replace(first, status="disputed", rests_on="", message=message)
        if second.ended == first.ended:
            rests_on = f"two routes that share no solver, {first.solver} and {name}"
            return replace(first, status=first.ended, rests_on=rests_on)
        refusals.append(f"{name} ended as {second.ended}")
    why = "; ".join(refusals) or "there is no other route"
    return replace(first, message=f"no second route confirms it: {why}")


def _contradict(first: Solution, second: Solution, sense: str) -> bool:
    """Whether a statement of the first solution and what the second one ended with cannot both be true."""
    if second.ended in STATEMENTS and second.ended != first.ended:
        return True
    if second.objective is None:
        return False
    if first.objective is None:
        return first.ended == "infeasible"
    if second.ended == "optimal" and first.exact is not None and second.exact is not None:
        return first.exact != second.exact
    worse = (first.objective - second.objective) * (1 if sense == "minimize" else -1)
    return (abs(worse) if second.ended == "optimal" else worse) > _slack(first.objective)


def _said(outcome: Outcome, engine: str) -> tuple[str, str]:
    """The status that an outcome deserves, and what that rests on."""
    if outcome.status not in STATEMENTS:
        return outcome.status, ""
    if outcome.rests_on:
        return outcome.status, outcome.rests_on
    if engine == EXHAUSTIVE:
        return outcome.status, "every choice tried, in exact arithmetic"
    return f"{outcome.status} (claimed by {engine})", f"the word of {engine}"


def _slack(value: float) -> float:
    """How far two values may lie apart that should be the same, when each is off by `AGREEMENT`."""
    return 2 * AGREEMENT * max(1.0, abs(value))


def _flaw_of_schedule(outcome: Outcome, instance: OfFamily) -> str:
    """What the family's checker finds wrong with a route's schedule, and whether its value is the route's."""
    if outcome.schedule is None:
        return ""
    for broken in outcome.schedule.violations(instance):
        return f"its schedule breaks {broken}"
    value = float(outcome.schedule.objective(instance))
    same = outcome.objective is not None and abs(value - outcome.objective) <= _slack(value)
    return "" if same else f"its schedule has the value {value}"


def _flaw_of_bound(outcome: Outcome, sense: str) -> str:
    """Whether a number is none, a bound is on the wrong side of the point, or an optimum is not its own bound."""
    if outcome.objective is not None and not isfinite(outcome.objective):
        return f"its point costs {outcome.objective}"
    if outcome.bound is None or (outcome.objective is None and not isnan(outcome.bound)):
        return ""
    gap = ((outcome.objective or 0.0) - outcome.bound) * (1 if sense == "minimize" else -1)
    right = (abs(gap) if outcome.status == "optimal" else -gap) <= _slack(outcome.objective or 0.0)
    return "" if right else f"its bound is {outcome.bound}"


def _solve_model(program: Program, model: Model, instance: OfFamily, solver: str, context: Context) -> Outcome:
    """Through the program's backend; the objective at its point is recomputed, and its rows are checked."""
    backend = _backend(program)
    outcome = backend.solve(model, solver, context.shorter(TO_CHECK * (context.time_limit or 0.0)))
    if not outcome.has_point:
        return outcome
    context.keep(Outcome("time_limit", bound=outcome.bound, message=f"{solver} has a point, not yet checked"))
    if broken := backend.broken_row(model):
        said = f"{outcome.status} {outcome.objective}"
        return Outcome("solver_failed", message=f"{solver} says {said}, but {broken}")
    recomputed, values = backend.point(model)
    its = recomputed if outcome.objective is None else outcome.objective
    if not abs(recomputed - its) <= AGREEMENT * max(1.0, abs(recomputed)):
        return Outcome("solver_failed", message=f"{solver} says {its}, its point costs {recomputed}")
    try:
        schedule = program.to_schedule(model, instance) if program.to_schedule else None
    except InexactPoint as error:
        return Outcome("solver_failed", bound=outcome.bound, message=str(error))
    outcome = replace(outcome, objective=recomputed, values=values, schedule=schedule)
    context.keep(outcome)
    optimum = None if outcome.multipliers is None else certified_optimum(model, outcome.multipliers)
    if optimum is None:
        return outcome
    rests_on = "multipliers whose bound is the objective, in rationals"
    return replace(outcome, bound=float(optimum), exact=optimum, rests_on=rests_on)


def _backend(program: Program) -> Backend:
    from schedproof.core.backends import BACKENDS

    return BACKENDS[program.backend]
