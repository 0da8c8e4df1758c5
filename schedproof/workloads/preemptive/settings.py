"""What can be varied in a random preemptive instance, and how a text becomes a setting."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Context, Decimal, InvalidOperation
from typing import Any, NamedTuple

import numpy as np

from schedproof.core.errors import InputError, UnknownName

LARGEST = 1_000_000  # of any setting: beyond it an instance is a typing error rather than an experiment
FINEST = 9  # decimals of any setting
WIDE = Context(prec=60)


class Range(NamedTuple):
    """A uniform draw from ``low`` to ``high``, both included, on the grid of ``places`` decimals."""

    low: Decimal
    high: Decimal
    places: int

    def draw(self, rng: np.random.Generator, size: int | tuple[int, int]) -> np.ndarray:
        """Integers (int64), to be divided by 10^places."""
        low, high = (int(end.scaleb(self.places, WIDE)) for end in (self.low, self.high))
        return rng.integers(low, high, size=size, endpoint=True)

    def numbers(self, rng: np.random.Generator, size: int) -> list[Decimal]:
        """The draws as exact decimals."""
        return [Decimal(n).scaleb(-self.places) for n in self.draw(rng, size).tolist()]


def between(low: str, high: str, places: int = 0) -> Range:
    """A range from the decimals of its ends."""
    return Range(Decimal(low), Decimal(high), places)


class Settings(NamedTuple):
    """What can be set; a range ``x`` by ``x_low`` and ``x_high``. The defaults are the simulator's.

    Attributes
    ----------
    jobs, servers
        How many; ``servers`` counts edge servers.
    cloud
        ``yes`` or ``no``.
    hardware
        ``testbed``: the paper's own machines. ``philly``: GPUs of a server as in the trace. ``uniform``: in ``gpus``.
    types, ps_types
        Worker types and parameter-server types (the testbed has two and one).
    ps_per_gpu
        Parameter servers of a server per GPU of it, rounded up.
    storage, chunk_gb
        GB per edge server (0: unlimited) and per chunk.
    slot_seconds
        Length of a slot.
    hours, load
        Arrivals spread over ``hours`` that then come ``load`` times as fast.
    arrivals
        ``daily``: weighted by the hour of the day as in the trace. ``uniform``: a Poisson process, given its count.
    chunks
        ``table``: D_j and B_j of a model of Table II. ``gpus``: D_j is a GPU count as in the trace, B_j from Table II.
        ``uniform``: in ``chunk_count`` and ``minibatches``.
    delays
        ``server``: an upload delay per job and server. ``job``: one per job for all edge servers.
    """

    jobs: int = 300
    servers: int = 100
    cloud: str = "yes"
    hardware: str = "philly"
    gpus: Range = between("1", "2")
    types: int = 8
    ps_types: int = 8
    ps_per_gpu: Decimal = Decimal(12)
    storage: Decimal = Decimal(0)
    slot_seconds: Decimal = Decimal(3600)
    hours: int = 48
    load: Decimal = Decimal(1)
    arrivals: str = "daily"
    chunks: str = "table"
    chunk_count: Range = between("1", "3")
    minibatches: Range = between("1", "3")
    epochs: Range = between("20", "60")
    minibatch_hours: Range = between("0.001", "0.05", 4)
    update_ms: Range = between("10", "100")
    gradient_mb: Range = between("30", "575")
    bandwidth_mbps: Range = between("100", "5120")
    chunk_gb: Range = between("0", "0", 1)
    delays: str = "server"
    delay: Range = between("1", "4")
    cloud_delay: Range = between("10", "15")


CHOICES = {
    "cloud": ("yes", "no"),
    "hardware": ("testbed", "philly", "uniform"),
    "arrivals": ("daily", "uniform"),
    "chunks": ("table", "gpus", "uniform"),
    "delays": ("server", "job"),
}
WHOLE = {"gpus", "chunk_count", "minibatches", "epochs", "delay", "cloud_delay"}
ZERO_ALLOWED = {"storage", "chunk_gb", "update_ms", "gradient_mb", "delay", "cloud_delay"}
RANGES = tuple(name for name, value in Settings._field_defaults.items() if isinstance(value, Range))
NAMES = tuple(
    name for field in Settings._fields for name in ((f"{field}_low", f"{field}_high") if field in RANGES else (field,))
)
# Without an effect while another setting has this value: giving both is refused, so that nothing is ignored in silence.
UNUSED = {
    ("hardware", "testbed"): ("types", "ps_types", "ps_per_gpu", "gpus_low", "gpus_high"),
    ("hardware", "philly"): ("gpus_low", "gpus_high"),
    ("chunks", "table"): ("chunk_count_low", "chunk_count_high", "minibatches_low", "minibatches_high"),
    ("chunks", "gpus"): ("chunk_count_low", "chunk_count_high", "minibatches_low", "minibatches_high"),
    ("cloud", "no"): ("cloud_delay_low", "cloud_delay_high"),
}


def configure(base: Settings, given: Mapping[str, str], known: Collection[str] = NAMES) -> Settings:
    """The settings ``base`` with the given ones in their place.

    Raises
    ------
    UnknownName
        For a setting that is not among ``known``, or a choice that there is not.
    InputError
        For a malformed or impossible value, or a setting without an effect beside the others.
    """
    result = base
    for name, text in given.items():
        if name not in known:
            raise UnknownName("setting", name, known)
        result = _replaced(result, name, str(text))
    for field in RANGES:
        low, high, _ = getattr(result, field)
        if low > high:
            raise InputError(f"expected at most {field}_high, which is {high}", path=f"{field}_low", value=low)
    if result.cloud == "no" and 0 < result.storage < result.chunk_gb.high:
        raise InputError(
            f"expected at most the storage, {result.storage}", path="chunk_gb_high", value=result.chunk_gb.high
        )
    for (choice, value), names in UNUSED.items():
        for name in names:
            if getattr(result, choice) == value and name in given:
                raise InputError(f"has no effect while {choice} is {value}", path=name, value=str(given[name]))
    return result


def _replaced(settings: Settings, name: str, text: str) -> Settings:
    field, _, end = name.rpartition("_") if name.endswith(("_low", "_high")) else (name, "", "")
    old = getattr(settings, field)
    new: Any
    if isinstance(old, str):
        if text not in CHOICES[name]:
            raise UnknownName(f"value of {name}", text, CHOICES[name])
        new = text
    else:
        whole = isinstance(old, int) or field in WHOLE
        value = positive(name, text, whole=whole, zero=field in ZERO_ALLOWED)
        new = int(value) if isinstance(old, int) else value
        if isinstance(old, Range):
            new = old._replace(places=max(old.places, decimals(value)), **{end: value})
    return settings._replace(**{field: new})


def positive(name: str, text: str, *, whole: bool = False, zero: bool = False, largest: int = LARGEST) -> Decimal:
    """The number of a setting.

    Raises
    ------
    InputError
        When the text is no number, or not a whole one, or too small, too large or too fine.
    """
    number = decimal_of(text)
    if (
        number is None
        or not 0 <= number <= largest
        or (number == 0 and not zero)
        or (whole and number % 1)
        or decimals(number) > FINEST
    ):
        kind = "whole number" if whole else f"number of at most {FINEST} decimals"
        least = "from 0 to" if zero else "above 0, at most"
        raise InputError(f"expected a {kind} {least} {largest}", path=name, value=text)
    return number


def decimal_of(text: str) -> Decimal | None:
    """The finite number that a text says; None for anything else, and for more than 60 characters."""
    text = text.strip()
    try:
        number = Decimal(text) if len(text) <= 60 and text.isascii() and "_" not in text else None
    except InvalidOperation:
        return None
    return number if number is not None and number.is_finite() and -30 <= number.adjusted() <= 18 else None


def decimals(number: Decimal) -> int:
    """How many decimals a number has."""
    exponent = number.normalize(WIDE).as_tuple().exponent
    return max(0, -int(exponent))
