"""What a placement instance is made of: clusters, tasks and the ways to run a task, frozen and whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from schedproof.core.data.codecs import Codec, derive, name_in, refs
from schedproof.core.data.reading import Count, Name, Positive, Row
from schedproof.core.data.records import Entity

Amounts = tuple[int, ...]  # of each resource, in the order of the instance's resources
Resource = Annotated[str, name_in("resources")]


def in_order(amounts: Mapping[str, int], resources: tuple[str, ...]) -> Amounts:
    """Amounts by resource in the order of the resources; one that is not named is 0."""
    return tuple(amounts.get(name, 0) for name in resources)


def field_in_order(field: str) -> Codec:
    """The same of a field."""
    return derive(lambda row, file: in_order(getattr(row, field), file.resources))


class Cluster(Entity, frozen=True, kw_only=True):
    """An edge cluster.

    Attributes
    ----------
    capacity
        Resource -> C_{r,n}, in its smallest units; a resource that is not named has capacity 0.
    """

    name: Name
    capacity: dict[Resource, Count]
    amounts: Annotated[Amounts, field_in_order("capacity")]


class DurationRow(Row, frozen=True):
    """How long a task takes with an allocation x_j: so many slots from its start."""

    allocation: dict[Resource, Count]
    slots: Positive


class Mode(NamedTuple):
    """The same, the allocation in the order of the resources."""

    allocation: Amounts
    slots: int


MODES = derive(lambda row, file: tuple(Mode(in_order(d.allocation, file.resources), d.slots) for d in row.durations))


class Task(Entity, frozen=True, kw_only=True):
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
    clusters: Annotated[tuple[int, ...], refs("clusters")]
    minimum: dict[Resource, Count]
    kind: Name
    durations: tuple[DurationRow, ...]
    needs: Annotated[Amounts, field_in_order("minimum")]
    modes: Annotated[tuple[Mode, ...], MODES]

    @property
    def duration(self) -> Mapping[Amounts, int]:
        """Allocation -> slots."""
        return dict(self.modes)
