"""Program (2) by exhaustive search over slots, for tiny instances, in integers.

A state is the slot and the remaining work; it costs one per alive job. With pinned chunks the search first enumerates
all assignments of chunks to workers. The cost of an all-cloud job is a constant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf
from typing import NamedTuple

from schedproof.core.base.numbers import ceil
from schedproof.core.data.options import pick
from schedproof.core.errors import ProgramError
from schedproof.core.runtime.context import Context
from schedproof.core.solvers.status import Outcome
from schedproof.formulations.preemptive.index import require_no_restart
from schedproof.instances.preemptive import Instance, Job

MOST_STATES = 2_000_000
CLOUD = (-1, -1)  # the place of a chunk in the cloud at the edge rate
Place = tuple[int, int]  # (class, worker number) with pinned chunks, (class, 0) with floating ones


class Use(NamedTuple):
    """A use of at most ``most`` workers of a place per slot after the upload."""

    job: int
    place: Place
    lands: int
    need: int
    most: int


class Search(NamedTuple):
    """The jobs outside the all-cloud mode: uses, needs, and workers of each place."""

    jobs: list[Job]
    uses: list[Use]
    needs: tuple[int, ...]
    capacity: dict[Place, int]


def by_brute_force(
    instance: Instance, *, chunks: str, reading: str, ps_release: str, speed: Fraction, context: Context
) -> Outcome:
    """Return the optimum of program (2) by enumeration.

    Raises
    ------
    ProgramError
        When the instance is not tiny, or has restarts.
    """
    require_no_restart(instance)
    states = iter(range(MOST_STATES))
    at_once = pick("ps_release", ps_release, {"printed": False, "none": True})
    values = []
    for whole in product(*(_modes(instance, job, speed) for job in instance.jobs)):
        rest = [job for job, constant in zip(instance.jobs, whole, strict=True) if constant is None]
        known = sum(constant for constant in whole if constant is not None)
        searches = (
            _searches_by_chunks(instance, rest, speed)
            if chunks == "pinned"
            else [_floating(instance, rest, reading, speed)]
        )
        optima = (_shortest(instance, search, states, at_once) for search in searches)
        values += [known + value for value in optima if value is not None]
    if not values:
        return Outcome("infeasible")
    return Outcome("optimal", float(min(values)), float(min(values)), exact=Fraction(min(values)))


def _modes(instance: Instance, job: Job, speed: Fraction) -> list[int | None]:
    """List the job's modes: None outside the all-cloud mode, else its JCT there."""
    delay = instance.cloud_delay(job)
    if delay is None:
        return [None]
    jct = delay + job.slots(in_cloud=True, speed=speed)
    return [None, jct] if job.arrival + jct <= instance.horizon else [None]


def _searches_by_chunks(instance: Instance, jobs: list[Job], speed: Fraction) -> Iterator[Search]:
    places = [_places(instance, job, single=True) for job in jobs]
    capacity = {place: 1 for mine in places for place, _ in mine if place != CLOUD}
    for counts in product(*(_compositions(job.chunks, len(mine)) for job, mine in zip(jobs, places, strict=True))):
        uses: list[Use] = []
        needs: list[int] = []
        for j, (job, mine) in enumerate(zip(jobs, places, strict=True)):
            for (place, lands), held in zip(mine, counts[j], strict=True):
                uses.append(Use(j, place, lands, len(needs), held if place == CLOUD else 1))
                needs.append(held * job.slots(speed=speed))
        yield Search(jobs, uses, tuple(needs), capacity)


def _floating(instance: Instance, jobs: list[Job], reading: str, speed: Fraction) -> Search:
    needs = [job.chunks * job.slots(speed=speed) for job in jobs]
    if reading == "ceil_job":
        needs = [ceil(job.chunks * job.chunk_time / speed) for job in jobs]
    uses = [
        Use(j, place, lands, j, job.chunks)
        for j, job in enumerate(jobs)
        for place, lands in _places(instance, job, single=False)
    ]
    return Search(jobs, uses, tuple(needs), {(q.index, 0): q.count for q in instance.classes})


def _places(instance: Instance, job: Job, single: bool) -> list[tuple[Place, int]]:
    places = [
        ((q.index, n), job.arrival + delay)
        for q, delay in instance.qualified(job)
        for n in range(q.count if single else 1)
    ]
    delay = instance.cloud_delay(job)
    return places if delay is None else [*places, (CLOUD, job.arrival + delay)]


def _shortest(instance: Instance, search: Search, states: Iterator[int], at_once: bool) -> int | None:
    """Least total JCT of the search's jobs, or None; depth first with memory."""
    jobs, uses, needs, capacity = search
    by_place = {use.place: [other for other in uses if other.place == use.place] for use in uses}

    @cache
    def best(t: int, needs: tuple[int, ...]) -> int | None:
        if next(states, None) is None:
            raise ProgramError(f"the instance has more than {MOST_STATES} states: brute force is for tiny instances")
        if not any(needs):
            return 0
        if t >= instance.horizon:
            return None
        alive = len({use.job for use in uses if needs[use.need] and jobs[use.job].arrival <= t})
        rests = [best(t + 1, left) for left, busy in choices(t, needs) if can_serve(t, busy)]
        return min((alive + rest for rest in rests if rest is not None), default=None)

    def choices(t: int, needs: tuple[int, ...]) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return remaining needs and each job's workers for all choices in a slot."""
        found = {(needs, (0,) * len(jobs))}
        for place, there in by_place.items():
            now = [use for use in there if use.lands <= t and needs[use.need]]
            if not now or (place != CLOUD and not instance.workers_open(instance.classes[place[0]], t)):
                continue
            at = {(left, busy, capacity.get(place, inf)) for left, busy in found}
            for j, _, _, need, most in now:
                at = {
                    (_plus(left, need, -taken), _plus(busy, j, taken), free - taken)
                    for left, busy, free in at
                    for taken in range(int(min(most, left[need], free, jobs[j].chunks - busy[j])) + 1)
                }
            found = {(left, busy) for left, busy, _ in at}
        return found

    @cache
    def can_serve(t: int, busy: tuple[int, ...]) -> bool:
        running = [job for job, n in zip(jobs, busy, strict=True) if n]
        return _parameter_servers_suffice(instance, running, None if at_once else t)

    return best(0, needs)


def _plus(values: tuple[int, ...], i: int, added: int) -> tuple[int, ...]:
    return (*values[:i], values[i] + added, *values[i + 1 :])


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 0:
        yield from [()] if total == 0 else []
        return
    for first in range(total + 1):
        yield from ((first, *rest) for rest in _compositions(total - first, parts - 1))


def _parameter_servers_suffice(instance: Instance, running: list[Job], slot: int | None) -> bool:
    def waits(job: Job, delay: int | None) -> bool:  # for an upload; in the slot None no job waits
        return delay is None or (slot is not None and slot < job.arrival + delay)

    needy = [job for job in running if waits(job, instance.cloud_delay(job))]
    types = [(s, kind, n) for s in instance.edges for kind, n in s.parameter_servers.items()]
    open_to = [
        [p for p, (s, kind, _) in enumerate(types) if job.opens(s, kind) and not waits(job, job.delay(s))]
        for job in needy
    ]
    return any(all(n <= types[p][2] for p, n in Counter(taken).items()) for taken in product(*open_to))
