"""Hypothesis strategies for single variables of (2)-(8).

They draw the y of one task, the y of one slot, and one allocation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from schedproof.core.data.reading import Count, Positive
from schedproof.core.errors import expect


@dataclass(frozen=True)
class OneTask:
    """The binary y_nt of one task.

    Attributes
    ----------
    capacities
        The capacity of each cluster.
    reach
        D_j.
    ones
        The pairs (n, t) with y_nt = 1; t is at least 1.
    """

    capacities: tuple[Positive, ...]
    reach: tuple[Count, ...]
    ones: tuple[tuple[Count, Positive], ...]

    def __post_init__(self) -> None:
        clusters = len(self.capacities)
        expect(bool(self.reach) and max(self.reach) < clusters, "expected at least one cluster, by number", "reach")
        fit = all(n < clusters for n, _ in self.ones) and len({*self.ones}) == len(self.ones)
        expect(fit, "expected different pairs (cluster, timestep)", "ones")

    def positive(self, everywhere: bool) -> list[tuple[int, int]]:
        return [(n, t) for n, t in self.ones if everywhere or n in self.reach]

    def at_most_once(self, everywhere: bool) -> bool:
        """Return whether (3) holds: the sum over clusters, or those of D_j, is <= 1."""
        return len(self.positive(everywhere)) <= 1


@st.composite
def one_tasks(pick: Any) -> OneTask:
    count = pick(st.integers(1, 3))
    capacities = [pick(st.integers(1, 4)) for _ in range(count)]
    reach = pick(st.sets(st.integers(0, count - 1), min_size=1))
    spots = st.sets(st.tuples(st.integers(0, count - 1), st.integers(1, 3)), max_size=2)
    return OneTask(tuple(capacities), tuple(sorted(reach)), tuple(sorted(pick(spots))))


@dataclass(frozen=True)
class OneSlot:
    """The binary y_jn of one timestep.

    Attributes
    ----------
    queues
        For each cluster the tasks in its queue.
    started
        The pairs (j, n) with y_jn = 1; j is in the queue of n.
    """

    queues: tuple[tuple[Count, ...], ...]
    started: tuple[tuple[Count, Count], ...]

    def __post_init__(self) -> None:
        fit = bool(self.queues) and all(n < len(self.queues) and j in self.queues[n] for j, n in self.started)
        expect(fit and len({*self.started}) == len(self.started), "expected tasks that are in the queue", "started")

    def of_cluster(self, n: int) -> list[int]:
        return [j for j, m in self.started if m == n]

    def of_task(self, j: int) -> list[int]:
        return [n for k, n in self.started if k == j]


@st.composite
def one_slots(pick: Any) -> OneSlot:
    tasks = st.sets(st.integers(0, 2), min_size=1)
    queues = [tuple(sorted(pick(tasks))) for _ in range(pick(st.integers(1, 3)))]
    pairs = [(j, n) for n, queue in enumerate(queues) for j in queue]
    return OneSlot(tuple(queues), tuple(sorted(pick(st.sets(st.sampled_from(pairs), max_size=3)))))


@dataclass(frozen=True)
class OneAllocation:
    """A task's x_r, b_r, C_r and free capacity on a cluster for each resource r.

    Attributes
    ----------
    scheduled
        Whether some y_jnt is 1 for this task and this cluster.
    """

    amounts: tuple[Count, ...]
    needs: tuple[Positive, ...]
    capacity: tuple[Count, ...]
    free: tuple[Count, ...]
    scheduled: bool = True

    def __post_init__(self) -> None:
        sizes = {len(self.amounts), len(self.needs), len(self.capacity), len(self.free)}
        expect(len(sizes) == 1, "expected a number for each resource", "amounts", len(self.amounts))
        expect(all(a <= b for a, b in zip(self.free, self.capacity, strict=True)), "expected at most C_r", "free")


@st.composite
def allocations(pick: Any) -> OneAllocation:
    count = pick(st.integers(1, 2))
    capacity = [pick(st.integers(1, 4)) for _ in range(count)]
    needs = [pick(st.integers(1, c)) for c in capacity]
    free = [pick(st.sampled_from((c, c, *range(c + 1)))) for c in capacity]
    amounts = [pick(st.integers(0, c + 1)) for c in capacity]
    return OneAllocation(
        tuple(amounts), tuple(needs), tuple(capacity), tuple(free), pick(st.sampled_from((True, True, False)))
    )
