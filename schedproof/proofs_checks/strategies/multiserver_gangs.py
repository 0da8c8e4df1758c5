"""Tiny gangs: ports whose tasks start together or not at all, on one node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from schedproof.core.claims.cases import PositiveAmount
from schedproof.core.data.reading import Positive
from schedproof.instances.multiserver import Instance, from_json, to_json
from schedproof.proofs_checks.strategies.multiserver import OfInstance
from schedproof.proofs_checks.strategies.multiserver_runs import with_arrivals

# utility, alpha and beta: of positive rewards, of negative ones, and of both
REWARDS = (("linear", 1, 0), ("linear", Decimal("0.5"), 1), ("reciprocal", 1, Decimal("0.4")))


@dataclass(frozen=True)
class Game(OfInstance):
    """An instance with gangs, and the length of the game against all trajectories.

    Attributes
    ----------
    slots
        The number of slots of the game; None for the arrivals of the instance.
    rate
        The rate of multiplicative weights.
    """

    slots: Positive | None = None
    rate: PositiveAmount | None = None


def gangs(
    tasks: Sequence[Sequence[int]], least: Sequence[int], capacity: int, arrivals: Sequence[Sequence[int]] = ()
) -> Instance:
    """Ports with tasks of given demands, and one node whose gpus have value 1.

    A task's demand is its minimum.
    """
    ports = [
        {
            "name": f"p{p}",
            "demand": {"gpu": sum(row)},
            "nodes": ["n0"],
            "tasks": [{"demand": {"gpu": a}, "minimum": {"gpu": a}} for a in row],
            "minimum_tasks": m,
        }
        for p, (row, m) in enumerate(zip(tasks, least, strict=True))
    ]
    value: dict[str, Any] = {"version": 1, "family": "multiserver", "resources": ["gpu"], "ports": ports}
    value |= {"nodes": [{"name": "n0", "capacity": {"gpu": capacity}}], "overhead": {"gpu": 0}}
    value |= {"utilities": {"gpu": {"kind": "linear", "alpha": 1}}}
    return from_json(value | {"arrivals": [list(row) for row in arrivals] or [[1] * len(tasks)]})


@st.composite
def gang_cases(pick: Any, slots: int = 1) -> OfInstance:
    """Two ports of one or two tasks, and a node on which some of them fit.

    One or all tasks of a port must start.
    """
    tasks = [[pick(st.integers(1, 2)) for _ in range(pick(st.integers(1, 2)))] for _ in range(2)]
    least = [pick(st.integers(1, len(row))) for row in tasks]
    rows = [[pick(st.integers(0, 1)) for _ in tasks] for _ in range(slots)]
    return OfInstance(gangs(tasks, least, pick(st.integers(1, 4)), rows))


@st.composite
def games(pick: Any) -> Game:
    case = pick(gang_cases())
    return Game(case.instance, slots=pick(st.integers(1, 4)))


@st.composite
def rated_games(pick: Any) -> Game:
    """Trajectories of up to twelve slots, some with one port, and a rate.

    Rewards have either sign.
    """
    case = pick(gang_cases(slots=pick(st.integers(1, 12))))
    rows = case.instance.arrivals.tolist()
    rows = [[1, 0] for _ in rows] if pick(st.booleans()) else rows
    kind, alpha, beta = pick(st.sampled_from(REWARDS))
    value = to_json(case.instance) | {"utilities": {"gpu": {"kind": kind, "alpha": alpha}}, "overhead": {"gpu": beta}}
    rate = pick(st.sampled_from((Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2))))
    return Game(with_arrivals(from_json(value), rows), rate=rate)
