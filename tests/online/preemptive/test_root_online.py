"""A_online with the root of D_j: the same policy where each job has one chunk or two, another one elsewhere."""

from __future__ import annotations

import pytest
from msgspec import structs

import schedproof as sp
from schedproof.instances.preemptive import Instance, Schedule
from schedproof.online.preemptive.worker_lists import WorkerLists
from tests.support import size
from tests.tiny.preemptive import tiny_instance


def of_chunks(seed: int, chunks: int) -> Instance:
    """An instance whose jobs have so many chunks each."""
    instance = tiny_instance(seed, storage=False, cloud=False, jobs=7, servers=1)
    jobs = tuple(structs.replace(job, chunks=chunks) for job in instance.jobs)
    return Instance(10 * instance.horizon, instance.servers, jobs)


def schedule(policy: str, instance: Instance) -> Schedule:
    options = {"order": "residual"} if policy == "a_online" else {}
    result: Schedule = sp.policy(policy, **options).run(instance).schedule
    return result


@pytest.mark.parametrize("chunks", [1, 2, 5])
def test_jobs_that_are_alike_are_dispatched_as_by_a_online(chunks: int) -> None:
    """A weight that all jobs share changes no comparison."""
    for seed in range(size(4, 10, 200)):
        instance = of_chunks(seed, chunks)
        assert schedule("root_online", instance).intervals.rows() == schedule("a_online", instance).intervals.rows()


def test_the_compiled_dispatch_is_the_one_chunk_by_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    powers, plain = {"rate_power": "11/10", "price_power": "2/5"}, 0
    for seed in range(size(12, 40, 1000)):
        instance = tiny_instance(seed, storage=False, jobs=4 + seed % 6)
        compiled = sp.policy("root_online", **powers).run(instance)
        with monkeypatch.context() as patch:
            patch.setattr(WorkerLists, "dispatch", lambda *_: None)
            slow = sp.policy("root_online", **powers).run(instance)
        assert compiled.schedule.intervals.rows() == slow.schedule.intervals.rows(), seed
        plain += compiled.schedule.intervals.rows() == schedule("a_online", instance).intervals.rows()
    assert plain < size(12, 40, 1000), "nowhere do powers make a difference"


def test_the_first_power_is_a_online() -> None:
    """Where 1/D_j is a whole number of parts, as nothing is rounded."""
    for seed in range(size(6, 20, 400)):
        instance = tiny_instance(seed, storage=False, jobs=7)
        jobs = tuple(structs.replace(job, chunks=2 ** (job.index % 4)) for job in instance.jobs)
        instance = Instance(10 * instance.horizon, instance.servers, jobs)
        first = sp.policy("root_online", rate_power=1, price_power=1).run(instance).schedule
        assert first.intervals.rows() == schedule("a_online", instance).intervals.rows()


def test_nine_chunks_of_one_slot_go_before_one_of_four() -> None:
    """Their rates: 1/(3 * 1) before 1/(1 * 4), where 1/(9 * 1) is behind it; ``printed`` is A_online's."""
    server = {"name": "edge", "workers": {"gpu": 1}, "parameter_servers": 2}
    row = {"epochs": 1, "minibatches": 1, "update_time": 0, "gradient_size": 0, "bandwidth": 1}
    row |= {"arrival": 0, "worker_types": ["gpu"], "upload_delay": {"edge": 0}}
    jobs = [
        row | {"name": "long", "chunks": 1, "minibatch_time": 4},
        row | {"name": "wide", "chunks": 9, "minibatch_time": 1},
    ]
    head = {"version": 1, "family": "preemptive", "horizon": 20, "servers": [server], "jobs": jobs}
    instance = Instance.from_json(head)
    assert schedule("root_online", instance).completions(instance).tolist() == [13, 9]
    assert schedule("a_online", instance).completions(instance).tolist() == [4, 13]


def test_nothing_is_promised() -> None:
    assert sp.policy("root_online", speed=2).run(sp.embedded("day")).guarantee.value is None
