"""(5): is Q the marginal growth of the total?"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from schedproof.core.claim import Claim, Domain, FalseVariant, Finding, Reading, Repair, with_settings, worst
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.landing_order import LANDING_ORDER
from schedproof.proofs_checks.preemptive.shared.regimes import outcome
from schedproof.proofs_checks.readings import readings
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online
from schedproof.reference.preemptive import Chunk, Order, Outcome, Queue, Worker, duration


def price_is_growth(case: Online, price: str = "eq5", order: Order = "static") -> Finding | None:
    """Q of (5) on every worker, at every placement, is the growth of the sum of (C - r)/D there."""
    out = outcome(case, price=price, order=order)
    return worst(
        Finding(c.prices[w], growth(out, c, w, order), "equal", f"{c.job.name} chunk {c.index}, {w}")
        for c, w in priced(out)
    )


def growth(out: Outcome, chunk: Chunk, worker: Worker, order: Order) -> Fraction:
    """By how much a worker's sum of (C - r)/D grows when the chunk joins those placed there before: two full runs."""
    before = [c for c in out.chunks[: chunk.number] if c.worker == worker]
    server = out.instance.servers[worker[0]]
    landing = Fraction(chunk.job.arrival + (chunk.job.delay(server) or 0))
    work = duration(chunk.job, out.options)
    guest = Chunk(chunk.number, chunk.job, chunk.index, server, worker, landing, work, {})
    return Queue(order, [*before, guest]).total() - Queue(order, before).total()


def priced(out: Outcome) -> Iterator[tuple[Chunk, Worker]]:
    """Each chunk with the edge workers on which it was priced."""
    yield from ((c, w) for c in out.chunks for w in c.prices if not out.instance.servers[w[0]].cloud)


def mismatched(case: Online) -> Finding | None:
    """A false variant: prices of the residual rule are the growth under the static order."""
    out = outcome(case, order="residual")
    return worst(Finding(c.prices[w], growth(out, c, w, "static"), "equal") for c, w in priced(out))


EQ5_MARGINAL = Claim(
    id="preemptive.eq5_marginal",
    source=WANG22.at("section IV-C, (5)"),
    statement="Q of (5) is the growth of the sum of (C - r)/D on that worker.",
    readings=readings(
        price_is_growth,
        ("transit counted", "A(t0) holds every unfinished chunk, landed or in transit.", {}),
        ("landed only", "A(t0) holds the chunks that have landed.", {"price": "eq5_landed"}),
    ),
    domain=Domain(Online, draw.online(), (*regimes.RUNS, regimes.TRANSIT)),
    false_variants=(FalseVariant("with the residual order's indicator", mismatched),),
    assumption=LANDING_ORDER,
    repair=Repair(
        readings=(
            Reading("static", "The static order, in the list and in (5).", LANDING_ORDER.restricted(price_is_growth)),
            Reading(
                "residual",
                "The residual order in both.",
                LANDING_ORDER.restricted(with_settings(price_is_growth, order="residual")),
            ),
        ),
        domain=Domain(Online, draw.online(in_order=True), regimes.RUNS),
    ),
)
