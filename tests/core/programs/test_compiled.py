"""A compiled program's answers equal those of a program that is built anew."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any

import msgspec
import pyomo.environ as pyo
import pytest

import schedproof as sp
from schedproof.core.errors import InputError, ProgramError, SchedproofError
from schedproof.core.programs.changes import Place, _parts, changes, field_of, in_words, with_numbers
from schedproof.core.programs.compiled import CompiledProgram
from schedproof.core.programs.program import Program
from schedproof.core.solvers.solution import Solution
from schedproof.instances import embedded
from tests.certificates import instance_of
from tests.command_line import plugged_in

with plugged_in("knapsack") as module:
    KNAPSACK: Any = module
Item, Sack, best = KNAPSACK.Item, KNAPSACK.Sack, KNAPSACK.best
SACK = Sack(
    capacity=10,
    items=tuple(Item(name=f"i{i}", weight=w, value=v) for i, (w, v) in enumerate([(3, 4), (4, 5), (5, 6), (2, 1)])),
)


def same(one: Solution, other: Solution) -> None:
    assert (one.status, one.rests_on, one.exact, one.message) == (
        other.status,
        other.rests_on,
        other.exact,
        other.message,
    )
    assert (one.objective is None) == (other.objective is None)
    if one.objective is not None:
        assert one.objective == pytest.approx(other.objective, rel=1e-9, abs=1e-9)


@dataclass(frozen=True)
class Numbers:
    """The data of a random program: ``costs x`` with ``low <= matrix x <= high`` and ``x <= most``."""

    costs: tuple[Any, ...]
    matrix: tuple[tuple[Any, ...], ...]
    low: tuple[Any, ...]
    high: tuple[Any, ...]
    most: tuple[Any, ...]


def random_program(sense: Any, domain: Any, free: bool) -> Program:
    @sp.group("variables", "(1c)", "x")
    def x(block: Any, data: Numbers) -> None:
        """The columns."""
        block.v = pyo.Var(range(len(data.costs)), domain=domain)
        for j, most in enumerate(data.most):
            if not free:
                block.v[j].setub(most)

    @sp.group("objective", "(1)", "c x")
    def cost(block: Any, data: Numbers, x: Any) -> Any:
        """The costs."""
        return sum(c * x.v[j] for j, c in enumerate(data.costs)) + data.low[0] / 3

    @sp.group("constraints", "(1a)", "A x")
    def rows(block: Any, data: Numbers, x: Any) -> Any:
        """The rows, with products of data."""
        for row, low in zip(data.matrix, data.low, strict=True):
            yield sum(a * x.v[j] for j, a in enumerate(row)) >= low * data.costs[0]

    @sp.group("constraints", "(1b)", "A x")
    def above(block: Any, data: Numbers, x: Any) -> Any:
        """The rows' other sides."""
        return {i: sum(a * x.v[j] for j, a in enumerate(r)) - data.high[i] <= 0 for i, r in enumerate(data.matrix)}

    return Program("mine.random", sense, (cost, rows, above, x))


def draw_numbers(rng: random.Random, columns: int = 4, rows: int = 2) -> Numbers:
    def some(low: int, high: int) -> Fraction:
        return Fraction(rng.randint(low, high), rng.choice((1, 1, 2, 3)))

    matrix = tuple(tuple(some(-3, 3) for _ in range(columns)) for _ in range(rows))
    sides = tuple(tuple(some(*ends) for _ in range(rows)) for ends in ((-4, 6), (2, 12)))
    low, high = sides
    most = tuple(some(0, 4) for _ in range(columns))
    return Numbers(tuple(some(-3, 5) for _ in range(columns)), matrix, low, high, most)


@pytest.mark.parametrize("domain", [pyo.NonNegativeReals, pyo.NonNegativeIntegers])
@pytest.mark.parametrize("sense", ["minimize", "maximize"])
def test_random_programs_have_the_answers_of_rebuilt_ones(sense: str, domain: Any) -> None:
    rng, ends = random.Random(f"{sense}, {domain}"), set()
    for free in (False, True):
        program, data = random_program(sense, domain, free), draw_numbers(rng)
        model = program.compile(data)
        for step in range(40):
            name = rng.choice(["costs", "matrix", "low", "high", "most"])
            data = replace(data, **{name: getattr(draw_numbers(rng), name)})
            model.update(data)
            solution = model.solve()
            same(solution, program.solve(data))
            ends.add(solution.ended)
            assert step < 20 or not model.rebuilt
        zeros = tuple((0,) * len(row) for row in data.matrix)
        costs = (1 if sense == "maximize" else -1,) * len(data.costs)
        data = replace(data, costs=costs, matrix=zeros, low=(0,) * len(zeros), high=(1,) * len(zeros))
        model.update(data)
        solution = model.solve()
        same(solution, program.solve(data))
        ends.add(solution.ended)
    assert ends == {"optimal", "infeasible", "unbounded"}


def leaves(value: Any, place: Place = ()) -> Iterator[Place]:
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        yield from [place] if place[-1] != "index" else []
    else:
        for step, part in (_parts(value) or {}).items():
            yield from leaves(part, (*place, step))


def mutated(instance: Any, rng: random.Random) -> Any:
    """Return an instance with other numbers in one field."""
    by_field = defaultdict[Place, list[Place]](list)
    for place in leaves(instance):
        by_field[field_of(place)].append(place)
    field = rng.choice(sorted(by_field, key=str))
    some = set(rng.sample(by_field[field], rng.randint(1, len(by_field[field]))))

    def make(place: Place, value: Any) -> Any:
        if place not in some:
            return value
        return value + rng.choice((-1, 1, 2)) if isinstance(value, int) else value * Fraction(rng.randint(1, 5), 2)

    return with_numbers(instance, {field}, make)


PROGRAMS = (
    "preemptive.lp4",
    "preemptive.ilp4",
    "dmlrs.dorm",
    "jrp.lp_i",
    "jrp.split",
    "placement.lp",
    "placement.exact",
)


@pytest.mark.parametrize("id", PROGRAMS)
def test_papers_programs_have_the_answers_of_rebuilt_ones(id: str) -> None:
    rng, program, in_place = random.Random(id), sp.program(id), 0
    for seed in range(2):
        instance = instance_of(program.family, seed)
        model = program.compile(instance)
        for _ in range(10):
            new = mutated(instance, rng)
            try:
                new.validate()
                expected = program.solve(new, "highs")
            except SchedproofError:
                continue
            instance = new
            model.update(instance)
            same(model.solve(), expected)
            in_place += not model.rebuilt
    assert in_place


@pytest.mark.parametrize("program", [best, best.relaxed()])
def test_later_changes_of_a_field_build_nothing(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    model = program.compile(SACK)
    capacities = [11, 7, 5, 14, 2]
    expected = [program.solve(replace(SACK, capacity=c)).objective for c in capacities]
    model.update(replace(SACK, capacity=9))
    monkeypatch.setattr(Program, "build", None)
    for capacity, objective in zip(capacities, expected, strict=True):
        model.update(replace(SACK, capacity=capacity))
        solution = model.solve()
        assert solution.objective == pytest.approx(objective) and not model.rebuilt
    if program is best:
        assert solution.schedule().objective(model.instance) == solution.objective
    assert repr(model).startswith(f"CompiledProgram(program={program.id}, rows=1, columns=4")


def with_weight(how: Any) -> Program:
    @sp.group("constraints", "(1a)", "w", needs=("chosen",))
    def weight(block: Any, sack: Any, chosen: Any) -> Any:
        """A weight."""
        return how(sack, chosen.x)

    return best.drop("weight").add(weight)


HOWS = {
    "a rounding": lambda sack, x: sum(ceil(item.weight) * x[item.index] for item in sack.items) <= sack.capacity,
    "a comparison": lambda sack, x: (x[i.index] <= (1 if i.weight < 4 else 0) for i in sack.items),
    "a set": lambda sack, x: sum(w * x[0] for w in {i.weight for i in sack.items}) <= sack.capacity,
    "a kind": lambda sack, x: (
        sum((i.weight if isinstance(i.weight, int) else 1) * x[i.index] for i in sack.items) <= sack.capacity
    ),
    "the largest": lambda sack, x: sum(x.values()) <= max(i.weight for i in sack.items),
    "a value": lambda sack, x: sum(x.values()) <= [i.weight for i in sack.items].count(4),
}


@pytest.mark.parametrize("how", HOWS)
def test_a_use_that_is_no_arithmetic_is_rebuilt(how: str) -> None:
    program, sack = with_weight(HOWS[how]), SACK
    model = program.compile(sack)
    for step in (1, 2, 3):
        sack = replace(sack, items=tuple(msgspec.structs.replace(i, weight=i.weight + step % 3) for i in sack.items))
        model.update(sack)
        assert model.rebuilt == ("" if step == 3 else "the rows compare or round items[*].weight, or use it as a range")
        same(model.solve(), program.solve(sack))


def test_other_entries_are_rebuilt() -> None:
    model = best.compile(SACK)
    model.update(replace(SACK, items=SACK.items[:2]))
    assert model.rebuilt == "items differs by more than numbers"
    assert model.solve().objective == 9


def test_an_instance_that_cannot_be_built_is_refused_as_by_solve() -> None:
    program = with_weight(lambda sack, x: x[0] / (sack.capacity - 7) <= 1)
    model = program.compile(SACK)
    model.update(replace(SACK, capacity=8))
    with pytest.raises(ProgramError, match=r"group 'weight' \(1a\) cannot be built"):
        model.update(replace(SACK, capacity=7))
    model.update(replace(SACK, capacity=9))
    same(model.solve(), program.solve(replace(SACK, capacity=9)))


def test_plain_data_may_be_changed_in_place() -> None:
    @sp.group("variables", "(1c)", "x")
    def x(block: Any, data: Any) -> None:
        """A column."""
        block.v = pyo.Var(bounds=(0, data["most"]))

    @sp.group("objective", "(1)", "x")
    def value(block: Any, data: Any, x: Any) -> Any:
        """The value."""
        return data["value"] * x.v

    data = {"most": 2, "value": 3.5}
    model = Program("mine.plain", "maximize", (value, x)).compile(data)
    for most in (4, 5, 6):
        data["most"] = most
        model.update(data)
        assert model.solve().exact == Fraction(7, 2) * most and not model.rebuilt


def test_a_changed_coefficient_of_zero_counts() -> None:
    rows = Numbers((1, 1), ((0, 1),), (0,), (4,), (9, 9))
    program = random_program("maximize", pyo.NonNegativeReals, False)
    model = program.compile(rows)
    for a in (1, 2, 0, 4):
        data = replace(rows, matrix=((a, 1),))
        model.update(data)
        same(model.solve(), program.solve(data))


def test_programs_that_cannot_be_compiled() -> None:
    with pytest.raises(ProgramError, match=r"multiserver\.stationary cannot be compiled: it is a CVXPY program"):
        sp.program("multiserver.stationary").compile(embedded("multiserver"))
    with pytest.raises(ProgramError, match=r"jrp\.exact cannot be compiled: it is not linear; use `solve`"):
        sp.program("jrp.exact").compile(embedded("cells"))
    with pytest.raises(InputError):
        best.compile(embedded("day"))
    model = best.compile(SACK)
    with pytest.raises(InputError):
        model.update(embedded("day"))
    assert isinstance(model, CompiledProgram) and model.solve().objective == 11


def test_changes_name_their_place() -> None:
    other = replace(SACK, items=(msgspec.structs.replace(SACK.items[0], value=9), *SACK.items[1:]))
    assert list(changes(SACK, other)) == [(("items", 0, "value"), 9)]
    assert in_words(field_of(("items", 0, "value"))) == "items[*].value"
