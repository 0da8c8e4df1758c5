"""Algorithm 1 of Wang et al. 2019 as printed; what it accepts may overfill compute and bandwidth, and it need not end.

What the paper leaves open, and what is done here (for PRUNE see `prune`):

====================================  ==================================================================================
the page says                         done here
====================================  ==================================================================================
PRUNE(I), line 36: "P - {k} if k is   edges that are dropped stay dropped, and trivial jobs are rejected for good, also
trivial"                              those that lost a server to a sum over nodes that will never be placed there
LP_I                                  y_k <= 1, r_{j,k} eliminated: (16)-(17) with equality, lambda_k where eta_k is
                                      printed, and at most (1 - epsilon) and epsilon times what is left of (8)-(9)
"an optimal vertex solution"          the one at which HiGHS ends; from the last one's basis
line 6, again, after an iteration in  nothing has changed, and the last vertex is drawn from again
which nothing was accepted
Pr(e_i = j) = x_i^j                   independently, with the doubles of the solver; i goes nowhere with 1 - y_k
line 11: equal priorities             file order
(21): "minimum b_j"                   the longest prefix within the storage left; it ends at the first node that does
                                      not fit. Compute and bandwidth are not looked at
nodes of jobs that are not accepted   released at the end of the iteration: "update the available resources" speaks of
                                      accepted jobs
lines 19-20: "proportionally"         r = exactly what (16)-(17) ask for what is placed
an overfilled server                  the run goes on with nothing left there; the row says how many resources of
                                      servers have just been overfilled; the checker finds the schedule infeasible
"at most p iterations"                not so: draws may fail for ever. A limit, and the last row says when it was hit
====================================  ==================================================================================

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from schedproof.core.base.numbers import plural
from schedproof.core.base.untyped import Json
from schedproof.instances.jrp import Assignment, Instance
from schedproof.rounding.jrp.rounds import Rounds


def round_as_printed(instance: Instance, seed: int = 0, iterations: int = 1000) -> Assignment:
    """Algorithm 1 as printed.

    Parameters
    ----------
    iterations
        Where to stop if it has not ended.

    Returns
    -------
    Assignment
        Its trace has a row for each iteration: the jobs left, those that PRUNE has rejected before it, the optimum of
        the LP_I in use and whether it was solved anew, the jobs accepted, the nodes dropped by (21), the resources of
        servers that were overfilled; and in the last row how it ended.
    """
    run = Rounds(instance, seed, tested=1)
    rejected, solved = _update(run)
    while run.left.any() and len(run.trace) < iterations:
        if solved:
            point = run.relaxed.solve(run.alive, run.left, run.capacity)
        row: dict[str, Json] = {"iteration": len(run.trace) + 1, "jobs": int(run.left.sum()), "rejected": rejected}
        row |= {"lp_i": point.value, "solved": solved} | run.accept(run.left, point.x, point.y, point.y)
        run.trace.append(row)
        rejected, solved = _update(run) if row["accepted"] else (0, False)
    rest = int(run.left.sum())
    return run.assignment(
        f"stopped with {plural(rest, 'job')} left" if rest else f"no jobs left; {rejected} rejected at the end"
    )


def _update(run: Rounds) -> tuple[int, bool]:
    """PRUNE with the remaining capacity; the number of jobs that it rejects, and that there is an LP to solve anew."""
    run.alive = run.candidates.prune(run.capacity, run.alive)
    return run.reject(run.alive), True
