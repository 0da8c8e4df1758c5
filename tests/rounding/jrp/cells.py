"""Instances for the rounding's tests: drawn like those of section V-B but smaller, or by a few numbers."""

from __future__ import annotations

import random
from fractions import Fraction

from schedproof.instances.jrp import DataNode, Instance, Job, Server
from schedproof.instances.jrp.hexagons import around, within


def written(
    servers: list[tuple[object, object, object]],
    jobs: list[tuple[object, object, list[tuple[object, tuple[int, ...]]]]],
    share: object = "1/2",
) -> Instance:
    """Servers (storage, compute, bandwidth) and jobs (a, b, [(size, servers), ...]) whose deadline is 1 s."""
    boxes = tuple(Server(j, f"s{j}", *(Fraction(str(part)) for part in row)) for j, row in enumerate(servers))
    rows = []
    for k, (a, b, nodes) in enumerate(jobs):
        work, sent = Fraction(str(a)), Fraction(str(b))
        made = tuple(DataNode(i, f"d{i}", Fraction(str(size)), at) for i, (size, at) in enumerate(nodes))
        rows.append(Job(k, f"k{k}", Fraction(1), 1, Fraction(1), work, sent, 1, made, work, sent))
    return Instance(Fraction(str(share)), boxes, tuple(rows))


def crowded(jobs: int, seed: int, rings: int = 1, nodes: int = 6, epochs: int = 1) -> Instance:
    """Cells with a server each, as in section V-B but with fewer data nodes: each of its cell or a cell beside it."""
    rng = random.Random(seed)
    cells = within(rings)
    place = {cell: j for j, cell in enumerate(cells)}
    servers = [Server(j, f"s{j}", Fraction(rng.randint(50, 100)), Fraction(150), Fraction(10)) for j in place.values()]
    rows = []
    for k in range(jobs):
        size, tau, period = rng.randint(30, 575), rng.randint(3600, 7200), rng.randint(3, 8)
        batch, work, sent = Fraction(6, 1000), Fraction(size, 25), Fraction(size, 125)
        made = []
        for i in range(nodes):
            home = rng.choice(cells)
            near = tuple(sorted(place[cell] for cell in [home, *around(home)] if cell in place))
            made.append(DataNode(i, f"d{i}", Fraction(rng.randint(200, 800), 100), near))
        rates = epochs * work / (batch * tau), epochs * sent / (period * batch * tau)
        rows.append(Job(k, f"k{k}", Fraction(tau), epochs, batch, work, sent, period, tuple(made), *rates))
    return Instance(Fraction(3, 10), tuple(servers), tuple(rows))
