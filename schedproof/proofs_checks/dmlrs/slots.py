"""The program of one slot, (19)-(26) and Algorithm 4, for given prices: claims external23, algorithm4_internal."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, worst
from schedproof.core.numbers import ceil
from schedproof.instances.dmlrs import Job
from schedproof.proofs_checks.dmlrs import regimes
from schedproof.proofs_checks.dmlrs.fees import bill, fees
from schedproof.proofs_checks.dmlrs.house import WITNESSES
from schedproof.proofs_checks.dmlrs.schedules import Placed, Use, dealt, placements
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import st
from schedproof.proofs_checks.writing import at, of_data, table

ZERO = Fraction(0)

# --- (19) and (23) ---------------------------------------------------------------------------------------------------

_SLOT = st.one_of(
    draw.slot_priced(machines=2, scenes=("plain", "slow")),
    draw.slot_priced(machines=2, roomy=True, scenes=("plain", "slow")),
)


def least(case: Case, parts: Iterable[Placed]) -> Fraction | None:
    """The least cost of some placements, None of none."""
    return min((bill(p.use, fees(case)) for p in parts), default=None)


def printed23(case: Case, ps: str = "ratio") -> Finding | None:
    """The optimum of (23) is that of (19) over the placements that communicate across machines.

    Parameters
    ----------
    ps
        ``ratio``: (2) asks for ceil(n/gamma) parameter servers. ``some``: nothing but a rate to speak of asks for one.
    """
    rows = []
    for job in case.instance.jobs:
        n = ceil(case.data["samples"] * job.external_time)
        if n <= job.batch_size:
            needed = job.ps_needed(n) if ps == "ratio" else 1
            across = least(case, (p for p in dealt(case.instance, job, job.arrival, n, needed) if not p.internal))
            alone = least(
                case, dealt(case.instance, job, job.arrival, n, 0)
            )  # (23) has no row for the parameter servers
            if across is not None and alone is not None:
                rows.append(Finding(alone, across, "equal", f"{job.name}, {n} workers"))
    return worst(rows)


def with_ps_row(case: Case, row: bool = True) -> Finding | None:
    """With a row sum s >= sum w / gamma in (23), the better of (22) and (23) is the optimum of (19).

    Proof
    -----
    Let v be the workload. A placement on one machine is feasible for (19) exactly when it has v c_i workers or more:
    the internal case. One that is not has v c_e or more, and with its PSs it is feasible for the extended (23).
    Conversely, a solution of the extended (23) has v c_e workers or more and enough PSs; if it stands on one machine it
    even trains at the internal rate, c_i <= c_e. Neither case is worth more workers or PSs than it needs, as prices are
    not negative.
    """
    rows = []
    for job in case.instance.jobs:
        v, fee = case.data["samples"], fees(case)
        exact = [bill(p.use, fee) for p in placements(case.instance, job, job.arrival) if p.trained(job) >= v]
        inside, across = (ceil(v * c) for c in (job.internal_time, job.external_time))
        menu = [
            p
            for p in dealt(case.instance, job, job.arrival, inside, job.ps_needed(inside))
            if p.internal and inside <= job.batch_size
        ]
        if across <= job.batch_size:
            menu += dealt(case.instance, job, job.arrival, across, job.ps_needed(across) if row else 0)
        if exact:
            rows.append(Finding(least(case, menu) or ZERO, min(exact), "equal", job.name))
    return worst(rows)


_SLOT_REGIMES = (
    regimes.SEVERAL_MACHINES,
    regimes.SEVERAL_RESOURCES,
    *regimes.DETAILS,
    regimes.BROKEN_RATE,
    of_data("a price of 0", lambda d: 0 in d["price"]),
    of_data("a broken workload", lambda d: d["samples"].denominator > 1),
)

EXTERNAL23 = Claim(
    id="dmlrs.external23",
    source="paper 001, section 4.3, case 2, (23)-(26)",
    statement="In the external case (19) can be rewritten as (23): the optima are the same.",
    readings=(
        Reading("at most gamma workers per PS", "(19) with the model's ratio (2).", printed23),
        Reading("some parameter server", "(19) without (2); one PS, or no rate is defined.", at(printed23, ps="some")),
    ),
    regimes=_SLOT_REGIMES,
    strategy=_SLOT,
    planted=(Planted("(23) against all of (19)", at(with_ps_row, row=False)),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.external23_repaired",
    small_repair=True,
)
EXTERNAL23_REPAIRED = Claim(
    id="dmlrs.external23_repaired",
    source="paper 001, section 4.3, case 2, (23)-(26), repaired",
    statement="With a row sum_h s >= sum_h w / gamma in (23), the better of the two cases is the optimum of (19).",
    readings=(Reading("at most gamma workers per PS", "Whole numbers of PSs.", with_ps_row),),
    regimes=_SLOT_REGIMES,
    strategy=_SLOT,
    planted=EXTERNAL23.planted,
)

# --- the internal case -----------------------------------------------------------------------------------------------


def first_fit(case: Case, by_cost: bool = False, backwards: bool = False) -> Finding | None:
    """Algorithm 4, steps 2-7: the first machine that fits, by sum p (alpha gamma + beta), is the cheapest one.

    n = ceil(v c_i) workers with ceil(n/gamma) parameter servers (step 3 leaves the rounding open).
    """
    rows, fee = [], fees(case)
    for job in case.instance.jobs:
        n = ceil(case.data["samples"] * job.internal_time)
        if n > job.batch_size:
            continue
        menu = {
            p.rows[0][0]: bill(p.use, fee)
            for p in dealt(case.instance, job, job.arrival, n, job.ps_needed(n))
            if p.internal
        }
        if menu:
            rank = {h: _rank(case, job, h, fee) for h in menu} if not by_cost else menu
            first = (max if backwards else min)(menu, key=lambda h: (rank[h], h))
            rows.append(Finding(menu[first], min(menu.values()), "equal", f"{job.name} on machine {first}"))
    return worst(rows)


def _rank(case: Case, job: Job, h: int, fee: Use) -> Fraction:
    """The sum of p (alpha gamma + beta) over the resources, on one machine in the job's first slot."""
    amounts = ((r, job.worker.get(r, ZERO) * job.workers_per_ps + job.ps.get(r, ZERO)) for r in case.instance.resources)
    return sum((fee.get((job.arrival, h, r), ZERO) * amount for r, amount in amounts), ZERO)


def by_its_cost(case: Case) -> Finding | None:
    """With machines sorted by the cost of n workers and ceil(n/gamma) PSs, the first that fits is the cheapest.

    Proof
    -----
    The sort key of a machine is the cost of the very placement that steps 3-6 try there, so the first that fits has the
    least cost of those that fit; and fewer workers than n = ceil(v c_i) do not train v on one machine.
    """
    return first_fit(case, by_cost=True)


_TWO = (
    regimes.SEVERAL_MACHINES,
    regimes.SEVERAL_RESOURCES,
    regimes.BROKEN_RATIO,
    of_data("a price of 0", lambda d: 0 in d["price"]),
    regimes.of_instance("n not a multiple of gamma", lambda i: any(j.batch_size % j.workers_per_ps for j in i.jobs)),
)

INTERNAL = Claim(
    id="dmlrs.algorithm4_internal",
    source="paper 001, section 4.3, case 1, and Algorithm 4, steps 2-7",
    statement="Sorted by sum_r p (alpha gamma + beta), the first machine that fits gives the least cost of case 1.",
    readings=(Reading("whole numbers", "n = ceil(v c_i) workers, ceil(n/gamma) parameter servers.", first_fit),),
    regimes=_TWO,
    strategy=_SLOT,
    planted=(Planted("the last machine", at(first_fit, backwards=True)),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.algorithm4_internal_repaired",
    small_repair=True,
)
INTERNAL_REPAIRED = Claim(
    id="dmlrs.algorithm4_internal_repaired",
    source="paper 001, section 4.3, case 1, and Algorithm 4, steps 2-7, repaired",
    statement="Sorted by the cost of n workers and ceil(n/gamma) PSs, the first machine that fits is the cheapest.",
    readings=(Reading("whole numbers", "n = ceil(v c_i) workers, ceil(n/gamma) parameter servers.", by_its_cost),),
    regimes=_TWO,
    strategy=_SLOT,
    planted=INTERNAL.planted,
)

CLAIMS = table(EXTERNAL23, EXTERNAL23_REPAIRED, INTERNAL, INTERNAL_REPAIRED)
