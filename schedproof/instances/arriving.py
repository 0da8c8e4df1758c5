"""Jobs grouped by arrival slot."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import Any


def arrivals(jobs: Iterable[Any]) -> list[tuple[int, tuple[Any, ...]]]:
    """Return pairs of a slot and the jobs that arrive in it, in file order."""
    arrival = attrgetter("arrival")
    return [(slot, tuple(there)) for slot, there in groupby(sorted(jobs, key=arrival), key=arrival)]
