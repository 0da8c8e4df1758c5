"""Algorithm 5 of Wang et al. 2022, exactly and slowly, for tiny instances: parameter servers for running jobs.

Rows and workers are those of `schedproof.reference.preemptive`.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import pairwise
from typing import Literal

from schedproof.instances.preemptive import Instance, Job, Server
from schedproof.reference.preemptive import Row

ParameterServer = tuple[int, int, int]  # server, kind, number; the cloud's are (server, -1, job)
Pick = Callable[[list[ParameterServer]], ParameterServer]
Release = Literal["printed", "none"]


def has_landed(job: Job, server: Server, slot: int | None) -> bool:
    """t >= r_j + Delta_js of (2i), for a server that may serve the job; any slot will do where it is None."""
    delay = job.delay(server)
    return delay is not None and (slot is None or slot >= job.arrival + delay)


def open_to(instance: Instance, job: Job, slot: int | None = None) -> list[ParameterServer]:
    """The edge parameter servers with o_jsp = 1, in file order; with a slot, those to which the upload is over."""
    return [
        (server.index, k, n)
        for server in instance.edges
        for k, (kind, count) in enumerate(server.parameter_servers.items())
        if job.opens(server, kind) and has_landed(job, server, slot)
        for n in range(count)
    ]


def phases(rows: Iterable[Row], more: Iterable[int] = ()) -> Iterator[tuple[int, int, list[int]]]:
    """(start, end, running jobs) between consecutive starts and stops of a schedule's rows, and more times."""
    spans = [(job, start, end) for job, *_, start, end in rows]
    for a, b in pairwise(sorted({t for _, *times in spans for t in times} | set(more))):
        yield a, b, sorted({job for job, start, end in spans if start <= a < end})


def landings(instance: Instance) -> set[int]:
    """When an upload to some server is over."""
    delays = ((job, job.delay(server)) for job in instance.jobs for server in instance.servers)
    return {job.arrival + delay for job, delay in delays if delay is not None}


def a_ps(
    instance: Instance,
    rows: Iterable[Row],
    all_in_cloud: Collection[int],
    pick: Pick = min,
    ps_release: Release = "printed",
) -> tuple[list[Row], int]:
    """Algorithm 5 with a free PS in line 6: service rows (job, server, kind, start, end), and how often none was free.

    A job whose chunks are all in the cloud is served there; any other by the cloud only when no edge PS is free.
    Jobs that have waited longest come first, and take what ``pick`` gives of the free ones open to them.

    Parameters
    ----------
    ps_release
        ``printed``: only a PS on a server to which the job's upload is over (2i); ``none``: any, as Algorithm 5 does.

    Raises
    ------
    ValueError
        For another ``ps_release``.
    """
    if ps_release not in ("printed", "none"):
        raise ValueError(f"ps_release={ps_release}: expected printed or none")
    held: dict[int, ParameterServer] = {}
    waits: dict[int, int] = {}
    served: list[Row] = []
    missing = 0
    for start, end, running in phases(rows, landings(instance)):
        slot = start if ps_release == "printed" else None
        held = {j: held[j] for j in running if j in held}  # lines 3-4; a job that paused draws anew
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
