"""Algorithm 1 of Wang et al. 2019 as printed.

The schedule may exceed compute and bandwidth, and the algorithm may run forever. Readings of the open points (for
PRUNE see `prune`):

====================================  ==================================================================================
the paper says                        implemented
====================================  ==================================================================================
PRUNE(I), line 36: "P - {k} if k is   dropped edges stay dropped, and trivial jobs are rejected finally, also those that
trivial"                              lost a server to nodes that will never be placed there
LP_I                                  y_k <= 1, r_{j,k} eliminated: (16)-(17) with equality, lambda_k where eta_k is
                                      printed; the free compute of (8) times (1 - epsilon) is available, and the free
                                      bandwidth of (9) times epsilon
"an optimal vertex solution"          the result of HiGHS, started from the last basis
line 6, again, after an iteration     unchanged: the last vertex is used for another draw
without an accepted job
Pr(e_i = j) = x_i^j                   independently, with the solver's doubles; node i has no server with probability
                                      1 - y_k
line 11: equal priorities             file order
(21): "minimum b_j"                   the longest prefix within the remaining storage; it ends at the first node that
                                      does not fit. Compute and bandwidth are not tested
nodes of jobs that are not accepted   released at the end of the iteration: "update the available resources" is about
                                      accepted jobs
lines 19-20: "proportionally"         r = exactly the amounts of (16)-(17)
an overfilled server                  the run continues with 0 left there; the iteration's row in the report counts
                                      newly overfilled resources; the checker finds the schedule infeasible
"at most p iterations"                false: draws may fail forever. A limit ends the run, as the last row states
====================================  ==================================================================================

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from schedproof.core.base.numbers import plural
from schedproof.core.base.untyped import Json
from schedproof.instances.jrp import Assignment, Instance
from schedproof.rounding.jrp.rounds import Rounds


def round_as_printed(instance: Instance, seed: int = 0, iterations: int = 1000) -> Assignment:
    """Run Algorithm 1 as printed.

    Parameters
    ----------
    iterations
        The largest number of iterations.

    Returns
    -------
    Assignment
        Its trace has a row for each iteration: the jobs left; the jobs that PRUNE rejected before; the optimum of
        the LP_I in use and whether this LP is new; the jobs accepted; the nodes dropped by (21); the servers' resources
        that were overfilled; and, in the last row, how the run ended.
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
    run.alive = run.candidates.prune(run.capacity, run.alive)
    return run.reject(run.alive), True
