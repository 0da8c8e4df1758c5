"""Reserved amounts by slot, machine and resource."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import UNSET, UnsetType

from schedproof.core.base.untyped import Scope
from schedproof.core.data.codecs import Codec
from schedproof.core.data.reading import Amount, Row
from schedproof.core.errors import expect

Reserved = Mapping[tuple[int, int, str], Fraction]
Table = list[list[dict[str, Fraction]]]


def _read(table: Table | UnsetType, path: str, row: Row, known: Scope) -> Reserved:
    result: dict[tuple[int, int, str], Fraction] = {}
    if isinstance(table, UnsetType):
        return result
    expect(len(table) == known.horizon, f"expected one row for each of the {known.horizon} slots", path, len(table))
    each = f"expected one object for each of the {len(known.machines)} machines"
    for t, machines in enumerate(table):
        expect(len(machines) == len(known.machines), each, f"{path}[{t}]")
        for machine, amounts in zip(known.machines, machines, strict=True):
            for name, amount in amounts.items():
                place = f"{path}[{t}][{machine.index}].{name}"
                expect(name in known.resources, "expected the name of a resource", place, name)
                expect(
                    amount <= machine.capacity.get(name, 0),
                    "expected at most the capacity of the machine",
                    place,
                    float(amount),
                )
                if amount:
                    result[t, machine.index, name] = amount
    return result


def _write(reserved: Reserved, instance: Scope, scope: Scope) -> Table | UnsetType:
    table: Table = [[{} for _ in instance.machines] for _ in range(instance.horizon if reserved else 0)]
    for (slot, machine, name), amount in reserved.items():
        table[slot][machine][name] = amount
    return table or UNSET


RESERVED = Codec(list[list[dict[str, Amount]]] | UnsetType, _read, _write, UNSET)
