"""Algorithm 1 of Wang et al. 2019 repaired: feasible, one iteration per job.

=======================================  ===============================================================================
as printed                               repaired
=======================================  ===============================================================================
PRUNE drops edges finally, and rejects   an edge is dropped finally if its server's remaining amounts could not serve
the jobs that lose a node's last server  the node by itself, and a job with a node without edges is rejected. PRUNE then
                                         works on a copy: a job that loses a node's last server there only skips this
                                         iteration
every node is drawn from x               the nodes of the top job, the one with the largest y (ties in file order), are
                                         drawn from x/y, so that all are placed; the others from x
(21) tests the storage                   storage, compute and bandwidth, by the sides of the split; the top job first on
                                         every server, then by y
one LP_I for each iteration              after ``resolves`` LPs the last vertex remains in use: x on alive edges, y
                                         unchanged. A top job whose nodes have no x left takes any of its edges
ends when P is empty                     ends when the copy holds no job
=======================================  ===============================================================================

**Every iteration accepts at least one job.** By (18)-(20), on a server all candidates of the top job in the copy fit
together, so the nodes of the top job, which come first, fit wherever they are drawn. **Feasible.** The kept nodes of a
server need at most its remaining storage and its shares of the split, in rationals, and (16)-(17) grant exactly this
need.

All other open points have the readings of `round_as_printed`, and the trace has the same rows.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

import numpy as np

from schedproof.core.base.numbers import plural
from schedproof.core.base.untyped import Json
from schedproof.instances.jrp import Assignment, Instance
from schedproof.rounding.jrp.relaxed import Point
from schedproof.rounding.jrp.rounds import Rounds

LEAST_SUM = 1e-9  # a smaller sum of a node's x is 0 by the solver's tolerance


def round_repaired(instance: Instance, seed: int = 0, resolves: int | None = None) -> Assignment:
    """Run the repaired Algorithm 1.

    Parameters
    ----------
    resolves
        The largest number of solves of LP_I; ``None`` for a solve in each iteration.

    Returns
    -------
    Assignment
        Its trace has the rows of `round_as_printed`, with the number of jobs that skip the iteration.
    """
    run = Rounds(instance, seed, tested=3)
    while True:
        run.alive = run.candidates.servable(run.capacity, run.alive)
        rejected = run.reject(run.alive)
        jobs, copy = int(run.left.sum()), run.candidates.prune(run.capacity, run.alive)
        here = run.left & ~run.candidates.trivial_jobs(copy)
        if not here.any():
            return run.assignment(
                f"{plural(jobs, 'job')} left, none of which passes PRUNE; {rejected} rejected at the end"
            )
        copy &= here[run.candidates.job]
        solved = resolves is None or run.relaxed.solves < resolves
        if solved:
            point = run.relaxed.solve(copy, here, run.capacity)
        row: dict[str, Json] = {"iteration": len(run.trace) + 1, "jobs": jobs, "rejected": rejected}
        row |= {"sitting_out": jobs - int(here.sum()), "lp_i": point.value, "solved": solved}
        run.trace.append(row | _round(run, here, copy, point))


def _round(run: Rounds, here: np.ndarray, copy: np.ndarray, point: Point) -> dict[str, int]:
    """Draw and accept; the job with the largest y comes first, drawn from x/y."""
    top = int(np.argmax(np.where(here, point.y, -1.0)))
    x = np.where(copy, point.x, 0.0)
    mine = np.flatnonzero(copy & (run.candidates.job == top))
    node = run.edges.node[mine]
    x[mine] = np.where(np.bincount(node, x[mine])[node] > LEAST_SUM, x[mine], 1.0)
    chance = point.y.copy()
    chance[top] = 1.0
    return run.accept(here, x, chance, point.y)
