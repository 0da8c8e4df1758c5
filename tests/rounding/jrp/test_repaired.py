from __future__ import annotations

import pytest

from schedproof.instances.jrp import Assignment, Instance
from schedproof.reference.jrp_model import optimum
from schedproof.rounding.jrp import round_as_printed, round_repaired
from tests.support import size
from tests.tiny.jrp import crowded, schedule_of, tiny_cells, written


def accepted(instance: Instance, answer: Assignment) -> int:
    schedule = schedule_of(answer, instance)
    assert schedule.violations(instance) == []
    count = len(schedule.accepted_jobs(instance))
    assert count >= sum(row["accepted"] for row in answer.trace)
    assert all(row["accepted"] >= 1 and not row["overfilled"] for row in answer.trace)
    assert len(answer.trace) <= len(instance.jobs)
    left = len(instance.jobs)
    for n, row in enumerate(answer.trace, 1):
        assert row["iteration"] == n and row["jobs"] == left - row["rejected"]
        assert 0 <= row["sitting_out"] < row["jobs"] and row["lp_i"] > 0
        left = row["jobs"] - row["accepted"]
        assert ("ended" in row) == (n == len(answer.trace))
    return count


def test_always_feasible_and_at_most_the_optimum() -> None:
    reached = 0
    for seed in range(size(40, 40, 2000)):
        instance = tiny_cells(seed, jobs=3, most_nodes=2, split=seed % 2 == 0)
        count, best = accepted(instance, round_repaired(instance, seed)), optimum(instance)
        assert count <= best, seed
        reached += count == best
    assert reached > size(25, 25, 1200)


@pytest.mark.parametrize("resolves", [None, 1])
def test_always_feasible_when_crowded(resolves: int | None) -> None:
    longest = 0
    for seed in range(size(4, 4, 200)):
        instance = crowded(jobs=10 + seed % 5 * 15, seed=seed, nodes=3 + seed % 6, epochs=1 + seed % 4)
        answer = round_repaired(instance, seed, resolves)
        accepted(instance, answer)
        assert [row["solved"] for row in answer.trace] == [
            resolves is None or n < resolves for n in range(len(answer.trace))
        ]
        longest = max(longest, len(answer.trace))
    assert longest >= 3


def test_hundreds_of_tiny_instances_with_any_cap() -> None:
    for seed in range(size(60, 60, 5000)):
        instance = tiny_cells(seed, jobs=6, servers=2 + seed % 3, most_nodes=4)
        accepted(instance, round_repaired(instance, seed, [None, 1, 2][seed % 3]))


def triangle(nodes: int) -> Instance:
    """Return three jobs and servers with the only LP_I optimum y = 1/2."""
    servers = [(nodes, 0, 0)] * 3
    return written(servers, [(0, 0, [(1, (j,))] * nodes + [(1, ((j + 1) % 3,))] * nodes) for j in range(3)])


def test_the_top_job_is_placed_even_if_the_printed_algorithm_waits() -> None:
    answer = round_repaired(triangle(20))
    assert accepted(triangle(20), answer) == 1
    assert [(row["lp_i"], row["accepted"]) for row in answer.trace] == [(pytest.approx(1.5), 1)]
    assert answer.trace[0]["ended"] == "0 jobs left, none of which passes PRUNE; 2 rejected at the end"


def test_a_skipped_job_returns() -> None:
    nodes = [(3, (0, 1)), (2, (2,)), (2, (0, 2))]
    instance = written([(4, 0, 0), (3, 0, 0), (3, 0, 0)], [(0, 0, nodes), (0, 0, [("1.5", (0,))])])
    answer = round_repaired(instance)
    assert accepted(instance, answer) == optimum(instance) == 2
    assert [(row["jobs"], row["sitting_out"], row["accepted"]) for row in answer.trace] == [(2, 1, 1), (1, 0, 1)]
    (row,) = round_as_printed(instance).trace
    assert (row["rejected"], row["accepted"]) == (1, 1)


def test_no_iteration_without_an_accepted_job() -> None:
    single = written([(3, 0, 0)], [(0, 0, [(2, (0,)), (2, (0,))])])
    assert round_repaired(single).trace == [] and accepted(single, round_repaired(single)) == 0


@pytest.mark.parametrize(
    ("instance", "count"),
    [
        (written([(1, 1, 1)], []), 0),
        (written([(0, 0, 0)], [(1, 1, [])]), 1),  # no data nodes
        (written([(9, 9, 9)], [(1, 1, [(1, ())]), (1, 1, [(1, (0,))])]), 1),  # a node that no server can take
        (written([(9, 9, 0)], [(1, 1, [(1, (0,))]), (1, 0, [(1, (0,))])]), 1),  # no bandwidth
        (written([(0, 0, 0)], [(5, 5, [(0, (0,))])]), 1),  # no data on servers without capacity
        (written([(2, 0, 0)], [(0, 0, [(1, (0,)), (1, (0,))])]), 1),  # no deadline: only storage counts
        (written([(1, 2, 2)], [(1, 1, [(1, (0,))])] * 3), 1),  # both sides of the split with equality
        (written([("3e16", "6e16", "6e16")], [(1, 1, [("1e16", (0,))])] * 4), 3),  # beyond the solver's range
        (written([("3e-16", "6e-16", "6e-16")], [(1, 1, [("1e-16", (0,))])] * 4), 3),  # below the solver's tolerance
        (written([(1, 2, 2)], [(1, 1, [("1e16", (0,))]), (1, 1, [(1, (0,))])]), 1),  # far too much data
    ],
)
def test_extreme_instances(instance: Instance, count: int) -> None:
    assert accepted(instance, round_repaired(instance)) == count
    assert len(schedule_of(round_repaired(instance), instance).accepted_jobs(instance)) == count
