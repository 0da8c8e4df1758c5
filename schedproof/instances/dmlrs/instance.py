"""The dmlrs family's Instance: frozen, exact, with the numbers that every layer needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from schedproof.core.instance import Instance as AnyInstance
from schedproof.instances.dmlrs.alone import finishes_alone
from schedproof.instances.dmlrs.grid import Grid, grid
from schedproof.instances.dmlrs.job import NOTHING, Job, Machine


@dataclass(frozen=True, eq=False, repr=False)
class Instance(AnyInstance):
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
        return grid(self.horizon, self.resources, self.machines, self.jobs, self.reserved)

    @cached_property
    def unservable_jobs(self) -> tuple[Job, ...]:
        """The jobs that cannot finish by the horizon even if they had the whole cluster to themselves."""
        return tuple(job for job in self.jobs if not finishes_alone(self.grid, job, self.horizon))


def notes(instance: Instance) -> tuple[str, ...]:
    """How many jobs cannot finish even on an empty cluster, in a sentence; nothing where all can."""
    if not (never := instance.unservable_jobs):
        return ()
    names = ", ".join(job.name for job in never[:5]) + (", ..." if len(never) > 5 else "")
    return (f"{len(never)} of {len(instance.jobs)} jobs cannot finish even on an empty cluster: {names}",)
