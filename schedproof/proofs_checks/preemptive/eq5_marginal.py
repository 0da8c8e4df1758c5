"""(5): is Q the marginal growth of the total?"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.premises import IN_ORDER
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online
from schedproof.reference.preemptive import Chunk, Order, Outcome, Queue, Worker, duration

EQ5_MARGINAL = Claim(
    "preemptive.eq5_marginal",
    WANG22.at("section IV-C, (5)"),
    "Q of (5) is the growth of the sum of (C - r)/D on that worker.",
    Domain(Online, draw.online(), (*regimes.RUNS, regimes.TRANSIT)),
)
REPAIRED = EQ5_MARGINAL.repair(domain=Domain(Online, draw.online(in_order=True), regimes.RUNS, (IN_ORDER,)))


@EQ5_MARGINAL.reading("transit counted", "A(t0) holds every unfinished chunk, landed or in transit.")
@EQ5_MARGINAL.reading("landed only", "A(t0) holds the chunks that have landed.", price="eq5_landed")
def price_is_growth(case: Online, price: str = "eq5", order: Order = "static") -> Answer:
    out = regimes.outcome(case, price=price, order=order)
    return worst(
        Finding(c.prices[w], growth(out, c, w, order), "equal", f"{c.job.name} chunk {c.index}, {w}")
        for c, w in chunk_prices(out)
    )


@EQ5_MARGINAL.false_variant("with the residual order's indicator")
def other_order(case: Online) -> Answer:
    out = regimes.outcome(case, order="residual")
    return worst(Finding(c.prices[w], growth(out, c, w, "static"), "equal") for c, w in chunk_prices(out))


NO_LATER_LANDING = """
Let chunk d be priced on a worker at its job's arrival, t0 = r_j + Delta_js. Chunks placed earlier have landed by t0,
and chunks placed later land no earlier. So the worker's schedule before t0 is settled. From t0 on it has a fixed set of
pending chunks and no further landings, and it runs them in one fixed order without preemption. This is clear for the
static order. With residual rates the running chunk's rate only rises, and the other rates do not change. Insert d in
its place. Then D_j times its C - r_j is Delta_js, plus the remaining work at t0 of the chunks before it, plus p_j.
Every chunk after it ends p_j later, which adds p_j/D_j' each. The other chunks do not change. This is (5), whose
indicator is the order: chunks with a rate of at least that of d run first, and of equal rates the earlier chunk. The
cloud has a fresh worker for every chunk. Summed over all placements the growths telescope: on each worker the sum of
(C - r)/D starts from 0 and ends as the sum of (c_jd - r_j)/D_j. So sum alpha = sum (c_jd - r_j)/D_j, which is sum beta
by the definition of beta.
Coq, core: preemptive.v eq5_marginal, lemma4, first_stays_first. Outside: that by the landing order (5) counts the
worker's queue at the landing. The new chunk's rate gives its place in the queue. The cloud is a fresh queue for each
chunk. By the definition of beta its sum
is the sum of (c_jd - r_j)/D_j.
- *(5) rates an unfinished chunk by its whole time, not by its remaining time.* In the static order both the list and
(5) use the whole time; in the residual order both use the remaining time. A mixture of the two is the false variant.
- *Ties?* Of equal rates the earlier chunk runs first, in the list and in (5). The new chunk pays for the remaining time
of the earlier chunk and does not postpone the earlier chunk.
- *A job's chunks are placed one after the other at the same time.* Each chunk is priced with the earlier chunks already
in the list. The chunks land together, so the landing order is satisfied.
"""
EQ5_MARGINAL.assume("landing order", IN_ORDER.sentence, NO_LATER_LANDING)(IN_ORDER.met)
REPAIRED.reading("static", "The list and (5) have the static order.", NO_LATER_LANDING)(price_is_growth)
REPAIRED.reading("residual", "The list and (5) have the residual order.", NO_LATER_LANDING, order="residual")(
    price_is_growth
)


def growth(out: Outcome, chunk: Chunk, worker: Worker, order: Order) -> Fraction:
    """The growth of a worker's sum of (C - r)/D when the chunk joins: two full runs."""
    before = [c for c in out.chunks[: chunk.number] if c.worker == worker]
    server = out.instance.servers[worker[0]]
    landing = Fraction(chunk.job.arrival + (chunk.job.delay(server) or 0))
    work = duration(chunk.job, out.options)
    guest = Chunk(chunk.number, chunk.job, chunk.index, server, worker, landing, work, {})
    return Queue(order, [*before, guest]).total() - Queue(order, before).total()


def chunk_prices(out: Outcome) -> Iterator[tuple[Chunk, Worker]]:
    yield from ((c, w) for c in out.chunks for w in c.prices if not out.instance.servers[w[0]].cloud)
