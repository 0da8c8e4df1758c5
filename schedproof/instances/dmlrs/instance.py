"""The dmlrs family's Instance: frozen and exact."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Annotated

import msgspec

from schedproof.core.base.untyped import Network
from schedproof.core.data.codecs import DISTINCT
from schedproof.core.data.records import some
from schedproof.core.errors import SchedproofError, expect
from schedproof.core.simulation.instance import Instance as AnyInstance
from schedproof.instances.dmlrs.alone import time_alone
from schedproof.instances.dmlrs.grid import Grid, grid, units
from schedproof.instances.dmlrs.job import NOTHING, Job, Machine
from schedproof.instances.dmlrs.reserved import RESERVED, Reserved
from schedproof.instances.dmlrs.utility import Table

LONGEST_HORIZON = 100_000  # slots: every program and policy looks at each
MOST_PS = 1_000_000  # workers or parameter servers of a job at once


@dataclass(frozen=True, eq=False, repr=False)
class Instance(AnyInstance):
    """A validated dmlrs instance.

    Attributes
    ----------
    horizon
        T in slots; a job that is unfinished at the end of slot T - 1 has no utility.
    resources
        Their names.
    machines, jobs
        In file order.
    reserved
        (slot, machine index, resource) -> reserved amount; the default is 0.
    """

    horizon: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_HORIZON)]
    resources: Annotated[tuple[str, ...], DISTINCT]
    machines: Annotated[tuple[Machine, ...], some(Machine)]
    jobs: tuple[Job, ...]
    reserved: Annotated[Reserved, RESERVED]

    family = "dmlrs"
    sense = "maximize"

    def validate(self) -> None:
        """Refuse too large numbers and inconsistent job parameters."""
        before = f"expected a slot before the horizon, {self.horizon}"
        for i, job in enumerate(self.jobs):
            path, inside, outside = f"jobs[{i}]", job.bandwidth_internal, float(job.bandwidth_external)
            few = f"expected a value with which {job.batch_size} workers need at most {MOST_PS} parameter servers"
            expect(
                job.batch_size <= MOST_PS * job.workers_per_ps, few, f"{path}.workers_per_ps", float(job.workers_per_ps)
            )
            faster = f"expected at least bandwidth_external, {outside}: a machine is no slower than a link"
            expect(inside >= job.bandwidth_external, faster, f"{path}.bandwidth_internal", float(inside))
            expect(job.arrival < self.horizon, before, f"{path}.arrival", job.arrival)
            if isinstance(job.utility, Table):
                self._require_falling(job.utility.values, f"{path}.utility.values")
        units(self.resources, self.machines, self.jobs, self.reserved)

    def _require_falling(self, values: tuple[Fraction, ...], path: str) -> None:
        expect(1 <= len(values) <= self.horizon, f"expected 1 to {self.horizon} values", path, len(values))
        for n, (one, other) in enumerate(pairwise(values), 1):
            expect(
                other <= one,
                "expected at most the previous value: a utility does not increase",
                f"{path}[{n}]",
                float(other),
            )

    def to_networkx(self) -> Network:
        """Refuse: by (1), a job may run on any machine at the same bandwidth.

        Raises
        ------
        SchedproofError
            Always.
        """
        raise SchedproofError("a dmlrs instance has no graph: each job may run on each machine at the same rates")

    def free(self, slot: int, machine: Machine, resource: str) -> Fraction:
        """Return the unreserved capacity of a machine's resource in a slot."""
        return machine.capacity.get(resource, NOTHING) - self.reserved.get((slot, machine.index, resource), NOTHING)

    @cached_property
    def grid(self) -> Grid:
        """Capacities and demands as integers in common units."""
        return grid(self.horizon, self.resources, self.machines, self.jobs, self.reserved)

    @cached_property
    def unservable_jobs(self) -> tuple[Job, ...]:
        """The jobs that cannot finish by the horizon even if alone on the cluster."""
        return tuple(job for job in self.jobs if time_alone(self.grid, job, self.horizon) is None)


def notes(instance: Instance) -> tuple[str, ...]:
    """Return a warning about jobs that cannot finish even on an empty cluster."""
    if not (never := instance.unservable_jobs):
        return ()
    names = ", ".join(job.name for job in never[:5]) + (", ..." if len(never) > 5 else "")
    return (f"{len(never)} of {len(instance.jobs)} jobs cannot finish even on an empty cluster: {names}",)
