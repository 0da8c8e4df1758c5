"""An order of jobs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from schedproof.core.data.checking import Violation
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.instance import Schedule
from schedproof.core.simulation.occupied import Occupied, draw_gantt
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.kinds import checkers
from schedproof.instances.kinds.rows import JOB, positions, rows


@dataclass(frozen=True, repr=False)
class Order(Schedule):
    """The jobs one after the other, each once; what that comes to is for the family to say.

    Attributes
    ----------
    order
        By position of the jobs.
    """

    order: tuple[JOB, ...]

    @classmethod
    def drive(cls, policy: Any, instance: Any, decided_by: DecidedBy, context: Context) -> Order:
        """``rule(instance)`` returns the jobs in order."""
        return cls.by(decided_by, instance, positions(policy.assign(instance), "a list of jobs"))

    def check(self, instance: Any) -> list[Violation]:
        """Every broken constraint."""
        return checkers.order(self, instance)

    def occupied(self, instance: Any) -> Iterator[Occupied]:
        """Each job in a slot of its own."""
        for n, j in enumerate(self.order):
            yield Occupied(j, 0, "place", n, n + 1, 1)

    def frame_of(self, instance: Any) -> Any:
        """A row for each job (pandas)."""
        import pandas as pd

        return pd.DataFrame({instance.extent[1]: [rows(instance)[j].name for j in self.order]})

    def draw(self, instance: Any, ax: Any = None) -> Any:
        """The jobs side by side."""
        ax = draw_gantt(self.occupied(instance), [job.name for job in rows(instance)], ["order"], ax=ax)
        ax.set_xlabel("place")
        return ax
