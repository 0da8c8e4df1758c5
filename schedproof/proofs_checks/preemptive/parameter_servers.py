"""Algorithm 5 (A_ps) and what it makes feasible: claims lemma3 and theorem2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, worst
from schedproof.instances.preemptive import Instance, Intervals, Job, Schedule, Services
from schedproof.proofs_checks.preemptive import regimes
from schedproof.proofs_checks.preemptive.builders import CLOUD, build_instance, edge, job
from schedproof.proofs_checks.preemptive.house import WITNESSES
from schedproof.proofs_checks.preemptive.literal import Options, Outcome
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.writing import at, table

Place = tuple[int, int, int]  # server, type, number; the cloud's parameter servers are (server, -1, job)
Pick = Callable[[list[Place]], Place]


def open_to(instance: Instance, job: Job) -> list[Place]:
    """The edge parameter servers with o_jsp = 1."""
    return [
        (server.index, k, n)
        for server in instance.edges
        for k, (kind, number) in enumerate(server.parameter_servers.items())
        if job.opens(server, kind)
        for n in range(number)
    ]


def phases(out: Outcome) -> Iterator[tuple[int, int, list[Job]]]:
    """(start, end, running jobs) between consecutive starts and stops of chunks."""
    pieces = [(start, end, c.job) for c in out.chunks for start, end in out.runs(c)]
    times = sorted({t for start, end, _ in pieces for t in (start, end)})
    for a, b in pairwise(times):
        running = {job.index for start, end, job in pieces if start <= a < end}
        yield int(a), int(b), [out.instance.jobs[i] for i in sorted(running)]


def collision(case: Case, claimed: Fraction = Fraction(0)) -> Finding | None:
    """Line 6 draws any PS with o_jsp = 1: the probability that two jobs hold the same one is zero in every slot.

    A job's PS is uniform over those open to it, whenever it was drawn, and the draws are independent; jobs that may use
    the cloud are left out, as its parameter servers never run short.
    """
    instance = case.instance
    found = []
    for a, _, jobs in phases(regimes.run(instance, Options())):
        sets = [open_to(instance, job) for job in jobs if instance.cloud_delay(job) is None]
        draws = list(product(*sets))
        clash = sum(len(set(pick)) < len(pick) for pick in draws)
        found.append(Finding(Fraction(clash, max(1, len(draws))), claimed, "at most", f"probability in slot {a}"))
    return worst(found)


def unserved(case: Case, forgiven: int = 0) -> Finding | None:
    """Line 6 draws a free PS with o_jsp = 1: some choice of free ones serves every running job, in every slot."""
    instance = case.instance
    found = []
    for a, _, jobs in phases(regimes.run(instance, Options())):
        sets = [open_to(instance, job) for job in jobs if instance.cloud_delay(job) is None]
        found.append(
            Finding(Fraction(len(sets) - matched(sets)), Fraction(forgiven), "at most", f"jobs without PS in slot {a}")
        )
    return worst(found)


def matched(sets: list[list[Place]]) -> int:
    """The size of a largest matching of jobs to parameter servers (augmenting paths)."""
    taken: dict[Place, int] = {}

    def place(n: int, seen: set[Place]) -> bool:
        for p in sets[n]:
            if p not in seen:
                seen.add(p)
                if p not in taken or place(taken[p], seen):
                    taken[p] = n
                    return True
        return False

    return sum(place(n, set()) for n in range(len(sets)))


def assign(out: Outcome, pick: Pick) -> tuple[list[tuple[int, int, int, int, int]], int]:
    """A_ps with a free PS in line 6: service rows (job, server, type, start, end), and how often none was free."""
    instance, held, missing = out.instance, dict[int, Place](), 0
    all_cloud = {j.index for j in instance.jobs} - {c.job.index for c in out.chunks if not c.server.cloud}
    rows = []
    for start, end, jobs in phases(out):
        held = {one.index: held[one.index] for one in jobs if one.index in held}  # a job that paused draws anew
        for one in jobs:
            free = [p for p in open_to(instance, one) if p not in held.values() and one.index not in all_cloud]
            if one.index not in held:
                if free:
                    held[one.index] = pick(free)
                elif instance.cloud is not None and instance.cloud_delay(one) is not None:
                    held[one.index] = (instance.cloud.index, -1, one.index)
                else:
                    missing += 1
            if one.index in held:
                rows.append((one.index, held[one.index][0], held[one.index][1], start, end))
    return rows, missing


def abundant(instance: Instance) -> bool:
    """Whether each job may use the cloud's parameter servers, or has enough others open to it.

    Enough: as many as there are edge workers, and one more for every job that may use the cloud.
    """
    enough = sum(q.count for q in instance.classes) + sum(instance.cloud_delay(j) is not None for j in instance.jobs)
    return all(instance.cloud_delay(j) is not None or len(open_to(instance, j)) >= enough for j in instance.jobs)


def as_many_as_workers(instance: Instance) -> bool:
    """A weaker premise that is not enough: jobs that may use the cloud are not counted."""
    enough = sum(q.count for q in instance.classes)
    return all(instance.cloud_delay(j) is not None or len(open_to(instance, j)) >= enough for j in instance.jobs)


def lingering() -> Case:
    """One worker, one PS: a job that still runs in the cloud holds the edge's PS when another needs it."""
    jobs = [job("mixed", 3, {"e0": 0, "cloud": 2}, chunks=2), job("local", 1, {"e0": 0}, arrival=3)]
    return Case(build_instance([edge("e0", parameter_servers=1), CLOUD], jobs, 50))


def lowest(free: list[Place]) -> Place:
    """The first free PS in file order."""
    return free[0]


def highest(free: list[Place]) -> Place:
    """The last free PS in file order."""
    return free[-1]


def served(case: Case, premise: Callable[[Instance], bool] = abundant) -> Finding | None:
    """A_ps that picks a free PS, where there are enough, serves every running job and shares no PS: (4c) and (4d).

    Premise: each job may use the cloud's parameter servers, or has open to it at least as many others as there are
    edge workers and jobs that may use the cloud, together.

    Proof
    -----
    A job keeps its PS while it runs, gives it back when it pauses, and takes only a free one: no PS ever serves two
    jobs, which is (4d). For (4c) let a running job need a PS. If it may use the cloud, a PS there is free, whatever
    the others hold (a job that is entirely in the cloud takes one there at once, which keeps zeta_j = 1). If not,
    look at who may hold an edge PS: first, other running jobs that may not use the cloud; each of them, and the job
    itself, keeps an edge worker busy, and a worker trains one chunk at a time, so these others are fewer than the
    edge workers. Second, jobs that may use the cloud, one PS each. Together they hold fewer than are open to the job,
    so one that is open to it is free, whichever free ones were picked before.
    """
    instance = case.instance
    if not premise(instance):
        return None
    out = regimes.run(instance, Options())
    missing = max(assign(out, lowest)[1], assign(out, highest)[1])
    return Finding(Fraction(missing), Fraction(0), "at most", "running jobs without a PS")


def feasible(case: Case, everywhere: bool = False, hurried: bool = False) -> Finding | None:
    """A_online with a free PS picked, enough of them and a long enough horizon gives a schedule of (2) and (4).

    Proof
    -----
    (2a), (2i): a chunk is placed on a worker with v_jsw = 1 and runs from its landing on. (2d), (4b): a worker runs one
    chunk at a time. (4a), (4e): a chunk runs on one worker until it has had its p_j slots; summed over the D_j chunks
    this is (2b) and (2c). (2e), (2f): `served`, under its premise. (2g), (2h): p_j is the cloud's only for a job
    all of whose chunks, and then its PS, are in the cloud. (2j): c_j is the last busy slot, and it exists when the
    horizon is at least the last arrival plus the largest delay plus all the work, run one chunk after the other.
    """
    instance = case.instance
    if not (everywhere or abundant(instance)):
        return None
    return Finding(
        Fraction(len(broken(instance, hurried))), Fraction(0), "at most", "constraints broken (independent checker)"
    )


def schedule_feasible(case: Case) -> Finding | None:
    """A_online's schedule breaks no constraint of (2), however scarce parameter servers are."""
    return feasible(case, everywhere=True)


def broken(instance: Instance, hurried: bool = False) -> list[str]:
    """What the instance's own checker finds wrong with A_online's schedule, PS assignment included."""
    out = regimes.run(instance, Options())
    intervals = []
    for c in out.chunks:
        kinds = list(c.server.workers)
        where = (-1, -1) if c.server.cloud else (kinds.index(c.worker[1]), c.worker[2])
        for start, end in out.runs(c):
            row = (c.job.index, c.index, c.server.index, *where, int(start) - hurried, int(end) - hurried)
            intervals.append(row)
    rows, _ = assign(out, lowest)
    schedule = Schedule(Intervals.of(intervals), Services.of(rows), instance.sha256, "a_online")
    return [str(v) for v in schedule.violations(instance)]


def workers_feasible(case: Case, hurried: bool = False) -> Finding:
    """A_greedy's worker schedule breaks no constraint of (4) but, perhaps, those on parameter servers.

    Proof
    -----
    A chunk is placed on a worker with v_jsw = 1 and runs there from its landing on, t >= r_j + Delta_js: (4h). A
    worker runs one chunk at a time: (4b). A chunk runs on one worker, one slot after the other, until it has had its
    p_j slots: (4a) and (4e). p_j is the cloud's only when the whole job is there, because the first chunk decides and
    the price of the cloud is reset to the edge's rate once an edge worker holds a chunk: (4f) and (4g) for the
    workers.
    """
    wrong = [v for v in broken(case.instance, hurried) if not any(word in v for word in ("served", "parameter_server"))]
    return Finding(Fraction(len(wrong)), Fraction(0), "at most", "constraints of (4) on workers broken")


_REGIMES = (
    regimes.SCARCE,
    regimes.PREEMPTION,
    regimes.MIXED,
    regimes.CLOUD_FREE,
    regimes.CLOUD,
    regimes.SINGLE_CHUNK,
    regimes.SEVERAL_CHUNKS,
    regimes.Regime("parameter servers of several types", lambda c: any(j.ps_types for j in c.instance.jobs)),
    regimes.Regime("enough parameter servers", lambda c: abundant(c.instance)),
)

LEMMA3 = Claim(
    id="preemptive.lemma3",
    source="paper 000, section IV-E, Lemma 3; Algorithm 5",
    statement="A_ps satisfies (4c) and (4d).",
    readings=(
        Reading("any PS", "Line 6 as printed: any PS with o_jsp = 1, free or not.", collision),
        Reading("a free PS", "Line 6 with 'an available PS', as the introduction says.", unserved),
    ),
    regimes=_REGIMES,
    strategy=draw.instances(typed=True).map(Case),
    planted=(Planted("a PS to spare", at(unserved, forgiven=-1)),),
    witnesses=WITNESSES,
    repaired_by="preemptive.lemma3_repaired",
    small_repair=True,
)

LEMMA3_REPAIRED = Claim(
    id="preemptive.lemma3_repaired",
    source="paper 000, section IV-E, Lemma 3, repaired",
    statement="With 'a free PS' in line 6 and enough of them open to each job, A_ps satisfies (4c) and (4d).",
    readings=(Reading("a free PS", "Any rule of choice among the free ones.", served),),
    regimes=_REGIMES,
    strategy=LEMMA3.strategy,
    planted=(
        Planted("however few there are", at(served, premise=lambda instance: True)),
        Planted("as many as edge workers", lambda case: served(lingering(), premise=as_many_as_workers)),
    ),
)

LEMMA2_SCHEDULE = Claim(
    id="preemptive.lemma2_schedule",
    source="paper 000, section IV-E, Lemma 2, second half",
    statement="A_greedy generates a feasible y of (4) without (4c) and (4d).",
    readings=(Reading("whole slots", "Chunk times rounded up; horizon long enough.", workers_feasible),),
    regimes=(*_REGIMES[:-2], regimes.QUEUE, regimes.DELAYS, regimes.ZERO_DELAY, regimes.BROKEN),
    strategy=draw.st.one_of(draw.instances(), draw.instances(typed=True)).map(Case),
    planted=(Planted("a slot earlier", at(workers_feasible, hurried=True)),),
)

THEOREM2 = Claim(
    id="preemptive.theorem2",
    source="paper 000, section IV-E, Theorem 2",
    statement="A_online's output is feasible for (4) and (2).",
    readings=(
        Reading("any PS", "Line 6 as printed: any PS with o_jsp = 1, free or not.", collision),
        Reading("a free PS", "Line 6 picks a free PS.", schedule_feasible),
    ),
    regimes=_REGIMES,
    strategy=LEMMA3.strategy,
    planted=(Planted("a slot earlier", at(feasible, hurried=True)),),
    witnesses=WITNESSES,
    repaired_by="preemptive.theorem2_repaired",
    small_repair=True,
)
THEOREM2_REPAIRED = Claim(
    id="preemptive.theorem2_repaired",
    source="paper 000, section IV-E, Theorem 2, repaired",
    statement=(
        "With 'a free PS' in line 6, enough parameter servers open to each job and a long enough horizon, A_online's "
        "output is feasible for (4) and (2)."
    ),
    readings=(Reading("a free PS", "Whole slots, checked by the instance's independent checker.", feasible),),
    regimes=_REGIMES,
    strategy=LEMMA3.strategy,
    planted=(Planted("however few there are", at(feasible, everywhere=True)),),
)

CLAIMS = table(LEMMA2_SCHEDULE, LEMMA3, LEMMA3_REPAIRED, THEOREM2, THEOREM2_REPAIRED)
