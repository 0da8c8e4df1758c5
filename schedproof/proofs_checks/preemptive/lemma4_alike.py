"""Lemma 4 without its landing order, for equal numbers of chunks.

Then (5) on residual rates is never too low.
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
    "In the residual order, where every job has as many chunks and (5) counts those in transit, sum alpha >= sum beta "
    "= sum (c_jd - r_j)/D_j, in whatever order chunks land.",
    Domain(
        Online,
        draw.online(alike=True) | draw.online(alike=True, in_order=False, most_jobs=4, cloud="none"),
        (*regimes.RUNS, regimes.TRANSIT, regimes.MIXED, OUT_OF_ORDER),
        (ALIKE,),
    ),
)
TOKEN = """
Every job has D chunks; multiply all by D, so that each chunk weighs 1. Fix a worker, the chunks before, and S,
their schedule by shortest remaining time first, which is the residual order. A new chunk of time p lands at t0 =
r + Delta. D Q = Delta + p + sum over A(t0) of min(left_l, p), left_l as in S at t0, and in full for those in
transit. Let F be the least sum of C - r of the chunks with the new one: S itself is least for the old ones (lemma
in lemma2_repaired with p towards 0: at no time can fewer chunks be unfinished). It is enough to show a schedule
S' of all of them whose unfinished chunks, summed over time, exceed those of S by at most D Q.

S nests: what S runs between two runs of a chunk l has landed after l's first run, with less left than l, and is
finished before l runs again. So from t0 on S is a row of idle times and blocks, one for each chunk l that is
unfinished and has not landed within another's block: its own runs, of total length w_l (left_l at t0, or all of
it), with blocks of others between them. S' carries a token: a landed chunk that is behind S by a > 0. At t0 it is
the new chunk, a = p. In a block of l with w_l <= a, S' runs l where S does. In one with w_l > a it uses the first
a of l's own runs for the token, which is then finished, and l's other runs for l; when S finishes l, S' has a of
it left: l is the new token. Blocks within are treated in the same way, with the token as it is then, of size at
most a, or with none. In idle times S' runs the token; when it is finished in an idle time, S' is S from there on.
By induction a block ends with a token of the same size a as it began.

S' has one unfinished chunk more than S from r to t0, in the idle times in which it runs the token (p in all), and
in a block of l during min(w_l, a) <= min(w_l, p) of l's own runs; in the rest of them, the same number. Every
block belongs to another chunk of A(t0). Together: Delta + p + sum of min(left_l, p) = D Q.

The cloud has a fresh worker for every chunk: Q is the growth. Summed over all placements the growths telescope:
the sum of alpha is at least that of (c_jd - r_j)/D_j, which is the sum of beta.
Coq, core: token.v lemma4_alike, another_chunk; shortest.v schrage. Outside: that for equal D_j A_online's order is
shortest remaining time first, and (5) its count. In detail: for equal D_j the residual order is shortest remaining time
first, and (5) counts of a pending chunk what is left of it or p, whichever is less; on a fresh cloud worker the list is
empty. The proof in Coq is another one: of two shortest-first schedules, one with a chunk more, the numbers of chunks
that have more than c left differ by 0 or 1 at any time and for every c; what the difference will still cost is the work
in excess and, for each chunk, the excess below its size, which is at most min(left_l, p).
- *S' uses l's runs for the token. Has the token landed?* It is the new chunk, which has landed at t0, or a chunk that S
has finished.
- *Ties, which the number of a chunk decides?* They do not disturb the nesting: once a chunk runs it has less left than
what it tied with.
- *Whole slots?* All times are whole then, and so are the runs of S and S'.
- *And for unequal D_j?* The residual order is then no longer optimal once chunks land in between, and the sum can fall
short: by 22/3 in the second false variant.
"""


@LEMMA4_ALIKE.reading("whole slots", "Chunk times rounded up.", TOKEN)
@LEMMA4_ALIKE.reading("fluid", "Chunk times as they are.", TOKEN, fluid=True)
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
    """Five chunks on the hub: one from a job of six, and four late ones.

    The job's other chunks are elsewhere. The four land after their arrival.
    """
    late = [(4, 9, 12), (5, 14, 16), (6, 32, 16), (6, 0, 23)]
    jobs = [job("six", 9, {"hub": 0, "others": 0}, arrival=4, chunks=6)]
    jobs += [job(f"j{n}", time, {"hub": delay}, arrival) for n, (arrival, delay, time) in enumerate(late)]
    return Online(build_instance([edge("hub"), edge("others", workers=5)], jobs))
