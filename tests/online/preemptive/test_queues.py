"""FIFO, EASY and SJF equal a slot-by-slot simulation, on random instances and on logs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.instances.preemptive import Instance, from_json
from schedproof.reference.preemptive import job_level, srtf
from schedproof.reference.preemptive_floating import job_level_anywhere
from tests.support import size
from tests.tiny.preemptive import tiny_instance, tiny_preemptive

TRACES = Path(__file__).parents[4] / "shared" / "traces"
POLICIES = ("fifo", "easy", "sjf")
Cell = tuple[int, ...]  # job, server, kind, worker, slot


def simulated(policy: str, instance: Any, floating: bool) -> set[Cell]:
    """Return every slot of training, simulated slot by slot."""
    workers = [place for q in instance.classes for place in q.places]
    free_at, held_to = dict.fromkeys(workers, 0), dict.fromkeys(workers, 0)
    left, cells = [*instance.jobs], set[Cell]()
    plans: dict[int, tuple[int, int, list[Any], dict[Any, int]]] = {}  # landed, rounds, homes, chunks by worker
    pending = dict.fromkeys(workers, 0)  # slots of work that a worker still has, for the dispatch
    slot = 0
    while left:
        for job in (job for job in instance.jobs if job.arrival == slot):
            delays = {place: delay for q, delay in instance.qualified(job) for place in q.places}
            chunks = dict.fromkeys(workers, 0)
            for _ in range(job.chunks):
                home = min(delays, key=lambda w: (pending[w], workers.index(w)))
                pending[home] += job.slots()
                chunks[home] += 1
            homes = [w for w in workers if chunks[w]]
            width = min(job.chunks, len(delays)) if floating else len(homes)
            landings = sorted(slot + delays[w] for w in (delays if floating else homes))
            rounds = -(-job.chunks // width) if floating else max(chunks.values())
            plans[job.index] = landings[width - 1], rounds, [*delays.items()] if floating else homes, chunks
        first, claimed = None, set[Any]()
        for job in sorted(
            (job for job in left if job.arrival <= slot and plans[job.index][0] <= slot),
            key=lambda j: (plans[j.index][1] * j.slots() * (policy == "sjf"), plans[j.index][0], j.arrival, j.index),
        ):
            _, rounds, places, chunks = plans[job.index]
            usable = [w for w, delay in places if job.arrival + delay <= slot] if floating else places
            width = min(job.chunks, len(places))
            idle = [w for w in workers if w in usable and free_at[w] <= slot and w not in claimed]
            free = idle[:width]
            end = slot + rounds * job.slots()
            starts = len(free) == width
            if starts and first:
                wanted, needed = first
                ends = {w: held_to[w] if free_at[w] > slot else slot for w in wanted}
                begin = sorted(ends.values())[needed - 1]
                if end > begin:
                    kept = {w for w in wanted if ends[w] <= begin}
                    free = sorted(idle, key=lambda w: (w in kept, workers.index(w)))[:width]
                    starts = len(kept - {*free}) >= needed
            if not starts:
                if policy == "easy":
                    first = first or (usable, width)
                else:
                    claimed |= {*usable}
                continue
            left.remove(job)
            for n, w in enumerate(sorted(free, key=workers.index)):
                trains = len(range(n, job.chunks, width)) if floating else chunks[w]
                free_at[w], held_to[w] = slot + trains * job.slots(), end
                cells |= {(job.index, *w, t) for t in range(slot, free_at[w])}
        for w in workers:
            pending[w] -= free_at[w] > slot
        slot += 1
    return cells


def trained(schedule: Any) -> set[Cell]:
    return {(j, *place, t) for j, _, *place, start, end in schedule.intervals.rows() for t in range(start, end)}


def crowd(seed: int) -> Instance:
    """Return jobs of several widths on one or two servers whose workers are open to all."""
    value = tiny_preemptive(seed, storage=False, cloud=False, jobs=14, servers=1 + seed % 2)
    for row in value["jobs"]:
        row.update(upload_delay={"*": 0}, worker_types=["gpu", "cpu"])
    return from_json(value)


@pytest.mark.parametrize("chunks", ["pinned", "floating"])
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("draw", [lambda seed: tiny_instance(seed, storage=False, cloud=False, jobs=9), crowd])
def test_equals_the_simulation(policy: str, chunks: str, draw: Callable[[int], Instance]) -> None:
    for seed in range(size(25, 80, 2000)):
        instance = draw(seed)
        run = sp.policy(f"preemptive.{policy}", chunks=chunks).run(instance)
        assert run.feasible and run.schedule.preemptions() == 0, seed
        assert trained(run.schedule) == simulated(policy, instance, chunks == "floating"), seed


@pytest.mark.parametrize("chunks", ["pinned", "floating"])
def test_backfill_starts_later_jobs_early_and_never_delays_the_first(chunks: str) -> None:
    earlier = 0
    for seed in range(size(25, 48, 2000)):
        instance = crowd(seed)
        fifo, easy = (sp.policy(f"preemptive.{name}", chunks=chunks).run(instance) for name in ("fifo", "easy"))
        earlier += easy.objective < fifo.objective
    assert earlier


def job(name: str, arrival: int, gpus: int, slots: int) -> dict[str, Any]:
    times = {"epochs": 1, "minibatches": 1, "minibatch_time": slots, "update_time": 0, "gradient_size": 0}
    place = {"bandwidth": 1, "worker_types": ["gpu"], "upload_delay": {"*": 0}}
    return {"name": name, "arrival": arrival, "chunks": gpus, **times, **place}


@pytest.mark.parametrize(
    ("policy", "starts"),
    [("fifo", [0, 10, 14, 14, 17]), ("easy", [0, 10, 1, 14, 4]), ("sjf", [0, 10, 1, 14, 14])],
)
def test_a_wide_job_behind_a_long_one(policy: str, starts: list[int]) -> None:
    """The wide job waits until 10; of the later ones, EASY starts those that end by then."""
    jobs = [job("long", 0, 2, 10), job("wide", 1, 4, 4), job("a", 1, 2, 3), job("b", 1, 2, 9), job("c", 2, 1, 6)]
    servers = [{"name": "m", "workers": {"gpu": 4}, "parameter_servers": 9}]
    instance = from_json({"version": 1, "family": "preemptive", "horizon": 99, "servers": servers, "jobs": jobs})
    run = sp.policy(f"preemptive.{policy}", chunks="floating").run(instance)
    rows = run.schedule.intervals.rows()
    assert [min(row[5] for row in rows if row[0] == j) for j in range(5)] == starts


@pytest.mark.skipif(not TRACES.is_dir(), reason="the traces are not beside this checkout")
@pytest.mark.parametrize(
    ("file", "columns", "options"),
    [
        ("tiresias/60_job.csv", "id=job_id,arrival=submit_time,gpus=num_gpu", {"slot_seconds": 60}),
        (
            "philly/philly.csv",
            "arrival=timestamp,gpus=num_gpus",
            {"slot_seconds": 7200, "skip": 200, "jobs": 80, "machines": 2},
        ),
        (
            "alibaba-gpu-v2023/openb_pod_list_default.csv",
            "arrival=creation_time,gpus=num_gpu,start=scheduled_time,end=deletion_time",
            {"slot_seconds": 20000, "skip": 1000, "jobs": 100, "machines": 1},
        ),
        (
            "alibaba-gpu-v2025/disaggregated_DLRM_trace.every8th.csv",
            "arrival=creation_time,gpus=gpu_request,start=scheduled_time,end=deletion_time",
            {"slot_seconds": 20000, "jobs": 80, "machines": 1, "machine_gpus": 4, "no_end": "skip"},
        ),
    ],
)
def test_equals_the_simulation_on_a_log(file: str, columns: str, options: dict[str, Any]) -> None:
    instance: Any
    instance, _ = sp.trace("table", [TRACES / file], map=columns, **options)
    totals = []
    for policy in POLICIES:
        for chunks in ("pinned", "floating"):
            run = sp.policy(f"preemptive.{policy}", chunks=chunks).run(instance)
            assert run.feasible and trained(run.schedule) == simulated(policy, instance, chunks == "floating"), policy
            totals.append(run.objective)
    assert len({*totals}) > 1
    pinned, floating = (sp.policy("srtf", chunks=chunks).run(instance) for chunks in ("pinned", "floating"))
    assert sorted(pinned.schedule.intervals.rows()) == sorted(job_level(instance, srtf, Fraction(1)))
    assert trained(floating.schedule) == job_level_anywhere(instance, srtf, Fraction(1))
