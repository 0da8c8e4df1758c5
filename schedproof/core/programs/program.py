"""Programs as values: named groups of variables, constraints and objective terms, built by one declared backend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from schedproof.core.base.display import OneLine
from schedproof.core.base.untyped import AnyFamily, Model, Value
from schedproof.core.errors import (
    ProgramError,
    UnknownName,
    close_names,
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
    from schedproof.core.programs.infeasible import InfeasibleSubsystem


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
        The point of a schedule, ``to_point(schedule, instance, **parameters)``: for variables, by their full names,
        values by index (of a CVXPY variable a tuple of numbers), 0 where there is none. Variables that it does not name
        have the best values that rows and cones let them. It holds a run against a bound on this program, row by row.
    require_solvable
        ``require_solvable(instance)`` refuses numbers that solvers misread; a program is built with them all the same.
    provable
        Whether `schedproof.check.optimum` writes its rows, too, so that its optima have proofs.
    parts
        Of a group whose rows or columns are generated, the indices that it is built with, by its name; those that the
        group begins with if not given.
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

    @property
    def generated(self) -> bool:
        """Whether some of its rows or columns are generated as they are needed."""
        return any(g.many for g in self.groups)

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

    def where(self, **parameters: Value) -> Program:
        """The program with other values for some of its declared parameters."""
        for name in parameters:
            if name not in self.parameters:
                raise UnknownName(f"parameter of {self.id}", name, self.parameters)
        return replace(self, parameters={**self.parameters, **parameters})

    def at(self, parts: Mapping[str, tuple[Index, ...]]) -> Program:
        """The program, built with those indices of what is generated."""
        return replace(self, parts=parts)

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
        """A plain Pyomo ``ConcreteModel`` (one Block per group) or CVXPY ``Problem``, for the user to extend.

        Raises
        ------
        ProgramError
            Also when it would take more memory than is free.
        """
        instance = as_instance(instance)
        self._require_family(instance)
        if not any(g.role == "objective" for g in self.groups):
            raise ProgramError(f"{self.id} has no objective left; keep one objective group")
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
        """Solve it on an instance; whatever the outcome, it is a `Solution`.

        Parameters
        ----------
        solver
            highs, scip, gurobi; clarabel, piqp, osqp, scs; or an exact method of the program.
        time_limit
            Seconds for all: the model, the solver, the second method; the answer is what is found by then.
        confirm
            Whether a second exact method, which shares no solver with the first, has to say the same.
        prove
            Whether to look for a proof: of an integer optimum, for ``schedproof check-optimum``, or of the end of a
            linear program, optimal, infeasible or unbounded, for ``schedproof check-bound``.
        progress
            Called with what is known so far.

        Raises
        ------
        Interrupted
            When the user interrupts it (Ctrl-C); its ``best`` is the solution so far, a point or a bound alone.
        """
        from schedproof.core.programs.solve import cross_check, solve, with_proof

        _backend(self).load()
        context = Context(time_limit=time_limit, progress=progress)
        instance = as_instance(instance)
        solution = solve(self, instance, solver or self.default_solver, context)
        if prove:
            solution = with_proof(self, instance, solution, context)
        return cross_check(self, instance, solution, context) if confirm else solution

    def why_infeasible(self, instance: AnyFamily, time_limit: float | None = None) -> InfeasibleSubsystem:
        """Why it has no point: groups, rows and bounds that cannot be met together, and without any one of them can.

        Parameters
        ----------
        time_limit
            Seconds; a minute if not given. When they are over, the part so far may not be minimal, and says so.

        Raises
        ------
        ProgramError
            For a program that is feasible, and one whose rows are generated and not named.
        NoSolution
            When it is not known in time whether it is infeasible.
        """
        from schedproof.core.programs.infeasible import why_infeasible

        instance = as_instance(instance)
        self._require_family(instance)
        if self.generated and not self.parts:
            raise ProgramError(f"{self.id} has rows or columns that are generated: say which ones there are with `at`")
        self._require_solvable(instance)
        _backend(self).load()
        return why_infeasible(self, instance, Context(time_limit=time_limit))

    def engine(self, solver: str) -> str:
        """The solver on whose word the answers of a solver or route rest; `EXHAUSTIVE` for none."""
        if solver in self.routes:
            return self.routes[solver].engine
        by = {"rows": "separate", "columns": "price"}
        return " and ".join([solver, *(f"{g.name}'s {by[g.many]}" for g in self.groups if g.many)])

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
