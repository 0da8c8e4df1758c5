"""What may be given in place of a value: the name of its file in place of an instance."""

from __future__ import annotations

from pathlib import Path

from schedproof.core.base.loader import load
from schedproof.core.base.untyped import AnyFamily


def as_instance(given: AnyFamily | str | Path) -> AnyFamily:
    """The instance itself, or that of a file."""
    return load("schedproof.instances:read")(given) if isinstance(given, str | Path) else given
