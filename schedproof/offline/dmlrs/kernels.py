"""Kernel of the search: plan one job, slot by slot, with all workers that fit.

In a slot the job uses the one machine that holds most of its workers, at the internal rate, or all machines in file
order, at the external rate; the better of the two is used. In its last slot it takes no more workers than it needs.
Amounts are integers in units of the grid. Progress is an integer, rounded down, so a completed plan is complete
exactly.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from schedproof.core.runtime.kernels import kernel
from schedproof.relaxations.dmlrs.progress import EXTERNAL, INTERNAL


class Demand(NamedTuple):
    """The demand of a job.

    Attributes
    ----------
    worker, ps
        alpha and beta, (R,).
    needed
        S(0), ..., S(F), (F + 1,).
    gains
        The progress of one internal and of one external worker in a slot, (2,).
    work
        The progress that completes the job.
    """

    worker: Any
    ps: Any
    needed: Any
    gains: Any
    work: Any


@kernel
def fits(free: Any, machine: Any, amounts: Any) -> Any:
    """Return whether a machine has room for these amounts."""
    room = True
    for r in range(amounts.size):
        room = room and free[machine, r] >= amounts[r]
    return room


@kernel
def alone(free: Any, job: Any, most: Any) -> Any:
    """Return the most workers, with servers, that a machine holds, and this machine."""
    workers, at = 0, 0
    for h in range(free.shape[0]):
        while workers < most:
            room = True
            for r in range(job.worker.size):
                amount = (workers + 1) * job.worker[r] + job.needed[workers + 1] * job.ps[r]
                room = room and amount <= free[h, r]
            if not room:
                break
            workers, at = workers + 1, h
    return workers, at


@kernel
def spread(free: Any, job: Any, most: Any, held: Any) -> Any:
    """Place up to ``most`` workers one by one, first fit, each with its servers.

    Returns the number of placed workers.

    Parameters
    ----------
    free
        The free amounts, (H, R), reduced by the placements.
    held
        Output: workers and parameter servers of each machine, (H, 2).
    """
    last = free.shape[0]
    held[:] = 0
    workers, servers, w, s = 0, 0, 0, 0  # machines before w (s) have no room for a worker (parameter server)
    while workers < most:
        more = servers < job.needed[workers + 1]
        while more and s < last and not fits(free, s, job.ps):
            s += 1
        if s == last:
            break
        if more:
            for r in range(job.ps.size):
                free[s, r] -= job.ps[r]
            held[s, 1], servers = held[s, 1] + 1, servers + 1
            if servers < job.needed[workers + 1]:
                continue
        while w < last and not fits(free, w, job.worker):
            w += 1
        if w == last:
            break
        for r in range(job.worker.size):
            free[w, r] -= job.worker[r]
        held[w, 0], workers = held[w, 0] + 1, workers + 1
    for h in range(min(s, last - 1), -1, -1):  # remove servers of a worker that did not fit
        more = min(held[h, 1], servers - job.needed[workers])
        held[h, 1], servers = held[h, 1] - more, servers - more
    return workers


@kernel
def plan(free: Any, job: Any, first: Any, last: Any, most: Any, room: Any, held: Any, rows: Any) -> Any:
    """Train a job from slot ``first`` on; return the number of rows, 0 if unfinished.

    Parameters
    ----------
    free
        The free amounts, (T, H, R), unchanged.
    last
        The slot before which the job must complete.
    room, held
        Scratch for a slot, (H, R) and (H, 2).
    rows
        Output: slot, machine, workers and parameter servers, (T H, 4).
    """
    rest, count = job.work, 0
    inside, outside = job.gains[INTERNAL], job.gains[EXTERNAL]
    for t in range(first, last):
        if rest > (last - t) * most * inside:
            return 0
        together, machine = alone(free[t], job, min(most, -(-rest // inside)))
        apart = 0
        if together * inside < rest:
            room[:] = free[t]
            apart = spread(room, job, min(most, -(-rest // outside)), held)
        if together * inside >= apart * outside:
            if together > 0:
                rows[count] = t, machine, together, job.needed[together]
                count += 1
            rest -= together * inside
        else:
            for h in range(held.shape[0]):
                if held[h, 0] > 0 or held[h, 1] > 0:
                    rows[count] = t, h, held[h, 0], held[h, 1]
                    count += 1
            rest -= apart * outside
        if rest <= 0:
            return count
    return 0


@kernel
def hold(free: Any, job: Any, rows: Any, sign: Any) -> Any:
    """Take a job's rows (1), or release them (-1)."""
    for i in range(rows.shape[0]):
        t, h, workers, servers = rows[i]
        for r in range(job.worker.size):
            free[t, h, r] -= sign * (workers * job.worker[r] + servers * job.ps[r])
