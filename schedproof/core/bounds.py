"""`bound(program, instance)`: the certified bound that a family's card names for one of its programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from schedproof.core import registry
from schedproof.core.bound import Bound
from schedproof.core.context import Context, Progress, silent
from schedproof.core.instance import Instance
from schedproof.core.untyped import Value


def bound(
    id: str, instance: Instance, *, progress: Progress = silent, time_limit: float | None = None, **options: Value
) -> Bound:
    """A certified bound on the optimum, from the program of that id.

    Parameters
    ----------
    progress
        Called with the progress.
    time_limit
        Seconds; what is usual for the bound if not given, ``math.inf`` for none.
    """
    return compute(id, instance, options, Context(progress=progress, time_limit=time_limit))


def compute(id: str, instance: Instance, given: Mapping[str, Value], context: Context) -> Bound:
    """The same with options as a user gives them."""
    name, entry = registry.find_for("bound", id, instance)
    options, moved = registry.without_context(name, entry, given)
    result: Bound = registry.call(name, entry, options, replace(context, **moved), instance)
    return result
