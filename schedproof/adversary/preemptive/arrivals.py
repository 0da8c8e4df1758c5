"""Arrivals on one server: preemptive jobs of one chunk.

In each slot the adversary releases jobs, and the algorithm chooses the jobs that its workers run. The payoff is the
total JCT (2), over the least total JCT for the same arrivals with every chunk on one worker. The bound holds for every
algorithm, since the game's algorithm has fewer restrictions than (2): chunks may move, a slot's arrivals are known
before the slot, uploads take no time, and every job has a parameter server. The game's algorithm never idles, since
running more jobs leaves less work.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product

from schedproof.adversary.games import Strategy, best
from schedproof.core.base.untyped import Json
from schedproof.core.runtime.context import Context

Slots = tuple[int, ...]
Arrivals = tuple[tuple[int, int], ...]  # (slot, slots of its chunk) of each job
State = tuple[int, Arrivals, Slots, int]  # the slot, earlier arrivals, remaining slots, and the JCT so far


def solve(
    above: Fraction,
    *,
    context: Context,
    workers: int = 2,
    jobs: int = 6,
    sizes: Slots = (1, 2),
    slots: int = 3,
) -> Strategy | None:
    return best(ArrivingJobs(workers, jobs, sizes, slots), above, context)


class ArrivingJobs:
    """The game with at most ``jobs`` jobs, which arrive in the first ``slots`` slots."""

    name = "preemptive.arrivals"

    def __init__(self, workers: int, jobs: int, sizes: Slots, slots: int) -> None:
        self.workers, self.jobs, self.sizes, self.slots = workers, jobs, sizes, slots
        self.setting: dict[str, Json] = {"workers": workers}
        self._least = cache(lambda arrived: least_total(arrived, workers)[0])

    def start(self) -> State:
        return 0, (), (), 0

    def moves(self, state: State) -> Iterator[Slots]:
        slot, arrived, rest, _ = state
        if slot < self.slots:
            for count in range(self.jobs - len(arrived), 0, -1):
                yield from combinations_with_replacement(self.sizes, count)
        if rest or slot + 1 < self.slots:
            yield ()

    def answers(self, state: State, sizes: Slots) -> Iterator[State]:
        slot, arrived, remaining, paid = state
        alive = tuple(sorted(remaining + sizes))
        arrived += tuple((slot, size) for size in sizes)
        chosen = combinations(range(len(alive)), min(self.workers, len(alive)))
        after = {tuple(sorted(n - (k in runs) for k, n in enumerate(alive) if n - (k in runs))) for runs in chosen}
        return ((slot + 1, arrived, rest, paid + len(alive)) for rest in sorted(after))

    def payoff(self, state: State) -> Fraction:
        _, arrived, rest, paid = state
        return Fraction(paid, self._least(arrived)) if arrived and not rest else Fraction(0)

    def position(self, state: State) -> State:
        return state

    def hopeless(self, state: State, floor: Fraction) -> bool:
        return False

    def row(self, state: State, sizes: Slots, stops: bool) -> dict[str, Json]:
        slot, arrived, rest, paid = state
        facts: dict[str, Json] = {"slot": slot, "arrived": arrived, "left": rest, "paid": paid, "arrive": sizes}
        best_known = least_total((*arrived, *((slot, size) for size in sizes)), self.workers)[1] if stops else None
        return facts | ({} if best_known is None else {"schedule": best_known})


def least_total(arrived: Arrivals, workers: int) -> tuple[int, list[list[int]]]:
    """Return the least total JCT, and each worker's job of every slot (-1 if idle).

    Every assignment of chunks to workers is tried; on one worker shortest remaining time first is optimal.
    """
    result: tuple[int, list[list[int]]] | None = None
    for places in product(range(workers), repeat=len(arrived)):
        total, plan = 0, []
        for worker in range(workers):
            paid, ran = _total_on_one_worker({job: arrived[job] for job, place in enumerate(places) if place == worker})
            total += paid
            plan.append(ran)
        if result is None or total < result[0]:
            result = total, plan
    assert result is not None
    return result


def _total_on_one_worker(jobs: dict[int, tuple[int, int]]) -> tuple[int, list[int]]:
    rest = {job: size for job, (_, size) in jobs.items()}
    paid, ran = 0, list[int]()
    while rest:
        here = [job for job in rest if jobs[job][0] <= len(ran)]
        chosen = min(here, key=lambda job: (rest[job], job), default=-1)
        paid += len(here)
        ran.append(chosen)
        if here:
            rest[chosen] -= 1
            if not rest[chosen]:
                del rest[chosen]
    return paid, ran
