"""Programs as values: named groups of variables, constraints and objective terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Literal

from schedproof.core.base.display import OneLine
from schedproof.core.base.untyped import AnyFamily, Model, Value
from schedproof.core.errors import (
    ProgramError,
    UnknownName,
    close_names,
    place_of,
    require,
    require_family,
    short,
)
from schedproof.core.programs.exact.point import Values
from schedproof.core.programs.group import Group, Index
from schedproof.core.programs.route import Route
from schedproof.core.runtime.context import Context, Progress, silent
from schedproof.core.simulation.coerce import as_instance
from schedproof.core.solvers.solution import Solution

if TYPE_CHECKING:
    from schedproof.core.programs.backends import Backend
    from schedproof.core.programs.compiled import CompiledProgram
    from schedproof.core.programs.infeasible import InfeasibleSubsystem


@dataclass(frozen=True, repr=False)
class Program(OneLine):
    """An optimization program: groups that can be dropped, added, relaxed and built.

    Attributes
    ----------
    id
        ``family.name``.
    sense
        ``minimize`` or ``maximize``.
    groups
        Groups in the paper's order.
    backend
        ``pyomo`` or ``cvxpy``.
    parameters
        Values of the keyword arguments of the groups' builders (``cost``, ``speed``, ...).
    integer
        Whether integer variables stay integer; `relaxed` makes them continuous.
    routes
        Other exact methods for this program, by name.
    to_schedule
        Reads a family's Schedule from a solved model; optional.
    default_solver
        Solver or route used by default. A changed program has no routes, and uses a solver by default.
    column_bytes
        Bytes that a solver needs per column. A model that would exceed free memory is not built.
    to_point
        ``to_point(schedule, instance, **parameters)`` returns a schedule's point. The point maps each variable's full
        name to values by index (for CVXPY a tuple of numbers); missing values are 0. Variables without values take
        their best feasible values. A run is thus compared with a bound row by row.
    require_solvable
        ``require_solvable(instance)`` raises an error for numbers that solvers misread; the program can still be built.
    provable
        Whether `schedproof.check.optimum` can write the program's rows and so check proofs of its optima.
    parts
        Indices of generated rows or columns by group; default: the group's first indices.
    changes
        Changes from the program with this id, for example ``without one_worker_per_chunk``.
    """

    id: str
    sense: Literal["minimize", "maximize"]
    groups: tuple[Group, ...]
    backend: Literal["pyomo", "cvxpy"] = "pyomo"
    parameters: Mapping[str, Value] = field(default_factory=dict)
    integer: bool = True
    routes: Mapping[str, Route] = field(default_factory=dict)
    to_schedule: Callable[..., AnyFamily] | None = None
    default_solver: str = "highs"
    column_bytes: float = 5000.0
    to_point: Callable[..., Values] | None = None
    require_solvable: Callable[[AnyFamily], None] | None = None
    provable: bool = False
    parts: Mapping[str, tuple[Index, ...]] = field(default_factory=dict)
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
                raise ProgramError(f"{self.id}: expected groups made by sp.group, found {short(g)}")
        names = {g.name for g in self.groups}
        for n, g in enumerate(self.groups):
            if any(g.name == other.name for other in self.groups[:n]):
                raise ProgramError(f"{self.id}: the group '{g.name}' exists already; drop it first")
            for need in g.needs:
                if not names & set(need.split("|")):
                    near = "".join(
                        f"; did you mean {name}?" for name in close_names(need, sorted(names - {g.name}))[:1]
                    )
                    what = f"{self.id}: group '{g.name}' {g.source} needs '{need}'"
                    raise ProgramError(f"{what}{near or '; drop or keep both'}{place_of(g.build)}")

        needs = {g.name: [name for need in g.needs for name in need.split("|")] for g in self.groups}
        try:
            TopologicalSorter(needs).prepare()
        except CycleError as error:
            cycle = [name for name in error.args[1][::-1] if name in names]
            circle = f"the groups {' -> '.join(cycle)}{place_of(self.group(cycle[0]).build)} need each other"
            remedy = "let one of them define its variables without the other, and move its rows into another group"
            raise ProgramError(f"{self.id}: {circle}: {remedy}") from None

    def _require_sense(self, g: Group) -> None:
        """Refuse an objective whose LaTeX has the other sense."""
        printed = re.match(r"\s*\\(min|max)(?![a-z])", g.latex)
        if g.role == "objective" and printed and not self.sense.startswith(printed[1]):
            other = {"min": "minimize", "max": "maximize"}[printed[1]]
            what = f"{self.id}: the objective '{g.name}'{place_of(g.build)} has \\{printed[1]}"
            remedy = f"write sense='{other}' in sp.family(...), or sense = '{other}' in the program's class"
            raise ProgramError(f"{what}, but the program's sense is {self.sense}: {remedy}")

    @contextmanager
    def locating(self) -> Iterator[None]:
        """Add the group's file and line to an error about one of the program's rows."""
        try:
            yield
        except OverflowError:
            raise ProgramError(f"{self.id} has a number beyond the range of doubles; rescale the program") from None
        except RecursionError:
            raise ProgramError(f"{self.id} has an expression with too many nested parts; write it as a sum") from None
        except ProgramError as error:
            text, role = str(error), "objective" if str(error).startswith("the objective ") else ""
            for g in self.groups:
                if text.startswith(f"{g.name}.") or g.role == role:
                    where = f"in the group '{g.name}'{place_of(g.build)} of {self.id}"
                    raise ProgramError(f"{text} ({where})") from None
            raise

    @property
    def family(self) -> str:
        """The family, the first part of the id."""
        return self.id.split(".")[0]

    @property
    def title(self) -> str:
        """Id and changes: ``preemptive.ilp4 (without one_worker_per_chunk, relaxed)``."""
        return f"{self.id} ({', '.join(self.changes)})" if self.changes else self.id

    @property
    def generated(self) -> bool:
        """Whether rows or columns are generated on demand."""
        return any(g.many for g in self.groups)

    def group(self, name: str) -> Group:
        for g in self.groups:
            if g.name == name:
                return g
        raise UnknownName(f"group of {self.id}", name, [g.name for g in self.groups])

    def drop(self, *names: str) -> Program:
        """Return the program without some groups; other groups must not need them."""
        for name in names:
            self.group(name)
        kept = tuple(g for g in self.groups if g.name not in names)
        return self._routeless(*(f"without {name}" for name in names), groups=kept, to_schedule=None)

    def add(self, *groups: Group) -> Program:
        """Return the program with further groups at the end."""
        return self._routeless(*(f"with {g.name}" for g in groups if isinstance(g, Group)), groups=self.groups + groups)

    def where(self, **parameters: Value) -> Program:
        """Return the program with changed values of declared parameters."""
        for name in parameters:
            if name not in self.parameters:
                raise UnknownName(f"parameter of {self.id}", name, self.parameters)
        return replace(self, parameters={**self.parameters, **parameters})

    def at(self, parts: Mapping[str, tuple[Index, ...]]) -> Program:
        """Return the program with these indices of generated rows and columns."""
        return replace(self, parts=parts)

    def relaxed(self) -> Program:
        """Return the program with every integer variable made continuous."""
        return self._routeless(*(["relaxed"] if self.integer else []), integer=False, to_schedule=None)

    def dual(self) -> Program:
        """Return the dual of a continuous linear program, with the signs of `dualise`.

        Its LaTeX shows the transposed rows, with the paper's letters for known multipliers. A nonexistent row has
        multiplier 0.

        Raises
        ------
        ProgramError
            For an integer, nonlinear or CVXPY program.
        """
        if self.backend != "pyomo":
            raise ProgramError(
                f"{self.id} is built with CVXPY, and only Pyomo's linear programs have a dual here; solve the problem "
                "from `build` and read each constraint's `dual_value`"
            )
        if self.integer:
            raise ProgramError(
                f"{self.id} is an integer program; relax it first: `relaxed().dual()`, or `show --relaxed --dual`"
            )
        from schedproof.core.programs.dual_groups import dual_groups

        sense: Literal["minimize", "maximize"] = "maximize" if self.sense == "minimize" else "minimize"
        return Program(
            id=f"{self.id}:dual",
            sense=sense,
            groups=dual_groups(self),
            integer=False,
            require_solvable=self.require_solvable,
        )

    def build(self, instance: AnyFamily, progress: Progress = silent) -> Model:
        """Return a Pyomo ``ConcreteModel``, one Block per group, or a CVXPY ``Problem``.

        Raises
        ------
        ProgramError
            If it cannot be built, or would exceed free memory.
        """
        instance = as_instance(instance)
        self._require_family(instance)
        if not self.groups:
            raise ProgramError(f"{self.id} is a function without rows: it has a value, but no model and no bound")
        if not any(g.role == "objective" for g in self.groups):
            where = next((place_of(g.build) for g in self.groups), "")
            remedy = "keep one objective group, or add one with @sp.group('objective', ...)"
            raise ProgramError(f"{self.id} has no objective; {remedy}{where}")
        for g in self.groups:
            self._require_sense(g)
        return _backend(self).build(self, instance, progress)

    def solve(
        self,
        instance: AnyFamily,
        solver: str | None = None,
        time_limit: float | None = None,
        confirm: bool = False,
        prove: bool = False,
        progress: Progress = silent,
    ) -> Solution:
        """Solve the program on an instance.

        Parameters
        ----------
        solver
            highs, scip, gurobi; clarabel, piqp, osqp, scs; or one of the program's routes.
        time_limit
            Seconds in total for model, solver and second method; the result is the best found within them.
        confirm
            Whether to compare with a second exact method that uses another solver.
        prove
            Whether to search for a proof. ``schedproof check-optimum`` checks proofs of a paper's integer optimum;
            ``schedproof check-bound`` checks proofs that a linear program is optimal, infeasible or unbounded.
        progress
            Called with the results so far.

        Raises
        ------
        Interrupted
            If the user interrupts (Ctrl-C). The error's ``best`` is the solution so far, a point or only a bound.
        """
        from schedproof.core.programs.proof import with_proof
        from schedproof.core.programs.solve import cross_check, solve

        _backend(self).load()
        context = Context(time_limit=time_limit, progress=progress)
        instance = as_instance(instance)
        with self.locating():
            solution = solve(self, instance, solver or self.default_solver, context)
        if prove:
            solution = with_proof(self, instance, solution, context)
        return cross_check(self, instance, solution, context) if confirm else solution

    def compile(self, instance: AnyFamily) -> CompiledProgram:
        """Return the program in HiGHS, to solve it again with other numbers.

        Raises
        ------
        ProgramError
            For a nonlinear or CVXPY program, or one with generated rows or columns.

        Examples
        --------
        >>> import schedproof as sp
        >>> model = sp.program("placement.lp").compile(sp.embedded("clusters"))
        >>> model.update(sp.generate("placement", seed=1))
        >>> model.solve().status, model.rebuilt
        ('optimal', 'tasks differs by more than numbers')
        """
        from schedproof.core.programs.compiled import CompiledProgram

        instance = as_instance(instance)
        self._require_family(instance)
        _backend(self).load()
        return CompiledProgram(self, instance)

    def why_infeasible(self, instance: AnyFamily, time_limit: float | None = None) -> InfeasibleSubsystem:
        """Return a minimal infeasible subset of groups, rows and bounds.

        Parameters
        ----------
        time_limit
            Seconds; default: one minute. At the limit the subset may not be minimal; ``irreducible`` is then False.

        Raises
        ------
        ProgramError
            If the program is feasible, or has generated rows that are not listed.
        NoSolution
            If infeasibility is undecided at the time limit.
        """
        from schedproof.core.programs.infeasible import why_infeasible

        instance = as_instance(instance)
        self._require_family(instance)
        if self.generated and not self.parts:
            raise ProgramError(f"{self.id} has generated rows or columns: list them with `at`")
        self._require_solvable(instance)
        _backend(self).load()
        with self.locating():
            return why_infeasible(self, instance, Context(time_limit=time_limit))

    def engine(self, solver: str) -> str:
        """Return the solver on which an answer relies; `EXHAUSTIVE` for none."""
        if solver in self.routes:
            return self.routes[solver].engine
        by = {"rows": "separate", "columns": "price"}
        return " and ".join([solver, *(f"{g.name}'s {by[g.many]}" for g in self.groups if g.many)])

    def latex(self) -> str:
        """Return the program as rows of an align environment, with the paper's numbers."""
        printed = ("objective", "constraints", "variables")
        rows = sorted(self.groups, key=lambda g: printed.index(g.role))
        return "\n".join(rf"& {g.row(self.integer)} && \text{{{g.source}}} \\" for g in rows)

    def _repr_latex_(self) -> str:
        return f"$$\\begin{{aligned}}\n{self.latex()}\n\\end{{aligned}}$$"

    def facts(self) -> dict[str, Value]:
        return {
            "id": self.id,
            "sense": self.sense,
            "variables": "integer" if self.integer else "continuous",
            "groups": len(self.groups),
            "changes": ", ".join(self.changes),
            "parameters": self.parameters,
        }

    def _require_family(self, instance: AnyFamily) -> None:
        require_family(self.id, instance)

    def _require_solvable(self, instance: AnyFamily) -> None:
        if self.require_solvable is not None:
            self.require_solvable(instance)

    def _routeless(self, *changes: str, **fields: Value) -> Program:
        default = _backend(self).solvers[0] if self.default_solver in self.routes else self.default_solver
        changes = self.changes + changes
        return replace(self, routes={}, default_solver=default, provable=False, changes=changes, **fields)


def _backend(program: Program) -> Backend:
    from schedproof.core.programs.backends import BACKENDS

    return BACKENDS[program.backend]
