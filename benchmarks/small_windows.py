"""Whose the rest of a certified ratio is, the bound's or the policy's: small windows of the Philly trace, enclosed.

    python benchmarks/small_windows.py JOBS.csv MACHINES.csv [--gpus 1 4] [--workers 4] [--jobs 12]

Twenty windows, evenly over the trace, each of the next jobs of half an hour to twelve hours, no two of them equally
long, on one machine; a slot is a part of their mean duration, and arrivals come as fast as the load says. The optimum
lies between the bounds and the best of the schedules that a search finds: jobs in some order, each chunk on the worker
where it ends first or on another one. Where `configuration_lp`, rounded up, is that schedule's, it is the optimum.
"""

from __future__ import annotations

import argparse
import json
from math import ceil
from random import Random
from typing import Any

ROUNDING = 1e-3  # of the prices, far below a slot
Case = list[tuple[int, int, int]]  # of each job: arrival, chunks, slots of a chunk


def earliest(busy: int, slots: int) -> tuple[int, int]:
    """The first free slots, as bits, so many of them, and the slot after the last."""
    free, taken = ~busy, 0
    for _ in range(slots):
        lowest = free & -free
        taken, free = taken | lowest, free ^ lowest
    return taken.bit_length(), taken


def total_jct(order: list[int], case: Case, workers: int, chosen: dict[tuple[int, int], int]) -> int:
    """Of the schedule that gives each job in that order, chunk by chunk, the earliest free slots of a worker."""
    busy, total = [0] * workers, 0
    for j in order:
        arrival, chunks, slots = case[j]
        offers = [earliest(bits >> arrival, slots) for bits in busy]
        done = 0
        for chunk in range(chunks):
            w = chosen.get((j, chunk), min(range(workers), key=lambda w: offers[w][0]))
            end, taken = offers[w]
            done = max(done, end)
            busy[w] |= taken << arrival
            offers[w] = earliest(busy[w] >> arrival, slots)
        total += done
    return total


def searched(case: Case, workers: int, rng: Random, rounds: int) -> int:
    """The least total JCT of a local search over orders and workers from three beginnings."""
    jobs, found = list(range(len(case))), list[int]()
    by_work = sorted(jobs, key=lambda j: case[j][1] * case[j][2])
    by_end = sorted(jobs, key=lambda j: case[j][0] + case[j][2])
    for order in (by_work, by_end, rng.sample(jobs, len(jobs))):
        chosen = dict[tuple[int, int], int]()
        value = total_jct(order, case, workers, chosen)
        for _ in range(rounds):
            other, others = order[:], dict(chosen)
            if rng.random() < 0.7:
                moved = other.pop(rng.randrange(len(other)))
                other.insert(rng.randrange(len(other) + 1), moved)
            elif others.pop(key := ((j := rng.randrange(len(case))), rng.randrange(case[j][1])), None) is None:
                others[key] = rng.randrange(workers)
            if (new := total_jct(other, case, workers, others)) <= value:
                order, chosen, value = other, others, new
        found.append(value)
    return min(found)


def window(rows: list[dict[str, Any]], jobs: int, workers: int, load: float, fine: float) -> Case:
    """The first jobs of the rows whose durations differ, in slots."""
    part = list({row["minibatch_time"]: row for row in reversed(rows)}.values())
    part = sorted(part, key=lambda row: row["arrival"])[:jobs]
    slot = float(sum(row["minibatch_time"] for row in part)) / jobs / fine
    slots = [ceil(float(row["minibatch_time"]) / slot) for row in part]
    work = sum(row["chunks"] * p for row, p in zip(part, slots, strict=True))
    begin, span = part[0]["arrival"], max(1, part[-1]["arrival"] - part[0]["arrival"])
    faster = work / workers / load / span
    return [(int((row["arrival"] - begin) * faster), row["chunks"], p) for row, p in zip(part, slots, strict=True)]


def instance_of(case: Case, workers: int) -> Any:
    """The instance of a window: no upload, no communication."""
    from schedproof.instances import from_json

    none = {"epochs": 1, "minibatches": 1, "update_time": 0, "gradient_size": 0, "bandwidth": 1}
    jobs = [
        {
            "name": f"j{n}",
            "arrival": r,
            "chunks": d,
            "minibatch_time": p,
            "worker_types": ["gpu"],
            "upload_delay": {"*": 0},
        }
        | none
        for n, (r, d, p) in enumerate(case)
    ]
    machine = {"name": "m", "workers": {"gpu": workers}, "parameter_servers": workers}
    horizon = max(r for r, _, _ in case) + sum(d * p for _, d, p in case)
    return from_json({"version": 1, "family": "preemptive", "horizon": horizon, "servers": [machine], "jobs": jobs})


def main() -> None:
    """Print a line of JSON for each window, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs=2)
    parser.add_argument("--gpus", nargs=2, type=int, default=[1, 4], help="of a job, at least and at most")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--load", type=float, default=1.25)
    parser.add_argument("--fine", type=float, default=6.0, help="slots of a mean duration")
    parser.add_argument("--rounds", type=int, default=500)
    given = parser.parse_args()

    import schedproof as sp

    rows = sp.trace("philly", given.files, slot_seconds="1")[0].to_json()["jobs"]
    least, most = given.gpus
    rows = [row for row in rows if 1800 <= row["minibatch_time"] <= 43200 and least <= row["chunks"] <= most]
    sums = dict[str, float]()
    for n in range(20):
        case = window(rows[n * len(rows) // 20 :][: 20 * given.jobs], given.jobs, given.workers, given.load, given.fine)
        instance = instance_of(case, given.workers)
        row = {"work": sum(d * p for _, d, p in case)}
        row["lp4"] = sp.bound("preemptive.lp4", instance, prices="ascent", steps=400).value
        row["configuration_lp"] = sp.bound("preemptive.configuration_lp", instance, steps=600).value
        row["found"] = searched(case, given.workers, Random(n), given.rounds)
        for order in ("static", "residual"):
            row[order] = int(sp.policy("a_online", order=order).run(instance).objective)
        row["known"] = ceil(row["configuration_lp"] - ROUNDING) == row["found"]
        print(json.dumps({"window": n} | row), flush=True)
        sums = {name: sums.get(name, 0) + value for name, value in row.items()}
    print(json.dumps({"window": "sums"} | sums))


main()
