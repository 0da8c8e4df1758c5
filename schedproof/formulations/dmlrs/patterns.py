"""Relaxation of the slot problem (19) by patterns, a bound below theta(t, v).

A pattern of a machine is a corner of the convex hull of the counts (w, s) that fit it. So each machine is described
exactly, and only the rows across machines are relaxed. The internal case is exact: one column for every machine that
can hold all workers and parameter servers.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import scalar
from schedproof.core.base.untyped import Model
from schedproof.core.programs.group import group
from schedproof.formulations.dmlrs.slot_query import Prices, SlotQuery, slot_query
from schedproof.formulations.dmlrs.staircase import Point, corners
from schedproof.instances.dmlrs import Instance
from schedproof.instances.dmlrs.alone import frontier


def patterns(query: SlotQuery, machine: int) -> list[Point]:
    """Corners of the hull of the (workers, parameter servers) that fit a machine."""
    job, grid = query.job, query.instance.grid
    free = grid.at(query.slot)[machine : machine + 1]
    room = frontier(free, grid.worker(job), grid.ps(job), job.batch_size, job.ps_needed(job.batch_size))[0]
    limit, most_ps = int(np.flatnonzero(room >= 0).max()), int(room[0])
    outer = corners((limit - w, most_ps - int(room[w])) for w in range(limit + 1))
    return sorted({(0, 0), (limit, 0), (0, most_ps), *((limit - x, most_ps - y) for x, y in outer)})


@group(
    "variables",
    "(19)",
    r"\lambda_{hk}, z \ge 0; \; z_h \ge 0 \quad \forall h \in \mathcal{H};"
    r" \; n^{\mathrm{i}} = \lceil v c^{\mathrm{i}} \rceil, n^{\mathrm{e}} = \lceil v c^{\mathrm{e}} \rceil",
)
def pattern_shares(
    block: Model, instance: Instance, *, job: str, slot: int, workload: Fraction, prices: Prices
) -> None:
    """Each machine has a mixture of its patterns, or one machine of H holds the job."""
    query = block.query = slot_query(instance, job, slot, workload, prices)
    needed = query.internal_workers, query.job.ps_needed(query.internal_workers)
    block.patterns = {m.name: patterns(query, m.index) for m in instance.machines}
    block.share = pyo.Var([(h, *k) for h, ks in block.patterns.items() for k in ks], domain=pyo.NonNegativeReals)
    block.together = pyo.Var(
        [m.name for m in instance.machines if _holds(query, m, needed)], domain=pyo.NonNegativeReals
    )
    block.apart = pyo.Var(domain=pyo.NonNegativeReals)


def _holds(query: SlotQuery, machine: Model, needed: Point) -> bool:
    workers, ps = needed
    return workers <= query.job.batch_size and all(
        query.job.worker.get(r, 0) * workers + query.job.ps.get(r, 0) * ps <= query.free(machine, r)
        for r in query.instance.resources
    )


@group(
    "objective",
    "(19)",
    r"\min \textstyle\sum_{h,k} (p_h^{\mathrm{w}} w_{hk} + p_h^{\mathrm{s}} s_{hk}) \lambda_{hk}"
    r" + \sum_h (p_h^{\mathrm{w}} n^{\mathrm{i}} + p_h^{\mathrm{s}} \lceil n^{\mathrm{i}} / \gamma \rceil) z_h",
)
def pattern_cost(block: Model, instance: Instance, pattern_shares: Model) -> Model:
    """The cost of the mixture, or of the one machine that holds everything."""
    query = pattern_shares.query
    price = {m.name: (query.worker_price(m), query.ps_price(m)) for m in instance.machines}
    n, s = query.internal_workers, query.job.ps_needed(query.internal_workers)
    share, together = pattern_shares.share.items(), pattern_shares.together.items()
    mixed = pyo.quicksum(scalar(price[h][0] * w + price[h][1] * k) * v for (h, w, k), v in share)
    return mixed + pyo.quicksum(scalar(price[h][0] * n + price[h][1] * s) * v for h, v in together)


@group("constraints", "Fact 1", r"\textstyle\sum_h z_h + z = 1")
def pattern_one_rate(block: Model, instance: Instance, pattern_shares: Model) -> Model:
    """The samples are trained at the internal or at the external rate."""
    return pyo.quicksum(pattern_shares.together.values()) + pattern_shares.apart == 1


@group("constraints", "(24)", r"\textstyle\sum_k \lambda_{hk} = z \quad \forall h")
def pattern_mixture(block: Model, instance: Instance, pattern_shares: Model) -> Model:
    """At the external rate every machine's pattern shares sum to one."""
    share, apart = pattern_shares.share, pattern_shares.apart
    return {h: pyo.quicksum(share[h, :, :]) == apart for h in pattern_shares.patterns}


@group(
    "constraints",
    "(26), (2)",
    r"\textstyle\sum_{h,k} w_{hk} \lambda_{hk} \ge n^{\mathrm{e}} z, \;"
    r" \sum_{h,k} s_{hk} \lambda_{hk} \ge \lceil n^{\mathrm{e}} / \gamma \rceil z",
)
def pattern_covers(block: Model, instance: Instance, pattern_shares: Model) -> Model:
    """At the external rate there are enough workers and enough parameter servers."""
    share, apart, query = pattern_shares.share, pattern_shares.apart, pattern_shares.query
    workers = query.external_workers
    return {
        "workers": pyo.quicksum(w * v for (_, w, _), v in share.items()) >= workers * apart,
        "ps": pyo.quicksum(s * v for (_, _, s), v in share.items()) >= query.job.ps_needed(workers) * apart,
    }


@group("constraints", "(25)", r"\textstyle\sum_{h,k} w_{hk} \lambda_{hk} \le F z")
def pattern_batch_size(block: Model, instance: Instance, pattern_shares: Model) -> Model:
    """At the external rate there are at most as many workers as samples in the batch."""
    workers = pyo.quicksum(w * v for (_, w, _), v in pattern_shares.share.items())
    return workers <= pattern_shares.query.job.batch_size * pattern_shares.apart


PATTERNS = (pattern_cost, pattern_one_rate, pattern_mixture, pattern_covers, pattern_batch_size, pattern_shares)
