"""Garbage collection, less often while many objects are made that live to the end."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collected_rarely() -> Iterator[None]:
    """Collect garbage 100 times less often: a model makes every collection long."""
    before = gc.get_threshold()
    gc.set_threshold(70_000, 10, 10)
    try:
        yield
    finally:
        gc.set_threshold(*before)
