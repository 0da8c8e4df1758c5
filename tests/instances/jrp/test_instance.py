from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.support import size
from tests.tiny.jrp import tiny_cells, written

F = Fraction
SERVERS = ((9, 40, 40), (4, 2, 2))


# --- unservable jobs --------------------------------------------------------------------------------------------------


def test_a_job_is_unservable_if_no_server_can_serve_one_of_its_data_nodes() -> None:
    jobs = [
        (1, 1, [(2, (0,)), (10, (0, 1))]),  # more than either can store
        (1, 1, [(1, ()), (99, (1,))]),  # no server at all
        (1, 1, [(3, (1,))]),  # stored, not in time
        (1, 1, [(3, (1, 0))]),
        (0, 0, [(4, (1,))]),
        (1, 1, []),
    ]
    instance = written(SERVERS, jobs)
    assert dict(instance.unservable_jobs) == {
        0: "no server alone can serve its data node d1",
        1: "no server alone can serve its data node d0",
        2: "no server alone can serve its data node d0",
    }
    (note,) = instance.notes()
    assert note.startswith("3 of 6 jobs can never be accepted: k0 (no server alone can serve its data node d1), k1 (")
    assert note.endswith("d0)")
    assert written(SERVERS, [(1, 1, [])]).notes() == ()


def test_the_deadline_counts_on_a_servers_last_grain() -> None:
    # a D = b D = 1: a server of 2 and 2 leaves 1 x 1, just enough; of no bandwidth, never.
    assert written(SERVERS, [(1, 1, [(1, (1,))])]).unservable_jobs == {}
    assert list(written(SERVERS, [("1.000000001", "1.000000001", [(1, (1,))])]).unservable_jobs) == [0]
    assert list(written([(9, 9, 0)], [(1, 1, [(1, (0,))])]).unservable_jobs) == [0]
    assert written([(9, 9, 0)], [(1, 0, [(1, (0,))])]).unservable_jobs == {}


def test_more_than_three_unservable_jobs_are_counted() -> None:
    (note,) = written(SERVERS, [(1, 1, [(1, ())])] * 5).notes()
    assert note.startswith("5 of 5 jobs") and note.endswith("k2 (no server alone can serve its data node d0), ...")


def test_a_data_node_without_data_needs_no_more_than_a_server_to_name() -> None:
    assert written([(0, 0, 0)], [(1, 1, [(0, (0,))])]).unservable_jobs == {}
    assert list(written([(0, 0, 0)], [(1, 1, [(0, ())])]).unservable_jobs) == [0]


# --- a part of an instance --------------------------------------------------------------------------------------------


def test_a_part_has_the_jobs_in_the_requested_order_and_the_remaining_capacity() -> None:
    instance = tiny_cells(3, jobs=5, servers=2)
    left = [(F(1), F(2), F(3)), (F(0), F(0), F(1, 3))]
    part = instance.part([3, 1], left)
    assert [job.name for job in part.jobs] == ["k3", "k1"] and [job.index for job in part.jobs] == [0, 1]
    assert [(s.storage, s.compute, s.bandwidth) for s in part.servers] == left
    assert [s.name for s in part.servers] == ["s0", "s1"]
    for n, k in enumerate((3, 1)):
        assert part.jobs[n].nodes == instance.jobs[k].nodes
        assert part.jobs[n].need(F(2)) == instance.jobs[k].need(F(2))
    assert part.communication_share == instance.communication_share
    assert instance.jobs[3].index == 3, "the instance stays as it was"
    assert instance.part([], left).jobs == ()
    with pytest.raises(ValueError, match="shorter"):
        instance.part([0], left[:1])


# --- edges ------------------------------------------------------------------------------------------------------------


def test_the_edges_equal_those_of_plain_loops() -> None:
    for seed in range(size(10, 36, 600)):
        instance = tiny_cells(seed, jobs=seed % 6, servers=1 + seed % 4)
        found = instance.edges
        nodes = [(k, node) for k, job in enumerate(instance.jobs) for node in job.nodes]
        expected = [(n, j) for n, (_, node) in enumerate(nodes) for j in node.servers]
        assert list(zip(found.node.tolist(), found.server.tolist(), strict=True)) == expected
        assert found.job.tolist() == [k for k, _ in nodes]
        assert found.size.tolist() == [float(node.size) for _, node in nodes]
        for job in instance.jobs:
            first, end = found.first_node[job.index : job.index + 2]
            assert [node for _, node in nodes[first:end]] == list(job.nodes)
        assert found.first_node.shape == (len(instance.jobs) + 1,)
        rates = [(float(job.compute_rate), float(job.bandwidth_rate)) for job in instance.jobs]
        assert list(zip(found.compute_rate.tolist(), found.bandwidth_rate.tolist(), strict=True)) == rates
        for kind in ("storage", "compute", "bandwidth"):
            assert getattr(found, kind).tolist() == [float(getattr(s, kind)) for s in instance.servers]


def test_the_arrays_have_one_type_each_even_when_empty_and_cannot_be_changed() -> None:
    for jobs in ([], [(1, 1, [])], [(1, 1, [(1, ())])], [(1, 1, [(1, (0,))])]):
        instance = written(SERVERS, jobs)
        for name, array in vars(instance.edges).items():
            whole = name in ("first_node", "job", "node", "server")
            assert array.dtype == (np.int64 if whole else np.float64) and array.ndim == 1, name
            if array.size:
                with pytest.raises(ValueError, match="read-only"):
                    array[0] = 1
    assert instance.edges is instance.edges
