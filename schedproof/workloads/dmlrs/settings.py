"""Settings of random dmlrs instances."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import NamedTuple

from schedproof.core.errors import InputError
from schedproof.instances.dmlrs.instance import LONGEST_HORIZON
from schedproof.instances.dmlrs.job import LARGEST_BATCH
from schedproof.workloads import settings as common
from schedproof.workloads.settings import Range, Rules, range_of

RESOURCES = ("gpu", "cpu", "memory", "storage")
CLASSES = ("insensitive", "sensitive", "critical")  # in the order of a mix


class Settings(NamedTuple):
    """Settings, with the defaults of `figure6`; range ``x``: ``x_low``, ``x_high``.

    Attributes
    ----------
    jobs, machines, horizon
        I, H and T.
    slot_seconds
        Length of a slot; it affects only bandwidths, since tau is in slots.
    mix
        Percent of the jobs that are time-insensitive, time-sensitive and time-critical.
    utilities
        ``sigmoid``: the paper's function. ``rational``: constant for insensitive jobs, and linear with slope theta1
        theta2 for sensitive jobs. For critical jobs it is theta1 up to theta3 slots and then 0, the limit of a steep
        sigmoid.
    infeasible_alone
        ``keep``: as drawn. ``redraw``: jobs that cannot finish by the horizon even on an empty cluster are drawn again,
        with the same arrival and class.
    epochs, samples, batch_size, workers_per_ps, sample_time, model_mb
        E, K, F, gamma, tau (slots) and g.
    external_mbps, internal_times
        b^e of a worker, and the ratio b^i / b^e.
    worker_gpu, worker_cpu, worker_memory, worker_storage
        alpha: the demand of a worker.
    ps_gpu, ps_cpu, ps_memory, ps_storage
        beta: the demand of a parameter server.
    capacity
        C in multiples of a worker's mean demand for the resource, drawn per machine and resource.
    priority, target, sensitive, critical
        theta1, theta3, and theta2 of time-sensitive and of time-critical jobs.
    """

    jobs: int = 50
    machines: int = 100
    horizon: int = 20
    slot_seconds: Decimal = Decimal(3600)
    mix: str = "10/55/35"
    utilities: str = "sigmoid"
    infeasible_alone: str = "keep"
    epochs: Range = range_of("50", "200")
    samples: Range = range_of("20000", "500000")
    batch_size: Range = range_of("1", "200")
    workers_per_ps: Range = range_of("1", "10")
    sample_time: Range = range_of("0.00001", "0.0001", 7)
    model_mb: Range = range_of("30", "575")
    external_mbps: Range = range_of("1000", "10000")
    internal_times: Range = range_of("5", "20")
    worker_gpu: Range = range_of("0", "4")
    worker_cpu: Range = range_of("1", "10")
    worker_memory: Range = range_of("2", "32")
    worker_storage: Range = range_of("5", "10")
    ps_gpu: Range = range_of("0", "0")
    ps_cpu: Range = range_of("1", "10")
    ps_memory: Range = range_of("2", "32")
    ps_storage: Range = range_of("5", "10")
    capacity: Range = range_of("18", "18")
    priority: Range = range_of("1", "100")
    target: Range = range_of("1", "15")
    sensitive: Range = range_of("0.01", "1", 2)
    critical: Range = range_of("4", "6", 2)


CHOICES = {"mix": ("10/55/35", "30/69/1"), "utilities": ("sigmoid", "rational"), "infeasible_alone": ("keep", "redraw")}
WHOLE = {"epochs", "samples", "batch_size", "target"}
DEMANDS = {f"{role}_{resource}" for role in ("worker", "ps") for resource in RESOURCES}
ZERO_ALLOWED = DEMANDS | {"model_mb", "capacity", "priority", "sensitive", "critical"}
RULES = Rules(CHOICES, WHOLE, ZERO_ALLOWED, unused={})
RANGES = common.ranges(Settings._field_defaults)
NAMES = common.names(Settings._field_defaults)


def configure(base: Settings, given: Mapping[str, str], known: Collection[str] = NAMES) -> Settings:
    """Return ``base`` with the given settings; all names must be in ``known``."""
    result = common.configure(base, given, known, RULES)
    if result.horizon > LONGEST_HORIZON:
        raise InputError(f"expected at most {LONGEST_HORIZON} slots", path="horizon", value=result.horizon)
    if result.batch_size.high > LARGEST_BATCH:
        raise InputError(f"expected at most {LARGEST_BATCH}", path="batch_size_high", value=result.batch_size.high)
    if result.internal_times.low < 1:
        raise InputError(
            "expected at least 1: a machine is no slower than a link",
            path="internal_times_low",
            value=result.internal_times.low,
        )
    return result
