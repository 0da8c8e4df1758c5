from __future__ import annotations

from fractions import Fraction

from schedproof.core.data.reading import parse
from schedproof.instances.preemptive import from_json
from tests.instances.preemptive.broken import FORMAT, VALID


def test_numbers_are_the_files_rationals() -> None:
    instance = from_json(FORMAT.value())
    first = instance.jobs[0]
    assert (first.minibatch_time, first.update_time) == (Fraction(1, 5), Fraction(1, 100))
    assert first.chunk_time == 8 * (Fraction(1, 5) + Fraction(1, 100) + 2 * Fraction(60, 3000)) == 2
    assert first.chunk_time_in_cloud == 8 * Fraction(21, 100)
    assert (first.slots(), first.slots(in_cloud=True), first.slots(speed=Fraction(3, 2))) == (2, 2, 2)
    assert from_json(parse(VALID.replace(b"0.01", b"0.1"))).jobs[0].update_time == Fraction("0.1") != 0.1


def test_the_meaning_of_the_keys() -> None:
    instance = from_json(FORMAT.value())
    one, two, cloud = instance.servers
    j1, j2 = instance.jobs
    assert (instance.cloud, instance.edges) == (cloud, (one, two))
    assert [(q.server.name, q.type, q.count) for q in instance.classes] == [
        ("edge-1", "gpu", 2),
        ("edge-1", "cpu", 1),
        ("edge-2", "tpu", 1),
    ]
    assert [j1.delay(s) for s in instance.servers] == [1, None, 5]
    assert [j2.delay(s) for s in instance.servers] == [2, 2, None]  # '*' stands for edge servers only
    assert [(q.type, delay) for q, delay in instance.qualified(j2)] == [("gpu", 2), ("tpu", 2)]
    assert [j2.opens(one, "*"), j2.opens(two, "a"), j2.opens(two, "b"), j2.opens(cloud, "*")] == [
        True,
        True,
        False,
        False,
    ]
    assert [j1.opens(one, "*"), j1.opens(two, "a"), j1.opens(cloud, "*")] == [True, False, True]
    assert (one.storage, cloud.storage, j2.chunk_size) == (200, None, 0)
