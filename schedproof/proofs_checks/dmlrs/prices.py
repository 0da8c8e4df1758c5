"""The constants of the price function, (12)-(13): claims largest_utility13 and price_blocks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from schedproof.core.claim import Assumption, Case, Claim, Finding, Planted, Reading, worst
from schedproof.proofs_checks.dmlrs import regimes
from schedproof.proofs_checks.dmlrs.house import WITNESSES
from schedproof.proofs_checks.dmlrs.literal import Bounds, left, tariff
from schedproof.proofs_checks.dmlrs.schedules import Spot, Use, plans
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import st
from schedproof.proofs_checks.writing import at, of_data, restricted, table

ONE = Fraction(1)

# --- the argument of u_i in (13) -------------------------------------------------------------------------------------


def earliest(case: Case, late: int = 0) -> Finding:
    """u(ceil(V c_i/F) - a) is the utility of the fastest schedule, F co-located workers from the arrival on.

    The paper counts slots from 1 and the training time as (last slot) - a, so that n slots from a on are n - 1. u is a
    table from 0 on that keeps its last value; an argument below 0 counts as 0.
    """
    d = case.data
    values, slots, arrival = d["values"], d["slots"], d["arrival"]

    def u(x: int) -> Fraction:
        return Fraction(values[min(max(x, 0), len(values) - 1)])

    return Finding(u(slots - arrival - late), u(slots - 1), "equal", f"{slots} slots from slot {arrival} on")


def from_the_start(case: Case) -> bool:
    """The job arrives in the first slot.

    Proof
    -----
    With a = 1 the argument of (13) is ceil(V c_i/F) - 1. At most F/c_i samples are trained in a slot, so that V take
    ceil(V c_i/F) slots or more, and F co-located workers take exactly so many: slots 1 to ceil(V c_i/F), a training
    time of ceil(V c_i/F) - 1, and u does not increase.
    """
    return bool(case.data["arrival"] == 1)


@st.composite
def _tables(pick: Any) -> Case:
    values = sorted(pick(st.lists(st.integers(0, 9), min_size=2, max_size=5)), reverse=True)
    return Case(None, {"values": values, "slots": pick(st.integers(1, 4)), "arrival": pick(st.integers(1, 4))})


LARGEST = Claim(
    id="dmlrs.largest_utility13",
    source="paper 001, section 4.2, (13) and the text after (14)",
    statement="u_i(ceil(E K c_i/F) - a_i) is the largest utility that job i can achieve.",
    readings=(Reading("slots from 1", "As printed, u_i of an argument below 0 counting as u_i(0).", earliest),),
    regimes=(
        of_data("from the first slot on", lambda d: d["arrival"] == 1),
        of_data("a later arrival", lambda d: d["arrival"] > 1),
        of_data("an argument below 0", lambda d: d["arrival"] > d["slots"]),
    ),
    strategy=_tables(),
    planted=(Planted("a slot less", at(earliest, late=1)),),
    witnesses=WITNESSES,
    assumption=Assumption("from the start", "the job arrives in the first slot", from_the_start, from_the_start),
    repaired_by="dmlrs.largest_utility13_repaired",
)
LARGEST_REPAIRED = restricted(LARGEST, regimes=LARGEST.regimes[:1], witnesses=None)

# --- a full resource blocks ------------------------------------------------------------------------------------------


def by_price(
    case: Case, bounds: Bounds = "printed", internal: bool = False, cap: Fraction = ONE, level: Fraction = ONE
) -> Finding | None:
    """With p = U^r for one full resource of one machine and slot, and p = L elsewhere, no schedule that uses it pays.

    Parameters
    ----------
    internal
        Whether only schedules are looked at whose workers and PSs of that slot are all on that machine.
    cap
        For the repaired prices, the largest share that a job may hold; the price is U^r from 1 - x of the capacity on.
    level
        How full the resource is, of what makes its price U^r.
    """
    prices = tariff(case.instance, bounds, cap, ONE)
    if prices is None:
        return None
    found = []
    for job in case.instance.jobs:
        for plan in plans(case.instance, job, cap):
            for part in plan.parts:
                for spot in part.use if part.internal or not internal else ():
                    others = sum((a for other, a in plan.use.items() if other != spot), Fraction(0))
                    full = prices.price(spot[2], level * prices.room)[1] * plan.use[spot]
                    payoff = plan.utility - full - prices.lowest * others
                    found.append(Finding(payoff, Fraction(0), "at most", f"payoff of {job.name} at {spot}"))
    return worst(found)


def by_capacity(case: Case) -> Finding:
    """No schedule that uses a full resource fits what is left (15), (18).

    Proof
    -----
    What is left of a full resource is 0, and a schedule that uses it needs a positive amount: (18) excludes it,
    whatever its price.
    """
    instance, count = case.instance, 0
    for job in instance.jobs:
        for plan in plans(instance, job):
            count += any(left(instance, _full(case, spot), plan) for spot in plan.use)
    return Finding(Fraction(count), Fraction(0), "at most", "schedules that fit beside a full resource they use")


def _full(case: Case, spot: Spot) -> Use:
    return {spot: case.instance.machines[spot[1]].capacity[spot[2]]}


def by_price_on_one_machine(case: Case) -> Finding | None:
    """By price alone, for schedules whose workers and PSs of that slot are all on the machine.

    Proof
    -----
    One worker and one PS at least stand there, so the schedule uses a >= alpha + beta. The printed argument of u_i is
    at most ceil(V c_i/F), and no schedule takes less time than that, so U^r a >= u_i(...) >= u_i(pi).
    """
    return by_price(case, internal=True)


def by_repaired_price(case: Case, level: Fraction = ONE) -> Finding | None:
    """With U^r = max u_i(ceil(V c_i/F)) over the smallest positive one of alpha, beta, price alone blocks.

    Proof
    -----
    A schedule that uses the resource there has a worker or a PS that demands it, so it uses a >= the smallest positive
    one of alpha and beta. It takes ceil(V c_i/F) slots or more, as a slot trains at most F/c_i samples. Hence U^r a >=
    u_i(ceil(V c_i/F)) >= u_i(pi). The price is U^r from rho = (1 - x) C on.
    """
    return by_price(case, "repaired", cap=case.data["cap"], level=level)


_PRICE_REGIMES = (
    *regimes.SHAPES,
    regimes.LATE,
    regimes.of_instance(
        "alpha and beta of one resource",
        lambda i: any(set(j.worker) & set(j.ps) and any(j.ps.values()) for j in i.jobs),
    ),
)

BLOCKS = Claim(
    id="dmlrs.price_blocks",
    source="paper 001, section 4.2, (12)-(13): 'no job that requires type-r resources will be admitted'",
    statement="When a resource is exhausted its price is U^r, and no job that needs it there is admitted there.",
    readings=(
        Reading(
            "by price", "The price alone keeps it out, as the text says ('since U^r is the highest price').", by_price
        ),
        Reading(
            "by price, co-located", "The same for schedules that stand on that machine only.", by_price_on_one_machine
        ),
        Reading("by price or capacity", "Or Algorithm 2 finds no room, (15) and (18).", by_capacity),
    ),
    regimes=_PRICE_REGIMES,
    strategy=st.one_of(draw.cases(reserved=False), draw.cases(reserved=False, roomy=True, scenes=("plain", "slow"))),
    planted=(Planted("at two thirds of the capacity", at(by_price, level=Fraction(2, 3))),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.price_blocks_repaired",
    small_repair=True,
)
BLOCKS_REPAIRED = Claim(
    id="dmlrs.price_blocks_repaired",
    source="paper 001, section 4.2, (12)-(13), repaired",
    statement=(
        "With U^r = max_i u_i(ceil(V c_i/F)) over the smallest positive one of alpha and beta, no schedule that uses a "
        "resource at price U^r or more has a positive payoff."
    ),
    readings=(Reading("by price", "The price alone keeps it out.", by_repaired_price),),
    regimes=_PRICE_REGIMES,
    strategy=draw.capped(reserved=False, roomy=True, scenes=("plain", "slow")),
    planted=(
        Planted("(13) as printed", by_price),
        Planted("at two thirds of it", at(by_repaired_price, level=Fraction(2, 3))),
    ),
)

CLAIMS = table(LARGEST, LARGEST_REPAIRED, BLOCKS, BLOCKS_REPAIRED)
