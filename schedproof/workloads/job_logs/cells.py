"""Parsers of a log's cells: times, durations, GPUs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from schedproof.workloads.settings import WIDE, decimal_of

UNITS = {  # in seconds
    "s": "1", "ms": "0.001", "us": "0.000001", "ns": "0.000000001", "min": "60", "h": "3600", "d": "86400",
}  # fmt: skip
MICROSECOND = timedelta(microseconds=1)
EARLIEST_DATE = 5 * 10**8  # 1985 in seconds since 1970: no log is older than that
LATEST = 4_102_444_800  # 2100-01-01 in seconds since 1970
_DATE = re.compile(
    r"(\d{4})([-/]?)(\d\d)\2(\d\d)"
    r"(?:[Tt ]\s*(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,18}))?)?\s*(Z|z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?",
    re.ASCII,
)
_DAY_OR_MONTH = re.compile(  # a date without the year in front, like 31.12.2025 14:05 and 3/4/25 2:05 PM
    r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?:(T|,? )(\d{1,2}):\d\d(:\d\d(\.\d{1,6})?)?( ?)([AaPp][Mm])?)?", re.ASCII
)
_NO_TIME = re.compile(  # texts for "no time": the first and last times of databases, languages and integers
    r"(?:0000-00-00|0001-01-01|9999-12-31)(?:[T ].*)?|(?:2147483647|429496729[45]|9223372036854775807)(?:\.0)?",
    re.ASCII,
)
_SLURM = re.compile(  # days-hours, perhaps with minutes, and with minutes and seconds
    r"(\d{1,6})-(\d{1,2})(?::([0-5]\d)(?::([0-5]\d(?:\.\d{1,9})?))?)?", re.ASCII
)
_CLOCK = re.compile(  # days, hours, minutes, seconds: of Slurm, pandas, Python and PostgreSQL
    r"(?:(\d{1,6})\s+days?,?\s+\+?)?(?:(\d{1,6}):([0-5]\d)|(\d{1,6})):([0-5]\d(?:\.\d{1,9})?)", re.ASCII
)
_ISO = re.compile(
    r"P(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?",
    re.ASCII,
)
_ISO_UNITS = (604800, 86400, 3600, 60, 1)
_PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-zµμ]+)(?:\(s\))?\s*,?", re.IGNORECASE)
_WORDS = {
    word: unit
    for unit, words in {
        "d": "d day days", "h": "h hr hrs hour hours", "min": "m min mins minute minutes",
        "s": "s sec secs second seconds", "ms": "ms msec millis milliseconds", "us": "us µs μs usec microseconds",
        "ns": "ns nanoseconds",
    }.items()
    for word in words.split()
}  # fmt: skip
REMEMBERED = 10_000  # texts of GPUs
_COUNTED = re.compile(r"(\d+)\s*(?:gpus?|[x*×]\s*(\S.*))|(\S.*?)\s*[x*×]\s*(\d+)", re.IGNORECASE | re.ASCII)
_GROUPED = re.compile(r"-?(?:\d{1,3}(?:,\d{3}){2,}(?:\.\d+)?|\d{1,3}(?:,\d{3})+\.\d+)(?![\d,])", re.ASCII)
_COMMA = re.compile(r"-?\d+,\d+(?![\d,.])", re.ASCII)
GPU_TRES = "1001"  # Slurm numbers a site's own resources from 1001, by custom with the GPUs first


class Moment(NamedTuple):
    """Seconds since 1970 UTC or since the log's origin, and any anomaly of the text."""

    seconds: Decimal
    odd: str = ""


def moment(text: str, unit: str = "", form: str = "") -> Moment:
    """Return the time of a date or a number.

    A number without a unit is in seconds. If this time is after 2100, the unit is milliseconds, microseconds or
    nanoseconds.

    Parameters
    ----------
    form
        A format of `datetime.strptime`, which is tried first.

    Raises
    ------
    ValueError
        For a text that is not a time, or a time outside the years 1970 to 2099.
    """
    odd = ""
    if form:
        with suppress(ValueError):
            date = datetime.strptime(text, form)
            past = date.replace(tzinfo=date.tzinfo or UTC) - datetime(1970, 1, 1, tzinfo=UTC)
            if 0 <= (seconds_of := Decimal(past // MICROSECOND).scaleb(-6)) < LATEST:
                return Moment(seconds_of, "" if date.tzinfo else "arrival_naive")
    if (found := _DATE.fullmatch(text)) and (found[2] or found[5]):
        year, _, month, day, hour, minute, second, fraction, zone = found.groups()
        base = datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), tzinfo=UTC)
        if int(second or 0) > 60:  # 60: a leap second
            raise ValueError("expected a time")
        seconds: Decimal | None = Decimal(int(base.timestamp()) + int(second or 0) - _offset(zone)) + Decimal(
            f"0.{fraction or 0}"
        )
        odd = "" if zone else "arrival_naive"
    else:
        seconds = in_seconds(text, unit)
        for places in (3, 6, 9):
            if not unit and seconds is not None and EARLIEST_DATE <= seconds.scaleb(-places) < LATEST <= seconds:
                seconds, odd = seconds.scaleb(-places), "arrival_scaled"
    if seconds is None or not 0 <= seconds < LATEST:
        raise ValueError("expected a time")
    return Moment(seconds, odd)


def time_formats(text: str) -> list[str]:
    """Return the formats of a date that begins with its day or month, else nothing.

    The result has two formats if both numbers can be the month.
    """
    found = _DAY_OR_MONTH.fullmatch(text)
    if found is None:
        return []
    _, sign, _, year, gap, hour, seconds, fraction, space, half = found.groups()
    clock = f"{gap}{'%I' if half else '%H'}:%M" if hour else ""
    clock += ":%S" * bool(seconds) + ".%f" * bool(fraction) + (f"{space}%p" if half else "")
    rest = sign + ("%Y" if len(year) == 4 else "%y") + clock
    forms = [one + sign + other + rest for one, other in (("%d", "%m"), ("%m", "%d"))]
    return [form for form in forms if _reads(text, form)]


def _reads(text: str, form: str) -> bool:
    try:
        datetime.strptime(text, form)
    except ValueError:
        return False
    return True


def _offset(zone: str | None) -> int:
    """Return the seconds east of UTC."""
    if not zone or zone[0] not in "+-":
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    return int(zone[0] + "1") * (3600 * int(digits[:2]) + 60 * int(digits[2:]))


def is_no_time(text: str) -> bool:
    """Return whether a text is a usual mark for "no time"."""
    return _NO_TIME.fullmatch(text) is not None


def is_value(text: str) -> bool:
    """Return whether a text is a number or a time, hence not a column's name."""
    dates = _DATE, _DAY_OR_MONTH
    return decimal_of(text) is not None or any(date.fullmatch(text) for date in dates)


def duration(text: str, unit: str = "") -> Decimal | None:
    """Return the seconds of a duration; None for other texts.

    ``90``, ``1-02:03:04``, ``1-02`` (a day and two hours), ``05:30`` (minutes and seconds), ``2 days 03:04:05``,
    ``1h30m``, ``P1DT2H`` are durations.
    """
    if (number := in_seconds(text, unit)) is not None:
        return number
    if slurm := _SLURM.fullmatch(text):
        days, hours, minutes, seconds = (Decimal(part or 0) for part in slurm.groups())
        return 86400 * days + 3600 * hours + 60 * minutes + seconds
    if clock := _CLOCK.fullmatch(text):
        days, hours, minutes, only, seconds = (Decimal(part or 0) for part in clock.groups())
        return 86400 * days + 3600 * hours + 60 * (minutes + only) + seconds
    if (iso := _ISO.fullmatch(text)) and any(iso.groups()):
        parts = zip(_ISO_UNITS, iso.groups(), strict=True)
        return sum((unit * Decimal((part or "0").replace(",", ".")) for unit, part in parts), Decimal(0))
    return _of_words(text)


def without_comma(text: str, comma: str | None) -> str:
    """Return a text that begins with a number, without the number's commas.

    Several groups of three digits, or a point after a group, are thousands.

    Parameters
    ----------
    comma
        The meaning of any other comma: ``thousands`` or ``decimal``.

    Raises
    ------
    ValueError
        If the meaning is needed and is None.
    """
    if _GROUPED.match(text):
        return text.replace(",", "")
    if not _COMMA.match(text):
        return text
    if comma is None:
        raise ValueError("expected the meaning of a comma")
    return text.replace(",", "" if comma == "thousands" else ".")


def _of_words(text: str) -> Decimal | None:
    """Return the seconds of a text like ``1h30m``, ``2 hours 5 minutes`` or ``-3.5s``."""
    sign, rest = (-1, text[1:]) if text.startswith("-") else (1, text)
    total, place = Decimal(0), 0
    while place < len(rest) and (part := _PART.match(rest, place)):
        unit = _WORDS.get(part[2].lower())
        if unit is None:
            return None
        total, place = total + Decimal(part[1]) * Decimal(UNITS[unit]), part.end()
    return sign * total if place and place == len(rest) else None


def in_seconds(text: str, unit: str = "") -> Decimal | None:
    """Return a number of units in seconds; None for other texts."""
    number = decimal_of(text)
    return None if number is None else WIDE.multiply(number, Decimal(UNITS[unit or "s"]))


@lru_cache(maxsize=REMEMBERED)
def gpus(text: str) -> tuple[str, bool]:
    """Return a cell's number of GPUs, and whether it is given by a Slurm number.

    Slurm writes ``billing=8,gres/gpu=4,gres/gpu:a100=4``, ``gres/gpu:a100=3,gres/gpu:v100=1``, ``gpu:a100:2(S:0-1)``,
    ``gres:gpu:2``, or ``1=8,2=64000,1001=2``. A count without a type is the total: the counts by type are not added to
    it. Other logs write ``4 GPUs``, ``2x A100`` or ``A100 x 2``.
    """
    if counted := _COUNTED.fullmatch(text):
        return counted[1] or counted[4], False
    if "=" not in text and "gpu" not in text.lower():
        return text, False
    whole, typed, numbered = list[int](), list[int](), list[str]()
    for kind, rest, count in _resources(text):
        if kind == "gpu":
            if not count.isdecimal():
                return text, False
            (typed if rest else whole).append(int(count))
        elif kind == GPU_TRES:
            numbered.append(count)
    if whole or typed:
        return str(sum(whole) if whole else sum(typed)), False
    if numbered:
        return numbered[0], True
    return ("0" if re.search("[=:]", text) else text), False


def gpu_types(text: str) -> tuple[str, ...] | None:
    """Return the GPU types of a cell, in lower case.

    A cell has alternatives, ``V100|A100``, or a form of `gpus`. None: the job uses several types at once.
    """
    if counted := _COUNTED.fullmatch(text):
        text = counted[2] or counted[3] or ""
    slurm = [rest for kind, rest, _ in _resources(text) if kind == "gpu"]
    if not slurm and "=" not in text:
        return tuple(dict.fromkeys(filter(None, (part.strip() for part in text.lower().split("|")))))
    found = tuple(dict.fromkeys(rest[0] for rest in slurm if rest))
    return found if len(found) < 2 else None


def _resources(text: str) -> Iterator[tuple[str, list[str], str]]:
    """Yield the kind, the type if any, and the number of each Slurm resource."""
    for part in re.sub(r"\([^)]*\)", "", text.lower()).split(","):
        name, sign, count = part.strip().rpartition("=")
        kind, *rest = re.split("[:/]", (name if sign else count).removeprefix("gres/").removeprefix("gres:"))
        if not sign:
            count = rest.pop() if rest and rest[-1].isdecimal() else "1"
        yield kind, rest, count
