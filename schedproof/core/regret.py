"""`regret(...)`: the regret of a run that a family's card names, with what is known of it when time is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from schedproof.core import registry
from schedproof.core.context import Context
from schedproof.core.deadline import best_within
from schedproof.core.errors import NoSolution
from schedproof.core.untyped import OfFamily, Value


def regret(
    family: str, played: Callable[[Context], OfFamily], options: Mapping[str, Value], context: Context
) -> OfFamily:
    """The regret of a run over time, for a family that has one, enclosed as narrowly as there was time for.

    Parameters
    ----------
    played
        Gives the run; where it plays it first, that is within the same time.

    Raises
    ------
    NoSolution
        When time is over before anything is known.
    Interrupted
        When the user interrupts it (Ctrl-C), with what is known by then.
    """
    entry, name = registry.regret(family), f"the regret of {family}"
    result: OfFamily = best_within(context, lambda inner: registry.call(name, entry, options, inner, played(inner)))
    if result is None:
        raise NoSolution(f"{name}: nothing is known of it within {context.time_limit:g} s")
    return result
