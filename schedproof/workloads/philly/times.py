"""Philly's times: US Pacific without offsets, by the package ``tzdata``."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

AMBIGUOUS, NONEXISTENT = "ambiguous", "nonexistent"
# Years are limited, because 0217 for 2017 would stretch a window over eighteen centuries.
_FORM = re.compile(r"(19[7-9]|20\d)\d-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?", re.ASCII)
_EPOCH = datetime(1970, 1, 1)


@cache
def pacific() -> ZoneInfo:
    """Return America/Los_Angeles of the installed ``tzdata`` package."""
    with files("tzdata.zoneinfo.America").joinpath("Los_Angeles").open("rb") as content:
        return ZoneInfo.from_file(content, key="America/Los_Angeles")


def seconds_of(text: str, *, second: bool = False) -> tuple[int, str | None]:
    """Return seconds since 1970 UTC of a local time, and the time's anomaly, if any.

    The form is ``YYYY-MM-DD HH:MM:SS``. A time in the hour that the end of daylight saving repeats is the first
    occurrence, or with ``second`` the second occurrence. A time in the hour that the start of daylight saving skips is
    read one hour later.

    Raises
    ------
    ValueError
        If the text is not a time of this form.
    """
    if not _FORM.fullmatch(text):
        raise ValueError("expected YYYY-MM-DD HH:MM:SS")
    naive = datetime.fromisoformat(text)
    zone = pacific()
    early, late = zone.utcoffset(naive), zone.utcoffset(naive.replace(fold=1))
    assert early is not None and late is not None
    odd = None if early == late else AMBIGUOUS if early > late else NONEXISTENT
    offset = late if second and odd == AMBIGUOUS else early
    return (naive - _EPOCH - offset) // timedelta(seconds=1), odd


def is_time(text: str) -> bool:
    """Return whether a text has the form ``YYYY-MM-DD HH:MM:SS``."""
    return _FORM.fullmatch(text) is not None


def text_of(seconds: int) -> str:
    """Return seconds since 1970 UTC as local time with its offset."""
    return datetime.fromtimestamp(seconds, UTC).astimezone(pacific()).isoformat(sep=" ")
