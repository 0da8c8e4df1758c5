"""Program (2) by exhaustive search over slots, for tiny instances: no model, no solver, integers only.

The state of the search is the slot and what each job still needs; its cost is one per job alive in the slot. With
pinned chunks every way of handing the chunks to workers is tried first. All-cloud jobs are tried as a constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from schedproof.core.context import USUAL, Context
from schedproof.core.errors import ProgramError
from schedproof.core.solving.status import Outcome
from schedproof.instances.preemptive import Instance, Job

MOST_STATES = 2_000_000
FAR = (-1, -1)  # the place "cloud, at the edge rate"
Place = tuple[int, int]  # (class, worker number) with pinned chunks, (class, 0) with floating ones
Needs = tuple[tuple[int, ...], ...]  # per job, slots still needed at each of its places


def by_brute_force(
    instance: Instance,
    *,
    context: Context = USUAL,
    chunks: str = "pinned",
    reading: str = "ceil_chunk",
    speed: Fraction = Fraction(1),
) -> Outcome:
    """The optimum of program (2), by trying everything.

    Raises
    ------
    ProgramError
        When the instance is not tiny.
    """
    budget = _Budget()
    best: int | None = None
    for whole in product(*(_modes(instance, job, speed) for job in instance.jobs)):
        rest = [job for job, constant in zip(instance.jobs, whole, strict=True) if constant is None]
        known = sum(constant for constant in whole if constant is not None)
        search = {"pinned": _pinned, "floating": _floating}[chunks](instance, rest, reading, speed, budget)
        for value in search:
            best = known + value if best is None else min(best, known + value)
    if best is None:
        return Outcome("infeasible")
    return Outcome("optimal", float(best), float(best), exact=Fraction(best))


class _Budget:
    """Counts the states of all searches together."""

    def __init__(self) -> None:
        self.left = MOST_STATES

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise ProgramError(f"brute force is for tiny instances: this one has more than {MOST_STATES} states")


def _modes(instance: Instance, job: Job, speed: Fraction) -> list[int | None]:
    """None: outside the all-cloud mode; a number: the JCT of the job as a whole in the cloud."""
    delay = instance.cloud_delay(job)
    if delay is None:
        return [None]
    jct = delay + job.slots(in_cloud=True, speed=speed)
    return [None, jct] if job.arrival + jct <= instance.horizon else [None]


def _pinned(instance: Instance, jobs: list[Job], reading: str, speed: Fraction, budget: _Budget) -> Iterator[int]:
    """One search for every way of handing chunks to workers."""
    places = [_workers(instance, job) for job in jobs]
    for counts in product(*(_compositions(job.chunks, len(p)) for job, p in zip(jobs, places, strict=True))):
        needs = tuple(tuple(n * job.slots(speed=speed) for n in row) for job, row in zip(jobs, counts, strict=True))
        most = [dict(zip(p, row, strict=True)) for p, row in zip(places, counts, strict=True)]

        def one_each(j: int, place: Place, most: list[dict[Place, int]] = most) -> int:
            return most[j][place] if place == FAR else 1

        capacity = {place: 1 for p in places for place in p if place != FAR}
        value = _search(instance, jobs, places, needs, one_each, capacity, budget)
        if value is not None:
            yield value


def _floating(instance: Instance, jobs: list[Job], reading: str, speed: Fraction, budget: _Budget) -> Iterator[int]:
    """One search: what a job still needs is a single number, and any of its places may serve it."""
    places = [[(q.index, 0) for q, _ in instance.qualified(job)] for job in jobs]
    for job, p in zip(jobs, places, strict=True):
        if instance.cloud_delay(job) is not None:
            p.append(FAR)
    if reading == "ceil_job":
        needs = tuple((int(-(-(job.chunks * job.chunk_time / speed) // 1)),) for job in jobs)
    else:
        needs = tuple((job.chunks * job.slots(speed=speed),) for job in jobs)
    capacity = {(q.index, 0): q.count for q in instance.classes}
    value = _search(instance, jobs, places, needs, lambda j, place: jobs[j].chunks, capacity, budget)
    if value is not None:
        yield value


def _search(
    instance: Instance,
    jobs: list[Job],
    places: list[list[Place]],
    needs: Needs,
    most: Callable[[int, Place], int],
    capacity: Mapping[Place, int],
    budget: _Budget,
) -> int | None:
    """The least total JCT of jobs outside the cloud, or None; a depth-first search with memory over slots."""

    @cache
    def best(t: int, needs: Needs) -> int | None:
        budget.spend()
        if not any(map(any, needs)):
            return 0
        if t >= instance.horizon:
            return None
        alive = sum(1 for job, need in zip(jobs, needs, strict=True) if job.arrival <= t and any(need))
        found: int | None = None
        for use in _uses(t, needs):
            if not _parameter_servers_suffice(instance, [jobs[j] for j, row in enumerate(use) if any(row)]):
                continue
            left = tuple(_less(need, row) for need, row in zip(needs, use, strict=True))
            rest = best(t + 1, left)
            if rest is not None and (found is None or alive + rest < found):
                found = alive + rest
        return found

    def _uses(t: int, needs: Needs) -> Iterator[tuple[tuple[int, ...], ...]]:
        """Every way of using the places in slot t, job by job."""

        def extend(j: int, free: dict[Place, int]) -> Iterator[tuple[tuple[int, ...], ...]]:
            if j == len(jobs):
                yield ()
                return
            for row in _rows(instance, jobs[j], t, places[j], needs[j], lambda p: most(j, p), free):
                left = free | {p: free[p] - n for p, n in zip(places[j], row, strict=True) if p in free}
                for rest in extend(j + 1, left):
                    yield (row, *rest)

        return extend(0, dict(capacity))

    return best(0, needs)


def _rows(
    instance: Instance,
    job: Job,
    t: int,
    places: list[Place],
    need: tuple[int, ...],
    most: Callable[[Place], int],
    free: Mapping[Place, int],
) -> Iterator[tuple[int, ...]]:
    """How many workers of each place a job may use in slot t."""
    choices = []
    for n, place in enumerate(places):
        server = instance.cloud if place == FAR else instance.classes[place[0]].server
        assert server is not None
        landed = job.arrival + (job.delay(server) or 0) <= t
        here = need[n] if len(need) == len(places) else need[0]
        choices.append(range(min(most(place), free.get(place, most(place)), here) + 1) if landed else range(1))
    for row in product(*choices):
        if sum(row) <= min(job.chunks, sum(need)):
            yield row


def _less(need: tuple[int, ...], row: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n - r for n, r in zip(need, row, strict=True)) if len(need) == len(row) else (need[0] - sum(row),)


def _workers(instance: Instance, job: Job) -> list[Place]:
    places = [(q.index, n) for q, _ in instance.qualified(job) for n in range(q.count)]
    return places if instance.cloud_delay(job) is None else [*places, FAR]


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 0:
        if total == 0:
            yield ()
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


def _parameter_servers_suffice(instance: Instance, running: list[Any]) -> bool:
    """Whether every running job can have a parameter server of its own (Hall's condition by augmenting paths)."""
    needy = [job for job in running if instance.cloud_delay(job) is None]
    slots = [
        (s, kind) for s in instance.edges for kind, n in s.parameter_servers.items() for _ in range(min(n, len(needy)))
    ]
    holder: dict[int, int] = {}

    def serve(j: int, tried: set[int]) -> bool:
        for p, (server, kind) in enumerate(slots):
            if p not in tried and needy[j].opens(server, kind):
                tried.add(p)
                if p not in holder or serve(holder[p], tried):
                    holder[p] = j
                    return True
        return False

    return all(serve(j, set()) for j in range(len(needy)))
