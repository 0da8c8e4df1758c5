"""Hypothesis strategies for covering and packing programs whose fractional optimum is known by construction.

The point and the multipliers come first; sides and costs are then chosen so that they prove each other optimal.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from schedproof.core.claim import Case
from schedproof.core.numbers import ceil

DELTAS = (1, Fraction(1, 2), Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000), Fraction(1, 100000))
ENTRIES = (0, 1, 1, 1, 2, Fraction(1, 2))
PARTS = (0, Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(1, 2), 1, Fraction(3, 2), 2, Fraction(10, 3))
PRICES = (0, 1, 1, 2)
SLACKS = (0, Fraction(1, 2), 1, 10, 60, 120)


@st.composite
def programs(draw: Any, wide: bool = False) -> Case:
    """A block of a few groups of columns, one or two rows of either kind, and its optimal point.

    One in three has a sliver: a cheap column of which its packing row allows far less than one.

    Parameters
    ----------
    wide
        Whether rooms are so large, and delta is, that Lemma 1's G is at least 1/2, and there is no sliver.
    """
    sliver = not wide and draw(st.integers(0, 2)) == 0
    point, times, cover, packing = _sliver(draw) if sliver else _any(draw)
    cover_prices = [draw(st.sampled_from((1, 2) if sliver else PRICES)) for _ in cover]
    packing_prices = [1 if sliver else draw(st.sampled_from(PRICES)) for _ in packing]
    slacks = (60, 120) if wide else SLACKS
    if min(_costs(cover, cover_prices, packing, packing_prices)) < 0:
        packing_prices = [0 for _ in packing]
    held = [x * k for x, k in zip(point, times, strict=True)]
    extra = [0 if x else draw(st.integers(0, 1)) for x in point]
    costs = _costs(cover, cover_prices, packing, packing_prices)
    data = {
        "cover": cover,
        "demand": [
            a if u else a / draw(st.integers(1, 2)) for a, u in zip(_sums(cover, held), cover_prices, strict=True)
        ],
        "packing": packing,
        "room": [
            b if v else b + draw(st.sampled_from(slacks))
            for b, v in zip(_sums(packing, held), packing_prices, strict=True)
        ],
        "costs": [c + e for c, e in zip(costs, extra, strict=True)],
        "point": point,
        "times": times,
        "copies": draw(st.sampled_from((1, 1, 1, 1, 1, 1, 2, 40))),
        "cover_prices": cover_prices,
        "packing_prices": packing_prices,
        "delta": draw(st.sampled_from(DELTAS[:3] if wide else DELTAS)),
    }
    return Case(None, data)


def _any(draw: Any) -> tuple[Any, Any, Any, Any]:
    n = draw(st.integers(1, 3))
    scale = draw(st.sampled_from((1, 1, 1, 8, 30)))
    point = [scale * draw(st.sampled_from(PARTS)) for _ in range(n)]
    if not any(point):
        point[0] = Fraction(1, 2)
    times = [draw(st.integers(1, 12 if n == 1 else 3)) for _ in range(n)]
    return point, times, _matrix(draw, point), _matrix(draw, point)


def _sliver(draw: Any) -> tuple[Any, Any, Any, Any]:
    small = Fraction(1, draw(st.sampled_from((50, 200, 1000))))
    return [small, Fraction(draw(st.sampled_from((1, 10, 100))))], [1, 1], [[1, 1]], [[1, 0]]


def _matrix(draw: Any, point: list[Any]) -> list[list[Any]]:
    """One or two rows, each of which the point touches."""
    rows = []
    for _ in range(draw(st.integers(1, 2))):
        row = [draw(st.sampled_from(ENTRIES)) for _ in point]
        if not any(entry * x for entry, x in zip(row, point, strict=True)):
            row = [Fraction(1) for _ in point]
        rows.append(row)
    return rows


def _sums(matrix: Any, held: list[Any]) -> list[Fraction]:
    return [sum((entry * x for entry, x in zip(row, held, strict=True)), Fraction(0)) for row in matrix]


def _costs(cover: Any, cover_prices: Any, packing: Any, packing_prices: Any) -> list[Any]:
    """A u - B v by column."""
    signed = [(row, u) for row, u in zip(cover, cover_prices, strict=True)]
    signed += [(row, -v) for row, v in zip(packing, packing_prices, strict=True)]
    return [sum(row[j] * price for row, price in signed) for j in range(len(cover[0]))]


@st.composite
def crowds(draw: Any) -> Case:
    """A hundred rows, each with a demand for a few of hundreds of equal columns, and twice that room."""
    columns, demand = draw(st.sampled_from((300, 500, 1000))), draw(st.integers(60, 80))
    data = {
        "cover": [[1]],
        "demand": [demand],
        "packing": [[1]],
        "room": [2 * demand],
        "costs": [1],
        "point": [Fraction(demand, columns)],
        "times": [columns],
        "copies": 100,
        "cover_prices": [1],
        "packing_prices": [0],
        "delta": draw(st.sampled_from((1, Fraction(1, 2)))),
    }
    return Case(None, data)


def programs_and_crowds() -> Any:
    """`programs`, and now and then one of `crowds`."""
    return st.integers(0, 7).flatmap(lambda n: programs() if n else crowds())


WORKLOADS = (1, 2, 3, 4, Fraction(1, 2), Fraction(5, 2))
ROOMS = (1, 2, 3, 4, 6, 10, Fraction(1, 2), Fraction(1, 200), Fraction(1, 1000))


@st.composite
def slots(draw: Any, whole: bool = False) -> Case:
    """The slot problem (23) of one job on up to three machines, with an optimal point: the cheapest workers first.

    Parameters
    ----------
    whole
        Whether the workload is a whole number of workers, and machines are small.
    """
    machines, resources = draw(st.integers(2 if whole else 1, 3)), draw(st.sampled_from((2, 1)))
    worker = [1, *(draw(st.sampled_from((0, 1, 2))) for _ in range(resources - 1))]
    ps = [draw(st.sampled_from((0, 1))) for _ in range(resources)]
    workload = draw(st.integers(2, 4)) if whole else draw(st.sampled_from(WORKLOADS))
    rooms = (1, 1, 2, 3) if whole else ROOMS
    free = [[draw(st.sampled_from(rooms)) for _ in range(resources)] for _ in range(machines)]
    while sum(_caps(worker, free)) < workload:
        free.append([max(row[r] for row in free) if whole else workload * (a + 1) for r, a in enumerate(worker)])
    caps = _caps(worker, free)
    prices = [[draw(st.sampled_from((0, 1, 1, 2))) for _ in row] for row in free]
    data = {
        "workload": workload,
        "batch": draw(st.sampled_from((4, 8, 20))),
        "workers_per_ps": draw(st.sampled_from((1, 2, 4))),
        "worker": worker,
        "ps": ps,
        "free": free,
        "prices": prices,
        "point": _cheapest_first(worker, caps, prices, Fraction(workload)),
        "delta": draw(st.sampled_from(DELTAS)),
        "draws": draw(st.sampled_from((1, 2, 20))),
    }
    return Case(None, data)


def _caps(worker: list[Any], free: list[list[Any]]) -> list[Fraction]:
    """How many workers, also broken ones, each machine holds."""
    return [min(Fraction(c) / a for c, a in zip(row, worker, strict=True) if a) for row in free]


def _cheapest_first(worker: list[Any], caps: list[Fraction], prices: list[Any], workload: Fraction) -> list[Fraction]:
    bill = [sum(p * a for p, a in zip(row, worker, strict=True)) for row in prices]
    point, left = [Fraction(0)] * len(caps), workload
    for h in sorted(range(len(caps)), key=lambda h: bill[h]):
        point[h] = min(caps[h], left)
        left -= point[h]
    return point


@st.composite
def served_slots(draw: Any) -> Case:
    """The slot problem with workers and parameter servers placed: what is free is what they use, and some more."""
    machines, resources = draw(st.integers(1, 3)), draw(st.sampled_from((2, 1)))
    worker = [1, *(draw(st.sampled_from((0, 1, 2))) for _ in range(resources - 1))]
    ps = [draw(st.sampled_from((0, 1, Fraction(1, 2)))) for _ in range(resources)]
    scale = draw(st.sampled_from((1, 1, 20)))
    parts = (0, Fraction(1, 100), Fraction(1, 3), Fraction(1, 2), 1, 2)
    point = [scale * draw(st.sampled_from(parts)) for _ in range(machines)]
    ps_point = [scale * draw(st.sampled_from(parts)) for _ in range(machines)]
    point[0], ps_point[0] = point[0] or Fraction(1, 2), ps_point[0] or Fraction(1, 2)
    slack = draw(st.sampled_from((0, 0, Fraction(1, 100), 2, 40)))
    free = [
        [a * w + b * s + (slack or not (a * w + b * s)) for a, b in zip(worker, ps, strict=True)]
        for w, s in zip(point, ps_point, strict=True)
    ]
    data = {
        "workload": Fraction(sum(point)),
        "batch": ceil(sum(point)) + draw(st.sampled_from((0, 1, 100))),
        "workers_per_ps": Fraction(sum(point)) / sum(ps_point),
        "worker": worker,
        "ps": ps,
        "free": free,
        "prices": [[draw(st.sampled_from((0, 1, 1, 2))) for _ in row] for row in free],
        "point": point,
        "ps_point": ps_point,
        "full": not slack,
        "delta": draw(st.sampled_from(DELTAS)),
        "draws": 1,
    }
    return Case(None, data)


@st.composite
def pairs(draw: Any, above_one: bool) -> Case:
    """Three programs (of a first state, and of a second after its success and its failure), a gain and S."""
    blocks = [_coins(draw) if draw(st.booleans()) else draw(programs()).data | {"copies": 1} for _ in range(3)]
    gains = (1, Fraction(11, 10), Fraction(3, 2)) if above_one else (1, Fraction(9, 10), Fraction(1, 2))
    return Case(None, {"programs": blocks, "gain": draw(st.sampled_from(gains)), "draws": draw(st.integers(1, 3))})


def _coins(draw: Any) -> dict[str, Any]:
    """A few columns at 1/2, of which one is asked for, or all but one are allowed: now feasible and now not."""
    columns = draw(st.integers(2, 4))
    return {
        "cover": [[1]],
        "demand": [1],
        "packing": [[1]],
        "room": [draw(st.integers(columns - 1, columns))],
        "costs": [0],
        "point": [Fraction(1, 2)],
        "times": [columns],
        "copies": 1,
        "cover_prices": [0],
        "packing_prices": [0],
        "delta": 1,
    }
