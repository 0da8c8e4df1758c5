"""The jobs that run after a change equal those of a pass over all jobs."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from schedproof.online.preemptive.turns import Turns
from tests.support import size


@dataclass(eq=False)
class Member:
    """A job with its rank."""

    number: int
    workers: list[int]
    place: int
    running: bool = False
    started: int | None = None


def rank(member: Member, now: int) -> tuple[int, ...]:
    return member.place, not member.running, member.number


def in_order(members: Iterable[Member]) -> set[int]:
    taken: set[int] = set()
    chosen: set[int] = set()
    for member in sorted(members, key=lambda member: rank(member, 0)):
        if taken.isdisjoint(member.workers):
            taken.update(member.workers)
            chosen.add(member.number)
    return chosen


def test_one_pass_over_changes_equals_a_full_pass() -> None:
    passed_on = 0  # jobs that start without a change of their own
    for seed in range(size(40, 100, 2000)):
        rng = random.Random(seed)
        workers = rng.randrange(2, 9)
        members: dict[int, Member] = {}
        falls, now = rng.randrange(3), 0
        turns = Turns(workers, members, rank, falls)
        for number in range(60):
            touched: set[int] = set()
            slots = rng.randrange(3)
            now += slots
            for member in [m for m in members.values() if m.running]:
                member.place -= falls * slots  # a running job moves forward
                if rng.random() < 0.2:  # and sometimes changes otherwise
                    turns.give_up(member)
                    touched.add(member.number)
                    what = rng.randrange(3)
                    if what == 0 or len(member.workers) == 1:
                        del members[member.number]
                        continue
                    if what == 1:
                        member.workers = rng.sample(member.workers, len(member.workers) - 1)
                    else:
                        member.place += rng.randrange(20)
                    turns.change(member)
            for n in range(rng.randrange(3)):
                needs = rng.sample(range(workers), rng.randrange(1, min(workers, 5) + 1))
                new = members[3 * number + n] = Member(3 * number + n, needs, rng.randrange(12))
                turns.change(new)
                touched.add(new.number)
            before = {member.number for member in members.values() if member.running}
            expected = in_order(members.values())
            taken, paused = turns.take(now)
            assert {member.number for member in members.values() if member.running} == expected, (seed, number)
            assert {member.number for member in paused} == before - expected
            assert expected - before <= {member.number for member in taken} <= expected
            passed_on += len(expected - before - touched)
    assert passed_on
