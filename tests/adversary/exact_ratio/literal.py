"""Every sequence of a few slots with its least cost, by definition.

The arrivals so far lead to a state of the policy, and to any of many states of a schedule, each with its least cost.
Sequences with equal results are evaluated once; no state is dropped for its cost. No code of the product is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import NamedTuple


class Job(NamedTuple):
    """Remaining slots of each chunk, weight, machine (1: must not wait), upload."""

    slots: tuple[int, ...]
    weight: int
    at: int
    upload: int = 0


Left = tuple[Job, ...]
Chunk = tuple[int, int]  # numbers of a job and of a chunk of it
Kind = tuple[int, int, int]  # the slots of a chunk, the weight and the number of chunks of a job
New = tuple[Kind, ...]  # of the jobs that arrive in one slot
Costs = tuple[tuple[Left, int], ...]  # the states that a schedule may be in, with the least that has been paid by then
NOTHING: Costs = (((), 0),)


class Machines(NamedTuple):
    """Machines, kind of schedules, most jobs, and uploads."""

    count: int
    schedules: str
    present: int
    delays: tuple[int, ...] = (0,) * 9


def weight(left: Left) -> int:
    return sum(job.weight for job in left)


def begun(kind: Kind, at: int, machines: Machines) -> Job:
    slots, weight, chunks = kind
    return Job((slots,) * chunks, weight, at, machines.delays[at])


def spent(left: Left, runs: Iterable[Chunk], machines: Machines) -> Left:
    chosen = {*runs}
    after = []
    for n, job in enumerate(left):
        slots = (each - ((n, c) in chosen) for c, each in enumerate(job.slots))
        at = 1 if machines.schedules == "whole" and (n, 0) in chosen else job.at
        after.append(Job(tuple(sorted(filter(None, slots))), job.weight, at, max(0, job.upload - 1)))
    return tuple(sorted(job for job in after if job.slots))


def may(left: Left, runs: Sequence[Chunk], machines: Machines) -> bool:
    if machines.schedules == "pinned":
        return len({left[n].at for n, _ in runs}) == len(runs) and not any(left[n].upload for n, _ in runs)
    return machines.schedules == "migrating" or all((n, 0) in runs for n, job in enumerate(left) if job.at)


@cache
def after(left: Left, machines: Machines) -> tuple[Left, ...]:
    chunks = [(n, c) for n, job in enumerate(left) for c in range(len(job.slots))]
    sets = (runs for count in range(machines.count + 1) for runs in combinations(chunks, count))
    return tuple({as_any(spent(left, runs, machines), machines) for runs in sets if may(left, runs, machines)})


@cache
def arrived(left: Left, new: New, machines: Machines) -> tuple[Left, ...]:
    places = product(range(machines.count if machines.schedules == "pinned" else 1), repeat=len(new))
    there = ((*left, *(begun(job, at, machines) for job, at in zip(new, each, strict=True))) for each in places)
    return tuple({as_any(tuple(sorted(each)), machines) for each in there})


def as_any(left: Left, machines: Machines) -> Left:
    if machines.schedules != "pinned":
        return left
    delays = machines.delays[: machines.count]
    orders = (each for each in permutations(range(machines.count)) if [delays[n] for n in each] == [*delays])
    return min(tuple(sorted(job._replace(at=order[job.at]) for job in left)) for order in orders)


@cache
def rest(left: Left, machines: Machines) -> int:
    others = (each for each in after(left, machines) if each != left)
    return weight(left) + min(rest(each, machines) for each in others) if left else 0


@cache
def with_new(costs: Costs, new: New, machines: Machines) -> Costs:
    there: dict[Left, int] = {}
    for left, paid in costs:
        for here in arrived(left, new, machines) if len(left) + len(new) <= machines.present else ():
            there[here] = min(there.get(here, paid), paid)
    return tuple(sorted(there.items()))


@cache
def slot_later(costs: Costs, machines: Machines) -> tuple[int, Costs]:
    there: dict[Left, int] = {}
    for left, paid in costs:
        price = paid + weight(left)
        for later in after(left, machines):
            there[later] = min(there.get(later, price), price)
    least = min(there.values())
    return least, tuple(sorted((left, paid - least) for left, paid in there.items()))


@cache
def in_the_end(costs: Costs, machines: Machines) -> int:
    return min(paid + rest(left, machines) for left, paid in costs)


class Player(NamedTuple):
    """A player: its possible states after some arrivals, and after a slot."""

    put: Callable[[Left, New], tuple[Left, ...]]
    run: Callable[[Left], tuple[Left, ...]]


def any_policy(machines: Machines) -> Player:
    return Player(lambda mine, new: arrived(mine, new, machines), lambda mine: after(mine, machines))


def runs_by(run: Callable[[Left, int], Iterable[int]], machines: Machines) -> Player:
    """Return a player that runs jobs by numbers, most remaining slots first.

    If jobs stay on their machines, it puts each on the machine with the fewest jobs.
    """

    def put(mine: Left, new: New) -> tuple[Left]:
        for job in new:
            count = [sum(each.at == m for each in mine) for m in range(machines.count)]
            at = count.index(min(count)) if machines.schedules == "pinned" else 0
            mine = tuple(sorted((*mine, begun(job, at, machines))))
        return (mine,)

    def chunks(mine: Left) -> Iterable[Chunk]:
        numbers = [*run(mine, machines.count)]
        return [(n, len(mine[n].slots) - 1 - k) for n in {*numbers} for k in range(numbers.count(n))]

    return Player(put, lambda mine: (spent(mine, chunks(mine), machines),))


def most(player: Player, machines: Machines, kinds: Iterable[Kind], slots: int, ratio: Fraction) -> int:
    """Return the largest q x (its cost) - p x (least cost) of a sequence, ratio p/q.

    The adversary sees the player's decisions before each slot.
    """
    p, q = ratio.numerator, ratio.denominator
    kinds, sets = [*kinds], range(machines.present + 1)
    news = [new for count in sets for new in combinations_with_replacement(kinds, count)]

    @cache
    def finished(mine: Left) -> int:
        return weight(mine) + min(finished(then) for then in player.run(mine) if then != mine) if mine else 0

    @cache
    def worth(slots: int, mine: Left, theirs: Costs) -> int:
        found = []
        for new in news:
            there = with_new(theirs, new, machines) if len(mine) + len(new) <= machines.present else ()
            if there:
                found.append(min(answered(slots, here, there) for here in player.put(mine, new)))
        return max(found)

    def answered(slots: int, here: Left, there: Costs) -> int:
        if slots == 1:
            return q * finished(here) - p * in_the_end(there, machines)
        least, later = slot_later(there, machines)
        return q * weight(here) - p * least + min(worth(slots - 1, then, later) for then in player.run(here))

    return worth(slots, (), NOTHING)
