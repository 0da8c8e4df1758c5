"""`bound(program, instance)`: the certified bound that a family registers for one of its programs."""

from __future__ import annotations

from typing import Any

from schedproof.core import registry
from schedproof.core.bound import Bound


def bound(id: str, instance: Any, **options: Any) -> Bound:
    """A certified bound on the optimum, from the program of that id."""
    name, compute = registry.look_up("bounds", id, instance.family)
    result = registry.call(name, compute, options, instance)
    assert isinstance(result, Bound)
    return result
