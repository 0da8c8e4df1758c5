from __future__ import annotations

from fractions import Fraction

from schedproof.core.data.reading import parse
from schedproof.instances.arriving import arrivals
from schedproof.instances.dmlrs import from_json
from schedproof.instances.dmlrs.utility import Constant, Linear, Sigmoid, Table
from tests.instances.dmlrs.broken import FORMAT, VALID


def test_numbers_are_the_files_rationals() -> None:
    job = from_json(FORMAT.value()).jobs[0]
    assert (job.sample_time, job.work, job.batch_size, job.arrival) == (Fraction(1, 10), 10, 4, 0)
    assert job.internal_time == Fraction("0.1") + Fraction(2, 4) * 2 * 6 / 60
    assert job.external_time == Fraction("0.1") + Fraction(2, 4) * 2 * 6 / 20
    assert from_json(parse(VALID.replace(b'"sample_time": 0.1', b'"sample_time": 0.3'))).jobs[0].sample_time != 0.3


def test_the_meaning_of_the_keys() -> None:
    instance = from_json(FORMAT.value())
    one, two = instance.machines
    assert (instance.family, instance.sense, instance.horizon) == ("dmlrs", "maximize", 3)
    assert instance.resources == ("gpu", "cpu")
    assert [instance.free(t, one, "gpu") for t in range(3)] == [3, 4, 4]
    assert [instance.free(t, two, "cpu") for t in range(3)] == [8, 0, Fraction(15, 2)]
    assert instance.free(0, two, "gpu") == 0, "a resource that a machine does not name"
    assert [type(job.utility) for job in instance.jobs] == [Sigmoid, Linear, Table, Constant]
    assert [instance.jobs[1].ps_needed(n) for n in range(5)] == [0, 1, 2, 2, 3], "gamma = 1.5"
    assert [(t, [job.name for job in jobs]) for t, jobs in arrivals(instance.jobs)] == [
        (0, ["j1", "j4"]),
        (1, ["j2"]),
        (2, ["j3"]),
    ]


def test_done_is_decided_in_rationals() -> None:
    # 10 samples at 0.2 and 0.4 slots per sample of one worker: 5 and 2.5 of them in a worker's slot.
    job = from_json(FORMAT.value()).jobs[0]
    assert (job.internal_time, job.external_time) == (Fraction(1, 5), Fraction(2, 5))
    assert job.done(2, 0) and not job.done(1, 1) and job.done(1, 2) and job.done(0, 4) and not job.done(0, 3)


def test_without_reservations_the_notes_are_empty() -> None:
    nothing = FORMAT.value() | {"reserved": [[{}, {"cpu": 0}] for _ in range(3)]}
    without = {key: entry for key, entry in FORMAT.value().items() if key != "reserved"}
    assert from_json(nothing).sha256 == from_json(without).sha256
