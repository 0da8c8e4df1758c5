"""Options of traces mapped to multiserver instances."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal

from schedproof.core.data.options import pick
from schedproof.core.errors import InputError, UnknownName
from schedproof.workloads.multiserver.draws import MEMORY_UNIT
from schedproof.workloads.multiserver.settings import DEVICES, FULL, NAMES, OF_RESOURCE, RESOURCES, Settings, configure
from schedproof.workloads.settings import positive
from schedproof.workloads.tables import LARGEST_TIME

BASE = Settings(density=FULL)  # without effect: a port has every node that can hold one request
SETTINGS = {"ports", "nodes", "horizon", "contention", "arrival_probability", "utilities"} | {
    name for name in NAMES if name.startswith(("alpha_", "beta_", "request_", "node_"))
}
OF_TASKS = (
    "start",
    "seconds",
    "slot_seconds",
    "counts",
    "digits",
    "status",
)  # without effect on an instance without these resources
OWN = (*OF_TASKS, "resources", "memory_unit")
COUNTS = {"clip": True, "keep": False}
MOST_DIGITS = 9


@dataclass(frozen=True)
class Options:
    """The options of `alibaba.load` and `openb.load`, and the drawn settings.

    Attributes
    ----------
    given
        All given options, as text.
    thinned
        Whether arrivals are kept with probability rho.
    clip
        Whether several tasks of a kind in the same slot count as one task.
    """

    given: Mapping[str, str]
    settings: Settings
    resources: tuple[str, ...] | None
    thinned: bool
    start: int | None
    seconds: int | None
    slot_seconds: Decimal | None
    clip: bool
    digits: int
    memory_unit: Decimal
    statuses: frozenset[str]

    def refuse(self, names: Collection[str], because: str) -> None:
        """Refuse options without effect."""
        for name, text in self.given.items():
            if name in names:
                raise InputError(f"has no effect {because}", path=name, value=text)

    def recorded_resources(self, resources: Collection[str], known: Collection[str]) -> tuple[str, ...]:
        """Return the resources that the trace's tasks request, at least one."""
        result = tuple(name for name in known if name in resources)
        if not result:
            raise InputError(
                f"expected at least one of {', '.join(known)}", path="resources", value=",".join(resources)
            )
        return result

    def check_drawn(self, resources: Collection[str], drawn: Collection[str]) -> None:
        """Refuse options without effect; requests for resources ``drawn`` are drawn."""
        for name in RESOURCES:
            of_ports = {n for n in OF_RESOURCE[name] if n.startswith("request_")}
            if name not in drawn:
                self.refuse(of_ports, f"where no request for {name} is drawn")
            if name not in resources:
                self.refuse({*OF_RESOURCE[name]} - of_ports, f"without {name} among the resources")
        if "memory" not in resources:
            self.refuse({"memory_unit"}, "without memory among the resources")


def read_options(trace: str, given: Mapping[str, str], more: Collection[str] = ()) -> Options:
    """Return the options from their texts; ``more`` are this format's own options.

    Raises
    ------
    UnknownName, InputError
        For an unknown option or choice, or a malformed value.
    """
    texts = {name: str(text) for name, text in given.items()}
    known = {*OWN, *SETTINGS, *more}
    for name in texts:
        if name not in known:
            raise UnknownName(f"option of {trace}", name, known)
    return Options(
        given=texts,
        settings=configure(BASE, {name: text for name, text in texts.items() if name in SETTINGS}, SETTINGS),
        resources=_resources(texts["resources"]) if "resources" in texts else None,
        thinned="arrival_probability" in texts,
        start=whole_number(texts, "start", zero=True),
        seconds=whole_number(texts, "seconds"),
        slot_seconds=amount(texts, "slot_seconds"),
        clip=pick("value of counts", texts.get("counts", "clip"), COUNTS),
        digits=int(positive("digits", texts.get("digits", "2"), whole=True, largest=MOST_DIGITS)),
        memory_unit=amount(texts, "memory_unit") or Decimal(MEMORY_UNIT),
        statuses=frozenset(part for part in map(str.strip, texts.get("status", "").split(",")) if part),
    )


def amount(texts: Mapping[str, str], name: str, **rules: bool) -> Decimal | None:
    """Return the number of an option, or None."""
    return positive(name, texts[name], largest=LARGEST_TIME, **rules) if name in texts else None


def whole_number(texts: Mapping[str, str], name: str, *, zero: bool = False) -> int | None:
    """Return the integer of an option, or None."""
    value = amount(texts, name, whole=True, zero=zero)
    return None if value is None else int(value)


def _resources(text: str) -> tuple[str, ...]:
    names = {part.strip() for part in text.split(",")}
    for name in sorted(names):
        if name not in RESOURCES:
            raise UnknownName("resource", name, RESOURCES)
    return tuple(name for name in RESOURCES if name in names)


def devices_of(resources: Collection[str]) -> tuple[str, ...]:
    """Return the resources that no trace has."""
    return tuple(name for name in DEVICES if name in resources)
