"""Clusters, tasks and their modes, with integer amounts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from schedproof.core.data.codecs import Codec, derive, name_in, refs
from schedproof.core.data.reading import Count, Name, Positive, Row
from schedproof.core.data.records import Entity

Amounts = tuple[int, ...]  # by resource, in the order of the instance's resources
Resource = Annotated[str, name_in("resources")]


def in_order(amounts: Mapping[str, int], resources: tuple[str, ...]) -> Amounts:
    """Return amounts in the order of the resources; the default is 0."""
    return tuple(amounts.get(name, 0) for name in resources)


def field_in_order(field: str) -> Codec:
    return derive(lambda row, file: in_order(getattr(row, field), file.resources))


class Cluster(Entity, frozen=True, kw_only=True):
    """An edge cluster.

    Attributes
    ----------
    capacity
        Resource -> C_{r,n}, in its smallest units; the default is 0.
    """

    name: Name
    capacity: dict[Resource, Count]
    amounts: Annotated[Amounts, field_in_order("capacity")]


class DurationRow(Row, frozen=True):
    """The duration in slots of a task with an allocation x_j."""

    allocation: dict[Resource, Count]
    slots: Positive


class Mode(NamedTuple):
    """A row of durations; its allocation has the order of the resources."""

    allocation: Amounts
    slots: int


MODES = derive(lambda row, file: tuple(Mode(in_order(d.allocation, file.resources), d.slots) for d in row.durations))


class Task(Entity, frozen=True, kw_only=True):
    """An ML task.

    Attributes
    ----------
    clusters
        D_j, the names of its admissible clusters.
    minimum
        Resource -> b_{j,r}, the least amount that the task needs; the default is 0.
    kind
        Its type, visible to schedulers.
    durations
        One row for each possible allocation; schedulers do not see the slots.
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
        """The slots of each allocation."""
        return dict(self.modes)
