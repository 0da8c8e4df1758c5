"""Settings of random preemptive instances."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import NamedTuple

from schedproof.core.errors import InputError
from schedproof.workloads import settings as common
from schedproof.workloads.settings import Range, Rules, range_of


class Settings(NamedTuple):
    """Settings, with the defaults of `simulator`; range ``x``: ``x_low``, ``x_high``.

    Attributes
    ----------
    jobs, servers
        Numbers of jobs and of edge servers.
    cloud
        ``yes`` or ``no``.
    hardware
        ``testbed``: the paper's own machines. ``philly``: GPUs of a server as in the trace. ``uniform``: GPUs of a
        server in ``gpus``.
    gpus
        Workers of a server with ``hardware=uniform``.
    types, ps_types
        Worker types and parameter-server types (the testbed has two and one).
    ps_per_gpu
        Parameter servers for each GPU of a server; the product is rounded up.
    storage, chunk_gb
        GB per edge server (0: unlimited) and per chunk.
    slot_seconds
        Length of a slot.
    hours, load
        Arrivals are spread over ``hours``, then sped up by ``load``.
    arrivals
        ``daily``: weighted by the hour of the day as in the trace. ``uniform``: a Poisson process with the given
        number of arrivals.
    chunks
        ``table``: D_j and B_j of a model of Table II. ``gpus``: D_j is a GPU count as in the trace, B_j from Table II.
        ``uniform``: in ``chunk_count`` and ``minibatches``.
    chunk_count, minibatches, epochs
        D_j and B_j with ``chunks=uniform``, and E_j.
    minibatch_hours, update_ms, gradient_mb, bandwidth_mbps
        m_j, G_j, q_j and b_j.
    delay, cloud_delay
        Slots of an upload to an edge server and to the cloud.
    delays
        ``server``: one upload delay per job and server. ``job``: one upload delay per job for all edge servers.
    """

    jobs: int = 300
    servers: int = 100
    cloud: str = "yes"
    hardware: str = "philly"
    gpus: Range = range_of("1", "2")
    types: int = 8
    ps_types: int = 8
    ps_per_gpu: Decimal = Decimal(12)
    storage: Decimal = Decimal(0)
    slot_seconds: Decimal = Decimal(3600)
    hours: int = 48
    load: Decimal = Decimal(1)
    arrivals: str = "daily"
    chunks: str = "table"
    chunk_count: Range = range_of("1", "3")
    minibatches: Range = range_of("1", "3")
    epochs: Range = range_of("20", "60")
    minibatch_hours: Range = range_of("0.001", "0.05", 4)
    update_ms: Range = range_of("10", "100")
    gradient_mb: Range = range_of("30", "575")
    bandwidth_mbps: Range = range_of("100", "5120")
    chunk_gb: Range = range_of("0", "0", 1)
    delays: str = "server"
    delay: Range = range_of("1", "4")
    cloud_delay: Range = range_of("10", "15")


CHOICES = {
    "cloud": ("yes", "no"),
    "hardware": ("testbed", "philly", "uniform"),
    "arrivals": ("daily", "uniform"),
    "chunks": ("table", "gpus", "uniform"),
    "delays": ("server", "job"),
}
WHOLE = {"gpus", "chunk_count", "minibatches", "epochs", "delay", "cloud_delay"}
ZERO_ALLOWED = {"storage", "chunk_gb", "update_ms", "gradient_mb", "delay", "cloud_delay"}
RANGES = common.ranges(Settings._field_defaults)
NAMES = common.names(Settings._field_defaults)
UNUSED = {
    ("hardware", "testbed"): ("types", "ps_types", "ps_per_gpu", "gpus_low", "gpus_high"),
    ("hardware", "philly"): ("gpus_low", "gpus_high"),
    ("chunks", "table"): ("chunk_count_low", "chunk_count_high", "minibatches_low", "minibatches_high"),
    ("chunks", "gpus"): ("chunk_count_low", "chunk_count_high", "minibatches_low", "minibatches_high"),
    ("cloud", "no"): ("cloud_delay_low", "cloud_delay_high"),
}
RULES = Rules(CHOICES, WHOLE, ZERO_ALLOWED, UNUSED)


def configure(base: Settings, given: Mapping[str, str], known: Collection[str] = NAMES) -> Settings:
    """Return ``base`` with the given settings, by the rules of `workloads.settings`."""
    result = common.configure(base, given, known, RULES)
    if result.cloud == "no" and 0 < result.storage < result.chunk_gb.high:
        raise InputError(
            f"expected at most the storage of a server, {result.storage}",
            path="chunk_gb_high",
            value=result.chunk_gb.high,
        )
    return result
