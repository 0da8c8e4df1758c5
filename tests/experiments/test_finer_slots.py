"""Rounding to slots: its size, the choice of the slot, and a warning where it reverses a ranking."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.errors import InputError
from schedproof.experiments.compare import compare, what_if
from schedproof.experiments.finer_slots import finest, on_slots, with_fine_slots
from schedproof.experiments.plans import with_settings
from schedproof.experiments.table import FINE
from schedproof.instances.preemptive import from_json
from schedproof.instances.preemptive.slots import Distortion
from schedproof.workloads.preemptive.slots import LENGTHS
from tests.command_line import Cli
from tests.tiny.preemptive import tiny_instance

SECONDS = [("a", 0, 1, 61), ("b", 0, 2, 90), ("c", 120, 1, 45), ("d", 120, 1, 600)]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "log.csv"
    file.write_text("\n".join(["id,arrival,gpus,duration", *(",".join(map(str, row)) for row in SECONDS)]))
    return file


def work(slot: int) -> int:
    return sum(gpus * ceil(seconds / slot) * slot for *_, gpus, seconds in SECONDS)


@pytest.mark.parametrize("slot", [1, 7, 60, 600])
def test_the_report_has_the_inflation_and_the_short_jobs(log: Path, slot: int) -> None:
    instance, report = sp.trace("table", [log], slot_seconds=str(slot))
    told = report["time"]
    recorded = work(1)
    assert (told["gpu_seconds"], told["gpu_seconds_in_slots"]) == (recorded, work(slot))
    inflation = Fraction(work(slot), recorded) - 1
    assert 0 <= Fraction(told["inflation"]) - inflation < Fraction(1, 10**5)
    assert told["jobs_shorter_than_a_slot"] == sum(seconds < slot for *_, seconds in SECONDS)
    found: Any = Distortion.of(instance)  # type: ignore[arg-type]
    assert abs(found.inflation - inflation) < Fraction(1, 10**9)
    assert (found.short, found.jobs) == (told["jobs_shorter_than_a_slot"], len(SECONDS))


@pytest.mark.parametrize("bound", ["0.001", "0.05", "0.3", "2"])
def test_auto_is_the_longest_slot_within_the_inflation(log: Path, cli: Cli, bound: str) -> None:
    _, report = sp.trace("table", [log], slot_seconds="auto", inflation=bound)
    allowed = (1 + Fraction(bound)) * work(1)
    assert report["time"]["slot_seconds"] == max(slot for slot in LENGTHS if work(slot) <= allowed)
    out = str(log.with_suffix(".json"))
    printed = cli("trace", "table", str(log), "--slot", "auto", "--option", f"inflation={bound}", "--out", out)[1]
    assert report["time"]["summary"] in printed


def test_the_same_instance_in_finer_slots() -> None:
    instance = tiny_instance(3, storage=False, cloud=False, restart=2)
    fine = with_settings(instance, {"parts": 10})
    with pytest.raises(InputError, match="expected a horizon of at most"):
        with_settings(instance, {"parts": 10**8})
    assert finest(instance)[0] == 1000 and fine.restart == 20
    for one, other in zip(instance.jobs, fine.jobs, strict=True):
        assert other.chunk_time == 10 * one.chunk_time and other.arrival == 10 * one.arrival
        assert {**other.upload_delay} == {name: 10 * delay for name, delay in one.upload_delay.items()}


def reversal(slots_of_b: Decimal) -> Any:
    """Return four jobs on one worker; after "a", of three waiting ones "b" is first in the file."""
    common = {"chunks": 1, "epochs": 1, "minibatches": 1, "update_time": 0, "gradient_size": 0, "bandwidth": 1}
    rows = [("a", 0, Decimal(2)), ("b", 1, slots_of_b), ("c", 1, Decimal("1.1")), ("d", 1, Decimal("1.2"))]
    jobs = [
        {
            "name": name,
            "arrival": at,
            "minibatch_time": time,
            "worker_types": ["gpu"],
            "upload_delay": {"*": 0},
            **common,
        }
        for name, at, time in rows
    ]
    servers = [{"name": "m", "workers": {"gpu": 1}, "parameter_servers": 9}]
    return from_json({"version": 1, "family": "preemptive", "horizon": 99, "servers": servers, "jobs": jobs})


def test_the_column_has_the_objective_with_fine_chunk_times() -> None:
    instance, policies = reversal(Decimal("1.9")), [sp.policy("preemptive.fifo"), sp.policy("sjf")]
    table = with_fine_slots(compare([instance], policies), instance, [(each, None) for each in policies])
    notes = on_slots(table)
    assert table["objective"].tolist() == [2 + 3 + 5 + 7] * 2, "slots hide which job is the shortest"
    exact = [2 + (2.9 + 4.0 + 5.2), 2 + (2.1 + 3.3 + 5.2)]
    assert table[FINE].tolist() == pytest.approx(exact)
    assert notes[0].startswith("slots inflate the work by 29.1 %; 0 of 4 jobs")
    assert notes[1].startswith("the ranking of policies is the same with slots of 1/1000")


def test_what_if_settings_have_the_same_numbers_and_notes(cli: Cli, tmp_path: Path) -> None:
    instance, file = tiny_instance(3, storage=False, cloud=False, jobs=12, servers=2), tmp_path / "i.json"
    file.write_bytes(instance.canonical())
    policies = [sp.policy(name) for name in ("srtf", "tiresias_l", "sjf")]
    table = what_if({"files": [str(file)]}, {"machines": "1,2"}, policies, jobs=1)
    one = with_fine_slots(compare([instance], policies), instance, [(each, None) for each in policies])
    assert table[table["machines"].eq(2)][FINE].tolist() == pytest.approx(one[FINE].tolist())
    assert on_slots(table)[0] == on_slots(one)[0] and "slots inflate the work by" in on_slots(one)[0]
    words = [word for each in policies for word in ("--policy", each.name)]
    printed = cli("compare", str(file), "--what-if", "machines=1,2", *words, "--jobs", "1")[1]
    assert on_slots(table)[0] in printed and "ranking" in printed
    faster = what_if({"files": [str(file)]}, {"speed": "1,3"}, policies, jobs=1)
    least, most = (100 * Distortion.of(with_settings(instance, {"speed": n})).inflation for n in (1, 3))
    assert 0 < least < most and " to " in on_slots(faster)[0] and f"{float(most):.2f}"[:-2] in on_slots(faster)[0]


def test_options_in_slots_are_scaled() -> None:
    instance = reversal(Decimal("1.9"))
    policies = [sp.policy("tiresias_l", thresholds="1"), sp.policy("batch_sche", window=4)]
    table = with_fine_slots(compare([instance], policies), instance, [(each, None) for each in policies])
    scaled = [sp.policy("tiresias_l", thresholds="1000"), sp.policy("batch_sche", window=4000)]
    fine = with_settings(instance, {"parts": 1000})
    assert table[FINE].tolist() == [float(each.run(fine).objective) / 1000 for each in scaled]


def test_a_reversed_ranking_is_a_warning(cli: Cli, tmp_path: Path) -> None:
    found = []
    for seed in range(12):
        instance = tiny_instance(seed, storage=False, cloud=False, jobs=12, servers=2)
        policies = [sp.policy(name) for name in ("srtf", "tiresias_l", "a_online", "sjf")]
        table = compare([instance], policies, bound=None)
        table = with_fine_slots(table, instance, [(each, None) for each in policies])
        notes = on_slots(table)
        rows = table[["objective", FINE]].values.tolist()
        turned = any((a - c) * (b - d) < 0 for a, b in rows for c, d in rows)
        assert any("reverses the ranking" in note for note in notes) == turned
        found.append((turned, seed))
    assert max(found)[0]
    instance = tiny_instance(max(found)[1], storage=False, cloud=False, jobs=12, servers=2)
    (tmp_path / "i.json").write_bytes(instance.canonical())
    words = [word for name in ("srtf", "tiresias_l", "a_online", "sjf") for word in ("--policy", name)]
    assert "reverses the ranking" in cli("compare", str(tmp_path / "i.json"), *words, "--bound", "none")[1]


@pytest.mark.parametrize("restart", [0, 2])
def test_a_log_is_read_again_in_seconds(log: Path, cli: Cli, restart: int) -> None:
    """Its fine objectives are those of slots of a second: arrivals within a slot count, too."""
    log.write_text(log.read_text().replace("c,120", "c,177"))

    def rows(slot: int) -> Any:
        options = f"slot_seconds={slot}", f"restart={restart * 100 // slot}", "machines=1", "machine_gpus=2"
        words = [word for option in options for word in ("--trace-option", option)]
        return json.loads(cli("compare", str(log), *words, "--policy", "srtf", "--policy", "fifo", "--json")[1])

    coarse, exact = rows(100), rows(1)
    assert [100 * row[FINE] for row in coarse["rows"]] == pytest.approx([row["objective"] for row in exact["rows"]])
    assert not any("arrivals stay rounded" in note for note in coarse["notes"])
