"""Do MINLP (2) and ILP (4) say the same? Claims constraints_equivalent, eq4e_redundant and lemma1."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, count

from schedproof.core.claim import Assumption, Case, Claim, Finding, Planted, Reading
from schedproof.core.numbers import ceil
from schedproof.instances.preemptive import Instance
from schedproof.proofs_checks.preemptive import regimes
from schedproof.proofs_checks.preemptive.house import WITNESSES
from schedproof.proofs_checks.preemptive.literal import Options
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.writing import at, of_data, restricted, table

# --- (4a), (4b), (4e) beside (2b), (2d), (2c) ------------------------------------------------------------------------


def dealt(workers: list[int], chunks: int, time: Fraction, got: tuple[int, ...] | None = None) -> bool:
    """Whether the units of work can be given to chunks, at most one per slot each, so that every chunk has enough."""
    got = got or (0,) * chunks
    if not workers:
        return all(units >= time for units in got)
    takers = combinations(range(chunks), workers[0])  # empty when a slot holds more workers than chunks
    return any(dealt(workers[1:], chunks, time, tuple(u + (d in who) for d, u in enumerate(got))) for who in takers)


def job_and_chunks(case: Case, capped: bool = True) -> Finding:
    """A job's worker counts meet (2b) and (2c) exactly when they split into chunk schedules that meet (4a) and (4e)."""
    chunks, time, workers = case.data["chunks"], case.data["time"], case.data["workers"]
    by_job = sum(workers) >= chunks * time and (not capped or max(workers) <= chunks)
    by_chunk = dealt(workers, chunks, time)
    return Finding(Fraction(by_job), Fraction(by_chunk), "equal", f"{workers} workers, {chunks} chunks of {time}")


def whole_chunk_time(case: Case) -> bool:
    """E_j B_j / n_j is a whole number of slots.

    Proof
    -----
    From chunks to job: put y_jsw(t) = sum_d y_jdsw(t). Summing (4a) over d gives (2b), (4b) makes y_jsw(t) binary and
    gives (2d), and summing (4e) over d gives (2c). From job to chunks: let p = E_j B_j / n_j be whole. Number the
    job's worker-slots slot by slot and give unit number u to chunk u mod D_j. By (2c) a slot has at most D_j units,
    and at most D_j consecutive numbers have different remainders: no chunk has two units in one slot, which is (4e);
    every unit goes to one chunk, which is (4b) given (2d). By (2b) there are at least D_j p units (both are whole),
    so every remainder occurs at least p times, which is (4a). The rate n_j belongs to the job, so nothing else
    changes.
    """
    return case.data["time"].denominator == 1


CONSTRAINTS_EQUIVALENT = Claim(
    id="preemptive.constraints_equivalent",
    source="paper 000, section IV-B, below (4h)",
    statement="(4a), (4b) and (4e) are equivalent to (2b), (2d) and (2c).",
    readings=(
        Reading(
            "as printed",
            "A binary y_jsw is feasible iff it is the sum over chunks of a feasible y_jdsw.",
            job_and_chunks,
        ),
    ),
    regimes=(
        of_data("durations not whole", lambda d: d["time"].denominator > 1),
        of_data("whole durations", lambda d: d["time"].denominator == 1),
        of_data("single chunk", lambda d: d["chunks"] == 1),
        of_data("more workers than chunks", lambda d: max(d["workers"]) > d["chunks"]),
        of_data("just enough work", lambda d: sum(d["workers"]) == ceil(d["chunks"] * d["time"])),
    ),
    strategy=draw.worker_counts(),
    planted=(Planted("(2c) left out", at(job_and_chunks, capped=False)),),
    witnesses=WITNESSES,
    assumption=Assumption(
        "whole chunk time",
        "E_j B_j / n_j is a whole number of slots",
        lambda case: whole_chunk_time(case),
        whole_chunk_time,
    ),
    repaired_by="preemptive.constraints_equivalent_repaired",
)

# --- one job alone: its optima in closed form ------------------------------------------------------------------------


def cheapest_slots(instance: Instance, most: int | None) -> Iterator[tuple[int, int]]:
    """(slot, workers usable there) for the instance's only job, at most ``most`` of them."""
    job = instance.jobs[0]
    for slot in count(job.arrival):
        usable = sum(q.count for q, delay in instance.qualified(job) if slot >= job.arrival + delay)
        yield slot, usable if most is None else min(usable, most)


def fractional_optimum(instance: Instance, one_worker_per_chunk: bool, offset: int) -> Fraction:
    """The optimum of relaxed (4) for one job: every unit of work costs the same later on, so the earliest slots win."""
    job = instance.jobs[0]
    left, cost = job.chunks * job.chunk_time, Fraction(0)
    for slot, usable in cheapest_slots(instance, job.chunks if one_worker_per_chunk else None):
        taken = min(left, Fraction(usable))
        cost += taken * (slot + offset - job.arrival) / (job.chunks * job.chunk_time)
        left -= taken
        if not left:
            return cost
    raise AssertionError("the loop ends with the work")


def binary_optimum(instance: Instance, units: int) -> tuple[Fraction, int]:
    """The first ``units`` worker-slots of one job under (2c): their cost (3), and the job's completion."""
    job = instance.jobs[0]
    cost = Fraction(0)
    for slot, usable in cheapest_slots(instance, job.chunks):
        taken = min(units, usable)
        cost += taken * Fraction(slot - job.arrival) / (job.chunks * job.chunk_time)
        units -= taken
        if not units:
            return cost, slot + 1
    raise AssertionError("the loop ends with the work")


def dropping_changes_nothing(case: Case, offset: int = 0) -> Finding | None:
    """The optimum of relaxed (4) is the same with and without (4e)."""
    if len(case.instance.jobs) > 1:
        return None
    without = fractional_optimum(case.instance, False, offset)
    return Finding(without, fractional_optimum(case.instance, True, offset), "equal", "optimum without and with (4e)")


def redundant_for_one_worker(case: Case) -> Finding | None:
    """A job that can use one worker in all needs no (4e); for any job, leaving (4e) out never raises the optimum.

    Proof
    -----
    With one worker w on s, sum over workers of y_jdsw(t) is the single term y_jdsw(t), which (4b) bounds by 1
    together with y >= 0: so (4b) implies (4e). In general, leaving out a constraint of a minimization enlarges the
    feasible set, so the optimum cannot rise: relaxed (4) without (4e) is still a lower bound of (4).
    """
    finding = dropping_changes_nothing(case)
    if finding is None:
        return None
    job = case.instance.jobs[0]
    single = sum(q.count for q, _ in case.instance.qualified(job)) == 1
    return Finding(finding.measured, finding.claimed, "equal" if single else "at most", finding.where)


_ALONE = (
    regimes.ZERO_DELAY,
    regimes.DELAYS,
    regimes.BROKEN,
    regimes.SINGLE_CHUNK,
    regimes.SEVERAL_CHUNKS,
    regimes.CLOUD_FREE,
)

EQ4E_REDUNDANT = Claim(
    id="preemptive.eq4e_redundant",
    source="paper 000, section IV-C, above (6)",
    statement="With (4h) relaxed to y >= 0, constraint (4e) is redundant.",
    readings=(
        Reading("slot start", "Slot t costs t - r_j, as (3) prints it.", dropping_changes_nothing),
        Reading("slot end", "Slot t costs t + 1 - r_j.", at(dropping_changes_nothing, offset=1)),
    ),
    regimes=_ALONE,
    strategy=draw.alone(),
    planted=(Planted("dropping (4e) raises the optimum", lambda c: _turned(dropping_changes_nothing(c))),),
    witnesses=WITNESSES,
    repaired_by="preemptive.eq4e_redundant_repaired",
)


def _turned(finding: Finding | None) -> Finding | None:
    return finding and Finding(finding.measured, finding.claimed, "at least", finding.where)


EQ4E_REPAIRED = Claim(
    id="preemptive.eq4e_redundant_repaired",
    source="paper 000, section IV-C, repaired",
    statement="(4e) is redundant for a job that can use a single worker; leaving it out never raises the optimum.",
    readings=(Reading("slot start", "Slot t costs t - r_j.", redundant_for_one_worker),),
    regimes=_ALONE,
    strategy=draw.alone(),
    planted=(Planted("redundant for every job", dropping_changes_nothing),),
)

# --- Lemma 1 ---------------------------------------------------------------------------------------------------------


def lemma1_as_printed(case: Case) -> Finding | None:
    """The optimum of (4), with binary y beside the real E_j B_j / n_j, is at most that of (2) (one job, in closed
    form)."""
    instance = case.instance
    if len(instance.jobs) > 1 or instance.cloud is not None:
        return None
    job = instance.jobs[0]
    cost, _ = binary_optimum(instance, job.chunks * ceil(job.chunk_time))
    _, done = binary_optimum(instance, ceil(job.chunks * job.chunk_time))
    return Finding(cost, Fraction(done - job.arrival), "at most", "optima of (4) and (2)")


def lemma1_in_slots(case: Case, fluid: bool = False, extra: int = 0) -> Finding:
    """A schedule of (2) costs at most its total JCT in (4), when p_j is what a chunk really takes.

    Proof
    -----
    Let p_j be the time that a chunk occupies a worker: E_j B_j / n_j rounded up in both programs (whole slots), or as
    it is with y running over a continuous time (fluid). Take a feasible solution of (2); drop what exceeds D_j p_j,
    which only lowers (3), and split it into chunks (constraints_equivalent, p_j being whole, or its fluid
    counterpart). A job holds at most D_j workers at any time before c_j, in all D_j p_j. With cost t + 1 - r_j of
    slot t, which is more than (3) charges, its D_j p_j units cost most when they fill the p_j slots before c_j: sum_d
    f_jd <= (1/p_j) * sum_{i=0}^{p_j - 1} (c_j - i - r_j) = c_j - r_j - (p_j - 1)/2 <= c_j - r_j. Fluid: (1/p_j) *
    integral of (t - r_j) over [c_j - p_j, c_j] = c_j - r_j - p_j/2. So this solution of (4) costs at most the total
    JCT, and the optimum no more. The rate of a job is the same on both sides whatever its placement, so the cloud
    changes nothing.
    """
    out = regimes.run(case.instance, Options(whole_slots=not fluid))
    cost = Fraction(0)
    for chunk in out.chunks:
        for start, end in out.runs(chunk):  # slots t = start .. end-1 at t + 1 - r, or the integral of t - r
            middle = (start + end) / 2 + (0 if fluid else Fraction(1, 2)) - chunk.job.arrival
            cost += chunk.weight * (end - start) * middle / chunk.work
    cost += extra * sum(chunk.work for chunk in out.chunks)
    return Finding(cost, out.total_jct, "at most", "cost (4) and total JCT (2) of A_online's schedule")


LEMMA1 = Claim(
    id="preemptive.lemma1",
    source="paper 000, section IV-B, Lemma 1, and Appendix B",
    statement="Every feasible solution of (2) costs at least the optimum of (4).",
    readings=(
        Reading("as printed", "y is binary by slots, and (3) divides by the real E_j B_j / n_j.", lemma1_as_printed),
        Reading("whole slots", "E_j B_j / n_j is rounded up to slots first, in both programs.", lemma1_in_slots),
        Reading("fluid", "Time is continuous, as the sum in Appendix B is evaluated.", at(lemma1_in_slots, fluid=True)),
    ),
    regimes=(
        *_ALONE,
        regimes.PREEMPTION,
        regimes.MIXED,
        regimes.TRANSIT,
    ),
    strategy=draw.st.one_of(draw.alone(), draw.online()),
    planted=(Planted("a chunk time more per chunk", at(lemma1_in_slots, extra=1)),),
    witnesses=WITNESSES,
    repaired_by="preemptive.lemma1_repaired",
)

LEMMA1_REPAIRED = Claim(
    id="preemptive.lemma1_repaired",
    source="paper 000, section IV-B, Lemma 1, repaired",
    statement="With chunk times rounded up in both programs, or fluid, Lemma 1 holds, even with cost t + 1 - r_j.",
    readings=LEMMA1.readings[1:],
    regimes=LEMMA1.regimes,
    strategy=LEMMA1.strategy,
    planted=LEMMA1.planted,
)

CLAIMS = table(
    CONSTRAINTS_EQUIVALENT,
    restricted(CONSTRAINTS_EQUIVALENT, regimes=CONSTRAINTS_EQUIVALENT.regimes[1:]),
    EQ4E_REDUNDANT,
    EQ4E_REPAIRED,
    LEMMA1,
    LEMMA1_REPAIRED,
)
