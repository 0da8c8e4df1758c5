"""A stock kind of schedule: an order of jobs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from schedproof.core.data.checking import Violation
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.occupied import Occupied, draw_gantt
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.kinds import checkers
from schedproof.instances.kinds.rows import JOB, positions, rows
from schedproof.instances.kinds.stock import Stock


@dataclass(frozen=True, repr=False)
class Order(Stock):
    """A sequence of all jobs; the family defines its objective.

    ``sp.family(..., sp.Order, jobs="jobs")`` names the field with the jobs. A policy is a function of the instance, or
    a class with the method ``assign(instance)``, and returns all jobs of the instance in order.

    Attributes
    ----------
    order
        The jobs' positions in the file.
    """

    order: tuple[JOB, ...]

    @classmethod
    def drive(cls, policy: Any, instance: Any, decided_by: DecidedBy, context: Context) -> Order:
        """Call the policy once for the order of all jobs."""
        return cls.by(decided_by, instance, positions(policy.assign(instance), "a list of jobs"))

    def check(self, instance: Any) -> list[Violation]:
        """Return every broken constraint."""
        return checkers.order(self, instance)

    def occupied(self, instance: Any) -> Iterator[Occupied]:
        """Yield the jobs in order, one in each slot."""
        for n, j in enumerate(self.order):
            yield Occupied(j, 0, "place", n, n + 1, 1)

    def frame_of(self, instance: Any) -> Any:
        """Return one row per job (pandas)."""
        import pandas as pd

        return pd.DataFrame({instance.extent[1]: [rows(instance)[j].name for j in self.order]})

    def draw(self, instance: Any, ax: Any = None) -> Any:
        """Draw the jobs in sequence."""
        ax = draw_gantt(self.occupied(instance), [job.name for job in rows(instance)], ["order"], ax=ax)
        ax.set_xlabel("place")
        return ax
