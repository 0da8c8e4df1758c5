"""The multiserver family's instance file: what must hold beyond its schema, and the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from schedproof.core.errors import InputError
from schedproof.core.reading import Amount, Count, Name, Row, Version, as_file, convert, copy_fields, unique_names
from schedproof.instances.multiserver.instance import Instance, Node, NodeRow, Port, Task
from schedproof.instances.multiserver.utility import KINDS, Utility

MOST_JOBS = 10**9  # of a port in a slot
MOST_COPIES = 100_000  # of all ports: the most jobs of each in a slot, added up
MOST_ENTRIES = 10_000_000  # of one slot's allocation: edges of all copies, times resources


class PortRow(Row, frozen=True):
    name: Name
    demand: dict[str, Amount]
    nodes: tuple[Name, ...]
    tasks: tuple[Task, ...] = ()
    minimum_tasks: Count | UnsetType = UNSET


class ArrayFile(Row, frozen=True):
    file: Name


class InstanceRow(Row, frozen=True, kw_only=True):
    version: Version
    family: str
    resources: tuple[Name, ...]
    nodes: Sequence[NodeRow]
    ports: Sequence[PortRow]
    utilities: dict[str, Utility]
    overhead: dict[str, Amount]
    node_utilities: dict[str, dict[str, Utility]] = msgspec.field(default_factory=dict)
    arrivals: list[list[Count]] | ArrayFile


def from_json(value: Any) -> Instance:
    """An Instance from a parsed JSON object; ``arrivals`` may be an array."""
    given = value.get("arrivals") if isinstance(value, dict) else None
    row = convert(value | {"arrivals": []} if isinstance(given, np.ndarray) else value, InstanceRow)
    names = row.resources
    if not names or len(set(names)) < len(names):
        raise InputError("expected distinct names, at least one", path="resources", value=str(list(names)))
    unique_names([node.name for node in row.nodes], "nodes")
    unique_names([port.name for port in row.ports], "ports")
    for i, node in enumerate(row.nodes):
        _known(node.capacity, names, f"nodes[{i}].capacity")
    index = {node.name: i for i, node in enumerate(row.nodes)}
    _complete(row.utilities, names, "utilities")
    for name, f in row.utilities.items():
        _check_kind(f, f"utilities.{name}")
    instance = Instance(
        resources=names,
        nodes=tuple(copy_fields(Node, node, index=i) for i, node in enumerate(row.nodes)),
        ports=tuple(_port(port, i, names, index) for i, port in enumerate(row.ports)),
        utilities=row.utilities,
        node_utilities=_node_utilities(row.node_utilities, names, index),
        overhead=_overhead(row.overhead, names),
        arrivals=_arrivals(given if isinstance(given, np.ndarray) else row.arrivals, len(row.ports)),
    )
    entries = len(names) * sum(max(1, len(p.nodes)) * n for p, n in zip(instance.ports, instance.copies, strict=True))
    if entries > MOST_ENTRIES:
        raise InputError(
            f"expected at most {MOST_ENTRIES} numbers in a slot's allocation, these counts make {entries}",
            path="arrivals",
        )
    if (jobs := sum(instance.copies)) > MOST_COPIES:
        raise InputError(f"expected at most {MOST_COPIES} jobs in a slot, these counts make {jobs}", path="arrivals")
    return instance


def _known(row: Mapping[str, Any], names: Sequence[str], path: str) -> None:
    for name in row:
        if name not in names:
            raise InputError("expected the name of a resource", path=path, value=name)


def _complete(row: Mapping[str, Any], names: Sequence[str], path: str) -> None:
    _known(row, names, path)
    for name in names:
        if name not in row:
            raise InputError(f"expected an entry for the resource '{name}'", path=path)


def _port(row: PortRow, i: int, names: Sequence[str], index: Mapping[str, int]) -> Port:
    path = f"ports[{i}]"
    _known(row.demand, names, f"{path}.demand")
    seen: set[str] = set()
    for n, node in enumerate(row.nodes):
        if node not in index:
            raise InputError("expected the name of a node", path=f"{path}.nodes[{n}]", value=node)
        if node in seen:
            raise InputError("expected each node once", path=f"{path}.nodes[{n}]", value=node)
        seen.add(node)
    for q, task in enumerate(row.tasks):
        _known(task.demand, names, f"{path}.tasks[{q}].demand")
        _known(task.minimum, names, f"{path}.tasks[{q}].minimum")
        if not any(task.minimum.values()):
            raise InputError(
                "expected a positive amount: a started task gets something", path=f"{path}.tasks[{q}].minimum"
            )
    least = len(row.tasks) if isinstance(row.minimum_tasks, UnsetType) else row.minimum_tasks
    if least > len(row.tasks):
        raise InputError(f"expected at most the {len(row.tasks)} tasks", path=f"{path}.minimum_tasks", value=least)
    return Port(i, row.name, row.demand, tuple(index[node] for node in row.nodes), row.tasks, least)


def _check_kind(utility: Utility, path: str) -> None:
    if utility.kind not in KINDS:
        raise InputError(f"expected one of {', '.join(KINDS)}", path=f"{path}.kind", value=utility.kind)


def _node_utilities(
    rows: Mapping[str, Mapping[str, Utility]], names: Sequence[str], index: Mapping[str, int]
) -> dict[tuple[int, str], Utility]:
    for node, row in rows.items():
        if node not in index:
            raise InputError("expected the name of a node", path="node_utilities", value=node)
        _known(row, names, f"node_utilities.{node}")
        for name, utility in row.items():
            _check_kind(utility, f"node_utilities.{node}.{name}")
    return {(index[node], name): utility for node, row in rows.items() for name, utility in row.items()}


def _overhead(row: dict[str, Fraction], names: Sequence[str]) -> dict[str, Fraction]:
    _complete(row, names, "overhead")
    for name, beta in row.items():
        if beta > 1:
            raise InputError("expected a number in [0, 1]", path=f"overhead.{name}", value=float(beta))
    return row


def _arrivals(given: Any, ports: int) -> np.ndarray:
    """The counts as an array of (T, L), read only."""
    if isinstance(given, ArrayFile):
        raise InputError("expected the array itself: read the file, not its text", path="arrivals")
    if isinstance(given, list):
        for t, row in enumerate(given):
            if len(row) != ports:
                raise InputError(f"expected {ports} counts, one per port", path=f"arrivals[{t}]", value=len(row))
        given = np.array(given, dtype=np.int64).reshape(len(given), ports)
    if given.ndim != 2 or given.shape[1] != ports:
        raise InputError(f"expected rows of {ports} counts, one per port", path="arrivals", value=str(given.shape))
    if given.dtype.kind not in "ui":
        raise InputError("expected integers", path="arrivals", value=str(given.dtype))
    if not len(given):
        raise InputError("expected at least one slot", path="arrivals")
    least, most = given.min(initial=0), given.max(initial=0)
    if least < 0 or most > MOST_JOBS:
        raise InputError(f"expected counts from 0 to {MOST_JOBS}", path="arrivals", value=int(least or most))
    view: np.ndarray = given.view()
    view.setflags(write=False)
    return view


def to_json(instance: Instance) -> dict[str, Any]:
    """The instance's JSON object; ``from_json`` of it is the same instance."""
    nodes = instance.nodes
    own: dict[str, dict[str, Utility]] = {}
    for (node, name), utility in instance.node_utilities.items():
        own.setdefault(nodes[node].name, {})[name] = utility
    row = InstanceRow(
        version=1,
        family="multiserver",
        resources=instance.resources,
        nodes=[copy_fields(NodeRow, node) for node in nodes],
        ports=[_port_row(port, nodes) for port in instance.ports],
        utilities=dict(instance.utilities),
        overhead=dict(instance.overhead),
        node_utilities=own,
        arrivals=instance.arrivals.tolist(),
    )
    return as_file(row)


def _port_row(port: Port, nodes: Sequence[Node]) -> PortRow:
    names = tuple(nodes[r].name for r in port.nodes)
    return copy_fields(PortRow, port, nodes=names, minimum_tasks=port.minimum_tasks if port.tasks else UNSET)
