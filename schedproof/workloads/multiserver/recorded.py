"""Recorded machines and tasks, and the anomalies that both loaders count."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Context, Decimal
from functools import lru_cache
from typing import NamedTuple

from schedproof.workloads.multiserver import draws
from schedproof.workloads.settings import WIDE, decimal_of
from schedproof.workloads.tables import MISSING
from schedproof.workloads.tally import DROPPED, Tally

MOST = 10**9  # largest amount
REMEMBERED = 4096  # number of cached texts and requests: millions of tasks have few distinct texts

TASK_REASONS = {
    "request_missing": (DROPPED, "no request for a resource"),
    "request_unreadable": (DROPPED, "a request that is not a number from 0 to 10^9"),
    "request_zero": (DROPPED, "a request of 0 for every resource"),
    "other_status": (DROPPED, "a status that is not requested"),
}
MACHINE_REASONS = {
    "capacity_missing": (DROPPED, "no capacity"),
    "capacity_unreadable": (DROPPED, "a capacity that is not a number from 0 to 10^9"),
}
WINDOW = {
    "before_start": (DROPPED, "before the window"),
    "after_window": (DROPPED, "after the window"),
    "beyond_horizon": (DROPPED, "in a slot beyond the horizon"),
    "other_kind": (DROPPED, "a task of a kind that is not among the most frequent kinds"),
    "clipped": (DROPPED, "another task of the same kind in the same slot: both count as one task"),
    "thinned": (DROPPED, "left out at random, by the option arrival_probability"),
}
SAMPLE = {
    "repeated": (DROPPED, "a machine with the name of a machine in another file: the first is used"),
    "not_sampled": (DROPPED, "not among the nodes that were drawn"),
}


class Machine(NamedTuple):
    """A machine: amounts in the instance's units, GPU model, and line in the file."""

    name: str
    capacity: Mapping[str, Decimal]
    model: str
    row: int


class Kind(NamedTuple):
    """A kind of tasks: requests in the order of `Tasks.resources`, and GPU models."""

    request: tuple[Decimal, ...]
    models: tuple[str, ...] = ()


@dataclass
class Tasks:
    """Tasks as columns, in order of reading.

    Attributes
    ----------
    resources
        Requested resources that the trace records.
    kinds
        Kind -> its number in the column ``kind``.
    kind, time, row
        The number of each task's kind, its arrival in seconds, and its line in the file.
    """

    resources: tuple[str, ...]
    kinds: dict[Kind, int] = field(default_factory=dict)
    kind: array[int] = field(default_factory=lambda: array("q"))
    time: array[int] = field(default_factory=lambda: array("q"))
    row: array[int] = field(default_factory=lambda: array("q"))

    def add(self, kind: Kind, time: int, row: int) -> None:
        self.kind.append(self.kinds.setdefault(kind, len(self.kinds)))
        self.time.append(time)
        self.row.append(row)


Columns = Mapping[str, tuple[str, Decimal]]  # resource -> its column and unit: cores, GB or GPUs


def amounts(fields: Mapping[str, str], columns: Columns, row: int, tally: Tally, what: str) -> dict[str, Decimal]:
    """Return amounts by resource; empty if an amount is missing or unreadable.

    A missing or unreadable amount is counted as ``what``_missing or ``what``_unreadable.
    """
    result = {}
    for name, (column, unit) in columns.items():
        number = _amount(fields[column])
        if number is None:
            tally.add(f"{what}_missing" if fields[column].lower() in MISSING else f"{what}_unreadable", row)
            return {}
        result[name] = WIDE.multiply(number, unit)
    return result


@dataclass
class Recorded:
    """Tables of a trace; a format's subclass adds the readers of its tables.

    Attributes
    ----------
    resources
        The instance's resources.
    tasks, machines
        The rows read.
    digits, statuses
        Digits of requests; statuses of tasks to keep (empty: all).
    memory_unit
        GB per unit of the instance's memory; 1 for the trace's own unit.
    """

    resources: tuple[str, ...]
    tasks: Tasks
    digits: int
    statuses: frozenset[str]
    memory_unit: Decimal
    machines: list[Machine] = field(default_factory=list)

    def select(self, columns: Columns) -> Columns:
        """Return the columns of the instance's resources."""
        return {name: column for name, column in columns.items() if name in self.resources}

    def add_machine(self, name: str, model: str, capacity: Mapping[str, Decimal], row: int) -> bool:
        """Add a machine if its capacity is readable; return whether it was added."""
        if capacity:
            self.machines.append(Machine(name, in_units(capacity, self.memory_unit), model, row))
        return bool(capacity)

    def add_task(self, request: Mapping[str, Decimal], models: str, time: int, row: int, tally: Tally) -> bool:
        """Add a task if it has a positive request; return whether it was added."""
        if positive := any(request.values()):
            self.tasks.add(kind_of(request, self.digits, self.memory_unit, models), time, row)
        tally.add("request_zero", row, count=not positive)
        return positive


@lru_cache(maxsize=REMEMBERED)
def _amount(text: str) -> Decimal | None:
    number = decimal_of(text)
    return number if number is not None and 0 <= number <= MOST else None


def in_units(amounts: Mapping[str, Decimal], memory_unit: Decimal) -> dict[str, Decimal]:
    """Return the amounts with memory in the instance's unit, rounded to millionths."""
    return {name: draws.in_units(n, memory_unit) if name == "memory" else n for name, n in amounts.items()}


def kind_of(request: Mapping[str, Decimal], digits: int, memory_unit: Decimal, models: str = "") -> Kind:
    """Return the kind of a request: rounded amounts, and GPU models ``A|B``."""
    return _kind(tuple(request.items()), digits, memory_unit, models)


@lru_cache(maxsize=REMEMBERED)
def _kind(request: tuple[tuple[str, Decimal], ...], digits: int, memory_unit: Decimal, models: str) -> Kind:
    context = Context(prec=digits)
    close = in_units({name: context.plus(n) for name, n in request}, memory_unit)
    return Kind(tuple(close.values()), tuple(sorted({model.strip() for model in models.split("|")} - {""})))
