"""Theorem 4: how many operations A_online takes. Claim theorem4."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.instances.preemptive import Instance
from schedproof.proofs_checks.preemptive import regimes
from schedproof.proofs_checks.preemptive.builders import build_instance, edge, job
from schedproof.proofs_checks.preemptive.house import WITNESSES
from schedproof.proofs_checks.preemptive.literal import Chunk, Line, Options, Outcome, Worker
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import st
from schedproof.proofs_checks.writing import at, of_data, table


def operations(instance: Instance, slot_arrays: bool) -> int:
    """The steps of Algorithms 2-4 as Appendix E counts them: one per list element touched, and one per slot written.

    CALCULATEQ touches the pending chunks of the worker and the new one; it is called for every worker on a job's first
    chunk and for the chosen worker after each. Line 11 looks at every worker's Q. UPDATEVARIABLES touches the pending
    chunks again and, with arrays over slots, writes y for each slot of the chunk.
    """
    out = regimes.run(instance, Options())
    edge_workers = sum(q.count for q in instance.classes)
    steps = 0
    for chunk in out.chunks:
        if chunk.index == 0:
            steps += sum(pending(out, chunk, worker) + 1 for worker in chunk.prices)
        steps += edge_workers + 1  # line 11
        steps += 2 * (pending(out, chunk, chunk.worker) + 1)  # line 22 and UPDATEVARIABLES
        steps += int(chunk.work) if slot_arrays else 0
    return steps


def pending(out: Outcome, chunk: Chunk, worker: Worker) -> int:
    """How many of the chunks placed earlier on a worker are unfinished when this one would land there."""
    line = Line("static")
    for c in out.chunks[: chunk.number]:
        if c.worker == worker:
            line.add(c)
    delay = chunk.job.delay(out.instance.servers[worker[0]]) or 0
    line.advance(Fraction(chunk.job.arrival + delay))
    return len(line.left)


def bound(instance: Instance) -> int:
    """J H K_max, with H the edge workers and one for the cloud, K_max the chunks of all jobs."""
    h = sum(q.count for q in instance.classes) + 1
    return len(instance.jobs) * h * sum(j.chunks for j in instance.jobs)


def family(kind: str, n: int) -> Instance:
    """The n-th member of a growing family on one worker: n chunks of one job, n jobs, or n slots of one chunk."""
    if kind == "chunks":
        jobs = [job("j", 1, {"e": 0}, chunks=n)]
    elif kind == "jobs":
        jobs = [job(f"j{i}", 1, {"e": 0}) for i in range(n)]
    else:
        jobs = [job("j", n, {"e": 0})]
    return build_instance([edge("e")], jobs, horizon=10 * n + 10)


def grows(case: Case, slot_arrays: bool = False, claimed: Fraction = Fraction(3, 2)) -> Finding | None:
    """operations/(J H K_max) stays bounded along the family: it does not keep growing when n doubles, and doubles
    again.

    Measured is the smaller growth factor of the quotient over two doublings; an O() bound lets it tend to at most 1.
    On ``chunks`` the list of the only worker grows by one with each chunk, so the operations are 2 (1 + ... + n) +
    O(n) = n^2 + O(n) against J H K_max = 2n; on ``duration`` one chunk writes n slots against J H K_max = 2. Both
    quotients grow linearly in n: the factor tends to 2.
    """
    if "kind" not in case.data:
        return None
    sizes = [case.data["n"] * 2**k for k in range(3)]
    quotients = [Fraction(operations(i, slot_arrays), bound(i)) for i in (family(case.data["kind"], n) for n in sizes)]
    factors = [b / a for a, b in pairwise(quotients)]
    return Finding(min(factors), claimed, "at most", f"{case.data['kind']}: {sizes}")


def counted(case: Case, share: Fraction = Fraction(1)) -> Finding:
    """With intervals in place of slot arrays, the steps are at most sum_j [H (K_max + 1) + D_j (H + 2 K_max)].

    Proof
    -----
    A worker's pending list before a chunk is placed has at most K_max - 1 chunks, as K_max counts all chunks and the
    new one is not among them: CALCULATEQ and UPDATEVARIABLES touch at most K_max each. A job's first chunk is priced
    on at most H workers, the cloud with O(1): at most H K_max. Each of its D_j chunks looks at H prices (line 11) and
    calls each function once more: H + 2 K_max. Intervals make the update of y one step per list element. Hence the
    sum, which is O(J H K_max + sum_j D_j (H + K_max)); it is O(J H K_max) when D_max <= H <= K_max, which Appendix E
    expects 'in practice'.
    """
    i = case.instance or family(case.data["kind"], case.data["n"])
    h, k = sum(q.count for q in i.classes) + 1, sum(j.chunks for j in i.jobs)
    most = sum(h * (k + 1) + j.chunks * (h + 2 * k) for j in i.jobs)
    return Finding(Fraction(operations(i, False)), share * most, "at most", "steps")


@st.composite
def _families(draw_: Any) -> Case:
    pick: Callable[..., object] = draw_
    kind = pick(st.sampled_from(("chunks", "jobs", "duration")))
    return Case(None, {"kind": kind, "n": pick(st.integers(4, 6))})


def _of_kind(kind: str) -> Regime:
    return of_data(f"family of {kind}", lambda data: data.get("kind") == kind)


_KINDS = tuple(_of_kind(kind) for kind in ("chunks", "jobs", "duration"))

THEOREM4 = Claim(
    id="preemptive.theorem4",
    source="paper 000, section IV-E, Theorem 4, and Appendix E",
    statement="A_online takes O(J H K_max) operations.",
    readings=(
        Reading("slot arrays", "y_jdsw(t) is written slot by slot, as Algorithm 4 does.", at(grows, slot_arrays=True)),
        Reading("intervals", "y is kept as intervals; lists as in Appendix E.", grows),
    ),
    regimes=_KINDS,
    strategy=_families(),
    planted=(Planted("the quotient shrinks to a third", at(grows, claimed=Fraction(1, 3))),),
    witnesses=WITNESSES,
    repaired_by="preemptive.theorem4_repaired",
    small_repair=True,
)

THEOREM4_REPAIRED = Claim(
    id="preemptive.theorem4_repaired",
    source="paper 000, section IV-E, Theorem 4, repaired",
    statement="With intervals, A_online takes O(J H K_max + sum_j D_j (H + K_max)) operations.",
    readings=(Reading("intervals", "Counted as Appendix E counts.", counted),),
    regimes=(*_KINDS, Regime("several jobs", lambda c: bool(c.instance and len(c.instance.jobs) > 1))),
    strategy=st.one_of(_families(), draw.online()),
    planted=(Planted("an eighth of it", at(counted, share=Fraction(1, 8))),),
)

CLAIMS = table(THEOREM4, THEOREM4_REPAIRED)
