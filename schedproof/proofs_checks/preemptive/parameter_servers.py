"""Algorithm 5 (A_ps) and what it makes feasible: claims lemma3 and theorem2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, worst
from schedproof.instances.preemptive import Instance, Intervals, Job, Schedule, Services
from schedproof.proofs_checks.preemptive import regimes
from schedproof.proofs_checks.preemptive.house import WITNESSES, at, table
from schedproof.proofs_checks.preemptive.literal import Options, Outcome
from schedproof.proofs_checks.strategies import preemptive as draw

Place = tuple[int, int, int]  # server, type, number; the cloud's parameter servers are (server, -1, job)
Pick = Callable[[list[Place]], Place]


def open_to(instance: Instance, job: Job) -> list[Place]:
    """The edge parameter servers with o_jsp = 1."""
    return [
        (server.index, k, n)
        for server in instance.edges
        for k, (kind, number) in enumerate(server.parameter_servers.items())
        if job.opens(server, kind)
        for n in range(number)
    ]


def phases(out: Outcome) -> Iterator[tuple[int, int, list[Job]]]:
    """(start, end, running jobs) between consecutive starts and stops of chunks."""
    pieces = [(start, end, c.job) for c in out.chunks for start, end in out.runs(c)]
    times = sorted({t for start, end, _ in pieces for t in (start, end)})
    for a, b in zip(times, times[1:], strict=False):
        running = {job.index for start, end, job in pieces if start <= a < end}
        yield int(a), int(b), [out.instance.jobs[i] for i in sorted(running)]


def collision(case: Case, claimed: Fraction = Fraction(0)) -> Finding | None:
    """Line 6 draws any PS with o_jsp = 1: the probability that two jobs hold the same one is zero in every slot.

    A job's PS is uniform over those open to it, whenever it was drawn, and the draws are independent; jobs that may use
    the cloud are left out, as its parameter servers never run short.
    """
    instance = case.instance
    found = []
    for a, _, jobs in phases(regimes.run(instance, Options())):
        sets = [open_to(instance, job) for job in jobs if instance.cloud_delay(job) is None]
        draws = list(product(*sets))
        clash = sum(len(set(pick)) < len(pick) for pick in draws)
        found.append(Finding(Fraction(clash, max(1, len(draws))), claimed, "at most", f"probability in slot {a}"))
    return worst(found)


def unserved(case: Case, forgiven: int = 0) -> Finding | None:
    """Line 6 draws a free PS with o_jsp = 1: some choice of free ones serves every running job, in every slot."""
    instance = case.instance
    found = []
    for a, _, jobs in phases(regimes.run(instance, Options())):
        sets = [open_to(instance, job) for job in jobs if instance.cloud_delay(job) is None]
        found.append(Finding(Fraction(len(sets) - matched(sets)), Fraction(forgiven), "at most", f"jobs without PS in slot {a}"))
    return worst(found)


def matched(sets: list[list[Place]]) -> int:
    """The size of a largest matching of jobs to parameter servers (augmenting paths)."""
    taken: dict[Place, int] = {}

    def place(n: int, seen: set[Place]) -> bool:
        for p in sets[n]:
            if p not in seen:
                seen.add(p)
                if p not in taken or place(taken[p], seen):
                    taken[p] = n
                    return True
        return False

    return sum(place(n, set()) for n in range(len(sets)))


def assign(out: Outcome, pick: Pick) -> tuple[list[tuple[int, int, int, int, int]], int]:
    """A_ps with a free PS in line 6: service rows (job, server, type, start, end), and how often none was free."""
    instance, held, missing = out.instance, dict[int, Place](), 0
    all_cloud = {j.index for j in instance.jobs} - {c.job.index for c in out.chunks if not c.server.cloud}
    rows = []
    for start, end, jobs in phases(out):
        held = {job.index: held[job.index] for job in jobs if job.index in held}  # a job that paused draws anew
        for job in jobs:
            free = [p for p in open_to(instance, job) if p not in held.values() and job.index not in all_cloud]
            if job.index not in held:
                if free:
                    held[job.index] = pick(free)
                elif instance.cloud is not None and instance.cloud_delay(job) is not None:
                    held[job.index] = (instance.cloud.index, -1, job.index)
                else:
                    missing += 1
            if job.index in held:
                rows.append((job.index, held[job.index][0], held[job.index][1], start, end))
    return rows, missing


def abundant(instance: Instance) -> bool:
    """Whether each job has the cloud's parameter servers open to it, or as many others as there are edge workers."""
    edge_workers = sum(q.count for q in instance.classes)
    return all(instance.cloud_delay(j) is not None or len(open_to(instance, j)) >= edge_workers for j in instance.jobs)


def served(case: Case, everywhere: bool = False) -> Finding | None:
    """If line 6 picks a free PS, and each job may use the cloud's or has as many open to it as there are edge workers,
    every running job has exactly one PS and no PS serves two jobs.

    Proof
    -----
    At the time at which a job needs a PS, consider the jobs that may not use the cloud. Each of them that is running
    keeps at least one edge worker busy, and a worker trains one chunk at a time: with the job itself they are at most
    as many as there are edge workers. So the others hold fewer parameter servers than are open to it, if those that
    may use the cloud hold none of them; line 6 lets them take one only where it is free, and the cloud's otherwise, so
    it remains to let them prefer the cloud's whenever an edge PS is asked for by a job without the cloud. A job keeps its
    PS while it runs and gives it back when it pauses, so a PS is never held by two jobs: (4d). Every running job
    holds exactly one: (4c). A job that is entirely in the cloud takes a PS there, which keeps zeta_j = 1.
    """
    instance = case.instance
    if not (everywhere or abundant(instance)):
        return None
    out = regimes.run(instance, Options())
    _, missing = assign(out, _cloud_first(instance))
    return Finding(Fraction(missing), Fraction(0), "at most", "running jobs without a PS")


def _cloud_first(instance: Instance) -> Pick:
    return lambda free: free[-1]
