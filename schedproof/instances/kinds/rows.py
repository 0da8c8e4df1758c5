"""Look-ups of the stock kinds: positions of jobs and machines, and their names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from schedproof.core.data.codecs import Codec, position
from schedproof.core.errors import InputError, PolicyError, short


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


def places(instance: Any) -> Sequence[Any]:
    """Return an instance's places: named rows, or numbers."""
    given = getattr(instance, instance.card.load("schedule").places)
    return range(given) if isinstance(given, int) else given


def machine_names(instance: Any) -> list[str]:
    """Return the names of an instance's places."""
    return [getattr(one, "name", str(one)) for one in places(instance)]


def capacity_of(instance: Any, place: Any) -> Any:
    """Return the capacity that a place, or else the instance, states."""
    owner = place if hasattr(place, "capacity") else instance
    if not hasattr(owner, "capacity"):
        raise InputError(
            f"{type(instance).__name__} has no field 'capacity', and its places have none: add one, or override "
            "`capacity(instance, n)` in the schedule class"
        )
    return owner.capacity


def amounts(given: Any, count: int = 1) -> tuple[Any, ...]:
    """Return one amount for each resource; a single number counts for each of them."""
    return tuple(given) if isinstance(given, Sequence) else (given,) * count


def positions(decided: Any, what: str) -> tuple[int, ...]:
    """Return the positions of the jobs in a policy's answer; refuse other answers."""
    result = list(decided) if isinstance(decided, Iterable) else [decided]
    if not all(isinstance(getattr(one, "index", None), int) for one in result):
        raise PolicyError(f"the policy returned {short(decided)}, expected {what}")
    return tuple(one.index for one in result)
