"""Nodes, and ports with their tasks."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

from schedproof.core.data.codecs import Codec, refs
from schedproof.core.data.reading import Amount, Count, Name, Row
from schedproof.core.data.records import Entity


class Node(Entity, frozen=True):
    """A computing instance.

    Attributes
    ----------
    capacity
        Resource -> c_r^k, in the resource's unit; the default is 0.
    """

    name: Name
    capacity: dict[str, Amount]


class Task(Row, frozen=True):
    """A task of a gang: its limit per channel, and the total that it needs to start."""

    demand: dict[str, Amount]
    minimum: dict[str, Amount]


LEAST = Codec(
    Count | UnsetType,
    lambda least, path, row, scope: len(row.tasks) if least is UNSET else least,
    lambda least, port, scope: least if port.tasks else UNSET,
    UNSET,
)


class Port(Entity, frozen=True, kw_only=True):
    """A job type.

    Attributes
    ----------
    demand
        Resource -> a_l^k, the limit per channel; the default is 0.
    nodes
        R_l as positions in the file's list of nodes.
    tasks, minimum_tasks
        For gang scheduling: the job's tasks, and how many must start together (0 without tasks).
    """

    name: Name
    demand: dict[str, Amount]
    nodes: Annotated[tuple[int, ...], refs("nodes", Name)]
    tasks: tuple[Task, ...] = ()
    minimum_tasks: Annotated[int, LEAST]
