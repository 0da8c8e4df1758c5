"""The dmlrs family's Instance: frozen, exact, with the little arithmetic that every layer needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from schedproof.core.numbers import ceil
from schedproof.core.policy import Hidden
from schedproof.instances.arriving import Arriving
from schedproof.instances.dmlrs.utility import Utility

if TYPE_CHECKING:
    from schedproof.instances.dmlrs.grid import Grid

NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class Machine:
    """A physical machine.

    Attributes
    ----------
    index
        Position in the file.
    capacity
        Resource -> C_h^r, in the resource's unit; a resource that is not named has capacity 0.
    """

    index: int
    name: str
    capacity: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Job:
    """A training job: V = E K samples, at most F workers at a time, one parameter server per gamma of them.

    Attributes
    ----------
    index
        Position in the file.
    worker, ps
        Resource -> demand of one worker (alpha) and of one parameter server (beta); not named means none.
    utility
        By training time, completion - arrival, in slots.
    internal_time, external_time
        c_i and c_e: slots in which one worker trains one sample, with all workers and parameter servers of the slot on
        one machine, and otherwise. c_i <= c_e.
    """

    index: int
    name: str
    arrival: int
    epochs: int
    samples: int
    batch_size: int
    workers_per_ps: Fraction
    sample_time: Fraction
    model_size: Fraction
    bandwidth_internal: Fraction
    bandwidth_external: Fraction
    worker: Mapping[str, Fraction]
    ps: Mapping[str, Fraction]
    utility: Utility
    internal_time: Fraction
    external_time: Fraction

    @property
    def work(self) -> int:
        """V = E K, in samples."""
        return self.epochs * self.samples

    def ps_needed(self, workers: int) -> int:
        """The parameter servers that so many workers need: ceil(n / gamma)."""
        return ceil(workers / self.workers_per_ps)

    def done(self, internal: int, external: int) -> bool:
        """Whether so many worker-slots at the two rates train every sample: a/c_i + b/c_e >= V, in rationals (3)."""
        return internal / self.internal_time + external / self.external_time >= self.work


@dataclass(frozen=True, eq=False)
class Instance(Arriving):
    """A validated dmlrs instance.

    Attributes
    ----------
    horizon
        T in slots; a job completes by it or earns nothing.
    resources
        Their names.
    machines, jobs
        In file order.
    reserved
        (slot, machine index, resource) -> amount already in use there; what is not named is free.
    """

    horizon: int
    resources: tuple[str, ...]
    machines: tuple[Machine, ...]
    jobs: tuple[Job, ...]
    reserved: Mapping[tuple[int, int, str], Fraction]

    family = "dmlrs"
    sense = "maximize"

    def free(self, slot: int, machine: Machine, resource: str) -> Fraction:
        """The capacity that is not reserved: what a schedule may use of a resource of a machine in a slot."""
        return machine.capacity.get(resource, NOTHING) - self.reserved.get((slot, machine.index, resource), NOTHING)

    @cached_property
    def grid(self) -> Grid:
        """Capacities and demands as integers on a common grid, for the routes that compute with arrays."""
        from schedproof.instances.dmlrs.grid import grid

        return grid(self)

    @cached_property
    def hopeless(self) -> tuple[Job, ...]:
        """The jobs that cannot finish by the horizon even if they had the whole cluster to themselves."""
        from schedproof.instances.dmlrs.alone import finishes_alone

        return tuple(job for job in self.jobs if not finishes_alone(self, job))

    def notes(self) -> tuple[str, ...]:
        """What a user should know of the instance before anything is solved, one sentence each."""
        if not self.hopeless:
            return ()
        names = ", ".join(job.name for job in self.hopeless[:5]) + (", ..." if len(self.hopeless) > 5 else "")
        return (f"{len(self.hopeless)} of {len(self.jobs)} jobs cannot finish even on an empty cluster: {names}",)

    def system(self) -> Hidden:
        """What an arrival policy may know beforehand: the cluster, and the extremes that the paper lets it know."""
        from schedproof.instances.dmlrs.extremes import extremes

        return Hidden(
            family=self.family,
            horizon=self.horizon,
            resources=self.resources,
            machines=self.machines,
            reserved=self.reserved,
            extremes=lambda variant: extremes(self, variant),
            cluster=Instance(self.horizon, self.resources, self.machines, (), self.reserved),
            grid=self.grid,
        )

    def schedule_type(self) -> Any:
        """The family's Schedule."""
        from schedproof.instances.dmlrs.schedule import Schedule

        return Schedule

    def canonical(self) -> bytes:
        """The instance's canonical JSON bytes."""
        from schedproof.instances.dmlrs.file import canonical

        return canonical(self)
