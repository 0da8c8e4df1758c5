"""Stores that are closed when a test is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from schedproof.core.data.store import Store
from schedproof.experiments.cells import open_store


@pytest.fixture
def store() -> Iterator[Callable[..., Store]]:
    """Opens one, in a file or in memory."""
    with ExitStack() as opened:
        yield lambda *file: opened.enter_context(open_store(*file))
