"""One draw of a family, with the results of all its parts, each computed once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import inf
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from schedproof.core.base.untyped import AnyFamily, Json
from schedproof.core.cards import registry
from schedproof.core.cards.family import BoundEntry, Entry, Family
from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.bounds import compute
from schedproof.core.certificates.program_bound import program_bound, program_listing
from schedproof.core.data.options import REQUIRED
from schedproof.core.errors import InputError, NoSolution, ProgramError, SchedproofError
from schedproof.core.programs import named
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.point import Point
from schedproof.core.programs.generation.columns import priced_groups, with_point
from schedproof.core.programs.program import Program
from schedproof.core.results.run import Policy, Run
from schedproof.core.runtime.context import Context
from schedproof.core.solvers.solution import Solution
from schedproof.instances import from_json

SECONDS = 10.0  # seconds for a program or bound, which is skipped if it takes longer
VALUE = "its value is"  # prefix of a message about a point that satisfies all rows
NO_VARIABLE = "the program has no variable"  # prefix of a message about a point that the program cannot express
FEW = 3.0  # seconds for a program's solution if its bound and dual are also examined


class Known(NamedTuple):
    """A feasible schedule under the default rules, with its value and origin."""

    objective: Fraction
    whose: str


@dataclass(frozen=True)
class Patient:
    """A draw of a family's generator.

    Attributes
    ----------
    preset, seed, settings
        The origin of the draw.
    folder
        Folder for temporary files.
    until
        Time on `perf_counter` at which all computations must end.
    """

    card: Family
    preset: str
    seed: int
    settings: Mapping[str, str]
    document: Json = field(repr=False)
    folder: Path
    until: float = inf

    @cached_property
    def instance(self) -> AnyFamily:
        return from_json(self.document)

    @property
    def size(self) -> int:
        """The size of the instance's document."""
        return int(self.instance.extent[0])

    @property
    def context(self) -> Context:
        return Context(seed=self.seed, time_limit=self.seconds)

    @property
    def seconds(self) -> float:
        """The time limit of each computation."""
        return max(0.0, min(SECONDS, self.until - perf_counter()))

    @cached_property
    def runs(self) -> Mapping[str, Run]:
        """The runs of all policies with default options, without failed runs."""
        return {id: run for id, run in self.played.items() if isinstance(run, Run)}

    @cached_property
    def played(self) -> Mapping[str, Run | SchedproofError]:
        """For each policy that starts before the deadline, its run or its error."""
        result: dict[str, Run | SchedproofError] = {}
        for id, entry in self.card.entries("policy"):
            if complete(entry) and self.seconds:
                try:
                    result[id] = Policy(id, {}).run(self.instance, self.seed, time_limit=self.seconds)
                except SchedproofError as error:
                    result[id] = error
        return result

    def again(self) -> Patient:
        """Return the same draw without results."""
        return replace(self)

    @cached_property
    def bounds(self) -> Mapping[str, Bound]:
        """The bounds found within the time limit."""
        result = {}
        for id, entry in self.card.entries("bound"):
            if complete(entry):
                try:
                    result[id] = compute(id, self.instance, {}, self.context)
                except NoSolution:
                    continue
        return result

    @cached_property
    def programs(self) -> Mapping[str, Program]:
        """The programs without required options."""
        return {id: program for id, program in self._listed.items() if program.groups}

    @cached_property
    def _listed(self) -> Mapping[str, Program]:
        return {id: named.program(id) for id, entry in self.card.entries("program") if complete(entry)}

    @cached_property
    def declared(self) -> Mapping[str, Fraction | None]:
        """The declared optima; None if the instance is infeasible."""
        functions = {id: program for id, program in self._listed.items() if not program.groups}
        return {id: program.solve(self.instance).exact for id, program in functions.items()}

    @cached_property
    def answers(self) -> Mapping[str, Mapping[str, Solution | SchedproofError]]:
        """For each program, the answers or errors of its solver and exact methods."""
        result: dict[str, dict[str, Solution | SchedproofError]] = {}
        for id, program in self.programs.items():
            result[id] = {}
            for name in dict.fromkeys((program.default_solver, *program.routes)):
                try:
                    result[id][name] = program.solve(self.instance, solver=name, time_limit=self.seconds)
                except (ProgramError, InputError) as error:
                    result[id][name] = error
        return result

    @cached_property
    def solutions(self) -> Mapping[str, Mapping[str, Solution]]:
        """The answers without errors."""
        return {
            id: {name: answer for name, answer in answers.items() if isinstance(answer, Solution)}
            for id, answers in self.answers.items()
        }

    @property
    def quick_programs(self) -> Mapping[str, Program]:
        """Programs that are solved in few seconds: their bounds and duals take longer."""
        times = {id: [s.build_seconds + s.solve_seconds for s in mine.values()] for id, mine in self.solutions.items()}
        return {id: program for id, program in self.programs.items() if max(times[id], default=0.0) <= FEW}

    @cached_property
    def beatable(self) -> set[str]:
        """The programs with a bound that holds only for some schedules."""
        return {id for id, entry in self.card.entries("bound") if isinstance(entry, BoundEntry) and entry.beatable}

    @property
    def comparable_bounds(self) -> Iterator[tuple[str, Bound]]:
        """The bounds on the family's objective, by cards and by programs."""
        yield from ((id, bound) for id, bound in self.bounds.items() if bound.covers(self.card.rules_with({})))
        for id, program in self.quick_programs.items():
            if id not in self.bounds and self.is_about(program) and program.sense == self.instance.sense:
                with suppress(ProgramError, NoSolution):  # not linear, or no point
                    yield id, program_bound(program, self.instance, self.context)

    def is_about(self, program: Program) -> bool:
        """Whether a program's variables are those of schedules."""
        return program.to_point is not None or program.to_schedule is not None

    def proven(self, id: str) -> Iterator[tuple[str, Fraction, float]]:
        """A program's optima: the method, the closest rational, and the number found."""
        for name, solution in self.solutions[id].items():
            if solution.ended == "optimal" and solution.objective is not None:
                exact = Fraction(solution.objective) if solution.exact is None else solution.exact
                yield name, exact, solution.objective

    @cached_property
    def listings(self) -> Mapping[str, Listing | SchedproofError]:
        """For each program with `to_point`, its relaxed rows, or why they are not listed."""
        result: dict[str, Listing | SchedproofError] = {}
        for id, program in self.programs.items():
            if program.to_point is not None:
                try:
                    result[id] = program_listing(program.relaxed() if program.integer else program, self.instance)
                except (ProgramError, NoSolution) as error:
                    result[id] = error
        return result

    def misfit(self, id: str, schedule: AnyFamily, objective: Fraction) -> str:
        """Return the fault of a schedule's point in a listed program; empty if none."""
        program, listing = self.programs[id], self.listings[id]
        assert program.to_point is not None
        if not isinstance(listing, Listing):
            raise listing
        try:
            values = program.to_point(schedule, self.instance, **program.parameters)
            if priced_groups(program):
                listing, values = with_point(program, self.instance, listing, values)
            point = Point.of(listing, values)
            point.require_feasible()
        except ProgramError as error:
            return str(error)
        if listing.sign * (objective - point.value) < 0:
            return f"{VALUE} {point.value}, the schedule's {objective}"
        return ""

    def checked(self, id: str) -> Iterator[tuple[str, AnyFamily, Fraction]]:
        """The feasible schedules of policies and of a program, with origin and objective."""
        for run in self.usual:
            yield run.policy, run.schedule, run.objective
        for of, name, _, schedule in self.decided:
            if of == id and not schedule.violations(self.instance):
                yield f"{id} by {name}", schedule, schedule.objective(self.instance)

    @cached_property
    def optima(self) -> list[Known]:
        """Declared optima, and optimal schedules with the family's objective."""
        declared = [Known(value, id) for id, value in self.declared.items() if value is not None]
        return declared + [
            Known(schedule.objective(self.instance), f"{id} by {name}")
            for id, name, solution, schedule in self.decided
            if solution.ended == "optimal" and id not in self.beatable and not schedule.violations(self.instance)
            if solution.objective is not None and close(schedule.objective(self.instance), solution.objective)
        ]

    @cached_property
    def decided(self) -> list[tuple[str, str, Solution, AnyFamily]]:
        """The schedules of programs, with the programs' solutions."""
        result = []
        for id, solutions in self.solutions.items():
            if self.programs[id].to_schedule is not None:
                for name, solution in solutions.items():
                    with suppress(NoSolution, ProgramError):  # an exact method may find only the number
                        result.append((id, name, solution, solution.schedule()))
        return result

    @cached_property
    def known(self) -> list[Known]:
        """All feasible schedules under the default rules."""
        of_programs = [
            Known(schedule.objective(self.instance), f"{id} by {name}")
            for id, name, _, schedule in self.decided
            if not schedule.violations(self.instance)
        ]
        return [*of_programs, *(Known(run.objective, run.policy) for run in self.usual)]

    @property
    def usual(self) -> list[Run]:
        """The policies' feasible runs under the default rules."""
        return [run for run in self.runs.values() if run.feasible and not run.unusual_rules]

    def best(self, known: list[Known]) -> Known | None:
        better = min if self.instance.sense == "minimize" else max
        return better(known, key=lambda one: one.objective) if known else None

    def is_better(self, one: Fraction, other: Fraction) -> bool:
        return one < other if self.instance.sense == "minimize" else one > other


def drawn(
    card: Family, preset: str, seed: int, settings: Mapping[str, str], folder: Path, until: float = inf
) -> Patient:
    return Patient(card, preset, seed, settings, registry.generate(card.name, preset, seed, settings), folder, until)


def complete(entry: Entry) -> bool:
    """Whether an object can be made without options."""
    return all(option.default is not REQUIRED for option in entry.options)


def close(exact: Fraction, value: float) -> bool:
    """Whether a solver's number is within the tolerance of a rational."""
    return abs(float(exact) - value) <= 1e-6 * max(1.0, abs(value))
