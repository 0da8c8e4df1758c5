"""Programs as values: named groups of variables, constraints and objective terms, built by one declared backend."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite, isnan
from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple

from schedproof.core.context import Context, Progress, known_so_far, silent
from schedproof.core.deadline import Interrupted, best_within
from schedproof.core.display import OneLine
from schedproof.core.errors import (
    InexactPoint,
    ProgramError,
    SchedproofError,
    UnknownName,
    close_names,
    require,
    require_family,
    short,
)
from schedproof.core.exact.point import Values
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
UNBUILT = Outcome("time_limit", message="the model was not built by then")
LATE = Outcome("time_limit", message="nothing was found by then")
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


@dataclass(frozen=True, repr=False)
class Program(OneLine):
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
    column_bytes
        Memory of a column with its rows, while a solver has it: by this a model is refused before it is built.
    to_point
        The point of a schedule, ``to_point(schedule, instance, **parameters)``: for each Pyomo variable, by its full
        name, values by index, 0 where there is none. It holds a run against a bound on this program, row by row.
    require_solvable
        ``require_solvable(instance)`` refuses numbers that solvers misread; a program is built with them all the same.
    changes
        What makes it another program than the one that its id names: ``without one_worker_per_chunk``.
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
    column_bytes: float = 5000.0
    to_point: Callable[..., Values] | None = None
    require_solvable: Callable[[OfFamily], None] | None = None
    changes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not (isinstance(self.id, str) and "." in self.id):
            raise ProgramError(f"expected a program's id like 'family.name', found {short(self.id)}")
        if self.sense not in ("minimize", "maximize") or self.backend not in ("pyomo", "cvxpy"):
            raise ProgramError(
                f"{self.id}: expected sense minimize or maximize, found {short(self.sense)}; "
                f"backend pyomo or cvxpy, found {short(self.backend)}"
            )
        require(self.groups, tuple, f"a tuple of groups in {self.id}")
        for g in self.groups:
            if not isinstance(g, Group):
                raise ProgramError(f"{self.id}: expected groups, as sp.group makes them of functions, found {short(g)}")
        names = {g.name for g in self.groups}
        for n, g in enumerate(self.groups):
            if any(g.name == other.name for other in self.groups[:n]):
                raise ProgramError(f"{self.id} has a group '{g.name}' already; drop it first")
            for need in g.needs:
                if not names & set(need.split("|")):
                    near = "".join(
                        f"; did you mean {name}?" for name in close_names(need, sorted(names - {g.name}))[:1]
                    )
                    what = f"{self.id}: group '{g.name}' {g.source} needs '{need}'"
                    raise ProgramError(f"{what}{near or '; drop or keep both'}")

    @property
    def family(self) -> str:
        """The paper's family, the first half of the id."""
        return self.id.split(".")[0]

    @property
    def title(self) -> str:
        """Its id, and what was changed: ``preemptive.ilp4 (without one_worker_per_chunk, relaxed)``."""
        return f"{self.id} ({', '.join(self.changes)})" if self.changes else self.id

    def group(self, name: str) -> Group:
        """The group of that name."""
        for g in self.groups:
            if g.name == name:
                return g
        raise UnknownName(f"group of {self.id}", name, [g.name for g in self.groups])

    def drop(self, *names: str) -> Program:
        """The program less some groups; refuses to drop a group that another one needs."""
        for name in names:
            self.group(name)
        kept = tuple(g for g in self.groups if g.name not in names)
        return self._routeless(*(f"without {name}" for name in names), groups=kept, to_schedule=None)

    def add(self, *groups: Group) -> Program:
        """The program with more groups, in printed order after its own."""
        return self._routeless(*(f"with {g.name}" for g in groups if isinstance(g, Group)), groups=self.groups + groups)

    def without(self, *names: str) -> Program:
        """`drop`, by its name in version 0.1."""
        warnings.warn("Program.without is now Program.drop", FutureWarning, stacklevel=2)
        return self.drop(*names)

    def with_(self, *groups: Group) -> Program:
        """`add`, by its name in version 0.1."""
        warnings.warn("Program.with_ is now Program.add", FutureWarning, stacklevel=2)
        return self.add(*groups)

    def where(self, **parameters: Value) -> Program:
        """The program with other values for some of its declared parameters."""
        for name in parameters:
            if name not in self.parameters:
                raise UnknownName(f"parameter of {self.id}", name, self.parameters)
        return replace(self, parameters={**self.parameters, **parameters})

    def relaxed(self) -> Program:
        """The program with every integer variable made continuous."""
        return self._routeless(*(["relaxed"] if self.integer else []), integer=False, to_schedule=None)

    def dual(self) -> Program:
        """The dual of a continuous linear program: rows for its variables, multipliers for its rows and bounds.

        The signs are those of `dualise`. Its LaTeX is the program's own rows transposed, with the paper's letters where
        it has some; a multiplier is 0 where its row does not exist.

        Raises
        ------
        ProgramError
            For an integer program, one that is not linear, and one built with CVXPY.
        """
        if self.backend != "pyomo":
            raise ProgramError(
                f"{self.id} is built with CVXPY, and only Pyomo's linear programs have a dual here; solve what `build` "
                "returns, and read each constraint's `dual_value`"
            )
        if self.integer:
            raise ProgramError(
                f"{self.id} is an integer program; relax it first: `relaxed().dual()`, or `show --relaxed --dual`"
            )
        from schedproof.core.dual_groups import dual_groups

        sense: Literal["minimize", "maximize"] = "maximize" if self.sense == "minimize" else "minimize"
        return Program(
            id=f"{self.id}:dual",
            sense=sense,
            groups=dual_groups(self),
            integer=False,
            require_solvable=self.require_solvable,
        )

    def build(self, instance: OfFamily, progress: Progress = silent) -> Model:
        """A plain Pyomo ``ConcreteModel`` (one Block per group) or CVXPY ``Problem``, for the user to extend.

        Raises
        ------
        ProgramError
            Also when it would take more memory than is free.
        """
        self._require_family(instance)
        if not any(g.role == "objective" for g in self.groups):
            raise ProgramError(f"{self.id} has no objective left; keep one objective group")
        return _backend(self).build(self, instance, progress)

    def solve(
        self,
        instance: OfFamily,
        solver: str | None = None,
        time_limit: float | None = None,
        confirm: bool = False,
        progress: Progress = silent,
    ) -> Solution:
        """Solve it on an instance; whatever the outcome, it is a `Solution`.

        Parameters
        ----------
        solver
            highs, scip, gurobi; clarabel, piqp, osqp, scs; or an exact method of the program.
        time_limit
            Seconds for all: the model, the solver, the second method; the answer is what is found by then.
        confirm
            Whether a second exact method, which shares no solver with the first, has to say the same.
        progress
            Called with what is known so far.

        Raises
        ------
        Interrupted
            When the user interrupts it (Ctrl-C); its ``best`` is the solution so far, a point or a bound alone.
        """
        _backend(self).load()
        context = Context(time_limit=time_limit, progress=progress)
        solution = solve(self, instance, solver or self.default_solver, context)
        return cross_check(self, instance, solution, context) if confirm else solution

    def why_infeasible(self, instance: OfFamily, time_limit: float | None = None) -> InfeasibleSubsystem:
        """Why it has no point: groups, rows and bounds that cannot be met together, and without any one of them can.

        Parameters
        ----------
        time_limit
            Seconds; a minute if not given. When they are over, the part so far may not be minimal, and says so.

        Raises
        ------
        ProgramError
            For a program that is feasible.
        NoSolution
            When it is not known in time whether it is infeasible.
        """
        from schedproof.core.infeasible import why_infeasible

        self._require_family(instance)
        self._require_solvable(instance)
        _backend(self).load()
        return why_infeasible(self, instance, Context(time_limit=time_limit))

    def engine(self, solver: str) -> str:
        """The solver on whose word the answers of a solver or route rest; `EXHAUSTIVE` for none."""
        return self.routes[solver].engine if solver in self.routes else solver

    def latex(self) -> str:
        """The program as rows of an align environment, each with the paper's own number."""
        printed = ("objective", "constraints", "variables")
        rows = sorted(self.groups, key=lambda g: printed.index(g.role))
        return "\n".join(rf"& {g.row(self.integer)} && \text{{{g.source}}} \\" for g in rows)

    def _repr_latex_(self) -> str:
        """The rows as a notebook shows them."""
        return f"$$\\begin{{aligned}}\n{self.latex()}\n\\end{{aligned}}$$"

    def facts(self) -> dict[str, Value]:
        """What it is, and how many groups it is made of."""
        return {
            "id": self.id,
            "sense": self.sense,
            "variables": "integer" if self.integer else "continuous",
            "groups": len(self.groups),
            "changes": ", ".join(self.changes),
            "parameters": self.parameters,
        }

    def _require_family(self, instance: OfFamily) -> None:
        require_family(self.id, instance)

    def _require_solvable(self, instance: OfFamily) -> None:
        if self.require_solvable is not None:
            self.require_solvable(instance)

    def _routeless(self, *changes: str, **fields: Value) -> Program:
        default = _backend(self).solvers[0] if self.default_solver in self.routes else self.default_solver
        return replace(self, routes={}, default_solver=default, changes=self.changes + changes, **fields)


def solve(program: Program, instance: OfFamily, solver: str, context: Context) -> Solution:
    """Solve a program on an instance through a solver of its backend or one of the program's own routes.

    Raises
    ------
    ProgramError
        For a name that is neither.
    Interrupted
        When the user interrupts it, with the solution so far.
    """
    program._require_family(instance)
    route, known = program.routes.get(solver), _backend(program).solvers
    if route is None and solver not in known:
        *others, last = dict.fromkeys((*known, *program.routes))
        raise ProgramError(
            f"{program.id} has no solver or exact method '{solver}' (an exact method belongs to a program that is "
            f"unchanged and unrelaxed); use {', '.join(others)} or {last}"
        )
    started = built = perf_counter()

    def work(context: Context) -> Outcome:
        nonlocal built
        context = _telling(context)
        if route is not None:
            return route.solve(instance, context=context, **program.parameters)
        program._require_solvable(instance)
        context.keep(UNBUILT)
        context.progress("building the model")
        model = program.build(instance, context.progress)
        built = perf_counter()
        context.keep(LATE)
        context.progress(f"{solver} is at work")
        return _solve_model(program, model, instance, solver, context)

    try:
        outcome, interrupted = best_within(context, work) or LATE, False
    except Interrupted as early:
        outcome, interrupted = early.best, True
    except KeyboardInterrupt:
        outcome, interrupted = LATE, True
    if interrupted and outcome.status == "time_limit":
        outcome = replace(outcome, status="interrupted")
    flaw = _flaw_of_schedule(outcome, instance) if route is not None else ""
    if flaw := flaw or _flaw_of_bound(outcome, program.sense):
        outcome = Outcome("solver_failed", message=f"{solver} says {outcome.status} {outcome.objective}, but {flaw}")
    status, rests_on = _said(outcome, program.engine(solver))
    solution = Solution(
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
    if interrupted:
        raise Interrupted(solution)
    return solution


def _telling(context: Context) -> Context:
    """The same context, which reports every improved outcome as progress."""

    def keep(outcome: Outcome) -> None:
        context.keep(outcome)
        if words := known_so_far(outcome.objective, outcome.bound):
            context.progress(words)

    return replace(context, keep=keep)


def cross_check(program: Program, instance: OfFamily, first: Solution, context: Context) -> Solution:
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
        except KeyboardInterrupt:
            raise Interrupted(first) from None
        if _contradict(first, second, program.sense):
            message = f"{first.solver} says {first.words}, {name} says {second.words}"
            return replace(first, status="disputed", rests_on="", message=message)
        if second.ended == first.ended:
            rests_on = f"two exact methods that share no solver, {first.solver} and {name}"
            return replace(first, status=first.ended, rests_on=rests_on)
        refusals.append(f"{name} ended as {second.ended}")
    why = "; ".join(refusals) or "it has no other"
    return replace(first, message=f"no second exact method confirms it: {why}")


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
