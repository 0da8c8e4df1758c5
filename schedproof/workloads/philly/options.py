"""Options of the Philly trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from schedproof.core.data.options import pick
from schedproof.core.errors import InputError, UnknownName
from schedproof.workloads.jobs import MOST_ROWS, Window
from schedproof.workloads.philly.times import seconds_of
from schedproof.workloads.preemptive.settings import NAMES, Settings, configure
from schedproof.workloads.settings import positive

BASES = {
    "trace": Settings(
        cloud="no", types=1, ps_types=1, ps_per_gpu=Decimal(1), slot_seconds=Decimal(60), chunks="gpus", delays="job"
    ),
    "paper": Settings(chunks="gpus"),
}
GIVEN_BY_THE_TRACE = {"jobs", "servers", "hours", "arrivals", "hardware", "gpus_low", "gpus_high"}
SETTINGS = {
    "trace": {"cloud", "ps_per_gpu", "slot_seconds", "load", "delays"}
    | {f"{name}_{end}" for name in ("delay", "cloud_delay") for end in ("low", "high")},
    "paper": set(NAMES) - GIVEN_BY_THE_TRACE,
}
CHOICES: dict[str, Mapping[str, object]] = {
    "mapping": BASES,
    "gpus": {"last": 0, "first": 0},
    "duration": {"attempts": 0, "span": 0},
}
COUNTS = {"machines": 1, "jobs": 1, "skip": 0, "min_gpus": 1}  # option -> least value
OWN = (*CHOICES, *COUNTS, "start", "hours", "status")
LOG_ONLY = ("gpus", "duration", "status")


@dataclass(frozen=True, kw_only=True)
class Options(Window):
    """The options of `philly.load`, and the settings of drawn fields."""

    settings: Settings
    mapping: str = "trace"
    gpus: str = "last"
    duration: str = "attempts"
    statuses: frozenset[str] = frozenset()
    machines: int = MOST_ROWS

    @property
    def timed(self) -> bool:
        """Whether the recorded durations are used."""
        return self.mapping == "trace"


def read_options(given: Mapping[str, str]) -> Options:
    """Return the options from their texts."""
    texts = {name: str(text) for name, text in given.items()}
    for name in CHOICES.keys() & texts.keys():
        pick(f"value of {name}", texts[name], CHOICES[name])
    mapping = texts.get("mapping", "trace")
    known = {*OWN, *SETTINGS[mapping]}
    for name in texts:
        if name not in known:
            raise UnknownName(f"option of philly with mapping={mapping}", name, known)
    if mapping == "paper" and "duration" in texts:
        raise InputError("has no effect while mapping is paper", path="duration", value=texts["duration"])
    return Options(
        settings=configure(BASES[mapping], {name: text for name, text in texts.items() if name not in OWN}),
        **{name: texts[name] for name in CHOICES if name in texts},  # type: ignore[arg-type]
        **{name: _count(name, texts[name], least) for name, least in COUNTS.items() if name in texts},  # type: ignore[arg-type]
        statuses=frozenset(part.strip() for part in texts.get("status", "").split(",") if part.strip()),
        start=_time(texts["start"]) if "start" in texts else None,
        hours=positive("hours", texts["hours"]) if "hours" in texts else None,
    )


def _count(name: str, text: str, least: int) -> int:
    return int(positive(name, text, whole=True, zero=least == 0, largest=MOST_ROWS))


def _time(text: str) -> int:
    try:
        return seconds_of(f"{text} 00:00" if len(text) == 10 else text)[0]
    except ValueError:
        raise InputError(
            "expected a Pacific time as YYYY-MM-DD or YYYY-MM-DD HH:MM:SS", path="start", value=text
        ) from None
