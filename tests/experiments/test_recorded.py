"""The schedule that a log records: its row in a comparison, or the reason why it has none."""

from __future__ import annotations

import json
import random
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.results.run import Policy
from schedproof.experiments.compare import compare
from schedproof.experiments.finer_slots import with_fine_slots
from schedproof.experiments.recorded import on_recorded, recorded
from schedproof.online.preemptive.recorded_starts import RecordedStarts
from schedproof.online.preemptive.srtf import ShortestRemainingTimeFirst
from tests.command_line import Cli

GPUS = 8
MACHINES: dict[str, Any] = {"machines": 2, "machine_gpus": 4}


def simulated(seed: int) -> list[tuple[int, int, int, int]]:
    """Return arrival, GPUs, start and end of jobs in order of arrival on `GPUS` GPUs."""
    rng = random.Random(seed)
    arrivals, rows = sorted(rng.randrange(3000) for _ in range(25)), []
    now, free, running = 0, GPUS, list[tuple[int, int]]()
    for arrival in arrivals:
        gpus, length = rng.choice([1, 1, 2, 4, 8]), rng.randrange(10, 900)
        now = max(now, arrival)
        while free < gpus or (running and running[0][0] <= now):
            end, held = heappop(running)
            now, free = max(now, end), free + held
        free -= gpus
        heappush(running, (now + length, gpus))
        rows.append((arrival, gpus, now, now + length))
    return rows


def write(file: Path, rows: Any, head: str = "arrival,gpus,start,end") -> Path:
    file.write_text("\n".join([head, *(",".join(map(str, row)) for row in rows), ""]))
    return file


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("slot", [1, 60])
def test_the_row_has_the_times_of_the_log(tmp_path: Path, cli: Cli, seed: int, slot: int) -> None:
    rows = simulated(seed)
    file = write(tmp_path / "log.csv", rows)
    options = [f"{name}={value}" for name, value in (MACHINES | {"slot_seconds": slot}).items()]
    words = [word for option in options for word in ("--trace-option", option)]
    code, out, _ = cli("compare", str(file), *words, "--policy", "srtf", "--json")
    row = json.loads(out)["rows"][0]
    total = sum(end - arrival for arrival, _, _, end in rows)
    assert code == 0 and row["policy"] == "recorded" and row["ratio"] >= row["to_best"] >= 1
    if slot == 1:
        assert row["objective"] == total
    else:
        assert abs(row["fine"] * slot - total) < slot * len(rows) <= abs(row["objective"] * slot - total)


SWF = "; MaxNodes: 2\n; MaxProcs: 8\n"


def test_a_log_of_waits_has_starts(tmp_path: Path) -> None:
    rows = simulated(1)
    file = tmp_path / "log.swf"
    line = "{} {} {} {} {} -1 -1 {} -1 -1 1 1 1 1 1 1 -1 -1"
    jobs = [line.format(n, at, start - at, end - start, g, g) for n, (at, g, start, end) in enumerate(rows, 1)]
    file.write_text(SWF + "\n".join(jobs) + "\n")
    instance, report = sp.trace("swf", [file], slot_seconds=1)
    policy = recorded(report)
    assert policy is not None and policy.run(instance).objective == sum(end - at for at, _, _, end in rows)


REASONS = {
    "no schedule: the log has no starts": ("arrival,gpus,duration", [(0, 1, 60), (5, 2, 60)], {}),
    "no schedule: 1 of 2 jobs have no usable start, the first in line 3": (
        "arrival,gpus,start,duration,end",
        [(0, 1, 0, 600, 600), (5, 2, 60, 600, 900)],  # the second job ran longer than its duration
        {},
    ),
    "no schedule: 1 of 3 jobs have no usable start, the first in line 4": (
        "arrival,gpus,start,end",
        [(0, 1, 0, 600), (5, 2, 60, 900), (50, 1, 40, 100)],  # before its submission
        {},
    ),
    "no schedule: the option load": ("arrival,gpus,start,end", [(0, 1, 0, 60), (5, 2, 60, 90)], {"load": "2"}),
    "jobs run on up to 9 GPUs at once, and the machines have 8": (
        "arrival,gpus,start,end",
        [(0, 5, 0, 60), (5, 4, 50, 90)],
        {},
    ),
}


@pytest.mark.parametrize("why", REASONS)
def test_a_log_without_a_schedule_gives_the_reason(tmp_path: Path, cli: Cli, why: str) -> None:
    head, rows, options = REASONS[why]
    file = write(tmp_path / "log.csv", rows, head)
    words = [word for name, value in (MACHINES | options).items() for word in ("--trace-option", f"{name}={value}")]
    code, out, _ = cli("compare", str(file), *words, "--policy", "srtf", "--json")
    result = json.loads(out)
    assert code == 0 and [row["policy"] for row in result["rows"]] == ["srtf"]
    assert any(note.startswith("recorded: ") and why in note for note in result["notes"])


def test_types_have_their_own_machines(tmp_path: Path) -> None:
    nodes = write(tmp_path / "nodes.csv", [(4, "a100"), (4, "v100")], "gpus,model")
    rows = [(0, 4, 0, 60, "a100"), (0, 1, 30, 90, "a100"), (0, 3, 0, 60, "v100")]
    file = write(tmp_path / "log.csv", rows, "arrival,gpus,start,end,kind")
    _, report = sp.trace("table", [file], map="type=kind", machine_file=str(nodes))
    assert "5 GPUs of the type a100 at once, and the machines have 4" in report["recorded"]["summary"]


def test_whole_slots_delay_starts_and_the_note_says_by_how_much(tmp_path: Path) -> None:
    file = write(tmp_path / "log.csv", [(0, 8, 0, 61), (0, 8, 61, 121)])
    instance, report = sp.trace("table", [file], machine_gpus=4, machines=2)
    table = compare([instance], [recorded(report)])
    assert table["objective"].tolist() == [2 + 3]
    assert "delays a start by 0.50 slots on average" in on_recorded(report, instance, table)
    assert "the machines are assumed" not in on_recorded(report, instance, table)
    _, report = sp.trace("table", [file], machine_gpus=8)
    assert on_recorded(report, instance, table).endswith("in the log, jobs run on up to 8 GPUs at once")


def test_a_store_distinguishes_the_starts(tmp_path: Path) -> None:
    instance: Any = sp.embedded("day")
    policies = [Policy("recorded", {}, RecordedStarts([start] * len(instance.jobs))) for start in (0, 9)]  # type: ignore[list-item]
    found = [compare([instance], [each], bound=None, results=tmp_path / "cells") for each in policies]
    again = compare([instance], [policies[1]], bound=None, results=tmp_path / "cells")
    first, second = (table["objective"].tolist() for table in found)
    assert first < second == again["objective"].tolist()
    assert again["seconds"].tolist() == found[1]["seconds"].tolist(), "not computed again"


def test_a_users_policy_is_not_run_in_finer_slots(tmp_path: Path) -> None:
    file = write(tmp_path / "log.csv", [(0, 8, 0, 61), (0, 8, 61, 121)])
    instance, report = sp.trace("table", [file], **MACHINES)
    policies: list[Any] = [sp.policy(ShortestRemainingTimeFirst), recorded(report), sp.policy("srtf")]
    table = with_fine_slots(compare([instance], policies), instance, [(each, None) for each in policies])
    assert table["fine"].isna().tolist() == [True, False, False]
