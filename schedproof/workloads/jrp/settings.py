"""Settings of random jrp instances."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from schedproof.core.errors import InputError
from schedproof.workloads import settings as common
from schedproof.workloads.settings import Range, Rules, range_of


class Settings(NamedTuple):
    """Settings with the defaults of `figure4`; a range has ends ``_low``, ``_high``.

    Attributes
    ----------
    jobs
        Number of jobs, p.
    rings
        Rings of cells around the centre: 1 + 3 rings (rings + 1) cells, and as many servers.
    communication_share
        epsilon, strictly between 0 and 1.
    storage, compute, bandwidth
        r^s (GB), r^c (GFLOP/s) and r^b (Gbit/s) of a server.
    nodes
        Data nodes of a job.
    distribution
        The distribution of data amounts in GB: ``uniform`` in ``size``; ``normal`` with ``size_mean`` and
        ``size_deviation``; ``pareto`` with ``size_minimum`` and ``size_shape``.
    size, size_mean, size_deviation, size_minimum, size_shape
        Parameters of the distributions.
    model_mb, minibatch_mb
        Sizes of a job's model and mini-batch: h is 0.008 Gbit per MB, f a thousandth of a GB per MB.
    work
        GFLOP of an iteration for each MB of the model and MB of the mini-batch: g is ``work`` times both sizes.
    epochs, sync_period, deadline
        T, lambda (iterations) and tau (s).
    """

    jobs: int = 50
    rings: int = 2
    communication_share: Decimal = Decimal("0.3")
    storage: Range = range_of("100", "200")
    compute: Range = range_of("150", "150")
    bandwidth: Range = range_of("10", "10")
    nodes: Range = range_of("13", "17")
    distribution: str = "uniform"
    size: Range = range_of("2", "8", 2)
    size_mean: Decimal = Decimal(5)
    size_deviation: Decimal = Decimal(1)
    size_minimum: Decimal = Decimal(2)
    size_shape: Decimal = Decimal(2)
    model_mb: Range = range_of("30", "575")
    minibatch_mb: Range = range_of("5", "7", 1)
    work: Range = range_of("0.0067", "0.0067", 4)
    epochs: Range = range_of("2", "2")
    sync_period: Range = range_of("3", "8")
    deadline: Range = range_of("3600", "7200")


OF_SIZES = {  # the settings of each distribution
    "uniform": ("size_low", "size_high"),
    "normal": ("size_mean", "size_deviation"),
    "pareto": ("size_minimum", "size_shape"),
}
WHOLE = {"nodes", "epochs", "sync_period"}
ZERO_ALLOWED = {"rings", "storage", "compute", "bandwidth", "nodes", "size", "size_deviation", "model_mb", "work"}
UNUSED = {
    ("distribution", one): tuple(name for other, theirs in OF_SIZES.items() if other != one for name in theirs)
    for one in OF_SIZES
}
RULES = Rules({"distribution": tuple(OF_SIZES)}, WHOLE, ZERO_ALLOWED, UNUSED)
RANGES = common.ranges(Settings._field_defaults)
NAMES = common.names(Settings._field_defaults)


def configure(base: Settings, given: Mapping[str, str]) -> Settings:
    """Return ``base`` with the given settings, by the rules of `workloads.settings`."""
    result = common.configure(base, given, NAMES, RULES)
    if result.communication_share >= 1:
        raise InputError("expected a number below 1", path="communication_share", value=result.communication_share)
    return result
