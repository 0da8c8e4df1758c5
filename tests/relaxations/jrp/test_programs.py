from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from msgspec.structs import replace

from schedproof.core.programs.program import Program
from schedproof.formulations.jrp.exact import exact
from schedproof.instances.jrp import Instance
from schedproof.relaxations.jrp.bounds import conic_bound, split, split_free
from schedproof.relaxations.jrp.conic import conic, pairs, unit
from schedproof.relaxations.jrp.dual import Relaxation
from schedproof.relaxations.jrp.matrix import linear_program, rows
from schedproof.relaxations.jrp.programs import lp_i, split_free_lp
from tests.relaxations.jrp.odd import ODD, instance_of, job
from tests.relaxations.jrp.test_bounds import by_descent
from tests.support import size
from tests.tiny.jrp import tiny_cells

LINEAR = [(lp_i, split), (split_free_lp, split_free)]


def optimum_of(program: Program, instance: Instance, solver: str | None = None) -> float:
    solution = program.solve(instance, solver)
    assert solution.ended == "optimal" and solution.objective is not None, solution.message
    return solution.objective


def by_matrix(instance: Instance, relaxation: Relaxation) -> float:
    outcome = linear_program(instance, relaxation.compute, relaxation.bandwidth).solve()
    assert outcome.objective is not None
    return -outcome.objective


@pytest.mark.parametrize(("program", "relaxation"), LINEAR)
def test_the_matrix_is_the_program(program: type, relaxation: type) -> None:
    for seed in range(size(3, 8, 300)):
        instance = tiny_cells(seed, jobs=5, split=seed % 2 == 0)
        assert by_matrix(instance, relaxation(instance)) == pytest.approx(optimum_of(program(), instance), abs=1e-7), (
            seed
        )


def test_two_solvers_agree_on_the_cone_between_exact_and_split_free_optima() -> None:
    apart = Counter[str]()
    for seed in range(size(3, 8, 300)):
        instance = tiny_cells(seed)
        value, other = (optimum_of(conic(), instance, solver) for solver in ("clarabel", "scs"))
        assert value == pytest.approx(other, abs=1e-6), seed
        loose, least = optimum_of(split_free_lp(), instance), optimum_of(exact(), instance, "brute")
        assert least - 1e-7 <= value <= loose + 1e-7, seed
        assert optimum_of(lp_i(), instance) <= value + 1e-7, seed  # the split is one way to meet (10)
        apart.update(above=value > least + 1e-3, below=value < loose - 1e-3)
    assert size(1, 0, 0) or (apart["above"] and apart["below"])


@pytest.mark.parametrize("name", ODD)
def test_extreme_instances_have_an_optimum(name: str) -> None:
    instance, accepted = ODD[name]
    assert optimum_of(conic(), instance) == pytest.approx(float(accepted), abs=1e-7)
    for program, relaxation in LINEAR:
        assert by_matrix(instance, relaxation(instance)) == pytest.approx(optimum_of(program(), instance), abs=1e-8)


def test_the_cone_is_solved_on_any_scale() -> None:
    for seed in range(size(2, 6, 60)):
        instance, big = tiny_cells(seed, jobs=8), 10**9
        servers = tuple(replace(s, compute=s.compute * big, bandwidth=s.bandwidth / big) for s in instance.servers)
        jobs = tuple(
            replace(k, minibatch_work=k.minibatch_work * big, parameter_size=k.parameter_size / big)
            for k in instance.jobs
        )
        other = Instance(instance.communication_share, servers, jobs)
        value = optimum_of(conic(), instance)
        assert optimum_of(conic(), other) == pytest.approx(value, abs=1e-6), seed
        assert value - 1e-8 <= by_descent(conic_bound, other).value <= value + 1e-4, seed


def test_the_conic_programs_point_is_a_point_of_the_relaxation() -> None:
    instance = tiny_cells(3, jobs=8)
    values = conic().solve(instance).values
    edges, (k, j, pair) = instance.edges, pairs(instance)

    def vector(name: str, count: int) -> np.ndarray:
        return np.array([values[name].get((n,), 0.0) for n in range(count)])

    x, y = vector("placed", len(edges.node)), vector("accepted", len(instance.jobs))
    compute = vector("compute", len(k)) * unit(edges.compute)[j]
    bandwidth = vector("bandwidth", len(k)) * unit(edges.bandwidth)[j]
    data = np.bincount(pair, x * edges.size[edges.node], len(k))
    sides = rows(edges) @ np.concatenate([x, y])
    assert abs(sides[: len(edges.size)]).max() < 1e-7 and y.max() < 1 + 1e-7
    assert (np.bincount(edges.server, x * edges.size[edges.node]) <= edges.storage + 1e-7).all()
    assert (np.bincount(j, compute, len(edges.storage)) <= edges.compute + 1e-7).all()
    assert (np.bincount(j, bandwidth, len(edges.storage)) <= edges.bandwidth + 1e-7).all()
    u, v = compute - edges.compute_rate[k] * data, bandwidth - edges.bandwidth_rate[k] * data
    assert u.min() > -1e-7 and v.min() > -1e-7
    assert (u * v - edges.compute_rate[k] * edges.bandwidth_rate[k] * data**2).min() > -1e-6


def test_lp_i_is_no_bound_on_accepted_jobs() -> None:
    instance = instance_of([("99", "12", "1.5")], job([("1", [0])], "4", "1"), share="1/2")
    assert optimum_of(exact(), instance, "brute") == 1
    assert optimum_of(lp_i(), instance) == pytest.approx(0.75)
    assert optimum_of(conic(), instance) == pytest.approx(1)


def test_their_output() -> None:
    programs = {program.id: program for program in (lp_i(), conic(), split_free_lp())}
    printed = {id: program.latex() for id, program in programs.items()}
    for id, text in printed.items():
        assert not programs[id].integer
        assert r"y_k \in [0, 1]" in text and "(14)" in text and "(15)" in text and r"\{0,1\}" not in text
    assert "(16)" in printed["jrp.lp_i"] and "(17)" in printed["jrp.lp_i"] and "(10)" not in printed["jrp.lp_i"]
    assert "(10)" in printed["jrp.conic"] and "(10) relaxed" in printed["jrp.split_free_lp"]
    for program in programs.values():
        assert all(group.sentence.endswith(".") for group in program.groups)
