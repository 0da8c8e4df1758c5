"""Lemma 4 without its landing order, for equal numbers of chunks.

Then the cost increase Q of (5) on residual rates is at least the actual increase.
"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Regime, worst
from schedproof.families.preemptive import WANG22
from schedproof.instances.preemptive.premises import lands_in_order
from schedproof.proofs_checks.preemptive.eq5_marginal import chunk_prices, growth
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.premises import ALIKE
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online, build_instance, edge, job

OUT_OF_ORDER: Regime[Online] = Regime("landings not in order", lambda case: not lands_in_order(case.instance))
LEMMA4_ALIKE = Claim(
    "preemptive.lemma4_alike",
    WANG22.at("Appendix D, Lemma 4, without the landing order; not printed"),
    "In the residual order, if every job has the same number of chunks and (5) counts those in transit, "
    "sum alpha >= sum beta = sum (c_jd - r_j)/D_j, for every order of landing.",
    Domain(
        Online,
        draw.online(alike=True) | draw.online(alike=True, in_order=False, most_jobs=4, cloud="none"),
        (*regimes.RUNS, regimes.TRANSIT, regimes.MIXED, OUT_OF_ORDER),
        (ALIKE,),
    ),
)
TOKEN = """
Every job has D chunks. Multiply all terms by D, so that each chunk weighs 1. Fix a worker, the chunks before, and S,
their schedule by shortest remaining time first, which is the residual order. A new chunk of time p lands at t0 = r +
Delta. D Q = Delta + p + sum over A(t0) of min(left_l, p), with left_l as in S at t0, and in full for chunks in transit.
Let F be the least sum of C - r of the chunks with the new one. S itself is least for the old chunks: by the lemma in
lemma2_repaired with p towards 0, at no time can fewer chunks be unfinished. It is enough to give a schedule S' of all
chunks whose unfinished chunks, summed over time, exceed those of S by at most D Q. S nests: a chunk that S runs between
two runs of a chunk l has landed after the first run of l, with less left than l. It is finished before l runs again. So
from t0 on S is a sequence of idle times and blocks. Each chunk l that is unfinished and has not landed within another
block has one block. The block contains the runs of l, of total length w_l (left_l at t0, or its whole time), and blocks
of other chunks between these runs. S' carries a token: a landed chunk that is behind S by a > 0. At t0 it is the new
chunk, with a = p. In a block of l with w_l <= a, S' runs l at the same times as S. In a block with w_l > a it uses the
first a of the runs of l for the token. The token is then finished, and S' uses the other runs for l. When S finishes l,
the amount a of l is left in S', so l is the new token. Inner blocks are treated in the same way, with the current
token, of size at most a, or without a token. In idle times S' runs the token. If it finishes in an idle time, S' is S
from there on. By induction a block ends with a token of the same size a as at its start. S' has one unfinished chunk
more than S in three cases. The first is from r to t0. The second is in the idle times in which it runs the token, p in
total. The third is in a block of l, during min(w_l, a) <= min(w_l, p) of the runs of l. In the other runs both have the
same number. Every block belongs to another chunk of A(t0). Together this is Delta + p + sum of min(left_l, p) = D Q.
The cloud has a fresh worker for every chunk, so Q is the growth. Summed over all placements the growths telescope. So
the sum of alpha is at least the sum of (c_jd - r_j)/D_j, which is the sum of beta.
Coq: placed.v a_online_placed; lists.v further_alike, price_is. Objects: job, a_online, residual, price, joins, aged,
alike, agree. In words: the last part of a_online_placed with b = false is the sum; further_alike and price_is are
each price. Time is counted in units in which all data are whole: slots, or parts of a slot for fluid chunk times. The
proof in Coq differs. It compares two shortest-first schedules, one with a chunk more. Their numbers of chunks that have
more than i left differ by 0 or 1 at any time and for every i. The future cost of the difference is the excess work and,
for each chunk, the excess below its size, which is at most min(left_l, p).
- *S' uses runs of l for the token. Has the token landed?* Yes: it is the new chunk, which has landed at t0, or a chunk
that S has finished.
- *Ties, which the number of a chunk breaks?* They do not affect the nesting: once a chunk runs it has less left than
the chunk that it tied with.
- *Whole slots?* Then all times are integers, and so are the runs of S and S'.
- *And for unequal D_j?* The residual order is then no longer optimal once chunks land in between, and the sum can fall
short: by 22/3 in the second false variant.
"""


@LEMMA4_ALIKE.reading("whole slots", "Chunk times are rounded up.", TOKEN)
@LEMMA4_ALIKE.reading("fluid", "Chunk times are exact.", TOKEN, fluid=True)
@LEMMA4_ALIKE.false_variant("equal", exact=True)
def sums(case: Online, fluid: bool = False, exact: bool = False) -> Finding:
    out = regimes.outcome(case, order="residual", whole_slots=not fluid)
    return Finding(out.alpha_total, out.beta_total, "equal" if exact else "at least", "sum alpha and sum beta")


@LEMMA4_ALIKE.reading("each price", "Each Q is at least the growth of the worker's total.", TOKEN)
@LEMMA4_ALIKE.false_variant("nine tenths of the price", share=Fraction(9, 10))
def each_price(case: Online, share: Fraction = Fraction(1)) -> Answer:
    out = regimes.outcome(case, order="residual")
    return worst(
        Finding(share * c.prices[w], growth(out, c, w, "residual"), "at least", f"{c.job.name} chunk {c.index}, {w}")
        for c, w in chunk_prices(out)
    )


LEMMA4_ALIKE.false_variant("mixed numbers of chunks")(lambda case: sums(mixed_chunk_counts()))


def mixed_chunk_counts() -> Online:
    """Five chunks on the hub: one from a job of six chunks, and four late chunks.

    The other five chunks of that job are on other servers. The four late chunks land after their arrival.
    """
    late = [(4, 9, 12), (5, 14, 16), (6, 32, 16), (6, 0, 23)]
    jobs = [job("six", 9, {"hub": 0, "others": 0}, arrival=4, chunks=6)]
    jobs += [job(f"j{n}", time, {"hub": delay}, arrival) for n, (arrival, delay, time) in enumerate(late)]
    return Online(build_instance([edge("hub"), edge("others", workers=5)], jobs))
