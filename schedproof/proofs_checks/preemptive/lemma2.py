"""Lemma 2: alpha and beta are feasible for (6), and the schedule for (4).

The constraints on parameter servers are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.parameter_servers import SERVED, violations
from schedproof.proofs_checks.preemptive.shared.premises import IN_ORDER_OR_ALIKE, LONG_HORIZON, NEVER_SPLIT
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online, build_instance, edge, job
from schedproof.reference.preemptive import Chunk, Outcome, Worker, duration

LEMMA2 = Claim(
    "preemptive.lemma2",
    WANG22.at("section IV-E, Lemma 2, and Appendix C"),
    "alpha and beta of A_greedy are feasible for (6).",
    Domain(Online, draw.online(), (*regimes.RUNS, regimes.TRANSIT, regimes.MIXED)),
    severity="false theorem",
)
LEMMA2_REPAIRED = LEMMA2.repair(
    f"In the residual order, with {IN_ORDER_OR_ALIKE.sentence}, and no job paying for a mixed "
    "placement, alpha_jd <= (t - r_j + p_j)/D_j + p_j beta_sw(t) for all t >= r_j + Delta_js.",
    domain=Domain(
        Online,
        draw.online(in_order=True, cloud="unmixed") | draw.online(alike=True, cloud="unmixed"),
        (*regimes.RUNS, regimes.TRANSIT),
        (IN_ORDER_OR_ALIKE, NEVER_SPLIT),
    ),
)


@LEMMA2.reading("every t >= r_j", "The rows are as printed in (6a).")
@LEMMA2.reading("from the landing on", "Only rows for which (4) has columns.", lead=False)
@LEMMA2.reading("slot end", "Slot t costs t + 1 - r_j, from the landing on.", lead=False, end=1)
@LEMMA2.reading("landed only", "(5) leaves out chunks in transit.", lead=False, price="eq5_landed")
@LEMMA2.reading("fluid", "Time is continuous.", lead=False, fluid=True)
@LEMMA2.false_variant("beta left out", waive=Fraction(0))
def row_of_6(
    case: Online,
    lead: bool = True,
    end: int = 0,
    fluid: bool = False,
    price: str = "eq5",
    waive: Fraction = Fraction(1),
) -> Answer:
    out = regimes.outcome(case, whole_slots=not fluid, price=price)
    result = []
    for c, w, ago, beta in rows(out, lead):
        right = c.weight * (ago + end) + waive * duration(c.job, out.options) * beta
        result.append(Finding(c.alpha, right, "at most", f"{c.job.name} on {_place(out, w)}, t - r = {ago}"))
    return worst(result)


EACH_PENDING_CHUNK = """
First, let chunks land in order. With residual rates, D_j Q on an edge worker w is Delta + p + sum over l in A(t0) of
min(left_l, p D_j/D_l). The reason is that l runs first iff left_l D_l <= p D_j, and then adds its remaining time.
Otherwise it is postponed and adds p D_j/D_l. Take t >= t0 and the final schedule. By the landing order, left_l at t0 is
the same there, because chunks that come later land no earlier. The chunks l that are finished by t used their left_l in
[t0, t], together at most t - t0. All other chunks are in A(t). Each of these adds at most p D_j/D_l, together at most p
D_j
beta_w(t). As t0 = r_j + Delta, D_j alpha <= D_j Q <= (t - r_j) + p + p D_j beta_w(t). A fresh cloud worker has beta = 0
and D_j alpha <= D_j Q = Delta + p <= (t - r_j) + p. By the premise this p is the p of the cloud's column. beta only
grows with later chunks. Second, let every job have D chunks, with landings in any order. Again D Q = Delta + p + sum
over l in A(t0) of min(left_l, p), with left_l at t0 in the schedule without later chunks. The proof uses a lemma. Among
all schedules of a worker's chunks, shortest remaining time first, which is the residual order, has the least sum of
min(left_l(t), p) at every t. The sum is over all chunks; chunks that have not landed count in full. To prove it, let
R_k(t) be the sum of all but the k - 1 largest left of the landed chunks. If R_k > 0, the schedule works on one of these
chunks, so R_k falls at rate 1, and no schedule lowers it faster. When a chunk of time z lands, R_1 grows by z and R_k
becomes min(R_(k-1), z + R_k). So no schedule has a smaller R_k at any time (Schrage 1968, for k = 1 and for the number
of chunks). The sum of min(left_l, p) is the least of (k - 1) p + R_k over k. Now take the final schedule and the chunks
placed before: those of A(t0) and those that Q finds finished. For these chunks the final schedule is one of the
schedules of the lemma. So their sum of min(left_l, p) at t0 in it is at least the sum in Q. Until t it falls by at most
t - t0, and then it is at most p for each unfinished chunk. So D alpha <= Delta + p + (t - t0) + p D beta_w(t).
Coq: placed.v a_online_placed. Objects: job, a_online, residual, within_rows, beta_at, agree, usable, never_split. In
words: within_rows are the rows of all chunks of A_online's final lists, on every edge worker and in the cloud. Time is
counted in units in which all data are whole: slots, or parts of a slot for fluid chunk times. There a row at the
beginning of a unit implies the rows within it, as beta is constant. The order of landing (b = true) or the equal
numbers of chunks (b = false) are the pairwise premise `agree`.
- *beta at t counts chunks that are placed after this one as well.* They only make the right-hand side larger.
- *alpha is the least Q of all workers; the row is the row of w.* alpha <= Q on w, and the proof bounds Q on w.
- *Without the landing order a chunk placed later may land before t0 and run first.* Yes, and the lemma allows this:
then the other chunks of A(t0) have at least as much left, capped at p. For unequal D_j the lemma does not bound the
required sum. Whether the rows can fail then is open.
- *What does 'no job pays for a mixed placement' exclude?* A job of several chunks with some of them in the cloud, where
chunks take longer: then p_j in the row of an edge worker is not the priced p_j.
"""


@LEMMA2_REPAIRED.reading("whole slots", "Chunk times are rounded up.", EACH_PENDING_CHUNK)
@LEMMA2_REPAIRED.reading("fluid", "Chunk times are exact.", EACH_PENDING_CHUNK, fluid=True)
@LEMMA2_REPAIRED.false_variant("half a chunk time", share=Fraction(1, 2))
def residual_rows(case: Online, fluid: bool = False, order: str = "residual", share: Fraction = Fraction(1)) -> Answer:
    out = regimes.outcome(case, whole_slots=not fluid, order=order)
    result = []
    for c, w, ago, beta in rows(out, lead=False):
        work = duration(c.job, out.options, in_cloud=out.instance.servers[w[0]].cloud)
        right = c.weight * (ago + share * work) + work * beta
        result.append(Finding(c.alpha, right, "at most", f"{c.job.name} on {_place(out, w)}, t - r = {ago}"))
    return worst(result)


LEMMA2_REPAIRED.false_variant("the printed order")(lambda case: residual_rows(nearly_finished(), order="static"))


def _place(out: Outcome, worker: Worker) -> str:
    server, kind, number = worker
    return f"{out.instance.servers[server].name} {kind}#{number}"


def rows(out: Outcome, lead: bool) -> Iterator[tuple[Chunk, Worker, Fraction, Fraction]]:
    """(chunk, worker, t - r_j, beta(t)) at the times where a row of (6a) can be tight.

    Between arrivals and completions beta is constant and t grows, so the first time of each interval suffices.

    Parameters
    ----------
    lead
        Whether rows begin at the arrival, as (6a) prints, or at the landing, where columns of (4) begin.
    """
    events = sorted({out.completion(c) for c in out.chunks} | {Fraction(j.arrival) for j in out.instance.jobs})
    for chunk in out.chunks:
        job = chunk.job
        for worker in chunk.prices:
            server = out.instance.servers[worker[0]]
            first = Fraction(job.arrival if lead else job.arrival + (job.delay(server) or 0))
            for t in [first, *(e for e in events if e > first)]:  # the cloud always has one more worker, with beta = 0
                yield chunk, worker, t - job.arrival, Fraction(0) if server.cloud else out.beta(worker, t)


LEMMA2_SCHEDULE = Claim(
    "preemptive.lemma2_schedule",
    WANG22.at("section IV-E, Lemma 2, second half"),
    "A_greedy generates a feasible y of (4) without (4c) and (4d).",
    Domain(
        Online,
        (draw.instances() | draw.instances(typed=True)).map(Online),
        (*SERVED.regimes[:-2], regimes.QUEUE, regimes.DELAYS, regimes.ZERO_DELAY, regimes.BROKEN),
        (LONG_HORIZON,),
    ),
)
LIST_SCHEDULE = """
A chunk is placed on a worker with v_jsw = 1 and runs there from its landing on, t >= r_j + Delta_js: (4h). A worker
runs one chunk at a time: (4b). A chunk runs on one worker, one slot after the other, until it has had its p_j slots:
(4a) and (4e). p_j is the cloud's only if the whole job is there. The reason is that the first chunk decides, and the
price of the cloud is reset to the edge's rate once an edge worker holds a chunk: (4f) and (4g) for the workers.
- *Is the horizon long enough?* The reading assumes this. After the last landing no worker idles while its chunks wait.
So all chunks are complete by the last arrival plus the largest delay plus all the work.
- *What about (4c) and (4d)?* These rows bind parameter servers, the subject of Lemma 3; the statement excludes them.
"""


@LEMMA2_SCHEDULE.reading("whole slots", "Chunk times are rounded up; horizon long enough.", LIST_SCHEDULE)
@LEMMA2_SCHEDULE.false_variant("a slot earlier", hurried=True)
def workers_feasible(case: Online, hurried: bool = False) -> Finding:
    wrong = [
        v for v in violations(case.instance, hurried) if not any(word in v for word in ("served", "parameter_server"))
    ]
    return Finding(Fraction(len(wrong)), Fraction(0), "at most", "constraints of (4) on workers broken")


def nearly_finished() -> Online:
    """A long chunk with one slot left when a shorter one is priced.

    There the static order breaks the repaired row.
    """
    jobs = [job("long", 4, {"e0": 0, "e1": 2}), job("short", 3, {"e0": 0, "e1": 2}, arrival=3)]
    return Online(build_instance([edge("e0"), edge("e1")], jobs))
