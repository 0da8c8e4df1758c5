"""Certified bounds on the optimum of any program, by its own rows."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf
from time import perf_counter
from typing import Literal

from schedproof.core.base.numbers import as_float, as_fraction, shown
from schedproof.core.base.untyped import AnyFamily, Json, Value
from schedproof.core.cards import registry
from schedproof.core.certificates.bound import Bound, Unproven, parameter_texts
from schedproof.core.certificates.gap import Part
from schedproof.core.errors import NoSolution, ProgramError, UnknownName, one_sentence, place_of, short
from schedproof.core.programs.exact import conic
from schedproof.core.programs.exact.certificate import RowMultipliers
from schedproof.core.programs.exact.entries import ZERO
from schedproof.core.programs.exact.form import as_stated, listing_in
from schedproof.core.programs.exact.listing import SMALL, Listing
from schedproof.core.programs.exact.point import Point
from schedproof.core.programs.exact.solving import multipliers, multipliers_from
from schedproof.core.programs.generation.columns import (
    ColumnMaster,
    priced_groups,
    rests,
    rests_by_name,
    with_point,
    without_columns,
)
from schedproof.core.programs.generation.loop import generate
from schedproof.core.programs.generation.master import RowMaster
from schedproof.core.programs.group import Index
from schedproof.core.programs.program import Program
from schedproof.core.runtime.context import USUAL, Context

ADDED = "rows and variables that a transformation adds"
BEYOND = "what the objective counts beyond the program's own"
LARGEST = 3 * 10**5  # most terms of generated rows; a known bound with more terms is not improved
LISTS_ITS_PROGRAM = 2  # from this version on a certificate's file states rows and multipliers; 3 is the compact form


@dataclass(frozen=True, repr=False)
class ProgramBound(Bound):
    """A certified bound on a program's optimum, proven by the program's own rows.

    Attributes
    ----------
    of
        The program, or None if it is known only from a certificate's listing.
    """

    witness: RowMultipliers = field(repr=False)
    of: Program | None = field(default=None, repr=False)

    @property
    def statement(self) -> str:
        """The proven statement without the number."""
        if self.of is None:
            side = "least" if self.kind == "lower" else "most"
            rest = "".join(
                f", whose '{name}' are in total at {side} {shown(at)}" for name, at in self.witness.rest.items()
            )
            return f"{super().statement}, of the program as listed{rest}"
        by = "".join(f", whose '{g.name}' are bounded by their own `rest`" for g in priced_groups(self.of))
        return super().statement + by

    def check(self, instance: AnyFamily) -> None:
        """Recompute the bound from instance, program and multipliers, or from the listing.

        Raises
        ------
        Unproven
            The message states the first difference.
        """
        if instance.family != self.family or instance.sha256 != self.instance_sha256:
            raise Unproven(
                f"the bound on {self.program} is for another instance (SHA-256 {self.instance_sha256[:12]}...)"
            )
        if not isinstance(self.witness, RowMultipliers):
            raise Unproven(
                f"expected multipliers of rows as certificate of {self.program}, found {type(self.witness).__name__}"
            )
        listing = self.witness.listing
        if self.kind != _kind(listing):
            raise Unproven(f"{self.program} proves a bound with kind='{_kind(listing)}', not '{self.kind}'")
        if self.among:
            raise Unproven(
                f"the bound on {self.program} holds for all feasible points: expected no 'among', found {self.among}"
            )
        own = listing if self.of is None else self._own_listing(self.of, instance)
        if self.of is not None and own != listing:
            raise Unproven(f"the rows of the certificate differ from those of {self.of.title} for this instance")
        if self.of is not None and (self.of.title, parameter_texts(self.of.parameters)) != (
            self.program,
            parameter_texts(self.parameters),
        ):
            raise Unproven(
                f"the bound is on {self.of.title}, whose name or parameters differ from those of {self.program}"
            )
        try:
            proven = self.witness.value(instance)
            rest = self.witness.rest if self.of is None else rests(self.of, instance, own, self.witness.multipliers)
        except (ValueError, IndexError) as error:
            raise Unproven(f"the certificate of {self.program} proves nothing: {error}") from None
        if rest != self.witness.rest:
            raise Unproven(f"the total reduced cost of unlisted columns of {self.program} differs from the certificate")
        if proven != self.exact:
            raise Unproven(f"the certificate of {self.program} proves {as_float(proven):.17g}, not {self.value:.17g}")

    def require_about(self, run: AnyFamily) -> None:
        """Raise an error for a run that violates, or may violate, a row of the program.

        A run with more resources than the optimum, for example a higher speed, may violate rows.
        """
        if not self._has_less(run.rules):
            self._point(run.schedule, run.instance, run.objective)
        elif self.of is not None and self.of.to_point is None:
            raise ProgramError(
                f"the program {self.program} has no to_point, so its variables are not those of schedules"
            )

    def covers(self, rules: Mapping[str, Value]) -> bool:
        """Whether every schedule that meets the program's rows is bounded."""
        return not self._has_less(rules)

    def _has_less(self, rules: Mapping[str, Value]) -> bool:
        card = registry.family(self.family)
        options = card.load("schedule").augmentation() if card.data else ()
        return any(rules.get(option.name, option.default) != option.default for option in options)

    def parts(self, schedule: AnyFamily, instance: AnyFamily, objective: Fraction) -> Iterable[Part]:
        """Return the gap's parts: extra costs of the objective, and each group's slack."""
        if self._has_less(instance.card.rules_among(schedule.options)):
            raise ProgramError(
                f"no account of the gap: the schedule has more resources or speed than the optimum of {self.program}"
            )
        point = self._point(schedule, instance, objective)
        yield Part.of("objective", BEYOND, others=[point.listing.sign * (objective - point.value)])
        rows = getattr(instance, instance.card.own.size[0])
        names = {row.name for row in rows if hasattr(row, "name")}
        sentences = {g.name: f"{g.source}: {g.sentence}" for g in self.of.groups} if self.of else {}
        by_job, others = defaultdict[str, dict[str, Fraction]](dict), defaultdict[str, list[Fraction]](list)

        def lose(group: str, index: Index, amount: Fraction) -> None:
            parts = index if isinstance(index, tuple) else (index,)
            if job := next((part for part in parts if isinstance(part, str) and part in names), None):
                by_job[group][job] = by_job[group].get(job, ZERO) + amount
            else:
                others[group].append(amount)

        for entry, amount in point.losses(self.witness.multipliers):
            lose(entry.group, entry.place[1], amount)
        for group, amounts in self._rests(instance, point.listing).items():
            for name, amount in amounts.items():
                lose(group, name, -point.listing.sign * amount)
            if others[group]:  # not split by job
                others[group] = [sum((*others[group], *by_job.pop(group, {}).values()), ZERO)]
        for name in sorted(by_job.keys() | others.keys(), key=[*sentences, *others, *by_job].index):
            yield Part.of(name, sentences.get(name, ADDED), by_job[name], others[name])

    def _own_listing(self, of: Program, instance: AnyFamily) -> Listing:
        priced = {g.name for g in priced_groups(of)}
        rows = {name: indices for name, indices in of.parts.items() if name not in priced}
        columns = {name: indices for name, indices in self.witness.parts.items() if name in priced}
        return program_listing(of.at(rows | columns), instance)

    def _rests(self, instance: AnyFamily, listing: Listing) -> dict[str, dict[str, Fraction]]:
        if self.of is None or not self.witness.rest:
            return {}
        return rests_by_name(self.of, instance, listing, self.witness.multipliers)

    def _point(self, schedule: AnyFamily, instance: AnyFamily, objective: Fraction) -> Point:
        if self.of is None or self.of.to_point is None:
            known = (
                "the certificate's program is not a program of its family; compute the bound anew, or pass the program "
                "to read_bound"
                if self.of is None
                else "define its function `to_point`, which maps a schedule to the program's variables"
            )
            raise ProgramError(f"a run has no ratio to {self.program}: {known}")
        listing = self.witness.listing
        if not any(entry.place[0] for entry in (*listing.columns, *listing.rows)):  # those of a file have no component
            listing = self._own_listing(self.of, instance)
        with one_sentence(f"{self.of.id}: its function `to_point` stopped with", ProgramError):
            values = self.of.to_point(schedule, instance, **self.of.parameters)
        try:
            if self.witness.rest:
                listing, values = with_point(self.of, instance, listing, values)
            point = Point.of(listing, values)
            point.require_feasible()
        except ProgramError as error:
            by = f"`to_point`{place_of(self.of.to_point)}"
            raise ProgramError(
                f"the bound on {self.program} does not cover this schedule: {error} "
                f"(in the variables' values returned by {by})"
            ) from None
        if point.listing.sign * (objective - point.value) < 0:
            raise ProgramError(
                f"the bound on {self.program} does not cover this schedule, whose objective in the program is "
                f"{float(point.value):.10g}, but {float(objective):.10g} in the run"
            )
        for name, rest in self.witness.rest.items():
            total = point.reduced_cost(name, self.witness.multipliers)
            if point.listing.sign * (total - rest) < 0:
                raise Unproven(
                    f"the function `rest` of '{name}' is wrong, or `to_point` uses unknown columns: the "
                    f"schedule's columns have the total reduced cost {float(total):.10g}, beyond {float(rest):.10g}"
                )
        return point

    def to_file(self) -> dict[str, Json]:
        """Return the JSON object of the certificate file, which lists the program."""
        file = super().to_file()
        return file | {"version": LISTS_ITS_PROGRAM + ("blocks" in file["multipliers"])}


def program_bound(program: Program, instance: AnyFamily, context: Context = USUAL) -> ProgramBound:
    """Return a bound proven by multipliers of HiGHS or Clarabel; relax integers.

    Generated rows are added until none is violated. The bound holds even if ``separate`` misses rows, because feasible
    points meet all rows of the proof. Without a time limit, a known bound is returned once the rows have more than
    300,000 terms. With generated columns the bound holds by the groups' ``rest``, even if ``price`` misses columns. The
    bound's ``of`` is the program with the generated parts; a search can start from it.

    Raises
    ------
    ProgramError
        For a program outside linear, second-order and exponential cones.
    NoSolution
        If the program is infeasible or unbounded, or at the time limit.
    """
    program = program.relaxed() if program.integer else program
    started = perf_counter()
    if program.generated:
        generated = _from_generated_columns if priced_groups(program) else _from_generated_rows
        return generated(program, instance, context, started)
    listing = program_listing(program, instance, context)
    context.progress(f"{len(listing.rows)} rows and {len(listing.columns)} columns: solving")
    listed_after = perf_counter()
    found, exact = conic.multipliers(listing, context) if listing.cones else multipliers(listing, context)
    details = {
        "rows": len(listing.rows),
        "columns": len(listing.columns),
        "list_seconds": round(listed_after - started, 3),
        "seconds": round(perf_counter() - started, 3),
    }
    return _bound(program, instance, RowMultipliers(listing, found), exact, details)


def _from_generated_rows(program: Program, instance: AnyFamily, context: Context, started: float) -> ProgramBound:
    master = RowMaster(program, instance, context, LARGEST)

    def prove() -> ProgramBound:
        if master.best_bound == -inf:
            raise NoSolution(f"highs ended with {master.outcome.status} and returned no multipliers that prove a bound")
        parts, listing, found = master.proof()
        proof, exact = multipliers_from(listing, found, context)
        details = {
            "rows": len(listing.rows),
            "columns": len(listing.columns),
            "generated": master.rows,
            "seconds": round(perf_counter() - started, 3),
        }
        return _bound(program.at(parts), instance, RowMultipliers(listing, proof, parts), exact, details)

    bound, ended = generate(master, prove, context)
    return replace(bound, details=bound.details | {"ended": ended})


def _from_generated_columns(program: Program, instance: AnyFamily, context: Context, started: float) -> ProgramBound:
    master = ColumnMaster(program, instance, context)

    def prove() -> ProgramBound:
        if master.proof is None:
            rests(program, instance, master.listing, {})
            raise NoSolution(f"highs ended with {master.outcome.status} on the columns so far, which proves no bound")
        details = {"rows": len(master.listing.rows), "seconds": round(perf_counter() - started, 3)}
        witness, exact = master.witness()
        return _bound(program.at(master.parts), instance, witness, exact, details)

    bound, ended = generate(master, prove, context)
    reached = {"value": master.value, "generated": master.count, "ended": ended}
    return replace(bound, details=bound.details | reached)


def _bound(
    program: Program, instance: AnyFamily, witness: RowMultipliers, exact: Fraction, details: dict[str, Json]
) -> ProgramBound:
    kind, parameters = _kind(witness.listing), dict(program.parameters)
    return ProgramBound(program.title, kind, parameters, instance.sha256, exact, witness, details, of=program)


def certify(program: Program, instance: AnyFamily, multipliers: Mapping[str, Value]) -> ProgramBound:
    """Return the bound proven by given multipliers; ProgramError for none.

    Parameters
    ----------
    multipliers
        Row name -> multiplier, or group -> index of its row -> multiplier.
    """
    program = program.relaxed() if program.integer else program
    listing = program_listing(program, instance)
    witness = RowMultipliers(listing, _by_number(program.title, listing, multipliers))
    try:
        return _bound(program, instance, witness, witness.value(instance), {})
    except ValueError as error:
        raise ProgramError(f"the multipliers of {program.title} prove nothing: {error}") from None


def _by_number(title: str, listing: Listing, given: Mapping[str, Value]) -> dict[int, Fraction]:
    names = {row.name: i for i, row in enumerate(listing.rows)}
    places = {row.place: i for i, row in enumerate(listing.rows)}
    result = {}
    for name, value in given.items():
        for index, one in value.items() if isinstance(value, Mapping) else [(None, value)]:
            own = f"{name}[{index}]" if isinstance(value, Mapping) else name
            i = places.get((f"{name}.row", index), places.get((name, index))) if own != name else names.get(name)
            if i is None:
                raise UnknownName(f"row of {title}", own, names)
            try:
                result[i] = as_fraction(one)
            except (TypeError, ValueError, OverflowError):
                raise ProgramError(f"{title}: the multiplier of {own} is {short(one)}, expected a number") from None
    return {i: y for i, y in result.items() if y}


def program_listing(program: Program, instance: AnyFamily, context: Context = USUAL) -> Listing:
    """Return a program's rows for an instance in rationals.

    A CVXPY program is listed in its cone form.

    Raises
    ------
    ProgramError
        For a program outside linear, second-order and exponential cones.
    """
    with program.locating():
        listing = listing_in(program.backend, as_stated(program.build, instance, context.progress))
    if len(listing.columns) > SMALL:
        gc.collect()  # a Pyomo model refers to itself, and would stay in memory during the solve
    return without_columns(listing, priced_groups(program)) if program.generated else listing


def _kind(listing: Listing) -> Literal["lower", "upper"]:
    return "lower" if listing.sense == "minimize" else "upper"
