"""`regret(...)` of a run and `worst_regret(...)`, with a time limit."""

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
    """Return bounds on a run's regret over time, as tight as the time limit allows.

    Parameters
    ----------
    played
        Returns the run; a simulation counts towards the time limit.

    Raises
    ------
    NoSolution
        If the time limit ends without any result.
    Interrupted
        If the user interrupts (Ctrl-C), with the result so far.
    """
    entry, name = registry.regret(family), f"the regret of {family}"
    return _compute_within(name, context, lambda inner: entry.call(name, options, inner, played(inner)))


def worst_regret(
    family: str, /, *, progress: Progress = silent, time_limit: float | None = None, **options: Value
) -> AnyFamily:
    """Return bounds on the worst regret under the premises of a family's theorem.

    The method ``to_file()`` returns the certificate, which `schedproof.check.regret` checks. ``schedproof show
    FAMILY.worst_regret`` lists the options.

    Raises
    ------
    NoSolution
        If the time limit ends without any result.
    Interrupted
        If the user interrupts (Ctrl-C), with the result so far.
    """
    return worst(family, options, Context(progress=progress, time_limit=time_limit))


def worst(family: str, options: Mapping[str, Value], context: Context) -> AnyFamily:
    """Return the worst regret for options as given by the user."""
    entry, name = registry.regret(family, "worst_regret"), f"the worst regret of {family}"
    return _compute_within(name, context, lambda inner: entry.call(name, options, inner))


def _compute_within(name: str, context: Context, work: Callable[[Context], AnyFamily]) -> AnyFamily:
    result: AnyFamily = best_within(context, work)
    if result is None:
        raise NoSolution(f"{name}: no result within {context.time_limit:g} s")
    return result
