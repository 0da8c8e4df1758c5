"""Instances by hand, in numbers like ``4`` or ``"0.5"``, with deadlines of 1 s."""

from __future__ import annotations

from typing import Any

from schedproof.instances.jrp import Instance
from tests.tiny.jrp import written

Job = tuple[Any, Any, list[tuple[Any, Any]]]


def server(compute: Any, bandwidth: Any, storage: Any = 100) -> tuple[Any, Any, Any]:
    """A server's storage, compute and bandwidth."""
    return storage, compute, bandwidth


def job(a: Any, b: Any, *nodes: Any) -> Job:
    """A job by GFLOP/s and Gbit/s per GB, and data nodes: sizes, or (size, servers)."""
    return a, b, [node if isinstance(node, tuple) else (node, None) for node in nodes]


def cells(servers: list[tuple[Any, Any, Any]], *jobs: Job, share: Any = "1/2") -> Instance:
    """Servers s0, s1, ... and jobs k0, k1, ...; by default all servers are allowed."""
    every = tuple(range(len(servers)))
    rows = [(a, b, [(size, every if at is None else at) for size, at in nodes]) for a, b, nodes in jobs]
    return written(servers, rows, share)
