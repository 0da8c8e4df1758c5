"""Section VI, 'Theoretical Analysis': Lemmas 1, 2 and Theorems 2, 4 for (7)-(9)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.preemptive import WANG22
from schedproof.instances.preemptive import Intervals, Schedule, Services
from schedproof.proofs_checks.preemptive import lemma1, theorem4
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.parameter_servers import served_rows
from schedproof.proofs_checks.preemptive.shared.premises import IN_ORDER, LONG_HORIZON, NEVER_SPLIT, ROOM
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online
from schedproof.reference.preemptive import Chunk, Options, Worker, duration

LEMMA1 = Claim(
    "preemptive.capacitated_lemma1",
    WANG22.at("section VI, 'Problem Reformulation'"),
    "'Lemma 1 clearly holds by substituting (7) and (8) for (2) and (4).'",
    Domain(Online, draw.alone() | draw.online(storage=True), (*regimes.STORED, regimes.BROKEN)),
    severity="slip",
)
LEMMA1_REPAIRED = LEMMA1.repair(
    "With chunk times rounded up in both programs, or fluid, every feasible solution of (7) costs at "
    "least the optimum of (8).",
    small=True,
)
LEMMA1.reading(
    "as printed",
    "y binary by slots, (3) with the real E_j B_j / n_j; unlimited storage.",
    where=(lemma1.ALONE,),
)(lemma1.as_printed)
STORAGE_UNTOUCHED = """
The proof of lemma1_repaired turns a solution of (2) into a solution of (4). It trains each job on the same workers in
the same slots and completes it no later. So x_jds, and with it (7a)-(7e), is the same for (8) and (7), and the costs
compare in the same way.
- *In fluid time the chunks move between workers (wrap-around). Is a chunk stored where it is trained?* (7a) has no d on
its left side: it requires only that all chunks of a job are stored where the job is trained. In its repaired form each
chunk has a server and is pinned. Then y is already given by chunk and needs no split.
"""


@LEMMA1.reading("whole slots", "Chunk times are rounded up in both programs.", STORAGE_UNTOUCHED, also=LEMMA1_REPAIRED)
@LEMMA1.reading("fluid", "Time is continuous.", STORAGE_UNTOUCHED, fluid=True, also=LEMMA1_REPAIRED)
@LEMMA1.false_variant("a chunk time more per chunk", extra=1)
def stored_costs(case: Online, fluid: bool = False, extra: int = 0) -> Finding:
    return lemma1.in_slots(case, fluid=fluid, extra=extra, storage=True)


SOURCE = WANG22.at("section VI, 'Theoretical Analysis'")
LEMMA2 = Claim(
    "preemptive.capacitated_lemma2",
    SOURCE,
    "With eta_s(t) = 0, alpha and beta of A_greedy with storage are feasible for (9).",
    Domain(Online, draw.blocked_cases() | draw.online(storage=True, in_order=True), regimes.STORED),
    severity="false theorem",
)
LEMMA2_REPAIRED = LEMMA2.repair(
    "Let every server have room for all chunks, let chunks land in order, and let no job pay for a mixed "
    "placement. Then with eta = 0, in the residual order, alpha and beta meet the repaired rows of Lemma "
    "2 at the landing.",
    domain=Domain(
        Online,
        draw.online(storage=True, ample=True, in_order=True, cloud="unmixed"),
        (regimes.CLOUD, regimes.SINGLE_CHUNK, regimes.SEVERAL_CHUNKS, regimes.QUEUE),
        (ROOM, IN_ORDER, NEVER_SPLIT),
    ),
)


@LEMMA2.reading("slot end", "(9a) from the landing on, slot t at t + 1 - r_j; slot starts are stricter.")
@LEMMA2.reading(
    "the repaired rows",
    "To the statement's advantage: residual order, and p_j more, as in lemma2_repaired.",
    own_time=True,
    order="residual",
)
@LEMMA2.false_variant("a tenth of it", slack=Fraction(1, 10))
def rows_of_9(case: Online, own_time: bool = False, order: str = "static", slack: Fraction = Fraction(1)) -> Answer:
    """alpha <= (t + 1 - r)/D + p beta(t) with eta = 0 on every worker.

    Workers with full storage are included.

    Parameters
    ----------
    own_time
        Whether to add p, as in the repaired Lemma 2: (t - r + p)/D.
    """
    out = regimes.outcome(case, storage=True, order=order)
    result = []
    for c in out.chunks:
        work = duration(c.job, out.options)  # there, wherever it went
        for worker, landing in edge_workers(case, c):
            more = work if own_time else 1
            right = c.weight * (landing - c.job.arrival + more) + work * out.beta(worker, landing)
            result.append(Finding(c.alpha, slack * right, "at most", f"{c.job.name} on {worker}, t = {landing}"))
    return worst(result)


@LEMMA2_REPAIRED.reading(
    "room for all",
    "U_s is at least the size of all chunks of all jobs.",
    """
    The storage is never full, so A_greedy prices the same workers as without storage. (9a) with eta = 0 is (6a), so
    this is lemma2_repaired.
    Coq, core: preemptive.v room_for_all; placed.v a_online_placed. Outside: A_online with storage, and (9a). In
    detail: stored chunks are different chunks of the jobs, and (9a) with eta = 0 is (6a).
    - *Could a price eta > 0 of full storage save the lemma?* Perhaps. The paper sets eta to 0; then a full server is a
    worker with beta = 0 that alpha does not consider.
    """,
)
@LEMMA2_REPAIRED.false_variant("half of it", slack=Fraction(1, 2))
def repaired_with_room(case: Online, slack: Fraction = Fraction(1)) -> Answer:
    return rows_of_9(case, own_time=True, order="residual", slack=slack)


def edge_workers(case: Online, chunk: Chunk) -> Iterator[tuple[Worker, Fraction]]:
    """Every edge worker that may train a chunk, with the landing of the chunk."""
    for q, delay in case.instance.qualified(chunk.job):
        for n in range(q.count):
            yield (q.server.index, q.type, n), Fraction(chunk.job.arrival + delay)


THEOREM2 = Claim(
    "preemptive.capacitated_theorem2",
    SOURCE,
    "A_online with the storage test generates a feasible solution to (7) and (8), if it finds a place for each chunk.",
    Domain(
        Online,
        draw.at_speed_1(storage=True) | draw.at_speed_1(cloud="none"),
        (*regimes.STORED, regimes.SCARCE, regimes.PREEMPTION),
        (LONG_HORIZON,),
    ),
    severity="false theorem",
)
THEOREM2_REPAIRED = THEOREM2.repair(
    "With a long enough horizon, A_online with the storage test meets (2a)-(2d), (2i) on workers and "
    "(7a)-(7e) repaired, if it finds a place for each chunk; on parameter servers see theorem2_repaired.",
    small=True,
)


@THEOREM2.reading("all of (7)", "Line 6 takes a free parameter server, for any number of parameter servers.")
@THEOREM2.reading(
    "workers and storage",
    "(2a)-(2d), (2i) on y, and (7a)-(7e) in their repaired form.",
    """
    A chunk is placed only on a server with storage for it and the chunks of all jobs still alive there, from its job's
    arrival on. The storage in use grows only at arrivals, each time after that test. So it never exceeds U_s. The
    remaining argument is that of lemma2_schedule: excluding servers changes the places of chunks, not their order of
    running.
    - *What if no server has space?* The cloud always has space. A job that may not use it and finds no space makes the
    program infeasible for A_online. The statement assumes that such a place exists.
    """,
    served=False,
    also=THEOREM2_REPAIRED,
)
@THEOREM2.false_variant("without the test", served=False, checked=False)
def stored_schedule(case: Online, served: bool = True, checked: bool = True) -> Finding:
    """A_online with the storage test breaks no constraint of (7).

    Parameters
    ----------
    served
        Whether constraints on parameter servers count.
    checked
        Whether A_online tests the storage.
    """
    out = regimes.run(case.instance, Options(storage=checked))
    services = served_rows(case.instance, out)
    schedule = Schedule.by("a_online", case.instance, Intervals.of(out.rows), Services.of(services))
    wrong = [str(v) for v in schedule.violations(case.instance)]
    about_ps = ("served", "parameter_server")
    wrong = [v for v in wrong if served or not any(word in v for word in about_ps)]
    return Finding(Fraction(len(wrong)), Fraction(0), "at most", "constraints of (7) broken (independent checker)")


THEOREM4 = Claim(
    "preemptive.capacitated_theorem4",
    SOURCE,
    "Given D_max <= H <= K_max, A_online with the storage test takes O(J H K_max) operations.",
    Domain.of(
        Online,
        draw.online(storage=True),
        {"several jobs": lambda case: len(case.instance.jobs) > 1},
        regimes.STORAGE,
        premises=(theorem4.IN_PRACTICE,),
    ),
)


@THEOREM4.reading(
    "intervals",
    "y in intervals, arrivals only; a running total of each server's storage.",
    """
    A test compares one running total with U_s. It takes one step for each of the H prices of a job's first chunk, and
    one for each chunk at its placement. That is J H + K_max <= 2 J H <= J H K_max steps, in addition to the 5 J H K_max
    of theorem4.
    - *J H + K_max <= 2 J H <= J H K_max?* K_max <= J D_max <= J H, and K_max >= H >= 2.
    - *Slot arrays, and the loop over [T]?* As for Theorem 4, the bound fails with them.
    """,
)
@THEOREM4.false_variant("J H K_max itself", factor=1)
def counted_with_tests(case: Online, factor: int = 6) -> Finding:
    chunks = sum(j.chunks for j in case.instance.jobs)
    h, jobs = theorem4.workers_and_cloud(case.instance), len(case.instance.jobs)
    steps = theorem4.operations(case.instance, False, storage=True) + jobs * h + chunks
    return Finding(Fraction(steps), Fraction(factor * jobs * h * chunks), "at most", "steps")
