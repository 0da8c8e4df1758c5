"""Arrivals on one server: jobs of one chunk, its worker free to change in every slot.

In each slot the adversary lets jobs arrive, and the algorithm chooses what its workers run. The payoff is the total JCT
(2) over the least total JCT for the same arrivals, in which every chunk stays on one worker. The algorithm is bound to
less than (2) asks: its chunks may move, it sees a slot's arrivals before the slot begins, uploads take no time, and
there is a parameter server for every job. So what it cannot guarantee no algorithm can. It never idles: running more
leaves no more to do, and who has less left can follow who has more.
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
State = tuple[int, Arrivals, Slots, int]  # the slot, what arrived before it, what is left, and the JCT so far


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
    """The game with at most so many ``jobs``, of chunks of these ``sizes``, that arrive in the first ``slots``."""

    name = "preemptive.arrivals"

    def __init__(self, workers: int, jobs: int, sizes: Slots, slots: int) -> None:
        self.workers, self.jobs, self.sizes, self.slots = workers, jobs, sizes, slots
        self.setting: dict[str, Json] = {"workers": workers}
        self._least = cache(lambda arrived: least_total(arrived, workers)[0])

    def start(self) -> State:
        """Nothing has arrived."""
        return 0, (), (), 0

    def moves(self, state: State) -> Iterator[Slots]:
        """Sizes of the jobs that arrive now; none if there is still something to do, or time for arrivals."""
        slot, arrived, rest, _ = state
        if slot < self.slots:
            for count in range(self.jobs - len(arrived), 0, -1):
                yield from combinations_with_replacement(self.sizes, count)
        if rest or slot + 1 < self.slots:
            yield ()

    def answers(self, state: State, sizes: Slots) -> Iterator[State]:
        """As many chunks run as there are workers, or all."""
        slot, arrived, remaining, paid = state
        alive = tuple(sorted(remaining + sizes))
        arrived += tuple((slot, size) for size in sizes)
        chosen = combinations(range(len(alive)), min(self.workers, len(alive)))
        after = {tuple(sorted(n - (k in runs) for k, n in enumerate(alive) if n - (k in runs))) for runs in chosen}
        return ((slot + 1, arrived, rest, paid + len(alive)) for rest in sorted(after))

    def payoff(self, state: State) -> Fraction:
        """The total JCT once all is done, over the least; 0 before."""
        _, arrived, rest, paid = state
        return Fraction(paid, self._least(arrived)) if arrived and not rest else Fraction(0)

    def position(self, state: State) -> State:
        """All of it."""
        return state

    def hopeless(self, state: State, floor: Fraction) -> bool:
        """Nothing short is known."""
        return False

    def row(self, state: State, sizes: Slots, stops: bool) -> dict[str, Json]:
        """What arrived and what is left of it, and what arrives next; with a best schedule if all may be done then."""
        slot, arrived, rest, paid = state
        facts: dict[str, Json] = {"slot": slot, "arrived": arrived, "left": rest, "paid": paid, "arrive": sizes}
        best_known = least_total((*arrived, *((slot, size) for size in sizes)), self.workers)[1] if stops else None
        return facts | ({} if best_known is None else {"schedule": best_known})


def least_total(arrived: Arrivals, workers: int) -> tuple[int, list[list[int]]]:
    """The least total JCT, and on each worker the job of every slot, -1 for none.

    Every way to put chunks on workers is tried; one worker alone does best to run what has least left.
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
    """The total JCT on one worker that runs what has least left, and the job of every slot."""
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
