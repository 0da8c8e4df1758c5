"""Conversion of arguments: a file name in place of an instance."""

from __future__ import annotations

from pathlib import Path

from schedproof.core.base.loader import load
from schedproof.core.base.untyped import AnyFamily


def as_instance(given: AnyFamily | str | Path) -> AnyFamily:
    """Return an instance, read from its file if a name is given."""
    return load("schedproof.instances:read")(given) if isinstance(given, str | Path) else given
