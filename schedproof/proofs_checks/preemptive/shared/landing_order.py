"""The assumption under which Q of (5) is the growth that it should be, and alpha adds up to beta."""

from __future__ import annotations

from schedproof.core.claim import Assumption
from schedproof.instances.preemptive.premises import lands_in_order
from schedproof.proofs_checks.strategies.preemptive import Online


def landing_order(case: Online) -> bool:
    """On each server, chunks land in the order in which they were placed.

    Proof
    -----
    Let chunk d be priced on a worker at its job's arrival, t0 = r_j + Delta_js. Chunks placed earlier have landed by
    t0 and chunks placed later land no earlier, so what the worker does before t0 is settled, and from t0 on it has a
    fixed set of pending chunks and no further landings: it runs them in one fixed order without preemption. That is
    clear for the static order; with residual rates the running chunk's rate only rises, and the others' stay. Putting
    d in its place, D_j times its own C - r_j is Delta_js, plus what is left at t0 of those before it, plus p_j; every
    one after it ends p_j later, which adds p_j/D_j' each; the others do not change. That is (5), whose indicator
    (rates at least d's run first, ties to the earlier one) is the order. The cloud has a fresh worker for every
    chunk. Summed over all placements the growths telescope: on each worker the sum of (C - r)/D starts from 0 and
    ends as the sum of (c_jd - r_j)/D_j, so sum alpha = sum (c_jd - r_j)/D_j, which is sum beta by the definition of
    beta.
    """
    return lands_in_order(case.instance)


LANDING_ORDER = Assumption(
    "landing order", "on each server chunks land in the order in which they were placed", landing_order, landing_order
)
