"""Random draws of jrp instances: cells, servers, data nodes, jobs.

Every column has its own random stream. The first n jobs are the same for any number of jobs, and a setting changes
only its own columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import islice

import numpy as np

from schedproof.instances.jrp.hexagons import around, within
from schedproof.workloads.draws import Rng, Row, affordable, number
from schedproof.workloads.jrp.settings import Settings
from schedproof.workloads.settings import LARGEST, WIDE, decimals

GBIT, GB = Decimal("0.008"), Decimal("0.001")  # GB in an MB
PLACES = 2  # decimals of a data amount that is not uniform, unless the settings have more


def area(rings: int) -> list[list[int]]:
    """Return the neighbours of all cells at most ``rings`` rings from the centre.

    The paper's Fig. 3 has two rings.

    Returns
    -------
    list of list of int
        The neighbours of each cell, in increasing order. Cells 0, 1, ... form a spiral, as in
        `schedproof.instances.jrp.hexagons.within` and in the file's order of servers.

    Raises
    ------
    InputError
        If there are more cells than a file can hold.
    """
    affordable(1 + 3 * rings * (rings + 1), "cells")
    cells = within(rings)
    place = {cell: n for n, cell in enumerate(cells)}
    return [sorted(place[other] for other in around(cell) if other in place) for cell in cells]


def servers(rng: Rng, cells: Sequence[Sequence[int]], s: Settings) -> list[Row]:
    """Return one server for each cell."""
    kinds = ("storage", "compute", "bandwidth")
    columns = [
        [number(n) for n in getattr(s, kind).numbers(stream, len(cells))]
        for kind, stream in zip(kinds, rng.spawn(len(kinds)), strict=True)
    ]
    rows = enumerate(zip(*columns, strict=True), start=1)
    return [{"name": f"s{j}", **dict(zip(kinds, row, strict=True))} for j, row in rows]


def jobs(rng: Rng, s: Settings) -> list[Row]:
    """Return the jobs without their data nodes."""
    names = ("model_mb", "minibatch_mb", "work", "epochs", "sync_period", "deadline")
    columns = [
        getattr(s, name).numbers(stream, s.jobs) for name, stream in zip(names, rng.spawn(len(names)), strict=True)
    ]
    return [
        {
            "name": f"k{k}",
            "deadline": number(deadline),
            "epochs": int(epochs),
            "minibatch_size": number(WIDE.multiply(minibatch, GB)),
            "minibatch_work": number(WIDE.multiply(WIDE.multiply(work, model), minibatch)),
            "parameter_size": number(WIDE.multiply(model, GBIT)),
            "sync_period": int(period),
        }
        for k, (model, minibatch, work, epochs, period, deadline) in enumerate(zip(*columns, strict=True), start=1)
    ]


def data_nodes(rng: Rng, cells: Sequence[Sequence[int]], names: Sequence[str], s: Settings) -> Iterator[list[Row]]:
    """Yield each job's data nodes, each in a random cell.

    A data node may use the server of its cell, which is named first, and the servers of neighbouring cells.
    """
    of_counts, of_cells, of_sizes = rng.spawn(3)
    counts = s.nodes.draw(of_counts, s.jobs).tolist()
    total = sum(counts)
    near = [[names[n] for n in (cell, *neighbours)] for cell, neighbours in enumerate(cells)]
    draws = zip(sizes(of_sizes, total, s), of_cells.integers(len(near), size=total).tolist(), strict=True)
    for count in counts:
        rows = enumerate(islice(draws, count), start=1)
        yield [{"name": f"d{i}", "size": number(size), "servers": near[cell]} for i, (size, cell) in rows]


def sizes(rng: Rng, count: int, s: Settings) -> list[Decimal]:
    """Return data amounts in GB; a negative normal draw counts as 0."""
    if s.distribution == "uniform":
        return s.size.numbers(rng, count)
    if s.distribution == "normal":
        mean, spread = given = s.size_mean, s.size_deviation
        drawn = float(mean) + float(spread) * rng.standard_normal(count)
    else:
        minimum, shape = given = s.size_minimum, s.size_shape
        with np.errstate(over="ignore"):  # the infinite tail is cut in the next lines
            drawn = float(minimum) * (1 - rng.random(count)) ** (-1 / float(shape))
    places = max(PLACES, *map(decimals, given))
    whole = np.rint(np.clip(drawn, 0, LARGEST) * 10.0**places).astype(np.int64)
    return [Decimal(n).scaleb(-places) for n in whole.tolist()]
