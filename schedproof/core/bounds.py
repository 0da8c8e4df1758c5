"""`bound(program, instance)`: the certified bound that a family registers for one of its programs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from schedproof.core import registry
from schedproof.core.bound import Bound


def bound(id: str, instance: Any, *, told: Callable[[Any], None] | None = None, **options: Any) -> Bound:
    """A certified bound on the optimum, from the program of that id.

    Parameters
    ----------
    told
        Told how far it has come, by a bound that takes long and has the parameter ``progress``.
    """
    name, compute = registry.look_up("bounds", id, instance.family)
    if told is not None and "progress" in inspect.signature(compute).parameters:
        options = {"progress": told} | options
    result = registry.call(name, compute, options, instance)
    assert isinstance(result, Bound)
    return result
