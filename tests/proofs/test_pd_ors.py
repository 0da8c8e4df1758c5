"""The functions of proofs/pd_ors.v, extracted to OCaml, agree with the policy `pd_ors` on drawn instances."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.instances.dmlrs import Instance, Job, from_json
from schedproof.reference.dmlrs import Tariff, tariff
from tests.proofs.extracted import PROOFS, build
from tests.support import size
from tests.tiny.dmlrs import tiny_dmlrs

SHARE = Fraction(1, 4)
DRAWS = size(100, 100, 200)
LARGER = 3  # factor of the capacities
LISTED = 3000  # schedules
TOLERANCE = 1e-7  # of payoffs, which both programs compute in doubles


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    theories = ("sums", "prices", "dmlrs", "pd_ors", "extract_pd_ors")
    return build(tmp_path_factory.mktemp("built"), theories, "online", "run_pd_ors")


def priced(first: int = 0) -> Iterator[tuple[Instance, Tariff]]:
    """Instances with prices, in the order of their seeds."""
    for seed in range(first, 10 * DRAWS):
        instance = larger(tiny_dmlrs(seed, horizon=3, most_workers=2))
        prices = tariff(instance, "repaired", SHARE, Fraction(1))
        if prices is not None and listed(instance) <= LISTED:
            yield instance, prices


def larger(rows: dict[str, Any]) -> Instance:
    """An instance with larger machines, so that jobs fit within their share."""
    for machine in rows["machines"]:
        machine["capacity"] = {r: LARGER * amount for r, amount in machine["capacity"].items()}
    return from_json(rows)


def listed(instance: Instance) -> int:
    """The largest number of schedules of a job that the extracted functions list before they check the workload."""

    def placements(job: Job) -> int:
        counts = product(range(job.batch_size + 1), range(servers(job) + 1))
        rows = product([*counts], repeat=len(instance.machines))
        sums = ([sum(column) for column in zip(*row, strict=True)] for row in rows)
        return sum(w <= job.batch_size and w <= job.workers_per_ps * s for w, s in sums)

    return max(placements(job) ** (instance.horizon - job.arrival) for job in instance.jobs)


def servers(job: Job) -> int:
    return ceil(job.batch_size / job.workers_per_ps)


def words(instance: Instance, prices: Tariff, placed: dict[tuple[int, int, int], tuple[int, int]]) -> list[object]:
    """The words of one run, in the order that run_pd_ors.ml reads."""
    zero, names = Fraction(0), instance.resources
    machines, slots = range(len(instance.machines)), range(instance.horizon)
    result: list[object] = [instance.horizon, len(machines), len(names)]
    result += [m.capacity.get(r, zero) for m in instance.machines for r in names]
    result += [instance.reserved.get((t, h, r), zero) for t in slots for h in machines for r in names]
    result += [SHARE, prices.full_share, prices.lowest, *(prices.highest.get(r, prices.lowest) for r in names)]
    result += [len(instance.jobs)]
    for job in sorted(instance.jobs, key=lambda j: j.arrival):
        result += [job.arrival, job.work, job.batch_size, servers(job), job.workers_per_ps]
        result += [1 / job.internal_time, 1 / job.external_time]
        result += [demand.get(r, zero) for demand in (job.worker, job.ps) for r in names]
        result += [job.utility.lower(max(1, n)) for n in range(instance.horizon + 1)]
        rows = [placed.get((job.index, t, h), (0, 0)) for t in slots for h in machines]
        result += [int(any(map(any, rows)))]
        result += [n for row in rows for n in row] if any(map(any, rows)) else []
    return result


def replayed(program: Path, runs: list[list[object]]) -> list[list[str]]:
    text = "\n".join(
        " ".join(repr(float(word)) if isinstance(word, Fraction) else str(word) for word in run) for run in runs
    )
    lines = subprocess.run([program], input=f"{len(runs)}\n{text}", capture_output=True, text=True, check=True).stdout
    return [line.split(";") for line in lines.splitlines()]


def is_best(own: str, given: str) -> bool:
    """Whether the policy's decision is a best decision by the extracted functions."""
    best = 0.0 if own == "none" else float(own)
    if given == "rejected":
        return best <= TOLERANCE
    return given not in ("no schedule", "does not fit") and float(given) >= best - TOLERANCE * max(1, best)


def run(instance: Instance) -> dict[tuple[int, int, int], tuple[int, int]]:
    schedule = sp.policy("pd_ors", bounds="repaired", share=SHARE).run(instance).schedule
    return {(p.job, p.slot, p.machine): (int(p.workers), int(p.ps)) for p in schedule.placements}


def test_each_decision_of_the_policy_is_a_best_decision(program: Path) -> None:
    cases = [case for case, _ in zip(priced(), range(DRAWS), strict=False)]
    rows = replayed(program, [words(instance, prices, run(instance)) for instance, prices in cases])
    assert len(rows) == sum(len(instance.jobs) for instance, _ in cases)
    assert all(is_best(*row) for row in rows)
    accepted = sum(given != "rejected" for _, given in rows)
    assert DRAWS / 10 < accepted < len(rows) - DRAWS / 10  # both decisions occur


def test_a_worse_decision_is_found(program: Path) -> None:
    instance, prices = next((i, p) for i, p in priced() if run(i))
    nothing = replayed(program, [words(instance, prices, {})])
    assert not all(is_best(*row) for row in nothing)


SMALL = {"a": (0, 2, [10, 10, 7]), "b": (0, 2, [4, 4, 3]), "c": (0, 1, [3, 2, 2]), "d": (2, 1, [9, 0, 0])}


def test_coq_computes_the_schedule_of_a_small_instance() -> None:
    usual = {"epochs": 1, "batch_size": 1, "workers_per_ps": 1, "sample_time": 1, "model_size": 0}
    usual |= {"bandwidth_internal": 1, "bandwidth_external": 1}
    rows = [
        usual
        | {"name": name, "arrival": arrival, "samples": samples, "worker": {"gpu": 1}, "ps": {"memory": 1}}
        | {"utility": {"kind": "table", "values": values}}
        for name, (arrival, samples, values) in SMALL.items()
    ]
    machine = {"name": "m", "capacity": {"gpu": 2, "memory": 2}}
    value = {"version": 1, "family": "dmlrs", "horizon": 3, "resources": ["gpu", "memory"], "machines": [machine]}
    instance = from_json(value | {"jobs": rows})
    text = (PROOFS / "pd_ors_small.v").read_text(encoding="utf-8")
    for arrival, samples, values in SMALL.values():  # u(0) is not used
        assert f"job_of {arrival} {samples} [{'; '.join(map(str, [values[0], *values]))}]%Q" in text
    prices = tariff(instance, "repaired", Fraction(1, 2), Fraction(1))
    assert prices is not None and prices.full_share == Fraction(1, 2) and {*prices.highest.values()} == {10}
    assert f"L := ({prices.lowest.numerator} # {prices.lowest.denominator})%Q" in text and "U := (10 # 1)%Q" in text
    schedule = sp.policy("pd_ors", bounds="repaired", share="1/2").run(instance).schedule
    placed = {(p.job, p.slot): f"[({p.workers}, {p.ps})]" for p in schedule.placements}
    slots = [[placed.get((j, t), "[(0, 0)]") for t in range(3)] for j in range(len(rows))]
    taken = [f"Some [{'; '.join(row)}]" if {*row} != {"[(0, 0)]"} else "None" for row in slots]
    assert f"[{'; '.join(taken)}]." in text
