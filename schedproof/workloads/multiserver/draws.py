"""Random draws of multiserver instances: ports, nodes, channels, arrivals.

Every column has its own random stream. The first ports, nodes and slots are the same for any number of them, and a
setting changes only its own columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_FLOOR, Decimal
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from schedproof.core.errors import InputError
from schedproof.instances.multiserver.utility import KINDS
from schedproof.workloads.draws import Rng, Row, draw_weighted, number
from schedproof.workloads.multiserver.settings import DEVICES, RESOURCES, Settings, odds
from schedproof.workloads.settings import WIDE, Range, range_of

MEMORY_UNIT = 16  # GB
BLOCK = 1 << 14  # slots that are drawn in one block
MOST_ARRIVALS = 1_000_000_000  # ports times slots, a byte each


class Shape(NamedTuple):
    """A kind of machine in the PAI trace, and its count among 1,897 machines."""

    cpu: int  # cores
    memory: int  # GB
    gpu: int
    machines: int


PAI = (
    Shape(64, 512, 2, 798),  # P100
    Shape(96, 512, 2, 497),  # T4
    Shape(96, 512, 8, 280),  # MISC
    Shape(96, 384, 8, 135),  # V100M32
    Shape(96, 512, 0, 83),  # no GPU
    Shape(96, 512, 8, 59),  # V100
    Shape(96, 384, 8, 45),  # V100
)


def columns(rng: Rng, ranges: Sequence[Range], count: int) -> list[list[Decimal]]:
    """Return ``count`` draws of every range, each range from its own stream."""
    return [r.numbers(stream, count) for r, stream in zip(ranges, rng.spawn(len(ranges)), strict=True)]


def by_resource(names: Sequence[str], amounts: Sequence[Sequence[Decimal]]) -> list[dict[str, Decimal]]:
    """Return columns of amounts, one per resource, as one object per row."""
    return [dict(zip(names, row, strict=True)) for row in zip(*amounts, strict=True)]


def numbers(amounts: Mapping[str, Decimal]) -> Row:
    """Return amounts as JSON numbers."""
    return {name: number(n) for name, n in amounts.items()}


def instance(
    resources: Sequence[str],
    nodes: Mapping[str, Mapping[str, Decimal]],
    ports: Iterable[tuple[Mapping[str, Decimal], list[str]]],
    rewards: Row,
    arrivals: np.ndarray,
    s: Settings,
) -> Row:
    """Return the JSON object of an instance."""
    return {
        "version": 1,
        "family": "multiserver",
        "resources": list(resources),
        "nodes": [{"name": name, "capacity": numbers(row)} for name, row in nodes.items()],
        "ports": [
            {"name": f"p{i}", "demand": demand(request, s), "nodes": reached}
            for i, (request, reached) in enumerate(ports, start=1)
        ],
        **rewards,
        "arrivals": arrivals,
    }


def rewards(rng: Rng, names: Sequence[str], nodes: Sequence[str], s: Settings) -> Row:
    """Return the utilities f_k, each node's f_r^k, and the overheads beta_k."""
    of_totals, of_nodes, of_overheads = rng.spawn(3)
    own = _utilities(of_nodes, len(nodes) * len(names), s)
    rows = [own[i * len(names) : (i + 1) * len(names)] for i in range(len(nodes))]
    return {
        "utilities": dict(zip(names, _utilities(of_totals, len(names), s), strict=True)),
        "node_utilities": {node: dict(zip(names, row, strict=True)) for node, row in zip(nodes, rows, strict=True)},
        "overhead": numbers(dict(zip(names, s.beta.numbers(of_overheads, len(names)), strict=True))),
    }


def _utilities(rng: Rng, count: int, s: Settings) -> list[Row]:
    kinds, alphas = columns(rng, (range_of("0", str(len(KINDS) - 1)), s.alpha), count)
    mixed = s.utilities == "mixed"
    return [
        {"kind": KINDS[int(kind)] if mixed else s.utilities, "alpha": number(alpha)}
        for kind, alpha in zip(kinds, alphas, strict=True)
    ]


def capacities(rng: Rng, s: Settings) -> list[dict[str, Decimal]]:
    """Return each node's capacities."""
    names = RESOURCES[: s.resources]
    if s.hardware == "uniform":
        return by_resource(names, columns(rng, [s.capacity] * len(names), s.nodes))
    of_shapes, of_devices = rng.spawn(2)
    shapes = [PAI[i] for i in draw_weighted(of_shapes, {i: shape.machines for i, shape in enumerate(PAI)}, s.nodes)]
    hosts = [[Decimal(n.cpu) for n in shapes], [in_units(n.memory) for n in shapes], [Decimal(n.gpu) for n in shapes]]
    return by_resource(names, [*hosts, *devices(of_devices, DEVICES, s.nodes, s)][: len(names)])


def devices(rng: Rng, names: Sequence[str], nodes: int, s: Settings) -> list[list[Decimal]]:
    """Return each node's NPUs, TPUs and FPGAs."""
    return columns(rng, [getattr(s, f"node_{name}") for name in names], nodes)


def requests(rng: Rng, names: Sequence[str], ports: int, s: Settings) -> list[list[Decimal]]:
    """Return each port's request at contention level 1, one column per resource."""
    streams = rng.spawn(len(RESOURCES))
    ranges = [getattr(s, f"request_{name}") for name in names]
    return [r.numbers(streams[RESOURCES.index(name)], ports) for name, r in zip(names, ranges, strict=True)]


def in_units(gigabytes: Decimal | int, unit: Decimal | int = MEMORY_UNIT) -> Decimal:
    """Return memory in units of ``unit`` GB, rounded to millionths of a unit."""
    return WIDE.divide(Decimal(gigabytes), Decimal(unit)).quantize(Decimal("1e-6"), context=WIDE)


def demand(request: Mapping[str, Decimal], s: Settings) -> Row:
    """Return a_l: the request times the contention level."""
    return numbers({name: WIDE.multiply(n, s.contention) for name, n in request.items()})


def channels(rng: Rng, s: Settings) -> list[list[int]]:
    """Return each node's ports; the first n nodes have floor(n density) together."""
    ends = [int((min(s.density, Decimal(s.ports)) * n).to_integral_value(ROUND_FLOOR)) for n in range(s.nodes + 1)]
    return [sorted(rng.permutation(s.ports)[: end - start].tolist()) for start, end in pairwise(ends)]


# --- arrivals ---------------------------------------------------------------------------------------------------------


def arrivals(rng: Rng, ports: int, s: Settings) -> np.ndarray:
    """Return x_l(t): the jobs of each port in each slot, uint8 (T, L)."""
    when, many = rng.spawn(2)
    result = no_arrivals(s.horizon, ports)
    {"bernoulli": _bernoulli, "periodic": _periodic, "bursty": _bursty}[s.arrivals](when, result, s)
    if s.counts > 1:
        for block in _blocks(result):
            block *= many.integers(1, s.counts, size=block.shape, endpoint=True).astype(np.uint8)
    return result


def no_arrivals(horizon: int, ports: int, dtype: np.dtype | type = np.uint8) -> np.ndarray:
    """Return zeros (T, L); refuse more than `MOST_ARRIVALS`."""
    if horizon * ports > MOST_ARRIVALS:
        raise InputError(
            f"expected at most {MOST_ARRIVALS // ports} slots of {ports} ports", path="horizon", value=horizon
        )
    return np.zeros((horizon, ports), dtype=dtype)


def _blocks(array: np.ndarray) -> list[np.ndarray]:
    return [array[start : start + BLOCK] for start in range(0, len(array), BLOCK)]


def _bernoulli(rng: Rng, result: np.ndarray, s: Settings) -> None:
    wins, losses = odds(s.arrival_probability)
    for block in _blocks(result):
        block[:] = rng.integers(wins + losses, size=block.shape) < wins


def _periodic(rng: Rng, result: np.ndarray, s: Settings) -> None:
    busy = int(s.arrival_probability * s.period + Decimal("0.5"))
    phase = rng.integers(s.period, size=result.shape[1])
    slots = np.arange(s.period)[:, None]
    cycle = (slots + phase) % s.period < busy
    for start in range(0, len(result), s.period):
        result[start : start + s.period] = cycle[: len(result) - start]


def _bursty(rng: Rng, result: np.ndarray, s: Settings) -> None:
    """Fill in a Markov chain with mean burst length ``burst`` and share rho.

    The chain leaves a burst with probability 1/burst, and starts one with probability wins / (losses burst), where rho
    = wins / (wins + losses). Both are multiples of 1 / (losses burst).
    """
    wins, losses = odds(s.arrival_probability)
    state = rng.integers(wins + losses, size=result.shape[1]) < wins
    for block in _blocks(result):
        drawn = rng.integers(max(1, losses) * s.burst, size=block.shape)
        leaves, enters = drawn < losses, drawn < wins
        for t in range(len(block)):
            block[t] = state
            state = np.where(state, ~leaves[t], enters[t])
