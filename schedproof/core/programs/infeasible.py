"""Why a program is infeasible: an irreducible infeasible subsystem of its groups.

A linear or integer Pyomo program is filtered row by row on HiGHS (`schedproof.core.solvers.filters`), any other program
by whole groups, with a solve for each question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import gcd, inf, lcm

import numpy as np

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import exactly
from schedproof.core.base.untyped import AnyFamily, Json, Model
from schedproof.core.errors import NoSolution, SchedproofError
from schedproof.core.programs.backends import BACKENDS
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.pyomo_form import columns_of, linear_part
from schedproof.core.programs.exact.scaling import Scaled, neglected
from schedproof.core.programs.exact.solving import Doubles, ends_of
from schedproof.core.programs.exact.status import Settled, settle
from schedproof.core.programs.exact.tree import settle_integers
from schedproof.core.programs.group import Group
from schedproof.core.programs.partial import GroupsOnly, Program, RowsOnly, another_solver, feasible, filtering_solver
from schedproof.core.programs.rows import Row, by_kind, describe_row, domains, fold, left_side
from schedproof.core.runtime.context import Context, silent
from schedproof.core.runtime.deadline import best_within
from schedproof.core.solvers.filters import Part, System, Undecided, deletion_filter, irreducible

USUAL_LIMIT = 60.0  # seconds
SHOWN = 10  # rows that are printed
FEW = 2  # most rows of a group in the sentence


class NotIrreducible(SchedproofError):
    """A second solver contradicts a subsystem called irreducible and infeasible."""

    exit_code = 1


@dataclass(frozen=True)
class InfeasibleSubsystem:
    """Groups, rows and bounds of a program that are infeasible together.

    Attributes
    ----------
    groups
        The groups of the rows and bounds, in printed order.
    rows, bounds
        Both empty if whole groups were filtered.
    irreducible
        Whether every proper subset is feasible; False if unknown at the time limit.
    solver
        The solver that tested irreducibility and, without a proof, infeasibility; `check` uses another solver.
    proof
        Exact proof of infeasibility, or None for a large or nonlinear program.
    """

    program: Program
    instance: AnyFamily
    groups: tuple[Group, ...]
    rows: tuple[Row, ...]
    bounds: tuple[Row, ...]
    irreducible: bool
    solver: str
    proof: Settled | None = field(default=None, repr=False)

    @property
    def basis(self) -> str:
        """The evidence of infeasibility."""
        return f"claimed by {self.solver}" if self.proof is None else f"proven by {self.proof.rests_on}"

    @property
    def argument(self) -> tuple[list[tuple[str, Fraction]], Fraction] | None:
        """The sides with multipliers > 0, and b > 0 in their weighted sum 0 >= b.

        None without a proof, with branching, or for whole groups.
        """
        if (
            self.proof is None
            or not (self.rows or self.bounds)
            or (not self.proof.multipliers and self.proof.listing.crossed is None)
        ):
            return None
        if (crossed := self.proof.listing.crossed) is not None:
            sides = [(crossed, Fraction(1), crossed.lower), (crossed, Fraction(-1), crossed.upper)]
        else:
            sides = [*self.proof.listing.without_costs().shares(self.proof.multipliers)]
        unit = Fraction(lcm(*(y.denominator for _, y, _ in sides)), gcd(*(y.numerator for _, y, _ in sides)))
        texts = [(f"{e.name} {'>=' if y > 0 else '<='} {float(side or 0):.12g}", abs(y) * unit) for e, y, side in sides]
        return texts, sum((y * unit * (side or 0) for _, y, side in sides), Fraction(0))

    @property
    def sentence(self) -> str:
        """The infeasible rows in one sentence, by the paper's equation numbers."""
        parts = [
            _in_short(g, [row for row in self.rows if row.group == g.name]) for g in self.groups if self._has_rows(g)
        ]
        ranges = [*domains(self.bounds)]
        if len(ranges) > FEW:
            parts.append(f"the bounds of {len({row.name for row in self.bounds})} variables")
        elif ranges:
            parts.append(" and ".join(ranges))
        *others, last = parts
        what = f"{', '.join(others)} and {last} cannot be met together" if others else f"{last} cannot be met"
        if not self.irreducible:
            return f"{self.program.id} is infeasible: {what}; perhaps a part of these rows suffices"
        alone = "; without any one of them, the others can be met" if others else ""
        return f"{self.program.id} is infeasible: {what}{alone}"

    def _has_rows(self, group: Group) -> bool:
        return not (self.rows or self.bounds) or any(row.group == group.name for row in self.rows)

    def lines(self, limit: int = SHOWN) -> list[str]:
        """Return the sentence, then the groups with their first ``limit`` rows and bounds.

        Consecutive similar rows count as one row.
        """
        lines, remaining = [f"{self.sentence}; {self.basis}"], limit
        for g in self.groups:
            lines.append(f"  {g.source} {g.name}: {g.sentence}")
            texts = [*fold(row for row in self.rows if row.group == g.name)]
            texts += domains(row for row in self.bounds if row.group == g.name)
            lines += [f"    {text}" for text in texts[:remaining]]
            remaining, more = max(0, remaining - len(texts)), len(texts) - remaining
            if more > 0:
                lines.append(f"    and {more} more")
        if self.argument is not None and len(self.argument[0]) <= limit:
            parts = " + ".join(f"{'' if times == 1 else f'{times} '}({text})" for text, times in self.argument[0])
            lines.append(f"  {parts} gives 0 >= {self.argument[1]}")
        return lines

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        count = f"{len(self.groups)} groups, {len(self.rows)} rows, {len(self.bounds)} bounds"
        return f"<{type(self).__name__} of {self.program.id}: {count}>"

    def to_json(self) -> dict[str, Json]:
        """Return the object ``why_infeasible`` of ``solve --json``."""
        return {
            "sentence": self.sentence,
            "irreducible": self.irreducible,
            "solver": self.solver,
            "rests_on": self.basis,
            "argument": self.argument and [[text, str(times)] for text, times in self.argument[0]],
            "groups": [{"group": g.name, "source": g.source, "sentence": g.sentence} for g in self.groups],
            "rows": [row.to_json() for row in self.rows],
            "bounds": [row.to_json() for row in self.bounds],
        }

    def check(self, solver: str | None = None, time_limit: float | None = None) -> None:
        """Check irreducibility with another solver on a new model.

        Parameters
        ----------
        solver
            Default: the first other installed one.
        time_limit
            Seconds for each question.

        Raises
        ------
        NotIrreducible
            The message states the contradicting result.
        MissingExtra
            If no other solver is installed.
        """
        by_rows = bool(self.rows or self.bounds)
        solver = solver or another_solver(self.program, self.solver, by_rows)
        asked = (RowsOnly if by_rows else GroupsOnly)(self.program, self.instance)
        alike = [same for _, same in by_kind(self.bounds)]
        parts: list[list[Model]] = [[row] for row in self.rows] + alike if by_rows else [[g] for g in self.groups]

        def status(left_out: object = None) -> str:
            kept = [row for part in parts if part is not left_out for row in part]
            return asked.status_of(kept, solver, Context(time_limit=time_limit))

        if (end := status()) != "infeasible":
            raise NotIrreducible(f"{self.program.id}: expected infeasible rows, but {solver} ended with {end}")
        for part in parts if self.irreducible else ():
            if (end := status(part)) not in ("optimal", "feasible"):
                raise NotIrreducible(
                    f"{self.program.id}: without {part[0].name}, expected feasible rows, but {solver} ended with {end}"
                )


def why_infeasible(program: Program, instance: AnyFamily, context: Context) -> InfeasibleSubsystem:
    """Return an irreducible infeasible part of a program on an instance.

    Raises
    ------
    ProgramError
        For a feasible program.
    NoSolution
        If infeasibility is undecided at the time limit, or because a solver fails.
    """
    context = context.with_default_limit(USUAL_LIMIT)
    try:
        subsystem = _by_rows(program, instance, context) if program.backend == "pyomo" else None
        subsystem = subsystem or _by_groups(program, instance, context)
    except Undecided as error:
        why = str(error) or f"the time limit of {context.time_limit:g} s is over; increase it"
        raise NoSolution(f"{program.id}: infeasibility is undecided: {why}") from None
    if subsystem is None:
        raise feasible(program, instance)
    return subsystem


def _by_rows(program: Program, instance: AnyFamily, context: Context) -> InfeasibleSubsystem | None:
    read = best_within(context, lambda _: _Linear(program, instance))
    if read is None:
        raise Undecided
    undecided, filtered = None, None
    try:
        filtered = irreducible(read.system, context)
    except Undecided as error:
        undecided = error
    proof = None if filtered is None else read.settle(filtered[0], context)
    if filtered is None or (proof is not None and proof.status != "infeasible"):  # doubles give another answer, or none
        whole = read.settle(read.system.everything, context)
        if whole is not None and whole.status == "infeasible":
            filtered, proof = read.narrowed(whole, context)
        elif whole is None and undecided is not None:
            raise undecided
        elif whole is None and filtered is not None:
            raise Undecided(
                "the solver's result is wrong in rationals, and the program is too large for an exact solution"
            )
        elif read.nonlinear:
            return None
        else:
            raise feasible(program, instance)
    assert filtered is not None
    if proof is None and (dropped := neglected(read.listing)):
        raise Undecided(f"solvers may drop the number {dropped}")
    part, sure = filtered
    rows, bounds = read.describe(part)
    named = {row.group for row in (*rows, *bounds)}
    groups = tuple(g for g in program.groups if g.name in named)
    return InfeasibleSubsystem(program, instance, groups, rows, bounds, sure, "highs", proof)


class _Linear:
    """The linear rows of a model as arrays; a fixed variable has equal bounds."""

    def __init__(self, program: Program, instance: AnyFamily) -> None:
        with exactly():  # the program as stated, not as rounded to doubles
            model = BACKENDS[program.backend].build(program, instance, silent)
        model.objective.deactivate()
        model.any_point = pyo.Objective(expr=0)
        for column in model.component_data_objects(pyo.Var, descend_into=True):
            if column.fixed:
                column.unfix()
                column.setlb(column.value)
                column.setub(column.value)
        self.listing, whole = linear_part(model)
        self.nonlinear = not whole
        self.integers = frozenset(j for j, column in enumerate(columns_of(model)) if column.is_integer())
        scaled = self.listing if self.integers else Scaled.of(self.listing).listing
        doubles = Doubles(scaled)
        (lower, upper), (lowest, highest) = doubles.sides
        self.system = System(
            doubles.matrix,
            lower,
            upper,
            lowest,
            highest,
            np.array([j in self.integers for j in range(len(lowest))], bool),
            _alike(row.group for row in self.listing.rows),
            _alike(self._domains(), first=len(lower)),
        )

    def _domains(self) -> Iterator[Model]:
        for side in ("lower", "upper"):
            for column in self.listing.columns:
                yield column.place[0], side, getattr(column, side)

    def listed(self, part: Part) -> Listing:
        rows, low, high = np.split(part, [len(self.listing.rows), len(self.listing.rows) + len(self.listing.columns)])
        return replace(
            self.listing,
            rows=tuple(
                row if there else replace(row, lower=None, upper=None)
                for row, there in zip(self.listing.rows, rows, strict=True)
            ),
            columns=tuple(
                replace(c, lower=c.lower if below else None, upper=c.upper if above else None)
                for c, below, above in zip(self.listing.columns, low, high, strict=True)
            ),
        )

    def settle(self, part: Part, context: Context) -> Settled | None:
        """Return a part's exact status with costs 0, or None if undecided."""
        listing = self.listed(part)
        return settle_integers(listing, self.integers, context) if self.integers else settle(listing, context)

    def narrowed(self, whole: Settled, context: Context) -> tuple[tuple[Part, bool], Settled]:
        """Return an irreducible part of an infeasible system."""
        proofs = [whole]

        def infeasible(part: Part) -> Part | None:
            proof = self.settle(part, context)
            if proof is None:
                raise Undecided
            if proof.status != "infeasible":
                return None
            proofs.append(proof)
            smaller: Part = part & self._used(proof)
            return smaller

        part, sure = deletion_filter(
            self.system.everything & self._used(whole), [*np.arange(len(self.listing.rows))[:, None]], infeasible
        )
        part, domains = deletion_filter(part, self.system.domains, infeasible)
        return (part, sure and domains), proofs[-1]

    def _used(self, proof: Settled) -> Part:
        """Return the parts that a proof uses; all parts for a tree or an empty range."""
        m, n = len(self.listing.rows), len(self.listing.columns)
        used = np.zeros(m + 2 * n, bool)
        if not proof.multipliers:
            return ~used
        used[[i for i, y in proof.multipliers.items() if y]] = True
        for j, rest in enumerate(proof.listing.without_costs().remaining_costs(proof.multipliers)):
            used[m + j], used[m + n + j] = rest > 0, rest < 0
        return used

    def describe(self, part: Part) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
        """Return the rows and bounds of a part for display."""
        listing = self.listed(part)
        (lower, upper), (lowest, highest) = ends_of(self.listing.rows), ends_of(listing.columns)
        rows = (
            describe_row(row, left_side(row.terms, listing.columns), lower[n], upper[n])
            for n, row in enumerate(self.listing.rows)
            if part[n]
        )
        low = (describe_row(listing.columns[n], "", lowest[n], inf) for n in np.flatnonzero(lowest > -inf))
        high = (describe_row(listing.columns[n], "", -inf, highest[n]) for n in np.flatnonzero(highest < inf))
        return tuple(rows), (*low, *high)


def _alike(kinds: Iterable[Model], first: int = 0) -> list[np.ndarray]:
    places: dict[Model, list[int]] = {}
    for n, kind in enumerate(kinds, first):
        places.setdefault(kind, []).append(n)
    return [np.array(numbers) for numbers in places.values()]


def _in_short(group: Group, rows: Sequence[Row]) -> str:
    texts = [*fold(replace(row, body="") for row in rows)]
    if 0 < len(texts) <= FEW:
        return f"{group.source} {' and '.join(texts)}"
    return f"{group.source} {group.name}" + (f" ({len(rows)} rows)" if rows else "")


# --- by groups -------------------------------------------------------------------------------------------------------


def _by_groups(program: Program, instance: AnyFamily, context: Context) -> InfeasibleSubsystem | None:
    """Return an infeasible subsystem of whole groups, or None if all are feasible."""
    solver = filtering_solver(program)
    groups = tuple(g for g in program.groups if g.role == "constraints")
    asked = GroupsOnly(program, instance)

    def infeasible(part: Part) -> Part | None:
        kept = [g for g, there in zip(groups, part, strict=True) if there]
        if not asked.has_needs(kept):
            return None
        end = asked.status_of(kept, solver, Context(time_limit=context.remaining))
        if end not in ("infeasible", "optimal", "feasible"):
            raise Undecided(f"{solver} failed" if end == "solver_failed" else "")
        return part if end == "infeasible" else None

    if (part := infeasible(np.ones(len(groups), bool))) is None:
        return None
    part, sure = deletion_filter(part, [*np.arange(len(groups))[:, None]], infeasible)
    kept = tuple(g for g, there in zip(groups, part, strict=True) if there)
    return InfeasibleSubsystem(program, instance, kept, (), (), sure, solver, asked.proof(kept, context))
