from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from schedproof.instances.jrp import Instance
from schedproof.reference.jrp import STANDING, outcomes, with_sets
from schedproof.rounding.jrp.prune import Candidates
from schedproof.rounding.jrp.residual_capacity import ResidualCapacity
from tests.support import size
from tests.tiny.jrp import crowded, tiny_cells, written

Pairs = set[tuple[int, int, int]]  # job, node, server


def as_printed(instance: Instance, pairs: Pairs) -> Pairs:
    some = with_sets(
        instance,
        [
            tuple(tuple(j for j in node.servers if (job.index, node.index, j) in pairs) for node in job.nodes)
            for job in instance.jobs
        ],
    )
    left = [next(outcomes(some, job.index, STANDING)) for job in instance.jobs]
    return {(k, i, j) for k, sets in enumerate(left) for i, servers in enumerate(sets) for j in servers}


def named(instance: Instance, alive: np.ndarray) -> Pairs:
    every = [(k, i, j) for k, job in enumerate(instance.jobs) for i, node in enumerate(job.nodes) for j in node.servers]
    return {pair for pair, kept in zip(every, alive, strict=True) if kept}


@pytest.mark.parametrize("drawn", ["tiny", "split", "crowded"])
def test_equals_the_reference(drawn: str) -> None:
    cut = trivial = 0
    for seed in range(size(40, 40, 5000) if drawn != "crowded" else size(3, 3, 100)):
        rng = random.Random(seed)
        instance = crowded(20, seed) if drawn == "crowded" else tiny_cells(seed, most_nodes=5, split=drawn == "split")
        left = [
            tuple(amount * rng.choice([0, *range(4, 9), 8]) / 8 for amount in (s.storage, s.compute, s.bandwidth))
            for s in instance.servers
        ]
        instance = instance.part(range(len(instance.jobs)), left)
        candidates, capacity = Candidates(instance), ResidualCapacity(instance)
        alive = np.array([rng.random() < 0.9 for _ in instance.edges.node], dtype=bool)
        before = alive.copy()
        pruned = candidates.prune(capacity, alive)
        assert np.array_equal(alive, before)
        expected = as_printed(instance, named(instance, alive))
        assert named(instance, pruned) == expected, seed
        assert np.array_equal(candidates.prune(capacity, pruned), pruned), seed
        poor = [
            any(all((k, i, j) not in expected for j in n.servers) for i, n in enumerate(job.nodes))
            for k, job in enumerate(instance.jobs)
        ]
        assert candidates.trivial_jobs(pruned).tolist() == poor, seed
        cut += int(alive.sum() - pruned.sum())
        trivial += sum(poor)
    assert cut > 50 and trivial > 2


def test_an_edge_alone_has_every_resource() -> None:
    for seed in range(size(40, 120, 2000)):
        instance = tiny_cells(seed)
        share = instance.communication_share
        kept = Candidates(instance).servable(ResidualCapacity(instance), np.ones(len(instance.edges.node), dtype=bool))
        expected = set()
        for k, job in enumerate(instance.jobs):
            for i, node in enumerate(job.nodes):
                for j in node.servers:
                    server, (compute, bandwidth) = instance.servers[j], job.need(node.size)
                    enough = compute <= (1 - share) * server.compute and bandwidth <= share * server.bandwidth
                    expected |= {(k, i, j)} if enough and node.size <= server.storage else set()
        assert named(instance, kept) == expected, seed


def test_degrees_are_those_of_the_servers_turn() -> None:
    nodes = [(2, (0, 1)), (2, (0, 1))]
    instance = written([(3, 9, 9), (3, 9, 9)], [(0, 0, nodes)])
    pruned = Candidates(instance).prune(ResidualCapacity(instance), np.ones(4, dtype=bool))
    assert named(instance, pruned) == {(0, 0, 0), (0, 1, 1)}


def test_the_prefix_ends_at_the_first_node_that_does_not_fit() -> None:
    nodes = [(2, (0,)), (2, (0,)), (1, (0,)), (0, (0,))]
    instance = written([(3, 9, 9)], [(0, 0, nodes)])
    pruned = Candidates(instance).prune(ResidualCapacity(instance), np.ones(4, dtype=bool))
    assert pruned.tolist() == [True, False, False, False]


def test_sums_that_doubles_cannot_distinguish() -> None:
    # 0.1 + 0.2 is 0.3; an excess in the thirtieth digit does not fit.
    for more, kept in (("0", [True, True]), ("0." + "0" * 29 + "1", [True, False])):
        size = Fraction("0.2") + Fraction(more)
        instance = written([("0.3", 9, 9)], [(0, 0, [("0.1", (0,)), (size, (0,))])])
        assert Candidates(instance).prune(ResidualCapacity(instance), np.ones(2, dtype=bool)).tolist() == kept
        instance = written([(9, "0.6", 9)], [(1, 0, [("0.1", (0,)), (size, (0,))])])
        assert Candidates(instance).prune(ResidualCapacity(instance), np.ones(2, dtype=bool)).tolist() == kept
    instance = written([("0.1", 9, 9)], [(0, 0, [(Fraction("0.1") + Fraction(1, 10**30), (0,))])])
    assert not Candidates(instance).servable(ResidualCapacity(instance), np.ones(1, dtype=bool)).any()
