"""What a user should know of a multiserver instance before anything is solved."""

from __future__ import annotations

from schedproof.instances.multiserver.instance import Instance


def notes(instance: Instance) -> tuple[str, ...]:
    """One sentence each."""
    alone = [port.name for port in instance.ports if not port.nodes]
    idle = len(instance.nodes) - len({node for port in instance.ports for node in port.nodes})
    found = []
    if alone:
        found.append(f"ports without a node, which earn nothing: {len(alone)}, as {', '.join(alone[:5])}")
    if idle:
        found.append(f"nodes that serve no port: {idle}")
    if any(port.tasks for port in instance.ports):
        found.append("ports have tasks: only multiserver.gang reads them, everything else schedules without gangs")
    return tuple(found)
