from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.errors import InputError, NoSolution, ProgramError
from schedproof.instances.preemptive import Instance, from_json
from schedproof.reference.preemptive_floating import srpt_anywhere
from tests.formulations.preemptive.micro import micro_instance
from tests.formulations.preemptive.test_minlp import answer
from tests.online.preemptive.test_baselines import slots_of
from tests.support import size
from tests.tiny.preemptive import instance_of, job, tiny_instance, tiny_preemptive


@pytest.mark.parametrize(("speed", "restart"), [("1", 0), ("3/2", 0), ("1", 1), ("1", 4)])
def test_equals_its_rule_slot_by_slot(speed: str, restart: int) -> None:
    shared = 0
    for seed in range(size(12, 40, 3000)):
        crowd: dict[str, Any] = {"jobs": 20, "servers": 1} if seed % 4 == 0 else {"jobs": 6, "servers": 1 + seed % 3}
        instance = tiny_instance(seed, storage=False, restart=restart, **crowd)
        run = sp.policy("srpt_floating", speed=speed).run(instance)
        assert run.feasible, (seed, run.violations[:2])
        assert slots_of(run.schedule) == srpt_anywhere(instance, Fraction(speed)), seed
        shared += run.schedule.split_jobs() > 0
    assert shared


def test_it_is_at_least_the_optimum_with_floating_chunks() -> None:
    compared = 0
    for seed in range(size(6, 16, 600)):
        instance = micro_instance(seed, units=6, late=9, cloud=False)
        optimum = answer(sp.program("preemptive.minlp2", chunks="floating").solve(instance, solver="brute"))
        run = sp.policy("srpt_floating").run(instance)
        if run.feasible and optimum is not None:
            assert run.objective >= optimum, seed
            compared += 1
    assert compared


def wide_jobs(seed: int) -> Instance:
    rng = random.Random(seed)
    workers = rng.randrange(1, 4)
    rows = [
        job(
            f"j{n}",
            arrival=rng.randrange(4),
            chunks=workers + rng.randrange(3),
            minibatch_time=rng.randrange(1, 3),
            upload_delay={"e": rng.randrange(2)},
        )
        for n in range(3)
    ]
    work = sum(row["chunks"] * row["minibatch_time"] for row in rows)
    return instance_of(*rows, workers=workers, horizon=4 + work)  # brute force tries idle slots up to it


def test_it_is_optimal_if_every_job_has_as_many_chunks_as_workers() -> None:
    for seed in range(size(6, 12, 600)):
        instance = wide_jobs(seed)
        program = sp.program("preemptive.minlp2", chunks="floating")
        assert sp.policy("srpt_floating").run(instance).objective == answer(program.solve(instance, solver="brute"))


def test_it_is_not_optimal_for_narrow_jobs() -> None:
    jobs = [(1, 1, 3), (3, 2, 1), (0, 2, 3)]
    rows = [job(f"j{n}", arrival=a, chunks=c, minibatch_time=m) for n, (a, c, m) in enumerate(jobs)]
    instance = instance_of(*rows, workers=2)
    optimum = answer(sp.program("preemptive.minlp2", chunks="floating").solve(instance))
    assert (sp.policy("srpt_floating").run(instance).objective, optimum) == (11, 10)


def test_its_chunk_rule_is_recorded() -> None:
    day = sp.embedded("day")
    run = sp.policy("srpt_floating").run(day)
    assert run.unusual_rules == {"chunks": "floating"} and run.schedule.options["chunks"] == "floating"
    assert run.ratio("preemptive.lp4").exact >= 1
    assert " with chunks=floating (" in run.ratio("preemptive.lp4").sentence
    with pytest.raises(ProgramError, match="needs a bound with chunks=floating"):
        run.ratio("preemptive.configuration_lp")
    with pytest.raises(InputError, match="expected one of floating"):
        sp.policy("srpt_floating", chunks="pinned").run(day)


def test_a_job_that_only_the_cloud_serves_is_refused() -> None:
    value = tiny_preemptive(3, cloud=True)
    value["jobs"][2]["upload_delay"] = {"cloud": 4}
    with pytest.raises(NoSolution, match="job 'job-2' fits no edge worker"):
        sp.policy("srpt_floating").run(from_json(value))
