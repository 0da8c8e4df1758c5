"""Hypothesis strategies for tiny dmlrs instances that reach the claims' regimes.

Utilities are rational. Instances are small enough to enumerate all schedules of a job: one machine and up to three
slots, or two machines and up to two slots.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import lcm
from typing import Any, Literal, TypeVar

from hypothesis import strategies as st

from schedproof.core.claims.cases import Amount, AtLeastOne, Inside, PositiveAmount
from schedproof.core.errors import expect
from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.strategies.covering import fractions
from schedproof.proofs_checks.strategies.dmlrs_builders import build_instance
from schedproof.reference.dmlrs import spots
from schedproof.reference.dmlrs_schedules import Use

Scene = Literal["plain", "swallow", "sliver", "slow"]
SCENES: tuple[Scene, ...] = ("plain", "plain", "plain", "swallow", "sliver", "slow")
PRICES = fractions("0 1 1 2 3 1/2 5")
PRICE_LISTS = st.lists(st.sampled_from(PRICES), min_size=2, max_size=6).map(tuple)
CAPS = tuple(Fraction(n, 12) for n in (4, 6, 6, 8, 9, 11))
T = TypeVar("T")


@dataclass(frozen=True)
class OfInstance:
    instance: Instance


@dataclass(frozen=True)
class Priced(OfInstance):
    """An instance and prices, assigned cyclically to slots, machines and resources."""

    price: tuple[Amount, ...]

    def __post_init__(self) -> None:
        expect(bool(self.price), "expected at least one price", "price")

    @property
    def prices(self) -> Use:
        return {spot: self.price[n % len(self.price)] for n, spot in enumerate(spots(self.instance))}


@dataclass(frozen=True)
class SlotPriced(Priced):
    """An instance and prices, with a workload in samples for one slot."""

    samples: PositiveAmount


@dataclass(frozen=True)
class Capped(OfInstance):
    """An instance on which PD-ORS runs with a cap.

    Attributes
    ----------
    cap
        x, the largest share of a capacity that a job may hold.
    slack
        psi: every Theta is at most this factor times the least cost.
    """

    cap: Inside
    slack: AtLeastOne


@dataclass(frozen=True)
class Grained(Capped):
    """A capped case in whole grains: uses and capacities are multiples of ``grain`` C."""

    grain: PositiveAmount


@st.composite
def instances(
    draw: Any,
    *,
    reserved: bool | None = None,
    lasting: bool = False,
    roomy: bool = False,
    machines: int | None = None,
    spare: int = 0,
    scenes: tuple[Scene, ...] = SCENES,
) -> Instance:
    """A tiny instance.

    Parameters
    ----------
    reserved
        Whether a part of the capacity is in use already; drawn if None.
    lasting
        Whether every utility is positive at the horizon.
    roomy
        Whether machines hold several jobs at a time.
    machines
        The number of machines (one in ``swallow`` and ``sliver``); drawn if None.
    spare
        The least capacity that the jobs of ``swallow`` and ``sliver`` leave on the only machine.
    scenes
        ``swallow``: the first job takes all of the only machine, and then a job of larger utility comes. ``sliver``:
        the first job leaves less than the next job needs. ``slow``: workers train a fractional number of samples in a
        slot.
    """
    scene: Scene = draw(st.sampled_from(scenes))
    crowded = scene in ("swallow", "sliver")
    machines = 1 if crowded else machines or draw(st.sampled_from((1, 2, 2)))
    horizon = draw(st.sampled_from((1, 2, 3) if machines == 1 else (1, 2, 2))) if scene != "slow" else 4 - machines
    names = ["gpu", "memory"][: 1 if crowded else draw(st.integers(1, 2))]
    sizes = (4, 6, 8) if roomy else (1, 2, 3, 4)
    boxes = [{r: draw(st.sampled_from((0, 0, 0, *sizes) if h else sizes)) for r in names} for h in range(machines)]
    count = 2 if crowded else draw(st.integers(1, 3))
    most_workers = (4 - machines) if scene != "plain" or horizon < 3 else 2
    jobs = [_job(draw, n, names, horizon, most_workers, scene, lasting) for n in range(count)]
    if crowded:
        _crowd(draw, jobs, boxes[0], scene, spare)
    more: dict[str, Any] = {}
    if draw(st.integers(0, 2)) == 0 if reserved is None else reserved:
        held = [[{r: st.integers(0, c) for r, c in box.items()} for box in boxes] for _ in range(horizon)]
        more["reserved"] = [[{r: draw(n) for r, n in row.items()} for row in slot] for slot in held]
    return build_instance(boxes, jobs, horizon, **more)


def _crowd(draw: Any, jobs: list[dict[str, Any]], capacity: dict[str, int], scene: Scene, spare: int) -> None:
    """Let the first job fill the machine, or leave a sliver, when a better job comes."""
    limit = draw(st.integers(2 + spare, 5)) - spare
    capacity["gpu"] = limit + spare
    first = limit if scene == "swallow" else draw(st.integers(1 + spare, capacity["gpu"] - 1))
    held = [first, limit if scene == "swallow" else draw(st.integers(capacity["gpu"] - first + 1, limit))]
    for n, job in enumerate(jobs):
        job |= {"arrival": 0, "epochs": 1, "samples": held[n], "batch_size": held[n], "workers_per_ps": held[n]}
        job |= {"sample_time": 1, "model_size": 0, "worker": {"gpu": 1}, "ps": {"gpu": 0}}
        job["utility"] = {
            "kind": "constant",
            "value": draw(st.sampled_from((2, 2, 10, 100, 1000, 10000) if n else (1, 2))),
        }


def _job(
    draw: Any, n: int, names: list[str], horizon: int, most_workers: int, scene: Scene, lasting: bool
) -> dict[str, Any]:
    internal = draw(st.sampled_from((2, 4, 8, 8)))
    slow = scene == "slow"
    times = (Decimal("0.4"), Decimal("0.75"), Decimal("1.5")) if slow else (1, Decimal("0.5"), Decimal("0.5"), 2)
    return {
        "name": f"j{n}",
        "arrival": draw(st.integers(0, horizon - 1)) if n else 0,
        "epochs": draw(st.integers(1, 2)),
        "samples": draw(st.integers(1, 3)),
        "batch_size": draw(st.integers(1, most_workers)),
        "workers_per_ps": draw(st.sampled_from((1, 1, 2, 3, Decimal("1.5"), Decimal("0.5")))),
        "sample_time": draw(st.sampled_from(times)),
        "model_size": 0 if slow else draw(st.sampled_from((0, Decimal("0.1"), Decimal("0.1"), 1))),
        "bandwidth_internal": internal,
        "bandwidth_external": draw(st.sampled_from((internal, 1, 2, 2))),
        "worker": {r: draw(st.sampled_from((1, 1, 2) if r == names[0] else (0, 1, 2))) for r in names},
        "ps": {r: draw(st.sampled_from((0, 1))) for r in names},
        "utility": _utility(draw, horizon, lasting),
    }


def _utility(draw: Any, horizon: int, lasting: bool) -> dict[str, Any]:
    top = draw(st.sampled_from((2, 3, 7, 20, 100)))
    kind = draw(st.sampled_from(("constant", "linear", "table")))
    if kind == "linear":
        steep = (0, 1, Decimal(top) / 2, top)
        slope = (
            (Decimal(top) / (2 * horizon + 2)).quantize(Decimal("0.01")) if lasting else draw(st.sampled_from(steep))
        )
        return {"kind": kind, "value": top, "slope": slope}
    if kind == "table":
        value = st.sampled_from((int(lasting), int(lasting), top // 2 + 1, top))
        return {"kind": kind, "values": [top, *sorted((draw(value) for _ in range(horizon - 1)), reverse=True)]}
    return {"kind": kind, "value": top}


def cases(**settings: Any) -> st.SearchStrategy[OfInstance]:
    return instances(**settings).map(OfInstance)


def priced_cases(**settings: Any) -> st.SearchStrategy[Priced]:
    return st.builds(Priced, instances(**settings), PRICE_LISTS)


def slot_priced(**settings: Any) -> st.SearchStrategy[SlotPriced]:
    return st.builds(SlotPriced, instances(**settings), PRICE_LISTS, st.sampled_from(fractions("1 1 2 1/2 3/2")))


def two_machines() -> st.SearchStrategy[SlotPriced]:
    two: dict[str, Any] = {"machines": 2, "scenes": ("plain", "slow")}
    return slot_priced(**two) | slot_priced(roomy=True, **two)


def capped_cases(caps: tuple[Fraction, ...] = CAPS, **settings: Any) -> st.SearchStrategy[Capped]:
    slacks = st.sampled_from(fractions("1 1 3/2 3"))
    return st.builds(Capped, slack=slacks, instance=instances(**settings), cap=st.sampled_from(caps))


def within_caps() -> st.SearchStrategy[Capped]:
    """Roomy cases of `capped_cases`, and cases with too little capacity for a job."""
    one = capped_cases(roomy=True, scenes=("plain", "slow"))
    two = capped_cases(roomy=True, machines=2, scenes=("plain",))
    return one | two | capped_cases(caps=CAPS[-3:], spare=1, scenes=("sliver",))


def grained_cases() -> st.SearchStrategy[Grained]:
    """Cases of `within_caps` in whole numbers.

    The grain is 1 over the capacities' common multiple.
    """

    def grain(case: Capped) -> Grained:
        sizes = [int(c) for machine in case.instance.machines for c in machine.capacity.values() if c]
        return Grained(case.instance, case.cap, case.slack, Fraction(1, lcm(*sizes)))

    return within_caps().map(grain)


def also_roomy(
    strategy: Callable[..., st.SearchStrategy[T]], scenes: tuple[Scene, ...] = ("plain", "slow"), **settings: Any
) -> st.SearchStrategy[T]:
    """One of the strategies above, also with machines that hold several jobs."""
    return strategy(**settings) | strategy(**settings | {"roomy": True, "scenes": scenes})
