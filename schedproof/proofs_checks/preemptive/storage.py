"""Section VI, limited storage: claims capacitated_program, capacitated_dual and capacitated_theorem3."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, worst
from schedproof.instances.preemptive import Instance
from schedproof.proofs_checks.preemptive import regimes
from schedproof.proofs_checks.preemptive.house import WITNESSES, at, table
from schedproof.proofs_checks.preemptive.literal import Options, Outcome
from schedproof.proofs_checks.preemptive.shown import fractional_cost, pieces, total_jct
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import st

# --- (7a)-(7d) -------------------------------------------------------------------------------------------------------


def overflow(out: Outcome, stored: Callable[[int, int], bool]) -> Fraction:
    """By how much (7b) is broken at most, when ``stored(chunk number, server index)`` says where chunks are kept."""
    done = {c.job.name: max(out.completion(d) for d in out.chunks if d.job is c.job) for c in out.chunks}
    most = Fraction(0)
    for server in out.instance.servers:
        for time in (Fraction(job.arrival) for job in out.instance.jobs):
            alive = [c for c in out.chunks if c.job.arrival <= time <= done[c.job.name]]
            used = sum((c.job.chunk_size for c in alive if stored(c.number, server.index)), Fraction(0))
            most = max(most, used - (used if server.storage is None else server.storage))
    return most


def described(case: Case, everywhere: bool = True, closed: bool = True) -> Finding | None:
    """A schedule that stores each chunk on its server from arrival to completion, within U_s, meets (7a)-(7d).

    ``closed`` takes [r_j, c_j] with both ends, as (7c) prints it; otherwise c_j is left out.
    """
    out = regimes.run(case.instance, Options(storage=True))
    home = {c.number: c.server.index for c in out.chunks}
    if not closed and overflow_open(out, home):
        return None
    own = overflow(out, lambda n, s: home[n] == s) if closed else Fraction(0)
    if own:
        return None  # the schedule itself does not fit under this reading of the interval
    forced = (lambda n, s: True) if everywhere else (lambda n, s: home[n] == s)
    return Finding(overflow(out, forced), Fraction(0), "at most", "GB above U_s that (7c) forces")


def overflow_open(out: Outcome, home: dict[int, int]) -> bool:
    """Whether the schedule breaks U_s with chunks kept in [r_j, c_j)."""
    done = {c.job.name: max(out.completion(d) for d in out.chunks if d.job is c.job) for c in out.chunks}
    for server in out.instance.edges:
        for time in (job.arrival for job in out.instance.jobs):
            mine = [c for c in out.chunks if home[c.number] == server.index and c.job.arrival <= time < done[c.job.name]]
            if server.storage is not None and sum(c.job.chunk_size for c in mine) > server.storage:
                return True
    return False


def described_repaired(case: Case) -> Finding | None:
    """With sum_s x_jds = 1, y_jdsw(t) <= x_jds and x_jds constant in time, (7a)-(7d) describe exactly such schedules.

    Proof
    -----
    From a schedule: x_jds = 1 for the server s where chunk d is stored. Each chunk has one server, so sum_s x_jds = 1;
    it is trained only there, so y_jdsw(t) <= x_jds; and the size of what is stored on s at t, which is the sum of x_jds u_j
    over chunks of jobs with r_j <= t and not yet complete, is at most U_s. Conversely such an x names one server for each
    chunk, on which alone it is trained and stored from arrival to completion, and (7b) over the jobs that are alive is
    the storage's limit. Nothing forces a chunk onto a second server.
    """
    return described(case, everywhere=False)


_STORED = (
    regimes.STORAGE,
    regimes.CLOUD,
    regimes.SINGLE_CHUNK,
    regimes.SEVERAL_CHUNKS,
    regimes.Regime("several edge servers", lambda c: len(c.instance.edges) > 1),
    regimes.PREEMPTION,
)

PROGRAM = Claim(
    id="preemptive.capacitated_program",
    source="paper 000, section VI, (7a)-(7d)",
    statement="(7a)-(7d) describe 'each chunk is stored on one server from its arrival to its completion'.",
    readings=(
        Reading("closed interval", "x_jds(t) = 1 for every s and t in [r_j, c_j], both ends.", described),
        Reading("half-open interval", "x_jds(t) = 1 for every s and t in [r_j, c_j).", at(described, closed=False)),
    ),
    regimes=_STORED,
    strategy=draw.instances(storage=True).map(Case),
    planted=(Planted("every chunk on every server fits", described),),
    witnesses=WITNESSES,
    repaired_by="preemptive.capacitated_program_repaired",
    small_repair=True,
)

PROGRAM_REPAIRED = Claim(
    id="preemptive.capacitated_program_repaired",
    source="paper 000, section VI, (7a)-(7d), repaired",
    statement="The same with sum_s x_jds = 1 and occupancy x_jds while the job is alive.",
    readings=(Reading("one server", "x_jds binary, constant in time.", described_repaired),),
    regimes=_STORED,
    strategy=PROGRAM.strategy,
    planted=(Planted("every server", described),),
)

# --- (9) is the dual of relaxed (8) ----------------------------------------------------------------------------------


def dual9_value(data: dict[str, object]) -> Fraction | None:
    """The value of (alpha, beta, eta) in (9) for one job of one chunk on one server; None if it breaks (9a)."""
    alpha, beta, eta = Fraction(data["alpha"]), data["beta"], data["eta"]  # type: ignore[arg-type]
    time, size, room, workers = (Fraction(data[k]) for k in ("time", "size", "room", "workers"))  # type: ignore[arg-type]
    for t, (b, e) in enumerate(zip(beta, eta, strict=True)):  # type: ignore[arg-type]
        if min(b, e, alpha) < 0 or alpha / time > Fraction(t) / time + b + e * size:
            return None
    return alpha - workers * sum(beta, Fraction(0)) - room * sum(eta, Fraction(0))  # type: ignore[arg-type]


def primal8_value(data: dict[str, object], stored: str) -> Fraction | None:
    """The least cost of relaxed (8) for that job, by filling the earliest slots; None if the horizon is too short.

    Parameters
    ----------
    stored
        What bounds y in a slot: ``dropped``: nothing but (4b), as (7a), (7c), (7d) are left out; ``kept``: y <= x and (7b),
        so that u y <= U_s for each worker; ``trained``: x := sum_w y, so that u sum_w y <= U_s.
    """
    time, size, room = (Fraction(data[k]) for k in ("time", "size", "room"))  # type: ignore[arg-type]
    workers, left, cost = Fraction(data["workers"]), time, Fraction(0)  # type: ignore[arg-type]
    share = min(Fraction(1), room / size)
    rate = {"dropped": workers, "kept": workers * share, "trained": min(workers, room / size)}[stored]
    for t in range(len(data["eta"])):  # type: ignore[arg-type]
        taken = min(left, rate)
        cost, left = cost + taken * t / time, left - taken
    return None if left else cost


def weakly_dual(case: Case, stored: str = "dropped", factor: int = 1) -> Finding | None:
    """No feasible point of (9) is worth more than relaxed (8)."""
    dual, primal = dual9_value(dict(case.data)), primal8_value(dict(case.data), stored)
    if dual is None or primal is None:
        return None
    return Finding(factor * dual, primal, "at most", "a point of (9), and relaxed (8)")


def dual_of_trained(case: Case) -> Finding | None:
    """(9) is the dual of relaxed (4) with the rows sum_jd u_j sum_w y_jdsw(t) <= U_s, that is x := sum_w y.

    Proof
    -----
    Minimize sum c y subject to sum a y >= 1 for each chunk (multiplier alpha >= 0, a = n/(E B)), -sum_jd y >= -1 for each worker
    and slot (beta >= 0), and -sum_jd u_j sum_w y >= -U_s for each server and slot (eta >= 0), y >= 0, with c =
    n (t - r_j)/(E D B). The dual of min cy, Ay >= b, y >= 0 is max b'lambda, A'lambda <= c, lambda >= 0. The column of
    y_jdsw(t) has the entries a, -1 and -u_j in the rows alpha_jd, beta_sw(t) and eta_s(t), which gives (9a), and b gives
    the objective of (9). In this program a chunk is stored only while it is trained, which is not what (7) says.
    """
    return weakly_dual(case, "trained")


@st.composite
def _multipliers(draw: object) -> Case:
    """One job of one chunk, one server, and a point of (9): alpha, then the least eta (or beta) that its rows allow."""
    pick: Callable[..., Fraction] = draw  # type: ignore[assignment]
    slots = 8
    time, workers = Fraction(pick(st.integers(1, 3))), Fraction(pick(st.integers(1, 2)))
    size, room = Fraction(pick(st.integers(1, 3))), Fraction(pick(st.integers(1, 3)))
    alpha, by_storage = Fraction(pick(st.integers(0, 6)), 2), pick(st.booleans())
    need = [max(Fraction(0), (alpha - t) / time) for t in range(slots)]
    zero = [Fraction(0)] * slots
    prices = {"beta": zero, "eta": [n / size for n in need]} if by_storage else {"beta": need, "eta": zero}
    return Case(None, {"time": time, "workers": workers, "size": size, "room": room, "alpha": alpha} | prices)


_DUAL = (
    regimes.of_data("storage-bound", lambda d: d["room"] < d["size"] * d["workers"]),
    regimes.of_data("storage ample", lambda d: d["room"] >= d["size"] * d["workers"]),
    regimes.of_data("storage has a price", lambda d: any(d["eta"])),
    regimes.of_data("workers have a price", lambda d: any(d["beta"])),
)

DUAL = Claim(
    id="preemptive.capacitated_dual",
    source="paper 000, section VI, (9)",
    statement="(9) is the dual of relaxed (8).",
    readings=(
        Reading("(7a), (7c), (7d) dropped", "As the text drops them: y and x share no row.", weakly_dual),
        Reading("(7a) kept", "y_jdsw(t) <= x_jds(t), without (4e).", at(weakly_dual, stored="kept")),
    ),
    regimes=_DUAL,
    strategy=_multipliers(),
    planted=(Planted("twice the value", at(weakly_dual, stored="trained", factor=2)),),
    witnesses=WITNESSES,
    repaired_by="preemptive.capacitated_dual_repaired",
)

DUAL_REPAIRED = Claim(
    id="preemptive.capacitated_dual_repaired",
    source="paper 000, section VI, (9), repaired",
    statement="(9) is the dual of relaxed (4) with storage counted only while a chunk is trained.",
    readings=(Reading("x := sum_w y", "Without (4c)-(4g), as for (6).", dual_of_trained),),
    regimes=_DUAL,
    strategy=_multipliers(),
    planted=(Planted("twice the value", at(weakly_dual, stored="trained", factor=2)),),
)

# --- Theorem 3 with storage ------------------------------------------------------------------------------------------


def capacitated_ratio(case: Case, fluid: bool = False, slack: Fraction = Fraction(1)) -> Finding | None:
    """A_online's total JCT at speed 1+eps is at most D_max (1 + 1/eps) times that of any schedule of (7) at speed 1."""
    if "plan" not in case.data:
        return None
    instance, speed = case.instance, regimes.speed(case)
    out = regimes.run(instance, Options(speed=speed, storage=True, whole_slots=not fluid))
    factor = instance.largest_chunk_count * (1 + 1 / (speed - 1)) * slack
    return Finding(out.total_jct, factor * total_jct(pieces(case, whole_slots=True)), "at most", "total JCT")


@st.composite
def blocked(draw: object) -> Case:
    """A long job fills the only edge server; short ones that come while it runs must go to the cloud."""
    from schedproof.proofs_checks.preemptive.builders import CLOUD, edge, instance, job

    pick: Callable[..., int] = draw  # type: ignore[assignment]
    speed, shorts, far = pick(st.sampled_from((2, 3))), pick(st.integers(1, 5)), pick(st.integers(2, 24))
    room = pick(st.sampled_from((1, 1, 2)))
    both = {"edge": 0, "cloud": far}
    jobs = [job("long", shorts * speed, both, chunk_size=1)]
    jobs += [job(f"short{n}", 1, both, arrival=n, chunk_size=1) for n in range(shorts)]
    servers = [edge("edge", storage=room), CLOUD]
    plan = [[0, 1, far], *([n + 1, 0, n] for n in range(shorts))]
    return Case(instance(servers, jobs), {"speed": Fraction(speed), "plan": plan})


THEOREM3 = Claim(
    id="preemptive.capacitated_theorem3",
    source="paper 000, section VI, 'Theoretical Analysis'",
    statement="The competitive ratio of Theorem 3 holds for (7) and (8).",
    readings=(
        Reading("(7), whole slots", "Chunk times rounded up, total JCT.", capacitated_ratio),
        Reading("(7), fluid", "Chunk times as they are, total JCT.", at(capacitated_ratio, fluid=True)),
        Reading("(8)", "Sum alpha against (4)'s cost of the same schedule.", lambda c: fractional_ratio(c)),
    ),
    regimes=(regimes.STORAGE, regimes.CLOUD, regimes.SINGLE_CHUNK, regimes.ZERO_DELAY),
    strategy=blocked(),
    planted=(Planted("a tenth of the ratio", at(capacitated_ratio, slack=Fraction(1, 10))),),
    witnesses=WITNESSES,
    repaired_by="preemptive.capacitated_theorem3_repaired",
)


def fractional_ratio(case: Case) -> Finding | None:
    """Sum alpha at speed 1+eps is at most (1 + 1/eps) times the cost (3), with slots charged t + 1 - r, of a schedule of (8)."""
    if "plan" not in case.data:
        return None
    instance, speed = case.instance, regimes.speed(case)
    out = regimes.run(instance, Options(speed=speed, storage=True))
    cost = fractional_cost(pieces(case, whole_slots=True), Fraction(1, 2))
    return Finding(out.alpha_total, (1 + 1 / (speed - 1)) * cost, "at most", "sum alpha, and a schedule of (8)")


def room_for_all(case: Case) -> Finding | None:
    """Where every server has room for all chunks of all jobs, A_online with storage is A_online without it.

    Proof
    -----
    The chunks stored on a server at any time are among all chunks of all jobs, whose sizes add up to at most U_s: the test
    before pricing always finds room, so no server is ever left out and every decision is the same; and (7b) binds no
    offline solution either. Every bound that is proved without storage (theorem3_minlp_repaired) then holds as it is.
    """
    instance, speed = case.instance, regimes.speed(case)
    need = sum(job.chunks * job.chunk_size for job in instance.jobs)
    if any(s.storage is not None and s.storage < need for s in instance.edges):
        return None
    return _same_placements(instance, speed)


def _same_placements(instance: Instance, speed: Fraction) -> Finding:
    runs = [regimes.run(instance, Options(speed=speed, storage=kept)) for kept in (True, False)]
    moved = sum(a.worker != b.worker for a, b in zip(runs[0].chunks, runs[1].chunks, strict=True))
    return Finding(Fraction(moved), Fraction(0), "equal", "chunks placed otherwise")


THEOREM3_REPAIRED = Claim(
    id="preemptive.capacitated_theorem3_repaired",
    source="paper 000, section VI, 'Theoretical Analysis', repaired",
    statement="Where every server has room for all chunks, storage changes nothing and the repaired Theorem 3 applies.",
    readings=(Reading("room for all", "U_s at least the size of all chunks of all jobs.", room_for_all),),
    regimes=(regimes.SINGLE_CHUNK, regimes.SEVERAL_CHUNKS, regimes.CLOUD, regimes.QUEUE),
    strategy=draw.online(storage=True, roomy=True),
    planted=(Planted("without enough room", lambda c: worst([_same_placements(tight(), Fraction(2))])),),
)


def tight() -> Instance:
    """Two chunks that do not fit together."""
    from schedproof.proofs_checks.preemptive.builders import CLOUD, edge, instance, job

    both = {"edge": 0, "cloud": 9}
    return instance([edge("edge", storage=1), CLOUD], [job(n, 2, both, chunk_size=1) for n in ("a", "b")])


CLAIMS = table(PROGRAM, PROGRAM_REPAIRED, DUAL, DUAL_REPAIRED, THEOREM3, THEOREM3_REPAIRED)
