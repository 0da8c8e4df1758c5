"""Options of the Google trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from schedproof.core.errors import UnknownName
from schedproof.workloads.dmlrs.settings import NAMES, Settings, configure
from schedproof.workloads.settings import positive

BASE = Settings(jobs=100, machines=30, horizon=80)  # section V: the size of the trace's snippet
GIVEN_BY_THE_TRACE = {"mix"}
SETTINGS = set(NAMES) - GIVEN_BY_THE_TRACE
LARGEST_TIME = 10**9  # seconds
OWN = ("start", "seconds", "scale", "skip")


@dataclass(frozen=True)
class Options:
    """The options of `google.load`, and the settings of drawn fields."""

    settings: Settings
    start: Decimal | None
    seconds: Decimal | None
    scale: Decimal | None
    skip: int


def read_options(given: Mapping[str, str]) -> Options:
    """Return the options from their texts."""
    texts = {name: str(text) for name, text in given.items()}
    for name in texts:
        if name not in {*OWN, *SETTINGS}:
            raise UnknownName("option of google", name, {*OWN, *SETTINGS})

    def number(name: str, *, whole: bool = False, zero: bool = False) -> Decimal | None:
        return positive(name, texts[name], whole=whole, zero=zero, largest=LARGEST_TIME) if name in texts else None

    return Options(
        settings=configure(BASE, {name: text for name, text in texts.items() if name in SETTINGS}),
        start=number("start", zero=True),
        seconds=number("seconds"),
        scale=number("scale"),
        skip=int(number("skip", whole=True, zero=True) or 0),
    )
