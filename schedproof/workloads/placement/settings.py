"""Settings of random placement instances."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import NamedTuple

from schedproof.core.errors import InputError
from schedproof.workloads import settings as common
from schedproof.workloads.settings import Range, Rules, range_of


class Settings(NamedTuple):
    """Settings, with the defaults of `synthetic3`; range ``x``: ``x_low``, ``x_high``.

    Attributes
    ----------
    clusters, cpus, gpus
        N, and the CPU cores and GPUs of each cluster.
    tasks, rate
        J, and lambda: mean number of arrivals in a slot.
    types
        ``synthetic``: the two types of section V-A. ``testbed``: the three tasks of Table I.
    minimum_cpus, minimum_gpus, most_cpus, most_gpus
        A task can have any number of CPU cores and of GPUs from the minimum, b_j, to the most.
    insensitive
        Slots of an insensitive task, with any allocation.
    sensitive, fastest_gpus
        Slots of a sensitive task: the most with one GPU, the least with ``fastest_gpus``.
    sensitive_share
        Percent of the tasks that are sensitive.
    slot_seconds, downsizing
        The length of a slot, and the downsizing factor. The seconds of Table I are divided by both.
    noise
        Largest relative deviation of a task's progress in a slot: 0.1 is 10 %.
    bandwidth, usable
        Bandwidth of a link in Mbit/s, and the least bandwidth of a usable link.
    unreachable
        ``redraw``: the links of a task that reaches no cluster are drawn again. ``keep``: as drawn.
    """

    clusters: int = 3
    cpus: int = 16
    gpus: int = 16
    tasks: int = 192
    rate: Decimal = Decimal(2)
    types: str = "synthetic"
    minimum_cpus: int = 2
    minimum_gpus: int = 1
    most_cpus: int = 16
    most_gpus: int = 16
    insensitive: Decimal = Decimal(4)
    sensitive: Range = range_of("2", "17")
    fastest_gpus: int = 16
    sensitive_share: Decimal = Decimal(50)
    slot_seconds: Decimal = Decimal(10)
    downsizing: Decimal = Decimal(1)
    noise: Decimal = Decimal("0.1")
    bandwidth: Range = range_of("0", "10", 3)
    usable: Decimal = Decimal(5)
    unreachable: str = "redraw"


MOST = 1000  # most CPU cores, GPUs and clusters
CHOICES = {"types": ("synthetic", "testbed"), "unreachable": ("redraw", "keep")}
ZERO_ALLOWED = {"cpus", "gpus", "minimum_cpus", "sensitive_share", "noise", "bandwidth", "usable"}
OF_TYPES = {
    "synthetic": ("insensitive", "sensitive_low", "sensitive_high", "sensitive_share", "fastest_gpus"),
    "testbed": ("slot_seconds", "downsizing"),
}
UNUSED = {("types", "synthetic"): OF_TYPES["testbed"], ("types", "testbed"): OF_TYPES["synthetic"]}
RULES = Rules(CHOICES, set(), ZERO_ALLOWED, UNUSED)
RANGES = common.ranges(Settings._field_defaults)
NAMES = common.names(Settings._field_defaults)


def configure(base: Settings, given: Mapping[str, str], known: Collection[str] = NAMES) -> Settings:
    """Return ``base`` with the given settings; all names must be in ``known``."""
    s = common.configure(base, given, known, RULES)
    for name in ("clusters", "cpus", "gpus", "most_cpus", "most_gpus", "fastest_gpus"):
        if getattr(s, name) > MOST:
            raise InputError(f"expected at most {MOST}", path=name, value=getattr(s, name))
    for name in ("cpus", "gpus"):
        if getattr(s, f"minimum_{name}") > getattr(s, f"most_{name}"):
            raise InputError(
                f"expected at most most_{name}, which is {getattr(s, f'most_{name}')}",
                path=f"minimum_{name}",
                value=getattr(s, f"minimum_{name}"),
            )
    if s.noise >= 1:
        raise InputError(
            "expected a number below 1: a task has positive progress in every slot", path="noise", value=s.noise
        )
    if s.sensitive_share > 100:
        raise InputError("expected at most 100 percent", path="sensitive_share", value=s.sensitive_share)
    return s
