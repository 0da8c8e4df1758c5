"""The dual fitting of section IV-C and Appendices C, D: claims eq5_marginal and lemma2."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Assumption, Case, Claim, Finding, Planted, Reading, worst
from schedproof.proofs_checks.preemptive import regimes
from schedproof.proofs_checks.preemptive.builders import build_instance, edge, job
from schedproof.proofs_checks.preemptive.house import WITNESSES
from schedproof.proofs_checks.preemptive.literal import Chunk, Line, Options, Outcome, Worker, in_order
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.writing import at, restricted, table, under

RUNS = (
    regimes.PREEMPTION,
    regimes.QUEUE,
    regimes.DELAYS,
    regimes.BROKEN,
    regimes.ZERO_DELAY,
    regimes.SINGLE_CHUNK,
    regimes.SEVERAL_CHUNKS,
    regimes.CLOUD_FREE,
    regimes.CLOUD,
    regimes.TIE,
)


def outcome(case: Case, **settings: Any) -> Outcome:
    """A_online at the case's speed."""
    return regimes.run(case.instance, Options(speed=regimes.speed(case), **settings))


# --- (5) is the marginal growth --------------------------------------------------------------------------------------


def growth(out: Outcome, chunk: Chunk, worker: Worker) -> Fraction:
    """By how much a worker's sum of (C - r)/D grows when the chunk joins those placed there before: two full runs."""

    def total(chunks: list[Chunk]) -> Fraction:
        line = Line(out.options.order)
        for c in chunks:
            line.add(c)
        line.advance(None)
        return sum((c.weight * (line.runs[c.number][-1][1] - c.job.arrival) for c in chunks), Fraction(0))

    before = [c for c in out.chunks[: chunk.number] if c.worker == worker]
    server = out.instance.servers[worker[0]]
    landing = Fraction(chunk.job.arrival + (chunk.job.delay(server) or 0))
    guest = Chunk(chunk.number, chunk.job, chunk.index, server, worker, landing, _edge_work(out, chunk), {})
    return total([*before, guest]) - total(before)


def _edge_work(out: Outcome, chunk: Chunk) -> Fraction:
    speed, job = out.options.speed, chunk.job
    return Fraction(job.slots(speed=speed)) if out.options.whole_slots else job.chunk_time / speed


def price_is_growth(case: Case, price: str = "eq5", order: str = "static") -> Finding | None:
    """Q of (5) on every worker, at every placement, is the growth of the sum of (C - r)/D there."""
    out = outcome(case, price=price, order=order)
    edges = [(c, w) for c in out.chunks for w in c.prices if not out.instance.servers[w[0]].cloud]
    return worst(
        Finding(c.prices[w], growth(out, c, w), "equal", f"{c.job.name} chunk {c.index}, {w}") for c, w in edges
    )


def landing_order(case: Case) -> bool:
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
    return in_order(case.instance)


LANDING_ORDER = Assumption(
    "landing order", "on each server chunks land in the order in which they were placed", landing_order, landing_order
)


def _mismatched(case: Case) -> Finding | None:
    """Prices of the residual rule against the growth under the static order."""
    out = outcome(case, order="residual")
    printed = Outcome(out.instance, Options(speed=out.options.speed), out.chunks, out.lines)
    edges = [(c, w) for c in out.chunks for w in c.prices if not out.instance.servers[w[0]].cloud]
    return worst(Finding(c.prices[w], growth(printed, c, w), "equal") for c, w in edges)


EQ5_MARGINAL = Claim(
    id="preemptive.eq5_marginal",
    source="paper 000, section IV-C, (5)",
    statement="Q of (5) is the growth of the sum of (C - r)/D on that worker.",
    readings=(
        Reading("transit counted", "A(t0) holds every unfinished chunk, landed or in transit.", price_is_growth),
        Reading("landed only", "A(t0) holds the chunks that have landed.", at(price_is_growth, price="eq5_landed")),
    ),
    regimes=(*RUNS, regimes.TRANSIT),
    strategy=draw.online(),
    planted=(Planted("with the residual order's indicator", _mismatched),),
    witnesses=WITNESSES,
    assumption=LANDING_ORDER,
    repaired_by="preemptive.eq5_marginal_repaired",
)


EQ5_REPAIRED = restricted(
    EQ5_MARGINAL,
    readings=(
        Reading("static", "The static order, in the list and in (5).", under(LANDING_ORDER, price_is_growth)),
        Reading("residual", "The residual order in both.", under(LANDING_ORDER, at(price_is_growth, order="residual"))),
    ),
    regimes=RUNS,
    strategy=draw.online(in_order=True),
    witnesses=None,
)

# --- Lemma 2: the rows of (6) ----------------------------------------------------------------------------------------


def rows(out: Outcome, lead: bool) -> Iterator[tuple[Chunk, Worker, Fraction, Fraction]]:
    """(chunk, worker, t - r_j, beta(t)) at every time where a row of (6a) can be tightest.

    Between two times at which some chunk arrives or completes beta is constant and t grows, so the first counts.

    Parameters
    ----------
    lead
        Whether rows begin at the arrival, as (6a) prints, or at the landing, where columns of (4) begin.
    """
    events = sorted({out.completion(c) for c in out.chunks} | {Fraction(j.arrival) for j in out.instance.jobs})
    for chunk in out.chunks:
        job = chunk.job
        for worker in chunk.prices:
            delay = job.delay(out.instance.servers[worker[0]]) or 0
            first = Fraction(job.arrival if lead else job.arrival + delay)
            idle = out.instance.servers[worker[0]].cloud  # the cloud always has one more worker, with beta = 0
            for t in [first, *(e for e in events if e > first)]:
                yield chunk, worker, t - job.arrival, Fraction(0) if idle else out.beta(worker, t)


def row_of_6(
    case: Case, lead: bool = True, end: int = 0, fluid: bool = False, price: str = "eq5", waive: Fraction = Fraction(1)
) -> Finding | None:
    """alpha_jd <= (t - r_j)/D_j + p_j beta_sw(t) on every row, for A_greedy's alpha and beta."""
    out = outcome(case, whole_slots=not fluid, price=price)
    found = []
    for c, w, ago, beta in rows(out, lead):
        right = c.weight * (ago + end) + waive * _edge_work(out, c) * beta
        found.append(Finding(c.alpha, right, "at most", f"{c.job.name} on {w}, t - r = {ago}"))
    return worst(found)


LEMMA2 = Claim(
    id="preemptive.lemma2",
    source="paper 000, section IV-E, Lemma 2, and Appendix C",
    statement="alpha and beta of A_greedy are feasible for (6).",
    readings=(
        Reading("every t >= r_j", "Rows as (6a) prints them.", row_of_6),
        Reading("from the landing on", "Rows where (4) has columns.", at(row_of_6, lead=False)),
        Reading("slot end", "Slot t costs t + 1 - r_j, from the landing on.", at(row_of_6, lead=False, end=1)),
        Reading("landed only", "(5) without chunks in transit.", at(row_of_6, lead=False, price="eq5_landed")),
        Reading("fluid", "Continuous time.", at(row_of_6, lead=False, fluid=True)),
    ),
    regimes=(*RUNS, regimes.TRANSIT, regimes.MIXED),
    strategy=draw.online(),
    planted=(Planted("beta left out", at(row_of_6, waive=Fraction(0))),),
    witnesses=WITNESSES,
    repaired_by="preemptive.lemma2_repaired",
)


def residual_rows(
    case: Case, fluid: bool = False, order: str = "residual", share: Fraction = Fraction(1)
) -> Finding | None:
    """alpha_jd <= (t - r_j + p_j)/D_j + p_j beta_sw(t) from the landing on, in the residual order.

    Premises: chunks land in the order of placement on each server; a job of several chunks that may use the cloud has
    the same chunk time there (gradient_size 0).

    Proof
    -----
    With residual rates, D_j Q on an edge worker w is Delta + p + sum over l in A(t0) of min(left_l, p D_j/D_l): l
    runs first iff left_l D_l <= p D_j, and then adds what is left of it; otherwise it is postponed and adds p
    D_j/D_l. Take t >= t0 and the final schedule. By the landing order, left_l at t0 is the same there, because chunks
    that come later land no earlier. Those l that are finished by t took their left_l out of [t0, t]: together at most
    t - t0. Those that are not are in A(t): each adds at most p D_j/D_l, together at most p D_j beta_w(t). As t0 = r_j
    + Delta, D_j alpha <= D_j Q <= (t - r_j) + p + p D_j beta_w(t). A fresh cloud worker has beta = 0 and D_j alpha <=
    D_j Q = Delta + p <= (t - r_j) + p; the premise makes this p the one of the cloud's column. beta only grows with
    later chunks.
    """
    if not (in_order(case.instance) and unmixed(case)):
        return None
    out = outcome(case, whole_slots=not fluid, order=order)
    found = []
    for c, w, ago, beta in rows(out, lead=False):
        work = _work(out, c, w)
        right = c.weight * (ago + share * work) + work * beta
        found.append(Finding(c.alpha, right, "at most", f"{c.job.name} on {w}, t - r = {ago}"))
    return worst(found)


def _work(out: Outcome, chunk: Chunk, worker: Worker) -> Fraction:
    if not out.instance.servers[worker[0]].cloud:
        return _edge_work(out, chunk)
    speed, job = out.options.speed, chunk.job
    return (
        Fraction(job.slots(in_cloud=True, speed=speed)) if out.options.whole_slots else job.chunk_time_in_cloud / speed
    )


def unmixed(case: Case) -> bool:
    """Whether no job can pay for being split between cloud and edge: one chunk, no cloud, or gradient_size 0."""
    instance = case.instance
    return all(
        job.chunks == 1 or instance.cloud_delay(job) is None or job.chunk_time == job.chunk_time_in_cloud
        for job in instance.jobs
    )


LEMMA2_REPAIRED = Claim(
    id="preemptive.lemma2_repaired",
    source="paper 000, section IV-E, Lemma 2, repaired",
    statement=(
        "In the residual order, with chunks landing in the order of placement and no job paying for a mixed placement, "
        "alpha_jd <= (t - r_j + p_j)/D_j + p_j beta_sw(t) for all t >= r_j + Delta_js."
    ),
    readings=(
        Reading("whole slots", "Chunk times rounded up.", residual_rows),
        Reading("fluid", "Chunk times as they are.", at(residual_rows, fluid=True)),
    ),
    regimes=RUNS,
    strategy=draw.online(in_order=True, cloud="unmixed"),
    planted=(
        Planted("the printed order", lambda case: residual_rows(nearly_finished(), order="static")),
        Planted("half a chunk time", at(residual_rows, share=Fraction(1, 2))),
    ),
)


def nearly_finished() -> Case:
    """A long chunk with one slot left when a shorter one is priced: where the static order breaks the repaired row."""
    servers = [edge("e0"), edge("e1")]
    jobs = [job("long", 4, {"e0": 0, "e1": 2}), job("short", 3, {"e0": 0, "e1": 2}, arrival=3)]
    return Case(build_instance(servers, jobs), {"speed": Fraction(1)})


CLAIMS = table(EQ5_MARGINAL, EQ5_REPAIRED, LEMMA2, LEMMA2_REPAIRED)
