"""What a multiserver instance is made of: nodes, and ports with their tasks."""

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
        Resource -> c_r^k, in the resource's unit; a resource that is not named has capacity 0.
    """

    name: Name
    capacity: dict[str, Amount]


class Task(Row, frozen=True):
    """A task component of a gang: what it may take through each channel, and what it needs in total to have started."""

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
        Resource -> a_l^k, the most that a channel may give; a resource that is not named has demand 0.
    nodes
        R_l as positions in the file's list of nodes.
    tasks, minimum_tasks
        For gang scheduling: the job's task components, and how many must start for it to launch (0 without tasks).
    """

    name: Name
    demand: dict[str, Amount]
    nodes: Annotated[tuple[int, ...], refs("nodes", Name)]
    tasks: tuple[Task, ...] = ()
    minimum_tasks: Annotated[int, LEAST]
