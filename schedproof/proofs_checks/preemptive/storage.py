"""Section VI, limited storage: claims capacitated_program and capacitated_dual."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.preemptive import regimes
from schedproof.proofs_checks.preemptive.house import WITNESSES
from schedproof.proofs_checks.preemptive.literal import Options, Outcome
from schedproof.proofs_checks.preemptive.parameter_servers import broken
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import st
from schedproof.proofs_checks.writing import at, of_data, table

# --- (7a)-(7d) -------------------------------------------------------------------------------------------------------


def overflow(out: Outcome, stored: Callable[[int, int], bool], closed: bool) -> Fraction:
    """By how much (7b) is broken at most, when ``stored(chunk number, server index)`` says where chunks are kept.

    ``closed`` keeps them over [r_j, c_j], as (7c) prints it; otherwise c_j is left out.
    """
    done = {c.job.name: max(out.completion(d) for d in out.chunks if d.job is c.job) for c in out.chunks}
    most = Fraction(0)
    for server in out.instance.edges:
        for time in (Fraction(job.arrival) for job in out.instance.jobs):
            alive = [c for c in out.chunks if c.job.arrival <= time < done[c.job.name] + closed]
            used = sum((c.job.chunk_size for c in alive if stored(c.number, server.index)), Fraction(0))
            most = max(most, used - (used if server.storage is None else server.storage))
    return most


def described(case: Case, closed: bool = True) -> Finding | None:
    """A schedule that stores each chunk on its server from arrival to completion, within U_s, meets (7a)-(7d)."""
    out = regimes.run(case.instance, Options(storage=True))
    home = {c.number: c.server.index for c in out.chunks}
    if overflow(out, lambda n, s: home[n] == s, closed):
        return None  # with this reading of the interval the schedule itself does not fit
    return Finding(overflow(out, lambda n, s: True, closed), Fraction(0), "at most", "GB above U_s that (7c) forces")


def described_repaired(case: Case, blind: bool = False) -> Finding:
    """With sum_s x_jds = 1, y_jdsw(t) <= x_jds and x_jds constant in time, (7a)-(7d) describe exactly such schedules.

    Proof
    -----
    From a schedule: x_jds = 1 for the server s where chunk d is stored. Each chunk has one server, so sum_s x_jds =
    1; it is trained only there, so y_jdsw(t) <= x_jds; and the size of what is stored on s at t, which is the sum of
    x_jds u_j over chunks of jobs with r_j <= t and not yet complete, is at most U_s. Conversely such an x names one
    server for each chunk, on which alone it is trained and stored from arrival to completion, and (7b) over the jobs
    that are alive is the storage's limit. Nothing forces a chunk onto a second server.
    """
    out = regimes.run(case.instance, Options())  # unaware of storage: some schedules overflow
    home = {c.number: c.server.index for c in out.chunks}
    meets = not blind and not overflow(out, lambda n, s: home[n] == s, closed=False)
    allowed = not any(v.startswith("storage") for v in broken(case.instance))
    return Finding(Fraction(meets), Fraction(allowed), "equal", "(7a)-(7d) repaired, and the instance's own checker")


def _always(finding: Finding | None) -> Finding | None:
    return finding and Finding(finding.measured, Fraction(1, 2), "at least", finding.where)


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
    planted=(Planted("(7c) always asks for too much", lambda c: _always(described(c))),),
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
    planted=(Planted("never met", at(described_repaired, blind=True)),),
)

# --- (9) is the dual of relaxed (8) ----------------------------------------------------------------------------------


def dual9_value(data: Mapping[str, Any]) -> Fraction | None:
    """The value of (alpha, beta, eta) in (9) for one job of one chunk on one server; None if it breaks (9a)."""
    alpha, beta, eta = Fraction(data["alpha"]), data["beta"], data["eta"]
    time, size, room, workers = (Fraction(data[k]) for k in ("time", "size", "room", "workers"))
    for t, (b, e) in enumerate(zip(beta, eta, strict=True)):
        if min(b, e, alpha) < 0 or alpha / time > Fraction(t) / time + b + e * size:
            return None
    return alpha - workers * sum(beta, Fraction(0)) - room * sum(eta, Fraction(0))


def primal8_value(data: Mapping[str, Any], stored: str) -> Fraction | None:
    """The least cost of relaxed (8) for that job, by filling the earliest slots; None if the horizon is too short.

    Parameters
    ----------
    stored What bounds y in a slot: ``dropped``: nothing but (4b), as (7a), (7c), (7d) are left out; ``kept``: y <= x
        and (7b), so that u y <= U_s for each worker; ``trained``: x := sum_w y, so that u sum_w y <= U_s.
    """
    time, size, room = (Fraction(data[k]) for k in ("time", "size", "room"))
    workers, left, cost = Fraction(data["workers"]), time, Fraction(0)
    share = min(Fraction(1), room / size)
    rate = {"dropped": workers, "kept": workers * share, "trained": min(workers, room / size)}[stored]
    for t in range(len(data["eta"])):
        taken = min(left, rate)
        cost, left = cost + taken * t / time, left - taken
    return None if left else cost


def weakly_dual(case: Case, stored: str = "dropped", factor: int = 1) -> Finding | None:
    """No feasible point of (9) is worth more than relaxed (8)."""
    dual, primal = dual9_value(case.data), primal8_value(case.data, stored)
    if dual is None or primal is None:
        return None
    return Finding(factor * dual, primal, "at most", "a point of (9), and relaxed (8)")


def dual_of_trained(case: Case) -> Finding | None:
    """(9) is the dual of relaxed (4) with the rows sum_jd u_j sum_w y_jdsw(t) <= U_s, that is x := sum_w y.

    Proof
    -----
    Minimize sum c y subject to sum a y >= 1 for each chunk (multiplier alpha >= 0, a = n/(E B)), -sum_jd y >= -1 for
    each worker and slot (beta >= 0), and -sum_jd u_j sum_w y >= -U_s for each server and slot (eta >= 0), y >= 0,
    with c = n (t - r_j)/(E D B). The dual of min cy, Ay >= b, y >= 0 is max b'lambda, A'lambda <= c, lambda >= 0. The
    column of y_jdsw(t) has the entries a, -1 and -u_j in the rows alpha_jd, beta_sw(t) and eta_s(t), which gives
    (9a), and b gives the objective of (9). In this program a chunk is stored only while it is trained, which is not
    what (7) says.
    """
    return weakly_dual(case, "trained")


@st.composite
def _multipliers(draw: Any) -> Case:
    """One job of one chunk, one server, and a point of (9): alpha, then the least eta (or beta) that its rows allow."""
    pick: Callable[..., Fraction] = draw
    slots = 8
    time, workers = Fraction(pick(st.integers(1, 3))), Fraction(pick(st.integers(1, 2)))
    size, room = Fraction(pick(st.integers(1, 3))), Fraction(pick(st.integers(1, 3)))
    alpha, by_storage = Fraction(pick(st.integers(0, 6)), 2), pick(st.booleans())
    need = [max(Fraction(0), (alpha - t) / time) for t in range(slots)]
    zero = [Fraction(0)] * slots
    prices = {"beta": zero, "eta": [n / size for n in need]} if by_storage else {"beta": need, "eta": zero}
    return Case(None, {"time": time, "workers": workers, "size": size, "room": room, "alpha": alpha} | prices)


_DUAL = (
    of_data("storage-bound", lambda d: d["room"] < d["size"] * d["workers"]),
    of_data("storage ample", lambda d: d["room"] >= d["size"] * d["workers"]),
    of_data("storage has a price", lambda d: any(d["eta"])),
    of_data("workers have a price", lambda d: any(d["beta"])),
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

CLAIMS = table(PROGRAM, PROGRAM_REPAIRED, DUAL, DUAL_REPAIRED)
