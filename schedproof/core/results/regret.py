"""`regret(...)` of a run and `worst_regret(...)`, as a family's card names them; what is known when time is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from schedproof.core.base.untyped import AnyFamily, Value
from schedproof.core.cards import registry
from schedproof.core.errors import NoSolution
from schedproof.core.runtime.context import Context, Progress, silent
from schedproof.core.runtime.deadline import best_within


def regret(
    family: str, played: Callable[[Context], AnyFamily], options: Mapping[str, Value], context: Context
) -> AnyFamily:
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
    return _compute_within(name, context, lambda inner: entry.call(name, options, inner, played(inner)))


def worst_regret(
    family: str, /, *, progress: Progress = silent, time_limit: float | None = None, **options: Value
) -> AnyFamily:
    """The worst regret that the premises of a family's theorem allow, enclosed as narrowly as there was time for.

    Its certificate is ``to_file()``; `schedproof.check.regret` checks it. The options are those that ``schedproof show
    FAMILY.worst_regret`` prints.

    Raises
    ------
    NoSolution
        When time is over before anything is known.
    Interrupted
        When the user interrupts it (Ctrl-C), with what is known by then.
    """
    return worst(family, options, Context(progress=progress, time_limit=time_limit))


def worst(family: str, options: Mapping[str, Value], context: Context) -> AnyFamily:
    """The same with options as a user gives them."""
    entry, name = registry.regret(family, "worst_regret"), f"the worst regret of {family}"
    return _compute_within(name, context, lambda inner: entry.call(name, options, inner))


def _compute_within(name: str, context: Context, work: Callable[[Context], AnyFamily]) -> AnyFamily:
    result: AnyFamily = best_within(context, work)
    if result is None:
        raise NoSolution(f"{name}: nothing is known of it within {context.time_limit:g} s")
    return result
