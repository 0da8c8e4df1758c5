"""Programs that stay in the solver, for warm starts after changes of data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction

import numpy as np

from schedproof.core.base.display import OneLine
from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import AnyFamily, Model, Value
from schedproof.core.errors import ProgramError, is_plain
from schedproof.core.programs.backends import BACKENDS, Values, paused_collection
from schedproof.core.programs.changes import OtherStructure, Place, changes, field_of, in_words, with_numbers
from schedproof.core.programs.exact.form import as_stated
from schedproof.core.programs.exact.integers import IntegerForm
from schedproof.core.programs.exact.judgement import doubt, judge
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.pyomo_form import columns_of, linear_part
from schedproof.core.programs.exact.solving import Doubles, ends_of
from schedproof.core.programs.exact.status import Settled
from schedproof.core.programs.exact.traced import Changed, Datum, Traced, without_zeros
from schedproof.core.programs.solve import Solvable, answer, solve_built, solve_model
from schedproof.core.runtime.context import Context, Progress, silent
from schedproof.core.simulation.coerce import as_instance
from schedproof.core.solvers.exact_check import FEASIBILITY
from schedproof.core.solvers.solution import Solution
from schedproof.core.solvers.status import Outcome


class CompiledProgram(OneLine):
    """A linear or integer program in HiGHS, for a sweep over its data.

    Made by `Program.compile`.

    Attributes
    ----------
    program, instance
        The program, and the instance of the next `solve`.
    rebuilt
        Why the last `update` built the model anew; empty if it changed the model in place.

    Notes
    -----
    `update` finds the numbers of the instance that differ. At the first change of a field, such as ``jobs[*].weight``,
    the model is built once with symbols for this field's numbers. It is compared with models built from numbers, before
    and after the change. Later changes of the field only compute the costs, sides, ends of ranges and
    coefficients that depend on it.

    The model is built anew if a change adds or removes entries, or if a group uses the number in a comparison, a
    rounding, a range or numpy's floats.
    """

    def __init__(self, program: Solvable, instance: AnyFamily) -> None:
        self.program, self.rebuilt = program, ""
        self._structural: set[Place] = set()
        if program.backend != "pyomo" or program.generated:
            why = "it has generated rows or columns" if program.generated else "it is a CVXPY program"
            raise ProgramError(
                f"{program.id} cannot be compiled: {why}, expected a Pyomo program with all rows listed; use `solve`"
            )
        self._build(instance, "")

    def facts(self) -> Mapping[str, Value]:
        listing = self._live.listing
        return {
            "program": self.program.id,
            "rows": len(listing.rows),
            "columns": len(listing.columns),
            "rebuilt": self.rebuilt,
        }

    def update(self, instance: AnyFamily) -> None:
        """Replace the instance; changed numbers are changed in place if possible.

        Parameters
        ----------
        instance
            An instance or its file; usually the former instance with other numbers. If the model is built anew,
            ``rebuilt`` gives the reason.
        """
        instance = as_instance(instance)
        try:
            changed = dict(changes(self.instance, instance))
        except OtherStructure as error:
            self._build(instance, f"{error} differs by more than numbers")
            return
        fields = {field_of(place) for place in changed}
        if not fields:
            self._take(instance, "")
        elif fields <= self._fields:
            self._put(instance, changed)
        else:
            self._widen(instance, changed, fields)

    def solve(self, time_limit: float | None = None, progress: Progress = silent) -> Solution:
        """Solve from the last solution, with the evidence of `Program.solve`.

        With several optimal points, the result may differ from that of `Program.solve`.

        Parameters
        ----------
        time_limit
            Seconds in total.
        progress
            Called with the results so far.
        """
        program, instance, live = self.program, self.instance, self._live

        def work(context: Context, ready: Value) -> Outcome:
            if program.require_solvable is not None:
                program.require_solvable(instance)
            with paused_collection():
                backend = live.backend(program)
                outcome = solve_model(program, live.model, instance, "highs", context, backend, lambda: live)
            if outcome.status != "solver_failed":
                return outcome
            model = program.build(instance, context.progress)
            ready()
            return solve_built(program, model, instance, "highs", context)

        return answer(program, instance, "highs", Context(time_limit=time_limit, progress=progress), work)

    def _widen(self, instance: AnyFamily, changed: Mapping[Place, Value], fields: set[Place]) -> None:
        """Trace further fields, or build the model anew."""
        structural = fields & self._structural
        if not structural and not self._trace(instance, changed, fields | self._fields):
            structural = fields - self._fields
        if structural:
            self._structural |= structural
            which = ", ".join(sorted(map(in_words, structural)))
            self._build(instance, f"the rows compare or round {which}, or use it as a range")

    def _put(self, instance: AnyFamily, changed: Mapping[Place, Value]) -> None:
        try:
            for place, value in changed.items():
                self._data[place].value = value
            self._live.put(self._traced, self._traced.update(self._data[place] for place in changed))
        except (ArithmeticError, ProgramError) as error:  # for example a division by 0
            self._build(instance, str(error))
            return
        self._take(instance, "")

    def _take(self, instance: AnyFamily, rebuilt: str) -> None:
        self.instance = _kept(instance)
        self.rebuilt = rebuilt

    def _build(self, instance: AnyFamily, why: str) -> None:
        self._data, self._fields = dict[Place, Datum](), set[Place]()
        self._live = Live(*self._plain(instance))
        self._take(instance, why)

    def _plain(self, instance: AnyFamily) -> tuple[Model, Listing]:
        model = as_stated(self.program.build, instance)
        listing, whole = linear_part(model)
        if not whole:
            raise ProgramError(f"{self.program.id} cannot be compiled: it is not linear; use `solve`")
        return model, listing

    def _trace(self, instance: AnyFamily, changed: Mapping[Place, Value], fields: set[Place]) -> bool:
        """Trace the fields; take the instance if the traced and built rows are equal."""
        data = dict[Place, Datum]()

        def make(place: Place, value: Value) -> Datum:
            data[place] = Datum(value)
            return data[place]

        try:
            symbolic = with_numbers(self.instance, fields, make)
            traced = Traced(as_stated(self.program.build, symbolic), without_zeros(self._live.listing))
            for place, value in changed.items():
                data[place].value = value
            traced.update(data[place] for place in changed)
            if without_zeros(traced.listing) != self._plain(instance)[1]:
                return False
        except Exception:  # the program's functions may fail in any way on symbols
            return False
        self._data, self._fields, self._traced = data, fields, traced
        self._live = Live(traced.model, traced.listing)
        self._take(instance, "")
        return True


def _kept(instance: AnyFamily) -> AnyFamily:
    """Return the instance, or a copy of plain data that may be changed."""
    if is_plain(instance):
        try:
            hash(instance)
        except TypeError:
            return deepcopy(instance)
    return instance


class Live:
    """A listed program in HiGHS, with the last point.

    Parameters
    ----------
    model
        The Pyomo model; its variables get the point's values for ``to_schedule``.
    """

    def __init__(self, model: Model, listing: Listing) -> None:
        self.model, self.listing = model, listing
        self._variables = columns_of(model)
        self.integers = frozenset(j for j, column in enumerate(self._variables) if column.is_integer())
        self._whole = np.array(sorted(self.integers), dtype=int)
        doubles = Doubles(listing)
        self._costs, self._matrix = listing.sign * doubles.costs, doubles.matrix
        self._rows, self._columns = doubles.sides
        integer = np.isin(np.arange(len(listing.columns)), self._whole) if self.integers else None
        self._program = doubles.program(integer=integer, gap=0.0 if self.integers else None)
        self._point, self._duals = np.zeros(len(listing.columns)), np.zeros(len(listing.rows))
        self._read: tuple[np.ndarray | None, Values] = None, {}
        self._solved = False
        self._form: IntegerForm | None = None
        with suppress(OverflowError):
            self._form = IntegerForm(listing)
        self._doubt, self._zeros = doubt(listing), without_zeros(listing) != listing
        self._fixed = {
            variable.name: {i: v.value for i, v in variable.items() if v.fixed and v.value}
            for variable in model.component_objects(pyo.Var, descend_into=True)
            if "._" not in f".{variable.name}"
        }

    def put(self, traced: Traced, changed: Changed) -> None:
        """Take over changed entries of the traced program."""
        listing = self.listing = traced.listing
        columns, rows = list(changed.columns), list(changed.rows)
        entries = list(dict.fromkeys(i for i, _ in changed.coefficients))
        if columns:
            those = [listing.columns[j] for j in columns]
            self._costs[columns] = [float(column.cost) for column in those]
            for mine, new in zip(self._columns, ends_of(those), strict=True):
                mine[columns] = new
            self._program.change_costs(columns, listing.sign * self._costs[columns])
            self._program.change_ranges(columns, *(mine[columns] for mine in self._columns))
        if rows:
            for mine, new in zip(self._rows, ends_of([listing.rows[i] for i in rows]), strict=True):
                mine[rows] = new
            self._program.change_sides(rows, *(mine[rows] for mine in self._rows))
        for i in entries:
            part = slice(self._matrix.indptr[i], self._matrix.indptr[i + 1])
            self._matrix.data[part] = [float(a) for a in listing.rows[i].terms.values()]
        for i, j in changed.coefficients:
            self._program.change_coefficient(i, j, float(listing.rows[i].terms[j]))
        if self._form is not None:
            try:
                self._form.put(listing, columns, rows, entries)
            except OverflowError:
                self._form = None
        terms: dict[int, dict[int, Fraction | int]] = {i: {} for i in rows}
        for i, j in changed.coefficients:
            terms[i][j] = listing.rows[i].terms[j]
        parts = tuple(replace(row, terms=terms[i]) for i, row in changed.rows.items())
        few = replace(listing, columns=tuple(changed.columns.values()), rows=parts)
        self._doubt = doubt(listing) if self._doubt else doubt(few)
        self._zeros = self._zeros or bool(changed.coefficients)

    def backend(self, program: Solvable) -> Value:
        """Return the functions that solve and read this program instead of a new model."""

        def point(model: Model) -> tuple[float, Values]:
            if program.to_schedule is not None:
                for variable, value in zip(self._variables, self._point.tolist(), strict=True):
                    variable.set_value(value, skip_validation=True)
            if self._read[0] is not self._point:
                self._read = self._point, self._values()
            return self._value, self._read[1]

        return BACKENDS["pyomo"]._replace(
            solve=lambda model, solver, context: self._ask(context),
            point=point,
            broken_row=lambda model: self._broken_row(),
            solvers=("highs",),
        )

    def judge(self, outcome: Outcome, flaw: str, context: Context) -> tuple[Settled | None, str]:
        """Judge an outcome in rationals; see `Linear.judge`."""
        listing = without_zeros(self.listing) if self._zeros else self.listing
        ends = self._point, self._duals
        return judge(listing, self.integers, outcome, flaw, context, *ends, self._form, self._doubt)

    def load(self, point: Sequence[Fraction]) -> None:
        """Set the point."""
        self._point = np.array([float(x) for x in point])

    @property
    def _value(self) -> float:
        return float(self._costs @ self._point) + float(self.listing.constant)

    def _ask(self, context: Context) -> Outcome:
        if any((lower > upper).any() for lower, upper in (self._rows, self._columns)):
            return Outcome("infeasible")
        if not len(self._point):
            return Outcome("optimal", self._value, self._value)
        if self.integers and self._solved:
            self._program.suggest(self._point)
        outcome = self._program.solve(context)
        if not outcome.has_point:
            return Outcome(outcome.status, message=outcome.message if outcome.status == "solver_failed" else "")
        self._point, self._solved = self._program.point, True
        self._point[self._whole] = np.rint(self._point[self._whole])
        if not self.integers:
            self._duals = self.listing.sign * self._program.multipliers
        best = self._program.best_bound if self.integers else self._program.value
        sign, constant = self.listing.sign, float(self.listing.constant)
        return Outcome(outcome.status, sign * self._program.value + constant, sign * best + constant)

    def _broken_row(self) -> str:
        columns, rows = self.listing.columns, self.listing.rows
        if not np.isfinite(self._point).all():
            j = int(np.flatnonzero(~np.isfinite(self._point))[0])
            return f"{columns[j].name} is {self._point[j]}"
        for words, names, amounts, (lower, upper) in (
            ("", rows, self._matrix @ self._point, self._rows),
            ("of the range of ", columns, self._point, self._columns),
        ):
            short = np.maximum(lower - amounts, amounts - upper)
            if (short > FEASIBILITY).any():
                i = int(np.flatnonzero(short > FEASIBILITY)[0])
                return f"the row {words}{names[i].name} is violated by {short[i]:.3g}"
        return ""

    def _values(self) -> Values:
        values = {name: dict(fixed) for name, fixed in self._fixed.items()}
        for j in np.flatnonzero(self._point).tolist():
            name, index = self.listing.columns[j].place
            if name in values:
                values[name][index] = float(self._point[j])
        return values
