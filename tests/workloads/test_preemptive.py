from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import chain

import numpy as np
import pytest

from schedproof.instances import from_json
from schedproof.workloads.draws import draw_weighted, random_numbers
from schedproof.workloads.preemptive import draws, generate
from schedproof.workloads.preemptive.measured import JOB_SIZES, JOBS_BY_HOUR, MACHINE_SIZES, MODELS
from schedproof.workloads.settings import range_of


def edges(instance: dict) -> list[dict]:
    return [server for server in instance["servers"] if not server.get("cloud")]


@pytest.mark.parametrize("cloud", ["yes", "no"])
def test_every_tiny_instance_is_valid_and_small(cloud: str) -> None:
    for seed in range(300):
        instance = from_json(generate("tiny", seed, {"cloud": cloud}))
        assert (instance.cloud is not None) == (cloud == "yes")
        assert max(job.slots() for job in instance.jobs) <= 5
        assert instance.horizon <= 60


@pytest.mark.parametrize("preset", ["testbed", "simulator"])
def test_the_papers_presets_are_valid(preset: str) -> None:
    for seed in range(5):
        instance = from_json(generate(preset, seed, {}))
        assert len(instance.jobs) == {"testbed": 30, "simulator": 300}[preset]
        assert len(instance.edges) == {"testbed": 8, "simulator": 100}[preset]
        assert instance.cloud is not None
        assert {t for job in instance.jobs for t in job.worker_types} <= {q.type for q in instance.classes}


def test_the_simulator_has_the_papers_ranges() -> None:
    instance = from_json(generate("simulator", 3, {}))
    for job in instance.jobs:
        assert (job.chunks, job.minibatches) in {(m.chunks, m.minibatches) for m in MODELS}
        assert 20 <= job.epochs <= 60
        assert Fraction("0.001") <= job.minibatch_time <= Fraction("0.05")
        milliseconds = job.update_time * 3_600_000
        assert Fraction("9.999") < milliseconds < Fraction("100.001")
        assert abs(milliseconds - round(milliseconds)) < Fraction(1, 10**5)
        assert 30 <= job.gradient_size <= 575
        assert 100 <= job.bandwidth / 450 <= 5120, "1 Mbps is 450 MB an hour"
        assert len(job.worker_types) == 1 and len(job.ps_types) == 1
        assert all(1 <= job.upload_delay[server.name] <= 4 for server in instance.edges)
        assert 10 <= job.upload_delay["cloud"] <= 15
        assert 0 <= job.arrival < 48
    assert len({q.type for q in instance.classes}) == 8
    assert len({delay for job in instance.jobs for delay in list(job.upload_delay.values())[:100]}) == 4
    for server in instance.edges:
        assert sum(server.workers.values()) in MACHINE_SIZES
        assert sum(server.parameter_servers.values()) == 12 * sum(server.workers.values())


def test_a_testbed_machine_uses_every_core_and_gigabyte() -> None:
    for server in edges(generate("testbed", 0, {})):
        gpu, cpu, ps = server["workers"]["gpu"], server["workers"]["cpu"], server["parameter_servers"]
        assert (gpu, 3 * cpu + 2 * ps, 3 * gpu + 2 * cpu + 3 * ps) == (1, 12, 16)


def test_durations_are_finite_decimals_and_exact() -> None:
    for row, job in zip((data := generate("simulator", 1, {}))["jobs"], from_json(data).jobs, strict=True):
        for key in ("minibatch_time", "update_time", "gradient_size", "bandwidth"):
            assert isinstance(row[key], int | Decimal)
            assert Fraction(row[key]) == getattr(job, key)
        assert draws.chunk_slots(row) == job.slots(), "the horizon counts the slots that the instance has"


def test_the_horizon_covers_the_last_upload_and_all_work_on_one_worker() -> None:
    for seed in range(20):
        instance = from_json(generate("tiny", seed, {}))
        landed = max(job.arrival + max(job.upload_delay.values()) for job in instance.jobs)
        assert instance.horizon == landed + sum(job.chunks * job.slots() for job in instance.jobs)


def test_weighted_draws_follow_their_weights() -> None:
    rng = random_numbers(0)
    count = 200_000
    for weights in (MACHINE_SIZES, JOB_SIZES, dict(enumerate(JOBS_BY_HOUR))):
        drawn = Counter(draw_weighted(rng, weights, count))
        total = sum(weights.values())
        assert drawn.keys() <= weights.keys()
        for key, weight in weights.items():
            expected = count * weight / total
            assert abs(drawn[key] - expected) < 6 * np.sqrt(expected) + 6, key


def test_ranges_reach_both_ends() -> None:
    rng = random_numbers(0)
    assert set(range_of("1", "4").draw(rng, 500).tolist()) == {1, 2, 3, 4}
    assert set(range_of("0.1", "0.3", 1).numbers(rng, 500)) == {Decimal("0.1"), Decimal("0.2"), Decimal("0.3")}


def test_measured_counts_are_of_one_trace() -> None:
    assert sum(JOB_SIZES.values()) == sum(JOBS_BY_HOUR) == 82_247
    assert sum(MACHINE_SIZES.values()) == 539
    assert len(JOBS_BY_HOUR) == 24


def test_settings_have_their_effect() -> None:
    def some(**settings: str) -> dict:
        return generate("simulator", 5, {"jobs": "40", "servers": "5"} | settings)

    assert all(row["upload_delay"].keys() == {"*", "cloud"} for row in some(delays="job")["jobs"])
    assert all("cloud" not in row["upload_delay"] for row in some(cloud="no")["jobs"])
    assert {row["chunks"] for row in some(chunks="gpus")["jobs"]} <= JOB_SIZES.keys()
    assert all(s["workers"].keys() == {"gpu"} for s in edges(some(types="1")))
    assert all(s["storage"] == 500 for s in edges(some(storage="500")))
    once, twice = (max(row["arrival"] for row in some(load=load)["jobs"]) for load in ("1", "2"))
    assert twice == once // 2
    hour, half = some()["jobs"], some(slot_seconds="1800")["jobs"]
    assert [row["minibatch_time"] * 2 for row in hour] == [row["minibatch_time"] for row in half]
    assert [row["bandwidth"] for row in hour] == [row["bandwidth"] * 2 for row in half]


def test_the_cloud_is_drawn_last_so_that_leaving_it_out_changes_nothing_else() -> None:
    with_cloud, without = generate("simulator", 2, {}), generate("simulator", 2, {"cloud": "no"})
    assert edges(with_cloud) == without["servers"]
    for row in with_cloud["jobs"]:
        del row["upload_delay"]["cloud"]
    assert with_cloud["jobs"] == without["jobs"]


def test_no_symbol_of_table_two_is_lost() -> None:
    assert [model.chunks for model in MODELS] == [27, 27, 115, 115, 60, 60]
    assert {model.minibatches for model in MODELS} == {58}
    assert len(set(chain.from_iterable((model.name, model.dataset) for model in MODELS))) == 9
