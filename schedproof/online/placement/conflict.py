"""Rule (11), printed and repaired: which cluster gets a task that several choose.

====================================  ==================================================================================
the paper                             implemented
====================================  ==================================================================================
Pr(j|n) = z_{j,n,t}                   the score with which cluster n chose task j: its probability, as the policy
                                      defines it
Pr(n), "the maximum number of task j  floor(min over r of free / needs), over the needed resources; 1 for a task without
that can be held"                     needs. The common normalising factor is irrelevant
y_{j,n,t}: an argmax over all n'      `winner`, repaired: among the clusters that chose the task, ties by the smallest
                                      index; no cluster if all values are 0. `argmax`, as printed: every cluster that
                                      attains the maximum, even if it did not choose the task; no cluster where (11)
                                      divides by 0
====================================  ==================================================================================

A cluster that loses starts no task in that slot.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeVar

from schedproof.instances.placement.entities import Amounts

Score = int | float | Fraction
T = TypeVar("T", bound=Hashable)


class Contender(NamedTuple):
    """A cluster by file index, its Pr(j|n) of the task, and its unnormalised Pr(n)."""

    cluster: int
    score: Score
    room: int


def room(free: Amounts, needs: Amounts) -> int:
    """Return how many tasks of these needs fit: Pr(n) of (11), unnormalised."""
    return min((there // least for there, least in zip(free, needs, strict=True) if least), default=1)


def winner(contenders: Iterable[Contender]) -> int | None:
    """Return the cluster that gets the task by the repaired (11), or ``None``."""
    first = max(contenders, key=lambda c: (c.score * c.room, -c.cluster), default=None)
    return None if first is None or not first.score * first.room else first.cluster


def argmax(clusters: Iterable[Contender]) -> tuple[int, ...]:
    """Return the clusters that get the task by (11) as printed, () on division by 0."""
    rows = list(clusters)
    total = sum(c.score * c.room for c in rows)
    if not total:
        return ()
    highest = max(c.score * c.room for c in rows)
    return tuple(c.cluster for c in rows if c.score * c.room == highest)


def resolve(chosen: Mapping[int, T], contender: Mapping[int, Contender]) -> dict[int, T]:
    """Return the task that each cluster may start; the `winner` gets each task.

    Parameters
    ----------
    chosen
        Cluster -> the task that it chose.
    contender
        Cluster -> its score and room for that task.
    """
    by_task: dict[T, list[Contender]] = {}
    for n, task in chosen.items():
        by_task.setdefault(task, []).append(contender[n])
    winners = {task: winner(contenders) for task, contenders in by_task.items()}
    return {n: task for n, task in chosen.items() if winners[task] == n}
