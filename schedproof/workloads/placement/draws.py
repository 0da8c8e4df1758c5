"""Random draws of placement instances: arrivals, links, kinds and durations.

Every column has its own random stream. The first n tasks are the same for any number of tasks, and a setting changes
only its own columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_CEILING, Decimal
from itertools import product
from typing import NamedTuple

import numpy as np

from schedproof.core.errors import InputError
from schedproof.instances.placement.instance import LONGEST_HORIZON
from schedproof.workloads.draws import Rng, Row, affordable, draw_weighted
from schedproof.workloads.placement.settings import Settings
from schedproof.workloads.placement.speeds import times
from schedproof.workloads.settings import decimals

ROUNDS = 1_000  # most draws of a task's links if it reaches no cluster
PLACES = 3  # decimals of the noise, unless the settings have more

TABLE_1 = {  # kind -> seconds, the longest and the shortest
    "image_classification": (Decimal(262), Decimal(34)),
    "language_modeling": (Decimal(264), Decimal(75)),
    "speech_recognition": (Decimal(18), Decimal(17)),
}
MEASURED_GPUS = 8  # largest GPU count of Table I's measurements

Grid = Mapping[tuple[int, int], Decimal]  # (CPU cores, GPUs) -> slots at the usual speed


class Kind(NamedTuple):
    """A kind of tasks, its relative weight, and its durations."""

    name: str
    weight: int
    grid: Grid


class Noise(NamedTuple):
    """Progress in a slot: ``usual``, a power of ten, plus or minus at most ``most``."""

    usual: int
    most: int


def kinds(s: Settings) -> list[Kind]:
    """Return the kinds of the settings; their CPU cores have no effect."""
    if s.types == "testbed":
        unit = s.slot_seconds * s.downsizing
        ends = {name: (slowest / unit, fastest / unit) for name, (slowest, fastest) in TABLE_1.items()}
        weights, at = [1] * len(ends), MEASURED_GPUS
    else:
        ends = {"insensitive": (s.insensitive,) * 2, "sensitive": (s.sensitive.high, s.sensitive.low)}
        places = decimals(s.sensitive_share)
        share = int(s.sensitive_share.scaleb(places))
        weights, at = [100 * 10**places - share, share], s.fastest_gpus
    return [
        Kind(name, weight, _grid(times(slowest, fastest, at, s.most_gpus), s))
        for (name, (slowest, fastest)), weight in zip(ends.items(), weights, strict=True)
    ]


def _grid(slots: list[Decimal], s: Settings) -> Grid:
    cpus, gpus = range(s.minimum_cpus, s.most_cpus + 1), range(s.minimum_gpus, s.most_gpus + 1)
    return {(c, g): slots[g - 1] for c, g in product(cpus, gpus)}


def noise(s: Settings) -> Noise:
    places = max(PLACES, decimals(s.noise))
    return Noise(10**places, int(s.noise.scaleb(places)))


def system(s: Settings) -> Row:
    """Return an instance without tasks and horizon."""
    names = (f"c{n}" for n in range(1, s.clusters + 1))
    return {
        "version": 1,
        "family": "placement",
        "resources": ["cpu", "gpu"],
        "clusters": [{"name": name, "capacity": {"cpu": s.cpus, "gpu": s.gpus}} for name in names],
    }


def tasks(rng: Rng, kinds: list[Kind], s: Settings) -> Row:
    """Return tasks of given kinds, and a horizon that is late enough for them to end.

    Every work-conserving policy completes all tasks by the horizon.
    """
    affordable(s.tasks * max(len(kind.grid) for kind in kinds), "durations")
    affordable(s.tasks * s.clusters, "links")
    of_arrivals, of_links, of_kinds, of_noise = rng.spawn(4)
    arrivals, drawn = (
        _arrivals(of_arrivals, s),
        draw_weighted(of_kinds, {n: k.weight for n, k in enumerate(kinds)}, s.tasks),
    )
    columns = zip(arrivals, _links(of_links, s), drawn, _work(of_noise, kinds, s), strict=True)
    rows: list[Row] = [
        {
            "name": f"t{j}",
            "arrival": arrival,
            "clusters": [f"c{n + 1}" for n in clusters],
            "minimum": {"cpu": s.minimum_cpus, "gpu": s.minimum_gpus},
            "kind": kinds[kind].name,
            "durations": _durations(kinds[kind].grid, work, noise(s).usual),
        }
        for j, (arrival, clusters, kind, work) in enumerate(columns, start=1)
    ]
    longest = sum(max(row["slots"] for row in task["durations"]) for task in rows)
    return {"horizon": min(arrivals[-1] + longest, LONGEST_HORIZON), "tasks": rows}


def _arrivals(rng: Rng, s: Settings) -> list[int]:
    """Return the slots of a Poisson process's arrivals, in order."""
    moments = np.cumsum(rng.standard_exponential(s.tasks)) / float(s.rate)
    if moments[-1] >= LONGEST_HORIZON:
        raise InputError(f"expected the last task before slot {LONGEST_HORIZON}", path="rate", value=s.rate)
    return moments.astype(np.int64).tolist()


def _links(rng: Rng, s: Settings) -> list[list[int]]:
    """Return each task's usable clusters; ``unreachable=redraw`` redraws empty sets."""
    bandwidth = s.bandwidth._replace(places=max(s.bandwidth.places, decimals(s.usable)))
    least = int(s.usable.scaleb(bandwidth.places))
    rounds = ROUNDS if s.unreachable == "redraw" else 1
    links = []
    for stream in rng.spawn(s.tasks):
        draws = (np.flatnonzero(bandwidth.draw(stream, s.clusters) >= least).tolist() for _ in range(rounds))
        links.append(next(filter(None, draws), []))
        if not links[-1] and s.unreachable == "redraw":
            raise InputError(
                f"expected more bandwidth: {ROUNDS} draws gave a task no usable link",
                path="unreachable",
                value="redraw",
            )
    return links


def _work(rng: Rng, kinds: list[Kind], s: Settings) -> np.ndarray:
    """Return each task's progress after 1, 2, ... slots; (tasks, slots), int64."""
    usual, limit = noise(s)
    longest = max(max(kind.grid.values()) for kind in kinds)
    slots = max(1, int((longest / (1 - s.noise)).to_integral_value(ROUND_CEILING)))
    affordable(s.tasks * slots, "slots with noise")
    return np.cumsum(usual + rng.integers(-limit, limit, size=(s.tasks, slots), endpoint=True), axis=1)


def _durations(grid: Grid, work: np.ndarray, usual: int) -> list[Row]:
    """Return one row per allocation: the slots until the task's work is done."""
    needed = {slots: int((slots * usual).to_integral_value(ROUND_CEILING)) for slots in set(grid.values())}
    taken = {slots: int(np.searchsorted(work, amount)) + 1 for slots, amount in needed.items()}
    return [{"allocation": {"cpu": c, "gpu": g}, "slots": taken[slots]} for (c, g), slots in grid.items()]
