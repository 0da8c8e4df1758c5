"""Settings of random multiserver instances."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import NamedTuple

from schedproof.core.base.untyped import Value
from schedproof.core.errors import InputError
from schedproof.instances.multiserver.utility import KINDS
from schedproof.workloads import settings as common
from schedproof.workloads.settings import Range, Rules, decimals, positive, range_of

RESOURCES = ("cpu", "memory", "gpu", "npu", "tpu", "fpga")
DEVICES = RESOURCES[3:]  # resources that no trace has
FULL = Decimal("Infinity")  # the density with which a node serves all ports
LONGEST = 100_000_000  # slots
MOST_JOBS = 255  # most jobs of a port in a slot: an arrival is kept in one byte


class Settings(NamedTuple):
    """Settings, with the defaults of Table II; range ``x``: ``x_low``, ``x_high``.

    Attributes
    ----------
    ports, nodes, horizon
        |L|, |R| and T.
    resources
        K: the first K of CPUs, memory (units of 16 GB), GPUs, NPUs, TPUs, FPGAs.
    density
        sum_r |L_r| / |R|, the mean number of ports of a node; ``full`` for all ports.
    contention
        The contention level: the ratio of demand to request.
    arrivals
        ``bernoulli``: every port has jobs in every slot with probability rho, independently. ``periodic``: in each
        period, a port has jobs in rho ``period`` consecutive slots (rounded half up), from a phase that is drawn once.
        ``bursty``: a port has jobs in every slot of a burst and none between bursts; bursts and gaps have geometric
        lengths, bursts last ``burst`` slots on average and take a share rho of the time.
    arrival_probability
        rho.
    counts
        Most jobs of a port in a slot (1 in the basic problem). A number of jobs above 0 is uniform from 1 to
        ``counts``.
    period, burst
        Slots of a period and, on average, of a burst.
    utilities
        ``mixed``: one of the four kinds of (54), drawn for each node and resource; or one kind everywhere.
    alpha, beta
        alpha of the utilities, drawn for each node and resource; beta of the overhead, drawn for each resource.
    hardware
        ``pai``: CPUs, memory and GPUs as a machine of the PAI trace, other devices in ``node_npu``, ``node_tpu``,
        ``node_fpga``. ``uniform``: every capacity in ``capacity``.
    capacity, node_npu, node_tpu, node_fpga
        A node's capacity of each resource, or of a resource that the PAI trace lacks.
    request_cpu, request_memory, request_gpu, request_npu, request_tpu, request_fpga
        A port's demand for a resource at contention level 1.
    """

    ports: int = 10
    nodes: int = 128
    horizon: int = 2000
    resources: int = 6
    density: Decimal = Decimal("2.5")
    contention: Decimal = Decimal(10)
    arrivals: str = "bernoulli"
    arrival_probability: Decimal = Decimal("0.7")
    counts: int = 1
    period: int = 24
    burst: int = 10
    utilities: str = "mixed"
    alpha: Range = range_of("1", "1.5", 2)
    beta: Range = range_of("0.3", "0.5", 2)
    hardware: str = "pai"
    capacity: Range = range_of("1", "4")
    node_npu: Range = range_of("0", "8")
    node_tpu: Range = range_of("0", "8")
    node_fpga: Range = range_of("0", "4")
    request_cpu: Range = range_of("1", "16")
    request_memory: Range = range_of("1", "4")
    request_gpu: Range = range_of("0", "2")
    request_npu: Range = range_of("0", "2")
    request_tpu: Range = range_of("0", "2")
    request_fpga: Range = range_of("0", "1")


CHOICES = {
    "arrivals": ("bernoulli", "periodic", "bursty"),
    "utilities": ("mixed", *KINDS),
    "hardware": ("pai", "uniform"),
}
RANGES = common.ranges(Settings._field_defaults)
NAMES = common.names(Settings._field_defaults)
OF_RESOURCE = {  # settings without effect if the resource is absent
    name: tuple(n for n in NAMES if n.rpartition("_")[0] in (f"request_{name}", f"node_{name}")) for name in RESOURCES
}
UNUSED = {
    ("arrivals", "bernoulli"): ("period", "burst"),
    ("arrivals", "periodic"): ("burst",),
    ("arrivals", "bursty"): ("period",),
    ("hardware", "pai"): ("capacity_low", "capacity_high"),
    ("hardware", "uniform"): tuple(n for name in DEVICES for n in OF_RESOURCE[name] if n.startswith("node")),
}
ZERO_ALLOWED = {"arrival_probability", "beta", "capacity"} | {n for n in RANGES if n.startswith(("node", "request"))}
RULES = Rules(CHOICES, (), ZERO_ALLOWED, UNUSED)


def configure(base: Settings, given: Mapping[str, str], known: Collection[str] = NAMES) -> Settings:
    """Return ``base`` with the given settings; refuse useless or impossible values."""
    given = {name: str(text) for name, text in given.items()}
    own: dict[str, Value] = {}  # values that the rules of `workloads.settings` cannot read
    if "horizon" in given and "horizon" in known:
        own["horizon"] = int(positive("horizon", given["horizon"], whole=True, largest=LONGEST))
    if given.get("density") == "full" and "density" in known:
        own["density"] = FULL
    rest = {name: text for name, text in given.items() if name not in own}
    result = common.configure(base, rest, known, RULES)._replace(**own)
    for name, limit in (
        ("resources", len(RESOURCES)),
        ("density", result.ports),
        ("arrival_probability", 1),
        ("counts", MOST_JOBS),
    ):
        value = getattr(result, name)
        if limit < value < FULL:
            raise InputError(f"expected at most {limit}", path=name, value=value)
    if result.beta.high > 1:
        raise InputError("expected at most 1", path="beta_high", value=result.beta.high)
    if result.arrivals == "bursty" and result.arrival_probability < 1:
        stay, leave = odds(result.arrival_probability)
        if stay > leave * result.burst:
            raise InputError(
                f"expected longer bursts: bursts of {result.burst} slots cannot fill a share of "
                f"{result.arrival_probability} of all slots",
                path="burst",
                value=result.burst,
            )
    unused = [n for name in RESOURCES[result.resources :] for n in OF_RESOURCE[name] if n in given]
    if unused:
        raise InputError(f"has no effect with {result.resources} resources", path=unused[0], value=given[unused[0]])
    return result


def odds(probability: Decimal) -> tuple[int, int]:
    """Return a probability p / (p + q) as the integers p and q."""
    whole = 10 ** decimals(probability)
    wins = int(probability * whole)
    return wins, whole - wins
