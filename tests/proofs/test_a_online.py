"""A_online of proofs/a_online.v, extracted to OCaml, gives the schedules of the reference and of the policy."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import chain
from pathlib import Path

import pytest

import schedproof as sp
from schedproof.instances.preemptive import Instance, Job, from_json
from schedproof.reference.preemptive import Options, Order, a_online
from tests.proofs.extracted import PROOFS, build
from tests.support import size
from tests.tiny.preemptive import tiny_preemptive

EMBEDDED = PROOFS / "a_online_embedded.v"
SPEEDS = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(10))
CLOUD = (-1, -1)

Place = tuple[int, ...]  # server, worker type and number
Trained = tuple[int, Place, tuple[int, ...]]  # job, place and slots of a chunk
Case = tuple[Instance, Order, Fraction]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("built"), ("sums", "a_online", "extract_a_online"), "a_online", "run_a_online")


def in_order(instance: Instance) -> list[Job]:
    return sorted(instance.jobs, key=lambda job: job.arrival)


def places(instance: Instance) -> list[Place]:
    """Return the edge workers in the order of the lists in Coq."""
    return [(q.server.index, list(q.server.workers).index(q.type), n) for q in instance.classes for n in range(q.count)]


def delays(instance: Instance, job: Job) -> list[int | None]:
    named = {q.index: delay for q, delay in instance.qualified(job)}
    return [named.get(q.index) for q in instance.classes for _ in range(q.count)]


def words(instance: Instance, order: Order, speed: Fraction) -> list[object]:
    """Return the words of one run, in the order that run_a_online.ml reads."""

    def present(delay: int | None) -> int:
        return -1 if delay is None else delay

    def of_job(job: Job) -> Iterable[int]:
        times = (job.slots(speed=speed), job.slots(in_cloud=True, speed=speed))
        cloud = present(instance.cloud_delay(job))
        return (job.arrival, job.chunks, *times, cloud, *map(present, delays(instance, job)))

    jobs = in_order(instance)
    return [order, len(places(instance)), len(jobs), *chain.from_iterable(map(of_job, jobs))]


def extracted(program: Path, cases: list[Case]) -> list[tuple[Counter[tuple[Trained, Fraction]], int]]:
    """Return each run's chunks with their prices, and its total JCT."""
    text = "\n".join(" ".join(map(str, words(*case))) for case in cases)
    ended = subprocess.run([program], input=f"{len(cases)}\n{text}", capture_output=True, text=True, check=True)
    lines, runs = iter(ended.stdout.splitlines()), []
    for instance, *_ in cases:
        edges, jobs, found = places(instance), in_order(instance), Counter[tuple[Trained, Fraction]]()
        while (line := next(lines).split())[0] != "total":
            above, below = (int(part, 2) for part in line[2].split("/"))
            place = edges[int(line[0])] if int(line[0]) < len(edges) else CLOUD
            found[(jobs[int(line[1])].index, place, tuple(map(int, line[3:]))), Fraction(above, below)] += 1
        runs.append((found, int(line[1])))
    return runs


def trained(rows: Iterable[tuple[int, ...]]) -> Counter[Trained]:
    """Return the chunks of a schedule's rows (job, chunk, server, type, worker, start, end)."""
    slots: dict[tuple[int, ...], list[int]] = {}
    for job, chunk, server, kind, worker, start, end in rows:
        place = CLOUD if kind < 0 else (server, kind, worker)
        slots.setdefault((job, chunk, *place), []).extend(range(start, end))
    return Counter((job, tuple(place), tuple(sorted(mine))) for (job, _, *place), mine in slots.items())


def test_extracted_runs_are_those_of_the_reference_and_of_the_policy(program: Path) -> None:
    cases: list[Case] = []
    count = size(100, 100, 200)
    for seed in range(count):
        instance = from_json(tiny_preemptive(seed, storage=False))
        cases.append((instance, "static" if seed % 4 == 0 else "residual", SPEEDS[seed % 3]))
    counted = Counter[str]()
    for (instance, order, speed), (found, total) in zip(cases, extracted(program, cases), strict=True):
        out = a_online(instance, Options(order=order, speed=speed))
        assert total == out.total_jct
        prices = {(c.job.index, c.index): c.alpha for c in out.chunks}
        chunks = {place: [row for row in out.rows if row[:2] == place] for place in prices}
        assert found == Counter((chunk, prices[place]) for place, rows in chunks.items() for chunk in trained(rows))
        run = sp.policy("a_online", order=order, speed=speed).run(instance)
        assert trained(run.schedule.intervals.rows()) == Counter(chunk for chunk, _ in found.elements())
        preempted, away = any(len(out.runs(c)) > 1 for c in out.chunks), any(c.server.cloud for c in out.chunks)
        counted.update(preempted=preempted, cloud=away)
    print(dict(counted))
    assert min(counted["preempted"], counted["cloud"]) > count / 5


# --- the embedded instance, which Coq itself runs ---------------------------------------------------------------------


def coq_list(items: Iterable[object]) -> str:
    return f"[{'; '.join(map(str, items))}]"


def coq_job(instance: Instance, job: Job) -> str:
    """Return a job at speed 1 as a_online_embedded.v has it."""

    def option(delay: int | None) -> str:
        return "None" if delay is None else f"Some {delay}"

    times = (job.slots(), job.slots(in_cloud=True)) * 2
    places = coq_list(map(option, delays(instance, job)))
    numbers = " ".join(map(str, (job.arrival, job.chunks, *times)))
    return f"Build_job {numbers} {places} ({option(instance.cloud_delay(job))})"


def test_coq_computes_the_policy_on_the_embedded_instance() -> None:
    text, instance = EMBEDDED.read_text(encoding="utf-8"), sp.embedded("day")
    assert isinstance(instance, Instance)
    assert ";\n  ".join(coq_job(instance, job) for job in in_order(instance)) in text
    run = sp.policy("a_online", order="residual").run(instance)
    edges, jobs = places(instance), [job.index for job in in_order(instance)]
    lists: dict[Place, list[tuple[int, list[int]]]] = {place: [] for place in edges}
    (table,) = re.findall(r"= (\[\[[^=]*\]\])\.", text)
    listed = json.loads(re.sub(r"\((\d+), (\[[\d, ]*\])\)", r"[\1, \2]", table.replace(";", ",")))
    for w, queue in enumerate(listed):
        lists.setdefault(edges[w] if w < len(edges) else CLOUD, []).extend(map(tuple, queue))
    computed = Counter((jobs[i], place, tuple(ran)) for place, queue in lists.items() for i, ran in queue)
    assert trained(run.schedule.intervals.rows()) == computed and computed.total() == 10
