"""Solve programs: recheck a solver's or route's answer, and compare a second one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import isfinite, isnan
from time import perf_counter
from typing import Protocol

from schedproof.core.base.untyped import AnyFamily, Model
from schedproof.core.errors import InexactPoint, ProgramError, SchedproofError, require_family
from schedproof.core.programs.backends import BACKENDS, Backend
from schedproof.core.programs.exact.form import as_stated, listing_in
from schedproof.core.programs.exact.judgement import Judge, Linear, LinearProblem, doubt
from schedproof.core.programs.exact.pyomo_form import linear_part, nonlinear_numbers
from schedproof.core.programs.exact.status import Settled, settle
from schedproof.core.programs.generation.master import Generated
from schedproof.core.programs.generation.solving import solve_generated
from schedproof.core.programs.route import EXHAUSTIVE, Route
from schedproof.core.runtime.context import Context, known_so_far, silent
from schedproof.core.runtime.deadline import Interrupted, best_within
from schedproof.core.runtime.garbage import collected_rarely
from schedproof.core.solvers.solution import AGREED, STATEMENTS, Solution
from schedproof.core.solvers.status import Outcome

AGREEMENT = 1e-6  # relative; if a solver's objective differs by more from the recomputed one, the solve failed
TO_CHECK = 0.1  # share of the time limit for the work after the solver
UNBUILT = Outcome("time_limit", message="the model was not built within the time limit")
LATE = Outcome("time_limit", message="the solver found no solution within the time limit")


class Solvable(Generated, Protocol):
    """The attributes of a program that solving needs."""

    @property
    def generated(self) -> bool:
        """Whether some rows are generated."""

    @property
    def family(self) -> str:
        """The first part of the id."""

    @property
    def title(self) -> str:
        """Id and changes."""

    def relaxed(self) -> Solvable:
        """Return the program with continuous variables."""

    @property
    def routes(self) -> Mapping[str, Route]:
        """Exact methods by name."""

    @property
    def to_schedule(self) -> Callable[..., AnyFamily] | None:
        """Read a schedule from a solved model."""

    @property
    def require_solvable(self) -> Callable[[AnyFamily], None] | None:
        """Raise an error for numbers that solvers misread."""

    @property
    def provable(self) -> bool:
        """Whether the program's optima have proofs."""

    def engine(self, solver: str) -> str:
        """The solver behind the answers of a solver or route."""


def solve(program: Solvable, instance: AnyFamily, solver: str, context: Context) -> Solution:
    """Solve a program on an instance by a solver of its backend or a route.

    Raises
    ------
    ProgramError
        For an unknown name.
    Interrupted
        If the user interrupts it, with the solution so far.
    """
    require_family(program.id, instance)
    route, known = program.routes.get(solver), BACKENDS[program.backend].solvers
    if route is None and solver not in known:
        *others, last = dict.fromkeys((*known, *program.routes))
        raise ProgramError(
            f"{program.id} has no solver or exact method '{solver}' (an exact method needs a program that is "
            f"unchanged and unrelaxed); use {', '.join(others)} or {last}"
        )

    def work(context: Context, ready: Callable[[], None]) -> Outcome:
        if route is not None:
            return route.solve(instance, context=context, **program.parameters)
        if program.require_solvable is not None:
            program.require_solvable(instance)
        context.keep(UNBUILT)
        context.progress("building the model")
        if program.generated:

            def once(part: Solvable, model: Model, context: Context) -> Outcome:
                return solve_built(part, model, instance, solver, context)

            return solve_generated(program, program.relaxed(), instance, context, once)
        model = program.build(instance, context.progress)
        ready()
        context.keep(LATE)
        context.progress(f"{solver} is solving")
        return solve_built(program, model, instance, solver, context)

    return answer(program, instance, solver, context, work)


def answer(
    program: Solvable,
    instance: AnyFamily,
    solver: str,
    context: Context,
    work: Callable[[Context, Callable[[], None]], Outcome],
) -> Solution:
    """Return the solution of ``work(context, ready)`` within the context's limits.

    It calls ``ready()`` once the model is built.
    """
    started = built = perf_counter()

    def ready() -> None:
        nonlocal built
        built = perf_counter()

    try:
        with collected_rarely():
            outcome, interrupted = best_within(context, lambda inner: work(_telling(inner), ready)) or LATE, False
    except Interrupted as early:
        outcome, interrupted = early.best, True
    except KeyboardInterrupt:
        outcome, interrupted = LATE, True
    if interrupted and outcome.status == "time_limit":
        outcome = replace(outcome, status="interrupted")
    flaw = _flaw_of_schedule(outcome, instance) if solver in program.routes else ""
    if flaw := flaw or _flaw_of_bound(outcome, program.sense):
        outcome = Outcome("solver_failed", message=f"{solver} reports {outcome.status} {outcome.objective}, but {flaw}")
    solver = outcome.solver or solver
    status, rests_on = _status_and_basis(outcome, program.engine(solver))
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
        multipliers=outcome.proof,
        doubt=outcome.doubt,
        _schedule=outcome.schedule,
    )
    if interrupted:
        raise Interrupted(solution)
    return solution


def _telling(context: Context) -> Context:
    def keep(outcome: Outcome) -> None:
        context.keep(outcome)
        if words := known_so_far(outcome.objective, outcome.bound):
            context.progress(words)

    return replace(context, keep=keep)


def cross_check(program: Solvable, instance: AnyFamily, first: Solution, context: Context) -> Solution:
    """Compare a solution with the answer of a route on another solver.

    If both agree, the status becomes ``optimal`` for a proven second answer, else ``optimal (two solvers agree)``. If
    they differ, it becomes ``disputed``. A proven status, or a status without a second answer, does not change.
    """
    if first.proven or first.ended not in STATEMENTS:
        return first
    refusals = []
    for name in dict.fromkeys((*program.routes, *BACKENDS[program.backend].solvers)):
        if program.engine(name) == program.engine(first.solver):
            continue
        try:
            second = solve(program, instance, name, context)
        except SchedproofError as error:
            refusals.append(str(error))
            continue
        except KeyboardInterrupt:
            raise Interrupted(first) from None
        if contradict(first, second, program.sense):
            message = f"{first.solver} reports {first.words}, but {name} reports {second.words}"
            return replace(first, status="disputed", rests_on="", message=message)
        if second.ended == first.ended and not second.proven:
            if first.ended == "optimal" and _without_points(program, instance, context):
                message = f"{first.solver} and {name} report {first.words}, but in rationals no point meets the rows"
                return replace(first, status="disputed", rests_on="", message=message)
            if why := first.doubt or _dropped(program, instance):
                refusals.append(f"{name} reports the same, but {why}")
                continue
        if second.ended == first.ended:
            rests_on = f"two exact methods that share no solver, {first.solver} and {name}"
            status = first.ended if second.proven else f"{first.ended} ({AGREED})"
            return replace(first, status=status, rests_on=rests_on)
        refusals.append(f"{name} ended as {second.ended}")
    why = "; ".join(refusals) or "the program has no other exact method"
    return replace(first, message=f"no second exact method confirms it: {why}")


def _dropped(program: Solvable, instance: AnyFamily) -> str:
    """Return a number of the program that solvers may drop, in words; "" for none."""
    try:
        model = program.build(instance, silent)
        if program.backend == "pyomo":
            return doubt(linear_part(model)[0], nonlinear_numbers(model))
        return doubt(listing_in(program.backend, model))
    except SchedproofError:
        return ""


def contradict(first: Solution, second: Solution, sense: str) -> bool:
    """Whether two outcomes cannot both be correct."""
    if second.ended in STATEMENTS and second.ended != first.ended:
        return True
    if second.objective is None:
        return False
    if first.objective is None:
        return first.ended == "infeasible"
    if second.ended == "optimal" and first.exact is not None and second.exact is not None:
        return first.exact != second.exact
    worse = (first.objective - second.objective) * (1 if sense == "minimize" else -1)
    return (abs(worse) if second.ended == "optimal" else worse) > slack(first.objective)


def _status_and_basis(outcome: Outcome, engine: str) -> tuple[str, str]:
    if outcome.status not in STATEMENTS:
        return outcome.status, ""
    if outcome.rests_on:
        return outcome.status, outcome.rests_on
    if engine == EXHAUSTIVE:
        return outcome.status, "exhaustive enumeration in exact arithmetic"
    return f"{outcome.status} (claimed by {engine})", f"the unproven answer of {engine}"


def slack(value: float | Fraction) -> float:
    """Return the allowed difference of two equal values, each with error `AGREEMENT`."""
    return 2 * AGREEMENT * max(1.0, abs(float(value)))


def _flaw_of_schedule(outcome: Outcome, instance: AnyFamily) -> str:
    if outcome.schedule is None:
        return ""
    for broken in outcome.schedule.violations(instance):
        return f"its schedule breaks {broken}"
    value = float(outcome.schedule.objective(instance))
    same = outcome.objective is not None and abs(value - outcome.objective) <= slack(value)
    return "" if same else f"its schedule has the value {value}"


def _flaw_of_bound(outcome: Outcome, sense: str) -> str:
    if outcome.objective is not None and not isfinite(outcome.objective):
        return f"its point costs {outcome.objective}"
    if outcome.bound is None or (outcome.objective is None and not isnan(outcome.bound)):
        return ""
    gap = ((outcome.objective or 0.0) - outcome.bound) * (1 if sense == "minimize" else -1)
    right = (abs(gap) if outcome.status == "optimal" else -gap) <= slack(outcome.objective or 0.0)
    return "" if right else f"its bound is {outcome.bound}"


def solve_built(program: Solvable, model: Model, instance: AnyFamily, solver: str, context: Context) -> Outcome:
    """Return a solver's answer for a built model, judged in rationals."""
    kind = Linear if program.backend == "pyomo" else LinearProblem

    def read() -> Judge | None:
        try:
            return kind.of(model)
        except ProgramError:  # of the program, or of the point: a solver may set a fixed variable to NaN
            kind.of(program.build(instance, context.progress))
            return None

    return solve_model(program, model, instance, solver, context, BACKENDS[program.backend], read)


def solve_model(
    program: Solvable,
    model: Model,
    instance: AnyFamily,
    solver: str,
    context: Context,
    backend: Backend,
    read: Callable[[], Judge | None],
) -> Outcome:
    """Return the judged answer.

    Parameters
    ----------
    read
        Returns the listed model, or None if nonlinear; called after the solver, which needs the memory.
    """
    try:
        outcome = _asked(backend, model, solver, context.shorter(TO_CHECK * (context.time_limit or 0.0)))
    except Exception:
        read()  # its error names the row that the solver cannot read
        raise
    if outcome.has_point:
        context.keep(
            Outcome("time_limit", bound=outcome.bound, message=f"{solver} found a point, which was not checked in time")
        )
    linear = read()
    if isinstance(linear, Linear):
        backend = backend._replace(broken_row=linear.broken_row)
    flaw = _flaw_of_point(backend, model, outcome)
    settled, doubt = linear.judge(outcome, flaw, context) if linear and linear.integers else (None, "")
    if linear and (settled or doubt or not linear.integers):
        if isinstance(linear, Linear):
            linear = linear.stated(lambda: as_stated(program.build, instance))
        settled, doubt = linear.judge(outcome, flaw, context) if linear else (None, "")
    if linear is None and outcome.status in ("infeasible", "solver_failed"):
        settled = _without_points(program, instance, context)
    if settled:
        outcome = _proven(linear, settled, outcome, solver, flaw)
    elif flaw:
        said = f"{outcome.status} {outcome.objective}"
        return Outcome("solver_failed", message=f"{outcome.solver or solver} reports {said}, but {flaw}")
    else:
        outcome = replace(outcome, doubt=doubt)
    if not outcome.has_point:
        return outcome
    recomputed, values = backend.point(model)
    try:
        schedule = program.to_schedule(model, instance) if program.to_schedule else None
    except InexactPoint as error:
        return Outcome("solver_failed", bound=outcome.bound, message=str(error))
    outcome = replace(outcome, objective=recomputed, values=values, schedule=schedule)
    context.keep(outcome)
    return outcome


def _without_points(program: Solvable, instance: AnyFamily, context: Context) -> Settled | None:
    try:
        listing = listing_in(program.backend, as_stated(program.build, instance))
    except SchedproofError:
        return None
    return settle(listing, context) if listing.cones else None


def _asked(backend: Backend, model: Model, solver: str, context: Context) -> Outcome:
    first = outcome = backend.solve(model, solver, context)
    for name in backend.solvers if first.status == "solver_failed" else ():
        if name == solver or context.over:
            continue
        try:
            outcome = backend.solve(model, name, context)
        except SchedproofError:
            continue
        if outcome.status != "solver_failed":
            return replace(outcome, solver=name, message=first.message)
    return first


def _flaw_of_point(backend: Backend, model: Model, outcome: Outcome) -> str:
    if not outcome.has_point:
        return ""
    if broken := backend.broken_row(model):
        return broken
    recomputed, _ = backend.point(model)
    if isnan(recomputed):
        return "the objective is undefined at its point"
    its = recomputed if outcome.objective is None else outcome.objective
    return "" if abs(recomputed - its) <= AGREEMENT * max(1.0, abs(recomputed)) else f"its point costs {recomputed}"


def _proven(linear: Judge | None, settled: Settled, outcome: Outcome, solver: str, flaw: str) -> Outcome:
    """Return the proven outcome, with the solver's point if it is optimal."""
    rests_on, message, end = settled.rests_on, outcome.message, settled.status
    said = outcome.status if outcome.objective is None else f"{outcome.status} {outcome.objective:.10g}"
    wrong = f"{outcome.solver or solver} reports {said}, which is wrong"
    proof = {settled.listing.rows[i].name: y for i, y in settled.multipliers.items() if y}
    if linear is None or end != "optimal":
        if outcome.status not in (end, "solver_failed"):
            message = wrong
        return replace(Outcome(end, rests_on=rests_on, message=message), proof=proof or None, solver=outcome.solver)
    value = settled.value
    near = outcome.objective is not None and abs(float(value) - outcome.objective) <= slack(float(value))
    if flaw or outcome.status != "optimal" or not near:
        linear.load(settled.point)
        message = message if outcome.status == "solver_failed" else wrong
    proven = Outcome(end, float(value), float(value), exact=value, rests_on=rests_on, message=message)
    return replace(proven, proof=proof if not linear.integers else None, solver=outcome.solver)
