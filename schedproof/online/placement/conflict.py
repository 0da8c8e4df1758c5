"""Which cluster gets a task that several have chosen: Bayes' rule (11), repaired and as printed.

====================================  ==================================================================================
the paper                             done here
====================================  ==================================================================================
Pr(j|n) = z_{j,n,t}                   the score with which cluster n chose task j: its probability, whatever a policy
                                      takes for it
Pr(n), "the maximum number of task j  floor(min over r of free / needs), over the resources that it needs; 1 for a task
that can be held"                     that needs nothing. The common factor that makes them probabilities cancels
y_{j,n,t}: an argmax over all n'      `winner`, repaired: among the clusters that chose the task, the smallest index of
                                      equal ones, none if all are 0. `argmax`, as printed: every cluster that attains
                                      the maximum, whether it chose the task or not; none where (11) divides by 0
====================================  ==================================================================================

A cluster that loses starts nothing in that slot.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeVar

from schedproof.instances.placement.entities import Amounts

Score = int | float | Fraction
T = TypeVar("T", bound=Hashable)


class Contender(NamedTuple):
    """A cluster by file position, its Pr(j|n) of the task, and its Pr(n), not normalised."""

    cluster: int
    score: Score
    room: int


def room(free: Amounts, needs: Amounts) -> int:
    """How many tasks of these needs what is free could hold: Pr(n) of (11), not normalised."""
    return min((there // least for there, least in zip(free, needs, strict=True) if least), default=1)


def winner(contenders: Iterable[Contender]) -> int | None:
    """The cluster that gets the task, of those that chose it; None if all are 0. The repair of (11)."""
    first = max(contenders, key=lambda c: (c.score * c.room, -c.cluster), default=None)
    return None if first is None or not first.score * first.room else first.cluster


def argmax(clusters: Iterable[Contender]) -> tuple[int, ...]:
    """The clusters that get the task by (11) as printed, of all clusters; none where it divides by 0."""
    rows = list(clusters)
    total = sum(c.score * c.room for c in rows)
    if not total:
        return ()
    highest = max(c.score * c.room for c in rows)
    return tuple(c.cluster for c in rows if c.score * c.room == highest)


def resolve(chosen: Mapping[int, T], contender: Mapping[int, Contender]) -> dict[int, T]:
    """What each cluster may start when every task that was chosen goes to the `winner` of those that chose it.

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
