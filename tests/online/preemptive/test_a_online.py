from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.errors import NoSolution, SchedproofError
from schedproof.core.simulation import policy as simulation
from schedproof.instances.preemptive import Instance, from_json
from schedproof.online.preemptive.a_online import AOnline, AOnlineEdge
from schedproof.reference.preemptive import Options, a_online
from tests.support import size
from tests.tiny.preemptive import driven, instance_of, tiny_instance, tiny_preemptive
from tests.tiny.preemptive import job as row_of

SPEEDS = (Fraction(1), Fraction(3, 2), Fraction(2))
VARIANTS = [(order, price) for order in ("static", "residual") for price in ("eq5", "marginal")]


def crowd(seed: int, **changes: Any) -> Instance:
    rng = random.Random(seed)
    value = tiny_preemptive(seed, jobs=rng.randrange(4, 9), servers=rng.randrange(1, 4), storage=False)
    for row in value["jobs"]:
        row |= {"epochs": 1, "minibatches": 1, "minibatch_time": rng.choice([1, 1, 2, 3, Decimal("1.5")])}
        row |= {"update_time": 0, "gradient_size": rng.choice([0, 0, 40]), "bandwidth": 80}
        row |= {"chunks": rng.choice([1, 1, 2, 3, 4]), "arrival": rng.randrange(6)}
    return from_json(value | changes)


def assert_as_reference(instance: Instance, order: Any, price: Any, speed: Fraction, cloud: bool = True) -> None:
    policy = (AOnline if cloud else AOnlineEdge)(order=order, price=price, speed=speed)
    try:
        expected = a_online(instance, Options(order, price, speed, storage=True, cloud=cloud))
    except ValueError:
        with pytest.raises(NoSolution, match="no edge worker can take chunk"):
            driven(policy, instance)
        return
    schedule = driven(policy, instance)
    assert policy.values == {(c.job.index, c.index): c.alpha for c in expected.chunks}
    assert sorted(schedule.intervals.rows()) == sorted(expected.rows)


@pytest.mark.parametrize(("order", "price"), VARIANTS)
def test_it_equals_the_reference(order: str, price: str) -> None:
    for seed in range(size(15, 120, 2000)):
        restart = {"restart": seed % 4}
        instance = crowd(seed, **restart) if seed % 3 else tiny_instance(seed, storage=False, jobs=5, **restart)
        assert_as_reference(instance, order, price, SPEEDS[seed % 3])


@pytest.mark.parametrize("id", ["a_online", "a_online_edge", "gang_online", "srtf", "tiresias_l"])
def test_several_arrivals_in_one_call_change_no_decision(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    for seed in range(size(4, 20, 300)):
        instance = crowd(seed, restart=seed % 3) if seed % 2 else tiny_instance(seed, storage=seed % 4 == 0, jobs=9)
        results = []
        for together in (1, 3, 32):
            monkeypatch.setattr(simulation, "TOGETHER", together)
            policy = sp.policy(id).build(instance)
            try:
                made = driven(policy, instance)
                rows = made.intervals.rows(), made.services.rows()
                results.append((rows, getattr(policy, "values", None)))
            except NoSolution as error:
                results.append((str(error), None))
        assert results[0] == results[1] == results[2], seed
        calls += not isinstance(results[0][0], str)
    assert calls


@pytest.mark.parametrize(("order", "price"), VARIANTS)
def test_it_equals_the_reference_with_scarce_storage(order: str, price: str) -> None:
    for seed in range(size(15, 60, 1000)):
        instance = tiny_instance(seed, storage=True, tight=True, jobs=6)
        assert_as_reference(instance, order, price, SPEEDS[seed % 3])


@pytest.mark.parametrize("order", ["static", "residual"])
def test_the_edge_variant_equals_the_reference_without_the_cloud(order: str) -> None:
    for seed in range(size(10, 24, 400)):
        assert_as_reference(crowd(seed), order, "eq5", SPEEDS[seed % 3], cloud=False)


def test_these_instances_cover_the_intended_cases() -> None:
    seen = set()
    for seed in range(size(40, 45, 75)):
        instance = crowd(seed)
        schedule = driven(policy := AOnline(), instance)
        cloud = -1 if instance.cloud is None else instance.cloud.index
        seen |= {"preemption"} if schedule.preemptions() else set()
        seen |= {"tie"} if len(set(policy.values.values())) < len(policy.values) else set()
        for job in instance.jobs:
            servers = set(schedule.intervals.server[schedule.intervals.job == job.index].tolist())
            seen.add("mixed" if cloud in servers and len(servers) > 1 else "cloud" if cloud in servers else "edge")
            seen |= {"delays differ"} if len(set(job.upload_delay.values())) > 1 else set()
            seen |= {"several servers"} if len(servers - {cloud}) > 1 else set()
    assert seen == {"preemption", "tie", "mixed", "cloud", "edge", "delays differ", "several servers"}


@pytest.mark.parametrize(("order", "price"), VARIANTS)
def test_every_schedule_passes_the_checker(order: str, price: str) -> None:
    for seed in range(1000, 1000 + size(10, 18, 500)):
        for scarce in (False, True):
            instance = tiny_instance(seed, storage=False, scarce=scarce)
            run = sp.policy("a_online", order=order, price=price, speed=SPEEDS[seed % 3]).run(instance)
            assert {v.constraint for v in run.violations} <= ({"served_while_running"} if scarce else set()), seed
            if instance.cloud is not None and all("cloud" in job.upload_delay for job in instance.jobs):
                assert run.feasible


def test_every_schedule_with_storage_passes_the_checker() -> None:
    checked = 0
    for seed in range(size(10, 24, 500)):
        instance = tiny_instance(seed, storage=True, tight=True)
        try:
            run = sp.policy("a_online", speed=SPEEDS[seed % 3]).run(instance)
        except NoSolution:
            continue
        assert run.violations == (), seed
        checked += 1
    assert checked


def test_the_objective_is_the_sum_of_jcts_and_never_below_the_certified_bound() -> None:
    for seed in range(size(5, 12, 300)):
        instance = tiny_instance(seed, storage=False)
        run = sp.policy("a_online").run(instance)
        ends = dict.fromkeys(range(len(instance.jobs)), 0)
        for j, *_, end in run.schedule.intervals.rows():
            ends[j] = max(ends[j], end)
        assert run.objective == sum(end - instance.jobs[j].arrival for j, end in ends.items())
        ratio = run.ratio(sp.bound("preemptive.lp4", instance))
        assert ratio.exact >= 1 and ratio.exact == run.objective / ratio.bound.exact


@pytest.mark.parametrize(("order", "price"), VARIANTS)
def test_the_edge_variant_never_uses_a_worker_of_the_cloud(order: str, price: str) -> None:
    used = 0
    for seed in range(size(10, 18, 300)):
        instance = tiny_instance(seed, cloud=True, storage=False)
        assert instance.cloud is not None
        schedules = [
            sp.policy(name, order=order, price=price).run(instance).schedule for name in ("a_online", "a_online_edge")
        ]
        used += bool(np.any(schedules[0].intervals.server == instance.cloud.index))
        assert not np.any(schedules[1].intervals.server == instance.cloud.index), seed
    assert used


def test_the_prices_of_chunks_do_not_depend_on_jobs_that_arrive_later() -> None:
    for seed in range(size(5, 12, 300)):
        instance = tiny_instance(seed, storage=False, jobs=8)  # in order of arrival
        known = tuple(job for job in instance.jobs if job.arrival < instance.jobs[-1].arrival)
        policies = [AOnline(), AOnline()]
        for policy, jobs in zip(policies, (instance.jobs, known), strict=True):
            driven(policy, Instance(instance.horizon, instance.servers, jobs))
        assert policies[1].values.items() <= policies[0].values.items(), seed


@pytest.mark.parametrize("options", [{"order": "random"}, {"price": "free"}, {"sped": "2"}])
def test_an_unknown_option_gives_one_message(options: dict[str, str]) -> None:
    with pytest.raises(SchedproofError, match=r"expected one of|unknown"):
        sp.policy("a_online", **options).run(crowd(0))


@pytest.mark.parametrize(("ps", "answer"), [(1, "no"), (2, "yes")])
def test_the_guarantee_requires_a_parameter_server_for_every_job(ps: int, answer: str) -> None:
    run = sp.policy("a_online").run(instance_of(row_of("a"), row_of("b"), workers=2, ps=ps))
    assert run.guarantee.premises["a free parameter server for every running job"] == answer
    assert run.feasible == (answer == "yes")


@pytest.mark.parametrize(("ps_release", "served"), [("printed", []), ("none", ["sky"])])
def test_a_parameter_server_in_a_far_cloud_does_not_serve_before_the_upload(ps_release: str, served: list[str]) -> None:
    # Two jobs run from slot 0, one server is at the edge, the cloud opens in 10.
    jobs = [row_of(name, upload_delay={"e": 0, "sky": 10}) for name in "ab"]
    run = sp.policy("a_online", ps_release=ps_release).run(instance_of(*jobs, workers=2, ps=1))
    names = [run.instance.servers[row[1]].name for row in run.schedule.services.rows()]
    assert names == ["e", *served] and run.feasible == bool(served)
    assert run.rules["ps_release"] == ps_release and {row[3] for row in run.schedule.services.rows()} == {0}
