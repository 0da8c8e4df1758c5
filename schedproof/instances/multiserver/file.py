"""The multiserver family's JSON format: its schema, its checks, and the way back."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from schedproof.core.errors import InputError
from schedproof.core.numbers import as_decimal
from schedproof.core.reading import MOST, Count, Name, above_zero, at_least_zero, convert, number_schema, unique_names
from schedproof.instances.multiserver.instance import SLOTS, Instance, Node, Port, Task
from schedproof.instances.multiserver.utility import KINDS, Utility

MOST_ENTRIES = 50_000_000  # of one slot's allocation: edges of all copies, times resources


class UtilityRow(msgspec.Struct, forbid_unknown_fields=True):
    kind: Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(KINDS)})]
    alpha: Fraction


class NodeRow(msgspec.Struct, forbid_unknown_fields=True):
    name: Name
    capacity: dict[str, Fraction]


class TaskRow(msgspec.Struct, forbid_unknown_fields=True):
    demand: dict[str, Fraction]
    minimum: dict[str, Fraction]


class PortRow(msgspec.Struct, forbid_unknown_fields=True):
    name: Name
    demand: dict[str, Fraction]
    nodes: list[Name]
    tasks: list[TaskRow] | UnsetType = UNSET
    minimum_tasks: Count | UnsetType = UNSET


class ArrayFile(msgspec.Struct, forbid_unknown_fields=True):
    file: Name


class InstanceFile(msgspec.Struct, forbid_unknown_fields=True):
    version: Count
    family: str
    resources: list[Name]
    nodes: list[NodeRow]
    ports: list[PortRow]
    utilities: dict[str, UtilityRow]
    overhead: dict[str, Fraction]
    arrivals: list[list[Count]] | ArrayFile
    node_utilities: dict[str, dict[str, UtilityRow]] | UnsetType = UNSET


def schema() -> dict[str, Any]:
    """The JSON Schema of the format."""
    return msgspec.json.schema(InstanceFile, schema_hook=number_schema)


def from_json(value: Any) -> Instance:
    """An Instance from a parsed JSON object; ``arrivals`` may be an array.

    Raises
    ------
    InputError
        At the first thing that is wrong: path, value, what was expected.
    """
    given = value.get("arrivals") if isinstance(value, dict) else None
    file = convert(value | {"arrivals": []} if isinstance(given, np.ndarray) else value, InstanceFile)
    if file.version != 1:
        raise InputError("expected 1", path="version", value=file.version)
    names = file.resources
    if not names or len(set(names)) < len(names):
        raise InputError("expected distinct names, at least one", path="resources", value=str(names))
    unique_names([row.name for row in file.nodes], "nodes")
    unique_names([row.name for row in file.ports], "ports")
    for i, node in enumerate(file.nodes):
        _amounts(node.capacity, names, f"nodes[{i}].capacity")
    nodes = tuple(Node(i, row.name, row.capacity) for i, row in enumerate(file.nodes))
    index = {node.name: node.index for node in nodes}
    instance = Instance(
        resources=tuple(names),
        nodes=nodes,
        ports=tuple(_port(row, i, names, index) for i, row in enumerate(file.ports)),
        utilities=_utilities(file.utilities, names, "utilities"),
        node_utilities=_node_utilities(file.node_utilities or {}, names, index),
        overhead=_overhead(file.overhead, names),
        arrivals=_arrivals(given if isinstance(given, np.ndarray) else file.arrivals, len(file.ports)),
    )
    entries = len(names) * sum(max(1, len(p.nodes)) * n for p, n in zip(instance.ports, instance.copies, strict=True))
    if entries > MOST_ENTRIES:
        raise InputError(
            f"expected at most {MOST_ENTRIES} numbers in a slot's allocation, these counts make {entries}",
            path="arrivals",
        )
    return instance


def _amounts(row: Mapping[str, Fraction], names: list[str], path: str) -> None:
    for name, amount in row.items():
        if name not in names:
            raise InputError("expected the name of a resource", path=path, value=name)
        at_least_zero(amount, f"{path}.{name}")


def _complete(row: Mapping[str, Any], names: list[str], path: str) -> None:
    for name in row:
        if name not in names:
            raise InputError("expected the name of a resource", path=path, value=name)
    for name in names:
        if name not in row:
            raise InputError(f"expected an entry for the resource '{name}'", path=path)


def _port(row: PortRow, i: int, names: list[str], index: Mapping[str, int]) -> Port:
    path = f"ports[{i}]"
    _amounts(row.demand, names, f"{path}.demand")
    seen: set[str] = set()
    for n, node in enumerate(row.nodes):
        if node not in index:
            raise InputError("expected the name of a node", path=f"{path}.nodes[{n}]", value=node)
        if node in seen:
            raise InputError("expected each node once", path=f"{path}.nodes[{n}]", value=node)
        seen.add(node)
    tasks = tuple(_task(task, names, f"{path}.tasks[{q}]") for q, task in enumerate(row.tasks or ()))
    least = len(tasks) if isinstance(row.minimum_tasks, UnsetType) else row.minimum_tasks
    if least > len(tasks):
        raise InputError(f"expected at most the {len(tasks)} tasks", path=f"{path}.minimum_tasks", value=least)
    return Port(i, row.name, row.demand, tuple(index[node] for node in row.nodes), tasks, least)


def _task(row: TaskRow, names: list[str], path: str) -> Task:
    _amounts(row.demand, names, f"{path}.demand")
    _amounts(row.minimum, names, f"{path}.minimum")
    if not any(row.minimum.values()):
        raise InputError("expected a positive amount: a started task gets something", path=f"{path}.minimum")
    return Task(row.demand, row.minimum)


def _utility(row: UtilityRow, path: str) -> Utility:
    if row.kind not in KINDS:
        raise InputError(f"expected one of {', '.join(KINDS)}", path=f"{path}.kind", value=row.kind)
    above_zero(row.alpha, f"{path}.alpha")  # at 0 a reciprocal would start with an unbounded slope
    return Utility(row.kind, row.alpha)


def _utilities(rows: Mapping[str, UtilityRow], names: list[str], path: str) -> dict[str, Utility]:
    _complete(rows, names, path)
    return {name: _utility(rows[name], f"{path}.{name}") for name in names}


def _node_utilities(
    rows: Mapping[str, Mapping[str, UtilityRow]], names: list[str], index: Mapping[str, int]
) -> dict[tuple[int, str], Utility]:
    found = {}
    for node, row in rows.items():
        if node not in index:
            raise InputError("expected the name of a node", path="node_utilities", value=node)
        for name, utility in row.items():
            path = f"node_utilities.{node}"
            if name not in names:
                raise InputError("expected the name of a resource", path=path, value=name)
            found[index[node], name] = _utility(utility, f"{path}.{name}")
    return found


def _overhead(row: Mapping[str, Fraction], names: list[str]) -> dict[str, Fraction]:
    _complete(row, names, "overhead")
    for name, beta in row.items():
        if not 0 <= beta <= 1:
            raise InputError("expected a number in [0, 1]", path=f"overhead.{name}", value=float(beta))
    return dict(row)


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
        raise InputError("expected whole numbers", path="arrivals", value=str(given.dtype))
    if not len(given):
        raise InputError("expected at least one slot", path="arrivals")
    least, most = given.min(initial=0), given.max(initial=0)
    if least < 0 or most > MOST:
        raise InputError(f"expected counts from 0 to {MOST}", path="arrivals", value=int(least or most))
    view: np.ndarray = given.view()
    view.setflags(write=False)
    return view


# --- the way back ----------------------------------------------------------------------------------------------------


def to_json(instance: Instance) -> dict[str, Any]:
    """The instance's JSON object; ``from_json`` of it is the same instance."""
    return _system(instance) | {"arrivals": instance.arrivals.tolist()}


def canonical(instance: Instance) -> bytes:
    """Bytes that are the same for every spacing of a file, and wherever its arrivals are kept."""
    digest = hashlib.sha256()
    for start in range(0, instance.horizon, SLOTS):
        digest.update(np.ascontiguousarray(instance.arrivals[start : start + SLOTS], dtype="<i8").tobytes())
    row = _system(instance) | {"arrivals": {"slots": instance.horizon, "sha256": digest.hexdigest()}}
    return msgspec.json.Encoder(decimal_format="number", order="sorted").encode(row)


def _system(instance: Instance) -> dict[str, Any]:
    nodes = instance.nodes
    row: dict[str, Any] = {
        "version": 1,
        "family": "multiserver",
        "resources": list(instance.resources),
        "nodes": [{"name": node.name, "capacity": _decimals(node.capacity)} for node in nodes],
        "ports": [_port_row(port, nodes) for port in instance.ports],
        "utilities": {name: _utility_row(f) for name, f in instance.utilities.items()},
        "overhead": _decimals(instance.overhead),
    }
    if instance.node_utilities:
        own: dict[str, dict[str, Any]] = {}
        for (node, name), f in instance.node_utilities.items():
            own.setdefault(nodes[node].name, {})[name] = _utility_row(f)
        row["node_utilities"] = own
    return row


def _port_row(port: Port, nodes: tuple[Node, ...]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": port.name,
        "demand": _decimals(port.demand),
        "nodes": [nodes[r].name for r in port.nodes],
    }
    if port.tasks:
        row["tasks"] = [{"demand": _decimals(t.demand), "minimum": _decimals(t.minimum)} for t in port.tasks]
        row["minimum_tasks"] = port.minimum_tasks
    return row


def _utility_row(f: Utility) -> dict[str, Any]:
    return {"kind": f.kind, "alpha": as_decimal(f.alpha)}


def _decimals(row: Mapping[str, Fraction]) -> dict[str, Any]:
    return {name: as_decimal(amount) for name, amount in row.items()}
