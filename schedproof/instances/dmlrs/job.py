"""Machines and jobs of the dmlrs family, exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import msgspec

from schedproof.core.data.codecs import Codec, derive, name_in
from schedproof.core.data.reading import Amount, Count, Name, Positive, PositiveAmount
from schedproof.core.data.records import Entity
from schedproof.instances.dmlrs.utility import Utility

NOTHING = Fraction(0)
LARGEST_BATCH = (
    10_000  # workers workers or parameter servers of a job at once: each cost table has one entry per number of workers
)
BatchSize = Annotated[int, msgspec.Meta(ge=1, le=LARGEST_BATCH)]
Resource = Annotated[str, name_in("resources")]


class Machine(Entity, frozen=True):
    """A physical machine.

    Attributes
    ----------
    capacity
        Resource -> C_h^r, in the resource's unit; the default is 0.
    """

    name: Name
    capacity: dict[Resource, Amount]


def time_at(bandwidth: str) -> Codec:
    """Slots per sample of one worker at a bandwidth of its job (1)."""

    def time(row: Job, _: object) -> Fraction:
        return row.sample_time + 2 * row.model_size * row.workers_per_ps / row.batch_size / getattr(row, bandwidth)

    return derive(time)


class Job(Entity, frozen=True, kw_only=True):
    """A training job: E K samples, at most F workers, gamma workers per PS.

    Attributes
    ----------
    worker, ps
        Resource -> demand of one worker (alpha) and of one parameter server (beta); the default is 0.
    utility
        A function of the training time, completion - arrival, in slots.
    """

    name: Name
    arrival: Count
    epochs: Positive
    samples: Positive
    batch_size: BatchSize
    workers_per_ps: PositiveAmount
    sample_time: PositiveAmount
    model_size: Amount
    bandwidth_internal: PositiveAmount
    bandwidth_external: PositiveAmount
    worker: dict[Resource, Amount]
    ps: dict[Resource, Amount]
    utility: Utility
    # c_i <= c_e: c_i if all workers and parameter servers of the slot are on one machine, else c_e
    internal_time: Annotated[Fraction, time_at("bandwidth_internal")]
    external_time: Annotated[Fraction, time_at("bandwidth_external")]

    @property
    def work(self) -> int:
        """The work V = E K, in samples."""
        return self.epochs * self.samples

    def ps_needed(self, workers: int) -> int:
        """Return the parameter servers for so many workers: ceil(n / gamma)."""
        ratio = self.workers_per_ps
        return -(-workers * ratio.denominator // ratio.numerator)

    def done(self, internal: int, external: int) -> bool:
        """Return whether these worker-slots train every sample: a/c_i + b/c_e >= V (3)."""
        return internal / self.internal_time + external / self.external_time >= self.work
