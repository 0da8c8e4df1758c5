"""A program's bound that several cells of one instance need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.bounds import read_or_compute
from schedproof.core.runtime.context import Context

KEPT = 4  # bounds in memory


@dataclass(frozen=True, eq=False)
class Certified:
    """A program's bound, computed once for consecutive cells of an instance."""

    program: str
    options: Mapping[str, Any]
    time_limit: float | None = None

    def on(self, instance: Any) -> Bound:
        key = self, instance.sha256
        if key not in _LAST:
            found = read_or_compute(self.program, instance, self.options, Context(time_limit=self.time_limit))
            while len(_LAST) >= KEPT:
                del _LAST[next(iter(_LAST))]
            _LAST[key] = found
        return _LAST[key]


_LAST: dict[tuple[Certified, str], Bound] = {}
