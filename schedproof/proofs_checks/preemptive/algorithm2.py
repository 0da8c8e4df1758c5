"""Algorithm 2, lines 9-27: the compared prices, and each chunk's worker."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.strategies import preemptive_details as draw
from schedproof.proofs_checks.strategies.preemptive_details import IdleWorkers, TwoRates

LEAST_Q = Claim(
    "preemptive.algorithm2_least_q",
    WANG22.at("Algorithm 2, lines 11 and 22-26, with section IV-C"),
    "Algorithm 2 'assigns data chunk d to the worker w on server s which makes Q_jdsw minimized'.",
    Domain.of(
        IdleWorkers,
        draw.idle_workers(),
        {
            "several workers": lambda case: len(case.delays) > 1,
            "several chunks": lambda case: case.chunks > 1,
            "a tie": lambda case: len(set(case.delays)) < len(case.delays),
        },
    ),
    severity="slip",
)
LEAST_Q_REPAIRED = LEAST_Q.repair(
    "With line 22 after line 26, for the next chunk, Algorithm 2 assigns each chunk to the worker of least Q.",
    small=True,
)
NOTHING_ELSE_CHANGES = """
When a chunk joins a worker's list, only that worker's list changes, and (5) on a worker depends only on its list. The
next chunk has the same D_j, E_j, B_j, rate and delays. So after line 26 the prices of all other workers in C_j are the
prices of the next chunk. If line 22 comes after line 26 and prices the next chunk, the price of the chosen worker is
right too. Line 11 then takes the least of the current prices.
Coq, core: preemptive.v algorithm2_least_q. Outside: that (5) depends on the worker's list alone. The next chunk has the
same D_j, E_j, B_j, rate and delays.
- *The cloud?* It has no list: its price changes only when zeta_j falls to 0 with the first chunk at the edge.
"""


@LEAST_Q.reading("as printed", "Line 22 prices the chosen worker before line 26 puts the chunk there.")
@LEAST_Q.reading(
    "line 22 after line 26",
    "The next chunk is priced on the chosen worker after this chunk has joined its list.",
    NOTHING_ELSE_CHANGES,
    update_first=True,
    also=LEAST_Q_REPAIRED,
)
@LEAST_Q.false_variant("never priced anew", recompute=False)
def least_price(case: IdleWorkers, update_first: bool = False, recompute: bool = True) -> Answer:
    """Each chunk of a job on idle edge workers goes to a worker of least (5).

    The prices are taken at the chunk's placement. Lines 11 and 22-26 literally: take the least Q in C_j; compute the
    chunk's price on this worker again and store the price; then place the chunk. With ``update_first``, the chunk is
    placed before the next chunk's price is computed.
    """

    def price(worker: int) -> Fraction:
        """(5) with the job's earlier chunks in the list: equal rates, so they run first."""
        return Fraction(case.delays[worker] + case.time * (held[worker] + 1), case.chunks)

    workers, held = range(len(case.delays)), [0] * len(case.delays)
    stored = [price(w) for w in workers]
    result: list[Answer] = []
    for chunk in range(case.chunks):
        chosen = min(workers, key=lambda w: stored[w])
        least = min(price(w) for w in workers)
        result.append(Finding(price(chosen), least, "equal", f"Q where chunk {chunk + 1} goes, and the least Q"))
        held[chosen] += update_first
        stored[chosen] = price(chosen) if recompute else stored[chosen]
        held[chosen] += not update_first
    return worst(result)


CLOUD = Claim(
    "preemptive.algorithm2_cloud",
    WANG22.at("Algorithm 2, lines 18-20, with Algorithm 3, lines 2-8; section IV-C"),
    "Once the first chunk is at the edge, lines 17-20 recalculate the cloud's Q 'by resetting zeta_j = 0'.",
    Domain.of(
        TwoRates,
        draw.two_rates(),
        {
            "a delay": lambda case: case.delay > 0,
            "several chunks": lambda case: case.chunks > 1,
            "a rate that is not whole": lambda case: case.rate.denominator > 1,
        },
    ),
    severity="slip",
)
CLOUD_REPAIRED = CLOUD.repair(
    "If line 19 passes zeta_j = 0, lines 17-20 price the cloud at the edge's rate.", small=True
)


@CLOUD.reading("as printed", "Line 19 passes d = d_1, for which Algorithm 3 sets zeta_j = 1.")
@CLOUD.reading(
    "line 19 with zeta_j = 0",
    "Algorithm 3 treats the chunk as not the job's first.",
    """
    Algorithm 3, line 6, then sets zeta_j = 0, and line 8 prices the chunk at E_j B_j / n_j with the edge's n_j.
    - *Does the printed line change prices?* Yes: with the first chunk at the edge the job has zeta_j = 0 by (2h), so a
    later chunk in the cloud takes longer than line 8 assumes.
    """,
    passed_first=False,
    also=CLOUD_REPAIRED,
)
def cloud_price(case: TwoRates, passed_first: bool = True) -> Finding:
    """Lines 18-20 price the cloud at the edge's rate, that of zeta_j = 0.

    ``rate`` is the edge's rate; the larger of the two rates belongs to zeta_j = 1.
    """
    slow, fast = case.batches / case.rate, case.batches / max(case.rate, case.other_rate)
    measured, claimed = ((case.delay + time) / case.chunks for time in (fast if passed_first else slow, slow))
    return Finding(measured, claimed, "equal", "the cloud's price after line 20")


CLOUD.false_variant("for nothing")(
    lambda case: Finding(cloud_price(case, passed_first=False).measured, Fraction(0), "equal")
)
