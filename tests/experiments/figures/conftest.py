"""Stores that are closed at the end of a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from schedproof.core.data.store import Store
from schedproof.experiments.cells import open_store


@pytest.fixture
def store() -> Iterator[Callable[..., Store]]:
    with ExitStack() as opened:
        yield lambda *file: opened.enter_context(open_store(*file))
