from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import cvxpy
import numpy as np
import pyomo.environ as pyo
import pytest

import schedproof as sp
from schedproof.core.errors import InputError, NoSolution, ProgramError
from schedproof.core.programs.group import group
from schedproof.core.programs.infeasible import InfeasibleSubsystem, NotIrreducible
from schedproof.core.programs.program import Program
from schedproof.core.programs.rows import Row
from schedproof.core.solvers.filters import Undecided, deletion_filter
from schedproof.instances import from_json
from tests.core.toys import Toy, projection
from tests.formulations.preemptive.micro import micro
from tests.support import size
from tests.tiny.dmlrs import tiny_cluster
from tests.tiny.jrp import tiny_cells
from tests.tiny.multiserver import tiny_ports
from tests.tiny.placement import tiny_instance as tiny_tasks


@dataclass(frozen=True)
class Rows:
    """Rows a x <= b over integers from 0 to 3; even and odd rows are two groups."""

    rows: tuple[tuple[tuple[int, ...], int], ...]
    family: str = "toy"


@group("variables", "(1)", r"x_i \in \{0, ..., 3\}")
def numbers(block: Any, instance: Rows) -> None:
    """Integers from 0 to 3."""
    block.x = pyo.Var(range(3), domain=pyo.Integers, bounds=(0, 3))


def _rows(block: Any, instance: Rows, parity: int) -> None:
    x = block.model().numbers.x
    chosen = [n for n in range(len(instance.rows)) if n % 2 == parity]
    left = {n: sum(a * x[i] for i, a in enumerate(instance.rows[n][0])) for n in chosen}
    block.row = pyo.Constraint(chosen, rule=lambda _, n: left[n] <= instance.rows[n][1])


@group("constraints", "(2a)", "", needs=("numbers",))
def even(block: Any, instance: Rows) -> None:
    """The even rows."""
    _rows(block, instance, 0)


@group("constraints", "(2b)", "", needs=("numbers",))
def odd(block: Any, instance: Rows) -> None:
    """The odd rows."""
    _rows(block, instance, 1)


@group("objective", "(3)", "", needs=("numbers",))
def nothing(block: Any, instance: Rows) -> None:
    """A constant objective."""
    block.term = 0 * block.model().numbers.x[0]


TOY = Program("toy.rows", "minimize", (nothing, even, odd, numbers))
BOX = [*product(range(-9, 13), repeat=3)]  # around 0 to 3


def meets(x: tuple[int, ...], instance: Rows, why: InfeasibleSubsystem, left_out: object = None) -> bool:
    rows = [row.index[0] for row in why.rows if row is not left_out]
    relations = {row.relation for row in why.bounds}
    return (
        (">= 0" not in relations or min(x) >= 0)
        and ("<= 3" not in relations or max(x) <= 3)
        and all(sum(a * v for a, v in zip(instance.rows[n][0], x, strict=True)) <= instance.rows[n][1] for n in rows)
    )


def drawn(seed: int) -> Rows:
    rng = random.Random(seed)
    while True:
        rows = []
        for _ in range(rng.randint(3, 9)):
            step = rng.choice([1, 1, 2, 3])
            rows.append((tuple(step * rng.randint(-2, 2) for _ in range(3)), rng.randint(-7, 4)))
        rows = [row for row in rows if any(row[0])]
        rows += [(tuple(-a for a in row), -b + rng.randint(0, 1)) for row, b in rows[:2]]
        instance = Rows(tuple(rows))
        if not any(
            all(sum(a * v for a, v in zip(row, x, strict=True)) <= b for row, b in rows)
            for x in product(range(4), repeat=3)
        ):
            return instance


@pytest.mark.parametrize("seed", range(size(20, 20, 400)))
def test_random_rows_against_every_point_and_scip(seed: int) -> None:
    instance = drawn(seed)
    why = TOY.why_infeasible(instance)
    assert why.irreducible and why.solver == "highs"
    assert not any(meets(x, instance, why) for x in BOX)
    for row in why.rows:
        assert any(meets(x, instance, why, row) for x in BOX), row
    why.check("scip")


def test_some_of_them_are_infeasible_by_their_integers_only() -> None:
    relaxed = [TOY.relaxed().solve(drawn(seed)).ended for seed in range(20)]
    assert {"infeasible", "optimal"} <= {*relaxed}


# --- the families ----------------------------------------------------------------------------------------------------


@group("constraints", "mine", "", needs=("completion",))
def every_job(block: Any, instance: Any) -> None:
    """Every job is admitted."""
    admitted = block.model().completion.admitted
    block.row = pyo.Constraint(list(admitted), rule=lambda _, i: admitted[i] == 1)


@group("constraints", "mine", "", needs=("admit",))
def every_job_accepted(block: Any, instance: Any) -> None:
    """Every job is accepted."""
    accepted = block.model().admit.accepted
    block.row = pyo.Constraint(list(accepted), rule=lambda _, k: accepted[k] == 1)


@group("constraints", "mine", "", needs=("task_allocation",))
def more_than_there_is(block: Any, instance: Any) -> None:
    """All channels together get more than all nodes have."""
    total = sum(float(amount) for node in instance.nodes for amount in node.capacity.values())
    block.row = pyo.Constraint(expr=pyo.quicksum(block.model().task_allocation.amount.values()) >= 1 + total)


@group("constraints", "mine", "", needs=("allocation",))
def more_than_all_nodes_have(parts: Any, instance: Any) -> None:
    """All edges together get more than all nodes have."""
    parts.constraints["mine"] = [cvxpy.sum(parts.variables["allocation"]) >= 1 + instance.graph.capacity.sum()]


def crowd(seed: int) -> Any:
    value = micro(seed, cloud=False, servers=1)
    jobs = [job | {"name": f"{job['name']}-{n}"} for job in value["jobs"] for n in range(6)]
    for horizon in range(1, 100):
        with suppress(InputError):
            return from_json(value | {"jobs": jobs, "horizon": horizon})
    raise AssertionError


def early(seed: int) -> Any:
    instance = tiny_tasks(seed, tasks=6, clusters=1)
    needed = (task.arrival + min(mode.slots for mode in task.modes) for task in instance.tasks)
    return replace(instance, horizon=max(needed))


def one_small_machine(seed: int) -> Any:
    instance = tiny_cluster(seed, jobs=4)
    return replace(instance, machines=instance.machines[:1])


def cases() -> dict[str, tuple[Program, Any]]:
    seeds = range(size(2, 2, 20))
    found = {f"{name} {n}": (sp.program(f"preemptive.{name}"), crowd(n)) for name in PREEMPTIVE for n in seeds}
    found |= {f"placement {n}": (sp.program("placement.exact"), early(n)) for n in seeds}
    dmlrs = sp.program("dmlrs.exact").add(every_job)
    found |= {f"dmlrs {n}": (dmlrs, one_small_machine(n)) for n in seeds}
    split = sp.program("jrp.split").add(every_job_accepted)
    found |= {f"jrp {n}": (split, tiny_cells(n, jobs=9, servers=2)) for n in seeds}
    for n in seeds:
        ports = tiny_ports(n)
        busiest = int(ports.arrivals.sum(axis=1).argmax())
        gang = sp.program("multiserver.gang", slot=busiest)
        if gang.build(ports).task_allocation.amount:  # who arrives reaches some node
            found[f"gang {n}"] = gang.add(more_than_there_is), ports
    stationary = sp.program("multiserver.stationary").add(more_than_all_nodes_have)
    return found | {f"stationary {n}": (stationary, tiny_ports(n)) for n in seeds}


PREEMPTIVE = ("ilp4", "minlp2", "minlp7", "lp4", "ilp8")
CASES = cases()


@pytest.mark.parametrize("name", CASES)
def test_every_family_is_explained_and_a_second_solver_agrees(name: str) -> None:
    program, instance = CASES[name]
    why = program.why_infeasible(instance)
    assert why.irreducible and {g.name for g in why.groups} >= {row.group for row in (*why.rows, *why.bounds)}
    why.check()


# --- wrong ones, and what is odd -------------------------------------------------------------------------------------


def test_a_row_too_few_and_a_row_too_many_are_refused() -> None:
    program, instance = CASES["lp4 0"]
    why = program.why_infeasible(instance)
    with pytest.raises(NotIrreducible, match=r"expected infeasible rows, but scip ended with optimal"):
        replace(why, rows=why.rows[1:]).check()
    more = Row("at_least_nothing.row", "at_least_nothing.row", (), "", ">= 0")
    too_many = replace(why, program=program.add(at_least_nothing), rows=(*why.rows, more))
    with pytest.raises(
        NotIrreducible,
        match=r"without at_least_nothing\.row, expected feasible rows, but scip ended with infeasible",
    ):
        too_many.check()
    replace(too_many, irreducible=False).check()  # which says no more than that it is infeasible


@group("constraints", "mine", "", needs=("class_use",))
def at_least_nothing(block: Any, instance: Any) -> None:
    """Some column is at least 0."""
    block.row = pyo.Constraint(expr=next(iter(block.model().class_use.edge.values())) >= 0)


def test_a_group_too_few_and_a_group_too_many_are_refused() -> None:
    program, instance = CASES["stationary 0"]
    why = program.why_infeasible(instance)
    assert [g.name for g in why.groups] == ["capacity", "more_than_all_nodes_have"] and not why.rows
    with pytest.raises(NotIrreducible, match=r"expected infeasible rows, but .* ended with optimal"):
        replace(why, groups=why.groups[1:]).check()
    with pytest.raises(NotIrreducible, match=r"without demand, expected feasible rows, but .* ended with infeasible"):
        replace(why, groups=(program.group("demand"), *why.groups)).check()


def with_rows(build: Any) -> Program:
    odd_one = group("constraints", "(4)", "", needs=("numbers",))(build)
    return TOY.add(replace(odd_one, name="odd_one"))


def constant(block: Any, instance: Rows) -> None:
    """0 >= 1."""
    block.row = pyo.Constraint([7], rule=lambda _, n: (1, 0 * block.model().numbers.x[0], None))


def fixed(block: Any, instance: Rows) -> None:
    """A number that is fixed at 1 is at least 2."""
    block.model().numbers.x[0].fix(1)
    block.row = pyo.Constraint(expr=block.model().numbers.x[0] >= 2)


def crossed(block: Any, instance: Rows) -> None:
    """A number is at least 2 and at most 1."""
    block.y = pyo.Var(bounds=(2, 1))
    block.row = pyo.Constraint(expr=block.y + block.model().numbers.x[0] <= 9)


def between(block: Any, instance: Rows) -> None:
    """A whole number lies between 1/4 and 3/4."""
    block.y = pyo.Var(domain=pyo.Integers, bounds=(0.25, 0.75))
    block.row = pyo.Constraint(expr=block.y + block.model().numbers.x[0] <= 9)


def halves(block: Any, instance: Rows) -> None:
    """Twice two whole numbers are 3."""
    x = block.model().numbers.x
    block.row = pyo.Constraint(expr=2 * x[0] + 2 * x[1] == 3)


def square(block: Any, instance: Rows) -> None:
    block.row = pyo.Constraint(expr=block.model().numbers.x[0] ** 2 <= -1)


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        (constant, "(4) odd_one[7] >= 1 cannot be met"),
        (fixed, "(4) odd_one >= 2 and numbers.x[0] <= 1 cannot be met together; without any one of them"),
        (crossed, "odd_one.y >= 2 and odd_one.y <= 1 cannot be met"),
        (between, "odd_one.y >= 0.25 and odd_one.y <= 0.75 cannot be met"),
        (halves, "(4) odd_one = 3 cannot be met"),
        (square, "(4) odd_one cannot be met"),
    ],
)
def test_unusual_rows_are_explained(build: Any, sentence: str) -> None:
    why = with_rows(build).why_infeasible(Rows(()))
    assert why.irreducible and why.sentence.startswith(f"toy.rows is infeasible: {sentence}"), why.sentence
    assert str(why).startswith(f"{why.sentence}; {why.basis}\n") and repr(why).count("\n") == 0


def test_a_feasible_program_and_too_little_time_give_messages() -> None:
    for program, instance in ((TOY, Rows(())), (projection(), Toy())):
        with pytest.raises(
            ProgramError, match=r"is feasible on this instance.*; an explanation needs an infeasible program"
        ):
            program.why_infeasible(instance)
    with pytest.raises(NoSolution, match=r"infeasibility is undecided: the time limit of 0 s is over; increase it"):
        TOY.why_infeasible(drawn(0), time_limit=0)


def test_an_explanation_at_the_time_limit_says_that_it_is_incomplete() -> None:
    answers = iter([None])

    def infeasible(part: np.ndarray) -> np.ndarray | None:
        if next(answers, "over") == "over":
            raise Undecided
        return None

    part, sure = deletion_filter(np.ones(3, bool), [np.array([0]), np.array([1])], infeasible)
    assert part.all() and not sure
    program, instance = CASES["lp4 0"]
    unsure = replace(program.why_infeasible(instance), irreducible=False)
    assert unsure.sentence.endswith("cannot be met together; perhaps a part of these rows suffices")


def test_at_most_ten_rows_are_printed_and_runs_of_an_index_are_one() -> None:
    rows = [Row(f"a.row[x,{n}]", "a.row", ("x", n), f"y[{n}]", ">= 1") for n in (0, 1, 2, 5)]
    rows += [Row(f"b[{n}]", "b", (2 * n,), f"z[{n}]", "<= 0") for n in range(20)]
    groups = tuple(replace(even, name=name) for name in "ab")
    lines = InfeasibleSubsystem(TOY, None, groups, tuple(rows), (), True, "highs").lines()
    assert lines[2:4] == ["    a[x, 0..2] >= 1", "    a[x, 5]: y[5] >= 1"]
    assert len(lines) == 1 + 2 + 10 + 1 and lines[-1] == "    and 12 more"
