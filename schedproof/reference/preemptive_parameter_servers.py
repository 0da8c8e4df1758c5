"""Algorithm 5 of Wang et al. 2022, exactly: parameter servers for running jobs.

It is slow, for tiny instances. Rows and workers are those of `schedproof.reference.preemptive`.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import pairwise
from typing import Literal

from schedproof.instances.preemptive import Instance, Job, Server
from schedproof.reference.preemptive import Row

ParameterServer = tuple[int, int, int]  # server, kind, number; in the cloud (server, -1, job)
Pick = Callable[[list[ParameterServer]], ParameterServer]
Release = Literal["printed", "none"]


def has_landed(job: Job, server: Server, slot: int | None) -> bool:
    """Return whether t >= r_j + Delta_js (2i); without a slot, whether s is qualified."""
    delay = job.delay(server)
    return delay is not None and (slot is None or slot >= job.arrival + delay)


def open_to(instance: Instance, job: Job, slot: int | None = None) -> list[ParameterServer]:
    """Return the edge parameter servers with o_jsp = 1, in file order.

    With a slot, only the parameter servers to which the upload is over.
    """
    return [
        (server.index, k, n)
        for server in instance.edges
        for k, (kind, count) in enumerate(server.parameter_servers.items())
        if job.opens(server, kind) and has_landed(job, server, slot)
        for n in range(count)
    ]


def phases(rows: Iterable[Row], more: Iterable[int] = ()) -> Iterator[tuple[int, int, list[int]]]:
    """Yield (start, end, running jobs) between consecutive starts, stops and times."""
    spans = [(job, start, end) for job, *_, start, end in rows]
    for a, b in pairwise(sorted({t for _, *times in spans for t in times} | set(more))):
        yield a, b, sorted({job for job, start, end in spans if start <= a < end})


def landings(instance: Instance) -> set[int]:
    """Return when uploads to servers are over."""
    delays = ((job, job.delay(server)) for job in instance.jobs for server in instance.servers)
    return {job.arrival + delay for job, delay in delays if delay is not None}


def a_ps(
    instance: Instance,
    rows: Iterable[Row],
    all_in_cloud: Collection[int],
    pick: Pick = min,
    ps_release: Release = "printed",
) -> tuple[list[Row], int]:
    """Run Algorithm 5; return service rows and the number of unserved cases.

    Rows are (job, server, kind, start, end). A job whose chunks are all in the cloud is served there; any other job by
    the cloud only if no edge PS is free. Jobs that have waited longest come first. Each job takes the PS that ``pick``
    selects among the free PSs open to it.

    Parameters
    ----------
    ps_release
        ``printed``: only a PS on a server to which the job's upload is over (2i); ``none``: any PS, as in Algorithm 5.

    Raises
    ------
    ValueError
        For another ``ps_release``.
    """
    if ps_release not in ("printed", "none"):
        raise ValueError(f"ps_release={ps_release}: expected 'printed' or 'none'")
    held: dict[int, ParameterServer] = {}
    waits: dict[int, int] = {}
    served: list[Row] = []
    missing = 0
    for start, end, running in phases(rows, landings(instance)):
        slot = start if ps_release == "printed" else None
        held = {j: held[j] for j in running if j in held}  # lines 3-4; a job that paused draws again
        waits = {j: waits.get(j, start) for j in running if j not in held}
        for j in sorted(waits, key=lambda j: (waits[j], j)):
            job = instance.jobs[j]
            free = [p for p in open_to(instance, job, slot) if p not in held.values() and j not in all_in_cloud]
            if free:
                held[j] = pick(free)
            elif instance.cloud is not None and has_landed(job, instance.cloud, slot):
                held[j] = (instance.cloud.index, -1, j)
            else:
                missing += 1
        served += [(j, *place[:2], start, end) for j, place in held.items()]
    return served, missing
