"""One server's load by hand, in numbers like 4 or 1/2."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad, Tail
from schedproof.reference.jrp_load import JobKind, Node


def job(priority: Any, *nodes: tuple[Any, Any], times: int = 1) -> JobKind:
    """Return jobs with candidates on the server, from (size, probability) of each."""
    return JobKind(Fraction(priority), times, tuple(Node(Fraction(d), Fraction(x)) for d, x in nodes))


def server(storage: Any, *jobs: JobKind) -> ServerLoad:
    """A server equal to all others."""
    return ServerLoad(Fraction(storage), 0, jobs)


def tail(storage: Any, *jobs: JobKind, delta: Any) -> Tail:
    """The server with a delta of (23)."""
    return Tail(Fraction(storage), 0, jobs, Fraction(delta))
