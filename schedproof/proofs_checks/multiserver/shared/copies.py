"""The copies that section III-D makes of a port."""

from __future__ import annotations

from schedproof.instances.multiserver import Instance
from schedproof.reference.multiserver import Allocation


def by_copy(instance: Instance, y: Allocation) -> list[list[Allocation]]:
    """y_(l,.)^(j,.): by port and copy, a row of amounts for each node of the port."""
    rows = iter(y)
    ports = zip(instance.ports, instance.copies, strict=True)
    return [[[next(rows) for _ in port.nodes] for _ in range(many)] for port, many in ports]
