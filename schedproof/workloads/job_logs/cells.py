"""Parsers of a log's cells: times, durations, GPUs."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal

from schedproof.workloads.settings import WIDE, decimal_of

UNITS = {"s": "1", "ms": "0.001", "us": "0.000001", "min": "60", "h": "3600", "d": "86400"}  # in seconds
LATEST = 4_102_444_800  # 2100-01-01 in seconds since 1970
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?", re.ASCII)
_CLOCK = re.compile(r"(?:(\d{1,6})-)?(\d{1,6}):([0-5]\d):([0-5]\d(?:\.\d{1,9})?)", re.ASCII)  # days, hours ...
_GRES = re.compile(r"(?:^|,)\s*gres/gpu(:[^=,]*)?=(\d+)", re.ASCII)


def moment(text: str, unit: str) -> tuple[Decimal, bool]:
    """Return seconds since 1970 UTC, or since the log's origin, and whether the time has no zone.

    Raises
    ------
    ValueError
        For a text that is not a time, or a time outside 1970 to 2099.
    """
    naive = False
    if _MOMENT.fullmatch(text):
        time = datetime.fromisoformat(text)
        naive = time.tzinfo is None
        known = time.replace(tzinfo=UTC) if naive else time
        seconds: Decimal | None = Decimal(int(known.timestamp())) + Decimal(known.microsecond) / 10**6
    else:
        seconds = in_seconds(text, unit)
    if seconds is None or not 0 <= seconds < LATEST:
        raise ValueError("expected a time")
    return seconds, naive


def duration(text: str, unit: str) -> Decimal | None:
    """Return the seconds of a number or of days-hours:minutes:seconds, or None."""
    clock = _CLOCK.fullmatch(text)
    if clock is None:
        return in_seconds(text, unit)
    days, hours, minutes, seconds = (Decimal(part or 0) for part in clock.groups())
    return 86400 * days + 3600 * hours + 60 * minutes + seconds


def in_seconds(text: str, unit: str) -> Decimal | None:
    """Return a number of units in seconds, or None for other texts."""
    number = decimal_of(text)
    return None if number is None else WIDE.multiply(number, Decimal(UNITS[unit]))


def gpus(text: str) -> str:
    """Return the number in a cell; the GPUs of Slurm's ``billing=8,gres/gpu=4,...``."""
    if "=" not in text:
        return text
    parts = _GRES.findall(text)
    whole = [count for kind, count in parts if not kind]
    return whole[0] if whole else str(sum(int(count) for _, count in parts))
