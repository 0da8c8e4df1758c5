from __future__ import annotations

from fractions import Fraction

import schedproof as sp
from schedproof.instances.jrp import from_json
from tests.instances.jrp.broken import FORMAT


def test_the_meaning_of_the_keys() -> None:
    instance = from_json(FORMAT.value())
    one, two = instance.servers
    assert (instance.family, instance.sense, instance.extent) == ("jrp", "maximize", (3, "job"))
    assert instance.communication_share == Fraction(3, 10)
    assert (one.storage, one.compute, one.bandwidth) == (Fraction(301, 2), 150, 10)
    assert (two.index, two.name, two.compute) == (1, "s2", 0)
    first, second, _ = instance.jobs
    assert [node.servers for node in first.nodes] == [(1, 0), ()], "in the order of the file"
    assert [(node.index, node.name, node.size) for node in first.nodes] == [(0, "d1", Fraction(1, 4)), (1, "d2", 0)]
    assert (second.deadline, second.nodes) == (None, ())


def test_the_rates_are_the_times_two_to_four_solved_for_the_resources() -> None:
    # With all of the deadline for computing, or for communicating: (2) and (3) are the deadline.
    job = from_json(FORMAT.value()).jobs[0]
    data = Fraction(7, 3)
    compute, bandwidth = job.need(data)
    iterations = data / job.minibatch_size
    assert job.epochs * iterations * job.minibatch_work / compute == job.deadline == 5400
    assert job.epochs * iterations / job.sync_period * job.parameter_size / bandwidth == job.deadline
    assert from_json(FORMAT.value()).jobs[1].need(data) == (0, 0), "no deadline"


def test_the_embedded_cells_are_a_ring_of_seven_and_eight_jobs() -> None:
    assert (len(sp.embedded("cells").servers), len(sp.embedded("cells").jobs)) == (7, 8)
