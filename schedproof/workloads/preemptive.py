"""Random preemptive instances in the ranges of paper 000's evaluation (section V-A and Table II)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from decimal import ROUND_CEILING, Context, Decimal
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from schedproof.core.errors import InputError, UnknownName
from schedproof.instances.preemptive.file import MOST

Generator = np.random.Generator
Row = dict[str, Any]


class Model(NamedTuple):
    """A row of Table II: D_j data chunks of B_j mini-batches."""

    name: str
    dataset: str
    chunks: int
    minibatches: int


MODELS = (
    Model("ResNet-50", "CIFAR10", 27, 58),
    Model("ResNet-101", "CIFAR10", 27, 58),
    Model("GoogLeNet", "Caltech101", 115, 58),
    Model("LeNet", "Caltech101", 115, 58),
    Model("AlexNet", "ImageNet-12", 60, 58),
    Model("Inception-BN", "ImageNet-12", 60, 58),
)
# Counted in the Philly trace: machines by GPUs (those with none left out), jobs by GPUs, jobs by local hour of submission.
MACHINE_SIZES = {8: 264, 4: 271, 3: 1, 2: 3}
JOB_SIZES = {1: 76627, 2: 1818, 4: 1870, 8: 1643, 12: 7, 16: 199, 24: 7, 32: 67, 64: 6, 128: 3}
JOBS_BY_HOUR = (4367, 3374, 3835, 3780, 2400, 3950, 5732, 7159, 3802, 3447, 3510, 2979) + (
    (2567, 2415, 2185, 2224, 3021, 2289, 2744, 2496, 3483, 3142, 3885, 3461)  # noon and later
)
# One testbed machine: 12 cores and 16 GB hold a GPU worker (3 GB), c CPU workers (3 cores, 2 GB) and p PSs (2 cores, 3 GB);
# c = 2 and p = 3 is the one choice that uses all of both.
TESTBED_WORKERS, TESTBED_PARAMETER_SERVERS = {"gpu": 1, "cpu": 2}, 3

LONGEST_ARRIVAL = MOST // 2  # slots; leaves room in the format for the work after the last arrival
LONGEST_CHUNK = MOST // 5
_UP = Context(prec=60, rounding=ROUND_CEILING)  # an upper estimate where a horizon is derived
_NEAR = Context(prec=60)
_GRID = Decimal("1e-12")


class Range(NamedTuple):
    """Both ends of a uniform draw, and how many decimals a drawn number has."""

    low: Decimal
    high: Decimal
    places: int

    def draw(self, rng: Generator, size: int | tuple[int, int]) -> np.ndarray:
        """Integers to be divided by 10^places, uniform on the grid from low to high, both included."""
        low, high = (int(end.scaleb(self.places, _NEAR)) for end in (self.low, self.high))
        return rng.integers(low, high, size=size, endpoint=True)

    def numbers(self, rng: Generator, size: int) -> list[Decimal]:
        """The draws as exact decimals."""
        return [Decimal(n).scaleb(-self.places) for n in self.draw(rng, size).tolist()]


def _range(low: str, high: str, places: int = 0) -> Range:
    return Range(Decimal(low), Decimal(high), places)


@dataclass(frozen=True)
class Settings:
    """What can be set; each `Range` called ``x`` is set by ``x_low`` and ``x_high``. The defaults are the simulator's.

    Attributes
    ----------
    jobs, servers
        How many; ``servers`` counts edge servers.
    cloud
        ``yes`` or ``no``.
    hardware
        ``testbed``: the paper's machines. ``philly``: GPUs per server drawn from `MACHINE_SIZES`. ``uniform``: from ``gpus``.
    types, ps_types
        Worker types and parameter-server types (not for the testbed, which has two and one).
    ps_per_gpu
        Parameter servers of a server per GPU, rounded up.
    slot_seconds
        Length of a slot.
    hours, load
        Arrivals spread over ``hours`` and then come ``load`` times as fast.
    arrivals
        ``daily``: hours of the day weighted as in `JOBS_BY_HOUR`. ``uniform``: a Poisson process, given its count.
    chunks
        ``table``: D_j and B_j of a model of Table II. ``gpus``: D_j is a GPU count of `JOB_SIZES`, B_j from Table II.
        ``uniform``: from ``chunk_count`` and ``minibatches``.
    delays
        ``server``: one upload delay per job and server. ``job``: one per job for all edge servers.
    storage
        GB per edge server; 0 is unlimited.
    """

    jobs: int = 300
    servers: int = 100
    cloud: str = "yes"
    hardware: str = "philly"
    gpus: Range = _range("1", "2")
    types: int = 8
    ps_types: int = 8
    ps_per_gpu: Decimal = Decimal(12)
    storage: Decimal = Decimal(0)
    slot_seconds: Decimal = Decimal(3600)
    hours: int = 48
    load: Decimal = Decimal(1)
    arrivals: str = "daily"
    chunks: str = "table"
    chunk_count: Range = _range("1", "3")
    minibatches: Range = _range("1", "3")
    epochs: Range = _range("20", "60")
    minibatch_hours: Range = _range("0.001", "0.05", 4)
    update_ms: Range = _range("10", "100")
    gradient_mb: Range = _range("30", "575")
    bandwidth_mbps: Range = _range("100", "5120")
    chunk_gb: Range = _range("0", "0", 1)
    delays: str = "server"
    delay: Range = _range("1", "4")
    cloud_delay: Range = _range("10", "15")


CHOICES = {
    "cloud": ("yes", "no"),
    "hardware": ("testbed", "philly", "uniform"),
    "arrivals": ("daily", "uniform"),
    "chunks": ("table", "gpus", "uniform"),
    "delays": ("server", "job"),
}
# Without an effect once another setting has this value: giving both is refused rather than ignored.
UNUSED = {
    ("hardware", "testbed"): ("types", "ps_types", "ps_per_gpu", "gpus_low", "gpus_high"),
    ("hardware", "philly"): ("gpus_low", "gpus_high"),
    ("chunks", "table"): ("chunk_count_low", "chunk_count_high", "minibatches_low", "minibatches_high"),
    ("chunks", "gpus"): ("chunk_count_low", "chunk_count_high", "minibatches_low", "minibatches_high"),
    ("cloud", "no"): ("cloud_delay_low", "cloud_delay_high"),
}
ZERO_ALLOWED = {"storage", "update_ms", "gradient_mb", "chunk_gb", "delay", "cloud_delay"}
PRESETS = {
    "tiny": Settings(
        jobs=3,
        servers=2,
        hardware="uniform",
        types=2,
        ps_types=1,
        ps_per_gpu=Decimal(1),
        hours=4,
        arrivals="uniform",
        chunks="uniform",
        epochs=_range("1", "2"),
        minibatch_hours=_range("0.1", "0.5", 4),
        gradient_mb=_range("30", "100"),
        bandwidth_mbps=_range("2", "10"),
        delay=_range("0", "2"),
        cloud_delay=_range("3", "6"),
    ),
    "testbed": Settings(jobs=30, servers=8, hardware="testbed"),
    "simulator": Settings(),
}


def names_of_settings() -> list[str]:
    """Every setting that `configure` knows."""
    ranges = {f.name for f in fields(Settings) if isinstance(f.default, Range)}
    plain = [f.name for f in fields(Settings) if f.name not in ranges]
    return sorted(plain + [f"{name}_{end}" for name in ranges for end in ("low", "high")])


def configure(base: Settings, given: Mapping[str, str], known: Collection[str] | None = None) -> Settings:
    """The settings ``base`` with some of them replaced.

    Raises
    ------
    UnknownName
        For a setting that is not among ``known`` (default: all), or a choice that there is not.
    InputError
        For a malformed or impossible value, or a setting that has no effect beside the others.
    """
    known = names_of_settings() if known is None else known
    result = base
    for name, value in given.items():
        if name not in known:
            raise UnknownName("setting", name, known)
        field, _, end = name.rpartition("_") if name.endswith(("_low", "_high")) else (name, "", "")
        old = getattr(result, field)
        new = _value(name, str(value), old, field in ZERO_ALLOWED)
        result = replace(result, **{field: _with_end(old, end, new) if end else new})
    for field in (f.name for f in fields(Settings) if isinstance(f.default, Range)):
        low, high, _ = getattr(result, field)
        if low > high:
            raise InputError(f"expected at most {field}_high = {high}", path=f"{field}_low", value=low)
    for (choice, value), names in UNUSED.items():
        if getattr(result, choice) == value and (unused := [name for name in names if name in given]):
            raise InputError(f"has no effect when {choice} is {value}", path=unused[0], value=given[unused[0]])
    return result


def _value(name: str, text: str, old: Any, zero: bool) -> int | str | Decimal:
    if isinstance(old, str):
        if text not in CHOICES[name]:
            raise UnknownName(name, text, CHOICES[name])
        return text
    number = decimal_of(text)
    whole = isinstance(old, int) or (isinstance(old, Range) and old.places == 0)
    least = ("" if whole else "above ") + "0" if zero or not whole else "1"
    expected = f"expected a {'whole ' if whole else ''}number {'from' if zero or whole else 'above'} {least} to 1000000"
    expected = expected.replace("above above", "above").replace("from above", "from")
    small = number is not None and (number < 0 or (number == 0 and not zero))
    if number is None or small or number > 1_000_000 or (whole and number != number.to_integral_value()):
        raise InputError(expected, path=name, value=text)
    if number and number.adjusted() < -9:
        raise InputError("expected at most 9 decimals", path=name, value=text)
    return int(number) if isinstance(old, int) else number


def decimal_of(text: str) -> Decimal | None:
    """The number that a text says, None when it is no finite number of sensible size."""
    try:
        number = Decimal(text.strip())
    except ArithmeticError:
        return None
    return number if number.is_finite() and -18 <= number.adjusted() <= 18 and len(text) <= 60 else None


def _with_end(old: Range, end: str, value: Any) -> Range:
    places = max(old.places, -Decimal(value).normalize().as_tuple().exponent)  # type: ignore[operator]
    return old._replace(places=places, **{end: Decimal(value)})
