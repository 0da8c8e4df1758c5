"""What a placement instance is made of: clusters, tasks and the ways to run a task, frozen and whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from schedproof.core.reading import Count, Name, Positive, Row

Amounts = tuple[int, ...]  # of each resource, in the order of the instance's resources


class ClusterRow(Row, frozen=True):
    """An edge cluster.

    Attributes
    ----------
    capacity
        Resource -> C_{r,n}, in its smallest units; a resource that is not named has capacity 0.
    """

    name: Name
    capacity: dict[str, Count]


class Cluster(ClusterRow, frozen=True, kw_only=True):
    """A cluster with its position in the file, its capacity also in the order of the resources."""

    index: int
    amounts: Amounts


class DurationRow(Row, frozen=True):
    """How long a task takes with an allocation x_j: so many slots from its start."""

    allocation: dict[str, Count]
    slots: Positive


class Mode(NamedTuple):
    """The same, the allocation in the order of the resources."""

    allocation: Amounts
    slots: int


class TaskRow(Row, frozen=True):
    """An ML task.

    Attributes
    ----------
    clusters
        D_j, the names of the clusters that it can be offloaded to.
    minimum
        Resource -> b_{j,r}, the least it needs; not named means none.
    kind
        Its type, which schedulers may see.
    durations
        One row for each allocation that it can have; schedulers do not see their slots.
    """

    name: Name
    arrival: Count
    clusters: tuple[str, ...]
    minimum: dict[str, Count]
    kind: Name
    durations: tuple[DurationRow, ...]


class Task(TaskRow, frozen=True, kw_only=True):
    """A task with its position in the file, its clusters as file positions in the order of the file.

    Attributes
    ----------
    needs
        Its minimum in the order of the resources.
    modes
        Its durations, likewise; in the order of the file.
    """

    index: int
    clusters: tuple[int, ...]  # type: ignore[assignment]  # positions in place of names
    needs: Amounts
    modes: tuple[Mode, ...]

    @property
    def duration(self) -> Mapping[Amounts, int]:
        """Allocation -> slots."""
        return dict(self.modes)


def fits(allocation: Amounts, room: Amounts) -> bool:
    """Whether there is as much of every resource."""
    return all(used <= there for used, there in zip(allocation, room, strict=True))
