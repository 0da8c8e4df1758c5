from __future__ import annotations

from importlib import import_module
from typing import Any

import msgspec
import numpy as np
import pytest

from schedproof.core.cards import registry
from schedproof.core.data.reading import parse
from schedproof.core.errors import InputError, SchedproofError, UnknownName
from schedproof.instances import from_json
from schedproof.instances.dmlrs.instance import LONGEST_HORIZON
from schedproof.instances.dmlrs.job import LARGEST_BATCH
from schedproof.workloads.draws import MOST_DRAWS
from schedproof.workloads.settings import Range, range_of
from tests.support import FAMILIES, size

SETTINGS = {name: import_module(f"schedproof.workloads.{name}.settings") for name in FAMILIES}
PRESETS = [(name, preset) for name in FAMILIES for preset in registry.entries("generator")[name].presets]
PRESET = {
    "preemptive": "simulator",
    "dmlrs": "figure6",
    "multiserver": "default",
    "jrp": "figure4",
    "placement": "synthetic3",
}
SMALL = {  # settings with which a preset is small
    "preemptive": {"jobs": "20", "servers": "6"},
    "dmlrs": {"jobs": "20", "machines": "6"},
    "multiserver": {"horizon": "20"},
    "jrp": {"jobs": "12"},
    "placement": {"tasks": "12"},
}
FEWER = {  # of the largest presets
    "large": {"nodes": "200", "horizon": "300"},
    "figure2": {"horizon": "300"},
    **{name: {"tasks": str(size(15, 15, 200))} for name in ("synthetic3", "synthetic6", "testbed3", "testbed6")},
}
each_preset = pytest.mark.parametrize(("family", "preset"), PRESETS)
each_family = pytest.mark.parametrize("family", FAMILIES)


def written(value: dict[str, Any]) -> bytes:
    return msgspec.json.Encoder(decimal_format="number", enc_hook=np.ndarray.tolist).encode(value)


@each_preset
def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(family: str, preset: str) -> None:
    first, again, other = (
        written(registry.generate(family, preset, seed, FEWER.get(preset, {}))) for seed in (7, 7, 8)
    )
    assert first == again != other


@each_preset
def test_a_file_there_and_back_is_the_same_instance(family: str, preset: str) -> None:
    value = registry.generate(family, preset, 3, FEWER.get(preset, {}))
    assert from_json(parse(written(value))).sha256 == from_json(value).sha256


VALID: dict[str, list[dict[str, str]]] = {
    "preemptive": [
        {"jobs": "12", "servers": "4", "types": "3"},
        {"slot_seconds": "1800", "load": "2.5"},
        {"slot_seconds": "700"},
        {"hours": "12", "arrivals": "uniform"},
        {"chunks": "gpus"},
        {"chunks": "uniform", "chunk_count_high": "9", "minibatches_low": "2"},
        {"hardware": "uniform", "gpus_low": "1", "gpus_high": "3", "ps_per_gpu": "0.25"},
        {"hardware": "testbed"},
        {"types": "1", "ps_types": "1"},
        {"delays": "job", "delay_low": "0", "delay_high": "9"},
        {"cloud": "no"},
        {"storage": "500", "chunk_gb_high": "2.5"},
        {"minibatch_hours_low": "0.00025", "minibatch_hours_high": "0.00075"},
        {"update_ms_low": "0", "gradient_mb_low": "0", "bandwidth_mbps_high": "200.5"},
    ],
    "dmlrs": [
        {"jobs": "12", "machines": "4", "horizon": "7"},
        {"jobs": "1", "machines": "1", "horizon": "1"},
        {"slot_seconds": "700"},
        {"mix": "30/69/1"},
        {"utilities": "rational", "horizon": "3"},
        {"infeasible_alone": "redraw", "horizon": "40"},
        {"workers_per_ps_low": "0.5", "workers_per_ps_high": "2.5"},
        {"model_mb_low": "0", "model_mb_high": "0"},
        {"internal_times_low": "1", "internal_times_high": "1"},
        {"worker_gpu_high": "0", "ps_gpu_high": "1"},
        {"capacity_low": "0", "capacity_high": "0"},
        {"capacity_low": "17.5", "capacity_high": "18.5"},
        {"sample_time_low": "0.000000001"},
        {"batch_size_high": str(LARGEST_BATCH), "jobs": "3"},
        {"priority_low": "0", "priority_high": "0"},
        {"sensitive_low": "0", "critical_high": "100.125"},
    ],
    "multiserver": [
        {"ports": "1", "nodes": "1", "horizon": "1", "density": "1"},
        {"ports": "3", "nodes": "2", "density": "0.5"},
        {"resources": "1"},
        {"resources": "3", "request_gpu_low": "1"},
        {"contention": "0.1"},
        {"contention": "0.000000001"},
        {"alpha_low": "0.05", "alpha_high": "10"},
        {"beta_low": "0", "beta_high": "1"},
        {"beta_low": "0.0123", "beta_high": "0.0124"},
        {"hardware": "uniform", "capacity_low": "0", "capacity_high": "0"},
        {"hardware": "uniform", "capacity_low": "0.5"},
        {"node_npu_low": "8", "node_fpga_high": "100"},
        {"request_cpu_low": "0", "request_cpu_high": "0"},
        {"request_memory_low": "0.25"},
        {"arrivals": "periodic", "period": "7", "counts": "255"},
        {"arrivals": "bursty", "burst": "40"},
    ],
    "jrp": [
        {"jobs": "1", "rings": "0"},
        {"rings": "4"},
        {"nodes_low": "0", "nodes_high": "2"},
        {"nodes_low": "40", "nodes_high": "40"},
        {"storage_low": "0", "storage_high": "0"},
        {"compute_low": "0", "bandwidth_low": "0"},
        {"compute_high": "151.5", "bandwidth_low": "9.999999999"},
        {"size_low": "0", "size_high": "0"},
        {"size_low": "0.000000001"},
        {"model_mb_low": "0", "model_mb_high": "0"},
        {"work_low": "0", "work_high": "123.456789123"},
        {"minibatch_mb_low": "0.001"},
        {"epochs_high": "1000000"},
        {"sync_period_low": "1", "sync_period_high": "1"},
        {"deadline_low": "0.5", "deadline_high": "0.5"},
        {"communication_share": "0.999999999"},
        {"distribution": "normal", "size_mean": "1000000", "size_deviation": "1000000"},
        {"distribution": "pareto", "size_minimum": "0.000000001", "size_shape": "1000000"},
        {"distribution": "pareto", "size_minimum": "1000000", "size_shape": "0.000000001"},
    ],
    "placement": [
        {"tasks": "1", "clusters": "1"},
        {"clusters": "9", "rate": "0.001"},
        {"cpus": "0", "gpus": "0"},
        {"minimum_cpus": "0", "minimum_gpus": "3", "most_cpus": "1", "most_gpus": "3"},
        {"types": "testbed", "most_gpus": "8"},
        {"types": "testbed", "most_gpus": "40", "downsizing": "2.6", "slot_seconds": "0.7"},
        {"noise": "0"},
        {"noise": "0.987654321", "tasks": "3"},
        {"insensitive": "0.000000001"},
        {"sensitive_low": "3.5", "sensitive_high": "3.5"},
        {"sensitive_low": "0.000000001", "sensitive_high": "0.000000002"},
        {"sensitive_share": "0"},
        {"sensitive_share": "99.999999999"},
        {"fastest_gpus": "9", "most_gpus": "30"},
        {"bandwidth_low": "4.9999", "bandwidth_high": "5"},
        {"bandwidth_high": "1", "unreachable": "keep"},
        {"usable": "0"},
    ],
}


@pytest.mark.parametrize(
    ("family", "settings"), [(name, one) for name, settings in VALID.items() for one in settings], ids=str
)
def test_settings_give_valid_instances(family: str, settings: dict[str, str]) -> None:
    for seed in range(3):
        value = registry.generate(family, PRESET[family], seed, SMALL[family] | settings)
        assert from_json(parse(written(value))).sha256 == from_json(value).sha256


# --- what each setting takes ----------------------------------------------------------------------------------------


def refusal(family: str, settings: dict[str, str]) -> str:
    with pytest.raises(SchedproofError) as caught:
        registry.generate(family, PRESET[family], 0, settings)
    assert str(caught.value).isprintable()
    return str(caught.value)


def field_of(family: str, name: str) -> tuple[str, str]:
    field, _, end = name.rpartition("_")
    return (field, end) if end in ("low", "high") else (name, "")


def setting(settings: Any, field: str, end: str) -> Any:
    value = getattr(settings, field)
    return getattr(value, end) if end else value


@each_family
def test_every_setting_rejects_invalid_values(family: str) -> None:
    rules, usual = SETTINGS[family].RULES, SETTINGS[family].Settings()
    assert refusal(family, {"speed": "2"}).startswith("unknown setting 'speed'; available: ")
    for name in SETTINGS[family].NAMES:
        field, end = field_of(family, name)
        if name in rules.choices:
            known = ", ".join(sorted(rules.choices[name]))
            assert refusal(family, {name: "maybe"}) == f"unknown value of {name} 'maybe'; available: {known}"
            continue
        for text in ("many", "nan", "Infinity", "-1", "1e400", "1e12", "1e-12", "1_0", ""):
            assert refusal(family, {name: text}).startswith(f"{name} = '{text}': expected a"), name
        if end == "low":
            high = getattr(usual, field).high + 1
            assert refusal(family, {name: str(high), f"{field}_high": str(high - 1)}).endswith(
                f"expected at most {field}_high, which is {high - 1}"
            )


@each_family
def test_every_setting_changes_only_its_own_field(family: str) -> None:
    module = SETTINGS[family]
    for name in module.NAMES:
        field, end = field_of(family, name)
        base = module.Settings()
        for (choice, value), unused in module.RULES.unused.items():
            if name in unused and getattr(base, choice) == value:
                unused_with = module.RULES.unused
                used = (one for one in module.RULES.choices[choice] if name not in unused_with.get((choice, one), ()))
                base = base._replace(**{choice: next(used)})
        if end and getattr(base, field).low == getattr(base, field).high:
            base = base._replace(**{field: range_of("1", "4")})
        was = setting(base, field, end)
        tried = module.RULES.choices[name] if isinstance(was, str) else (was + 1, was - 1, was / 2, was * 2)
        changed = []
        for value in (value for value in tried if value != was):
            try:
                changed.append((module.configure(base, {name: str(value)}), value))
            except InputError:
                continue
        assert changed, name
        for settings, value in changed:
            assert setting(settings, field, end) == value, name
            assert settings._replace(**{field: getattr(base, field)}) == base
            if end:
                other = {"low": "high", "high": "low"}[end]
                assert setting(settings, field, other) == setting(base, field, other)
                assert isinstance(getattr(settings, field), Range)


REFUSED: dict[str, list[tuple[dict[str, str], str]]] = {
    "preemptive": [
        ({"jobs": "0"}, "jobs = '0': expected an integer above 0"),
        ({"jobs": "2.5"}, "jobs = '2.5': expected an integer"),
        ({"gpus_low": "1"}, "gpus_low = '1': has no effect while hardware is philly"),
        ({"hardware": "testbed", "types": "3"}, "types = '3': has no effect while hardware is testbed"),
        ({"cloud": "no", "cloud_delay_low": "3"}, "cloud_delay_low = '3': has no effect while cloud is no"),
        ({"jobs": "100000"}, "set delays=job, or take fewer jobs or servers"),
        ({"slot_seconds": "0.000001"}, "slot_seconds = 0.000001: expected longer slots"),
        ({"epochs_high": "1000000", "slot_seconds": "1"}, "expected shorter chunks or longer slots"),
        ({"cloud": "no", "storage": "1", "chunk_gb_high": "2"}, "chunk_gb_high = 2: expected at most the storage"),
    ],
    "dmlrs": [
        ({"jobs": "0"}, "jobs = '0': expected an integer above 0"),
        ({"machines": "2.5"}, "machines = '2.5': expected an integer"),
        (
            {"horizon": str(LONGEST_HORIZON + 1)},
            f"horizon = {LONGEST_HORIZON + 1}: expected at most {LONGEST_HORIZON} slots",
        ),
        ({"batch_size_high": str(LARGEST_BATCH + 1)}, f"batch_size_high = {LARGEST_BATCH + 1}: expected at most"),
        ({"batch_size_low": "1.5"}, "batch_size_low = '1.5': expected an integer"),
        ({"internal_times_low": "0.5"}, "internal_times_low = 0.5: expected at least 1: a machine is no slower"),
        ({"workers_per_ps_low": "0"}, "workers_per_ps_low = '0': expected a number of at most 9 decimals above 0"),
    ],
    "multiserver": [
        ({"ports": "0"}, "ports = '0': expected an integer above 0"),
        ({"nodes": "2.5"}, "nodes = '2.5': expected an integer"),
        ({"horizon": "0"}, "horizon = '0': expected an integer above 0"),
        ({"horizon": "100000001"}, "horizon = '100000001': expected an integer above 0, at most 100000000"),
        ({"horizon": "100000000", "ports": "11"}, "horizon = 100000000: expected at most 90909090 slots of 11 ports"),
        ({"ports": "10000", "nodes": "1000"}, "not 10000000 pairs of a port and a node"),
        ({"resources": "7"}, "resources = 7: expected at most 6"),
        ({"density": "10.5"}, "density = 10.5: expected at most 10"),
        ({"arrival_probability": "1.1"}, "arrival_probability = 1.1: expected at most 1"),
        ({"counts": "256"}, "counts = 256: expected at most 255"),
        ({"counts": "0"}, "counts = '0': expected an integer above 0"),
        ({"beta_high": "1.01"}, "beta_high = 1.01: expected at most 1"),
        ({"alpha_low": "0"}, "alpha_low = '0': expected a number of at most 9 decimals above 0"),
        ({"period": "3"}, "period = '3': has no effect while arrivals is bernoulli"),
        ({"arrivals": "periodic", "burst": "3"}, "burst = '3': has no effect while arrivals is periodic"),
        ({"capacity_low": "3"}, "capacity_low = '3': has no effect while hardware is pai"),
        ({"hardware": "uniform", "node_npu_low": "1"}, "node_npu_low = '1': has no effect while hardware is uniform"),
        ({"resources": "2", "request_gpu_high": "1"}, "request_gpu_high = '1': has no effect with 2 resources"),
        (
            {"arrivals": "bursty", "burst": "2", "arrival_probability": "0.7"},
            "burst = 2: expected longer bursts: bursts of 2 slots cannot fill a share of 0.7 of all slots",
        ),
    ],
    "jrp": [
        ({"jobs": "0"}, "jobs = '0': expected an integer above 0"),
        ({"rings": "1.5"}, "rings = '1.5': expected an integer from 0"),
        ({"rings": "5000"}, f"expected at most {MOST_DRAWS} draws, not 75015001 cells"),
        ({"jobs": "1000000"}, f"expected at most {MOST_DRAWS} draws, not 17000000 data nodes"),
        ({"communication_share": "0"}, "communication_share = '0': expected a number of at most 9 decimals above 0"),
        ({"communication_share": "1"}, "communication_share = 1: expected a number below 1"),
        ({"nodes_low": "2.5"}, "nodes_low = '2.5': expected an integer"),
        ({"deadline_low": "0"}, "deadline_low = '0': expected a number of at most 9 decimals above 0"),
        ({"size_mean": "4"}, "size_mean = '4': has no effect while distribution is uniform"),
        ({"size_shape": "4"}, "size_shape = '4': has no effect while distribution is uniform"),
        ({"distribution": "pareto", "size_low": "1"}, "size_low = '1': has no effect while distribution is pareto"),
    ],
    "placement": [
        ({"tasks": "0"}, "tasks = '0': expected an integer above 0"),
        ({"tasks": "1000000"}, f"expected at most {MOST_DRAWS} draws, not 240000000 durations"),
        ({"most_cpus": "2", "most_gpus": "1", "clusters": "1000", "tasks": "9999"}, "not 9999000 links"),
        ({"noise": "0.999999999"}, "not 3264000000000 slots with noise"),
        ({"clusters": "1001"}, "clusters = 1001: expected at most 1000"),
        ({"minimum_gpus": "17"}, "minimum_gpus = 17: expected at most most_gpus, which is 16"),
        ({"noise": "1"}, "noise = 1: expected a number below 1: a task has positive progress in every slot"),
        ({"sensitive_share": "101"}, "sensitive_share = 101: expected at most 100 percent"),
        ({"slot_seconds": "10"}, "slot_seconds = '10': has no effect while types is synthetic"),
        ({"types": "testbed", "sensitive_low": "3"}, "sensitive_low = '3': has no effect while types is testbed"),
        ({"fastest_gpus": "8"}, "expected less than 8 times as long with 1 GPU as with 8, not 17 and 2 slots"),
        (
            {"bandwidth_high": "4"},
            "unreachable = 'redraw': expected more bandwidth: 1000 draws gave",
        ),
        ({"rate": "0.000001"}, "rate = 0.000001: expected the last task before slot 1000000"),
    ],
}


@pytest.mark.parametrize(
    ("family", "settings", "sentence"), [(name, *row) for name, rows in REFUSED.items() for row in rows], ids=str
)
def test_impossible_settings_give_one_message(family: str, settings: dict[str, str], sentence: str) -> None:
    assert sentence in refusal(family, settings)


@each_family
def test_a_bad_preset_or_seed_gives_one_message(family: str) -> None:
    presets = sorted(preset for name, preset in PRESETS if name == family)
    with pytest.raises(UnknownName, match=f"unknown preset 'huge'; available: {', '.join(presets)}"):
        registry.generate(family, "huge", 0, {})
    with pytest.raises(InputError, match="seed = -1: expected an integer >= 0"):
        registry.generate(family, "tiny", -1, {})
