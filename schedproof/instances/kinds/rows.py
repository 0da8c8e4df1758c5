"""Look-ups of the stock kinds: positions of jobs and machines, and their names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from schedproof.core.data.codecs import Codec, position
from schedproof.core.errors import PolicyError, short
from schedproof.core.simulation.breaks import Calendar


def rows(instance: Any) -> Sequence[Any]:
    """Return the jobs or items of an instance."""
    result: Sequence[Any] = getattr(instance, instance.card.own.size[0])
    return result


JOB = Annotated[
    int,
    Codec(
        str,
        lambda name, path, row, scope: position(scope, scope.card.own.size[0], name, path),
        lambda index, record, scope: rows(scope)[index].name,
    ),
]


def machine_names(instance: Any) -> list[str]:
    """Return the names of an instance's machines."""
    machines = instance.machines
    return [str(n) for n in range(machines)] if isinstance(machines, int) else [one.name for one in machines]


def calendar(instance: Any) -> Calendar:
    """Return the breaks of an instance's machines; none if it has no field ``breaks``."""
    return Calendar.of(getattr(instance, "breaks", ()), machine_names(instance))


def positions(decided: Any, what: str) -> tuple[int, ...]:
    """Return the positions of the jobs in a policy's answer; refuse other answers."""
    result = list(decided) if isinstance(decided, Iterable) else [decided]
    if not all(isinstance(getattr(one, "index", None), int) for one in result):
        raise PolicyError(f"the policy returned {short(decided)}, expected {what}")
    return tuple(one.index for one in result)
