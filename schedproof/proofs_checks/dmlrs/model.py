"""The model itself: claims fact1, ratio2 and equivalence89."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

from schedproof.core.claim import Assumption, Case, Claim, Finding, Planted, Reading
from schedproof.core.numbers import ceil
from schedproof.proofs_checks.dmlrs import regimes
from schedproof.proofs_checks.dmlrs.house import WITNESSES
from schedproof.proofs_checks.dmlrs.optimum import best_by_slots, best_packing, packing
from schedproof.proofs_checks.dmlrs.schedules import plans
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import st
from schedproof.proofs_checks.writing import at, of_data, restricted, table

# --- Fact 1 ----------------------------------------------------------------------------------------------------------


def standing(case: Case) -> tuple[set[int], set[int]]:
    """W and P: the machines with workers and those with parameter servers."""
    return tuple({h for h, n in enumerate(case.data[kind]) if n} for kind in ("workers", "ps"))  # type: ignore[return-value]


def together(case: Case) -> bool:
    """|P| = |W| = 1 and P = W."""
    w, p = standing(case)
    return len(w) == len(p) == 1 and w == p


def by_value(case: Case, alone: bool = True) -> Finding | None:
    """2g / min b(h, p) equals 2g / b^i exactly where |P| = |W| = 1 and P = W; slots with workers and with PSs."""
    w, p = standing(case)
    if not w or not p:
        return None  # a minimum over no link is not defined
    inside, across, size = (case.data[name] for name in ("internal", "external", "size"))
    slowest = min(inside if h == k else across for h in w for k in p)
    fast = 2 * size / slowest == 2 * size / inside
    claimed = together(case) if alone else bool(w & p)
    return Finding(Fraction(fast), Fraction(claimed), "equal", f"workers on {w}, PSs on {p}")


def by_link(case: Case) -> Finding | None:
    """Every link between a worker and a PS stays inside a machine exactly where |P| = |W| = 1 and P = W.

    Proof
    -----
    If W = P = {h}, every link joins h to h. If every link stays inside a machine, then h = p for every h in W and p in
    P; as neither is empty, all of W equals any one p of P, and all of P equals any one h of W: both are one machine.
    """
    w, p = standing(case)
    if not w or not p:
        return None
    inside = all(h == k for h in w for k in p)
    return Finding(Fraction(inside), Fraction(together(case)), "equal", f"workers on {w}, PSs on {p}")


def every_slot() -> Iterable[Case]:
    """All ways in which workers and PSs may stand on three machines."""
    ones = list(product((0, 1), repeat=3))
    return (Case(None, {"workers": list(w), "ps": list(s)}) for w in ones for s in ones)


def slower_links(case: Case) -> bool:
    """A machine is faster than a link, and there is something to send: b^e < b^i, g > 0.

    Proof
    -----
    By the reading *by link*, the minimum is b^i where W = P = {h}. Elsewhere some link joins two machines, so that the
    minimum is b^e, and 2g/b^e > 2g/b^i since g > 0 and b^e < b^i: it is not the internal value.
    """
    return bool(case.data["external"] < case.data["internal"] and case.data["size"] > 0)


@st.composite
def _slots(pick: Any, slower: bool = False) -> Case:
    """Where workers and PSs stand, and what they send; ``slower`` is the premise of the repaired claim."""
    rate = st.sampled_from((Fraction(1), Fraction(2), Fraction(3)))
    count = pick(st.integers(1, 3))
    row = {kind: [pick(st.integers(0, 2)) for _ in range(count)] for kind in ("workers", "ps")}
    across, inside = pick(rate), pick(rate)
    inside = across + inside if slower else max(across, inside)
    return Case(None, row | {"internal": inside, "external": across, "size": pick(st.integers(int(slower), 2))})


FACT1 = Claim(
    id="dmlrs.fact1",
    source="paper 001, section 4.3, Fact 1 and Fig. 4",
    statement="2g/min b(h, p) = 2g/b^i if and only if |P_i[t]| = |W_i[t]| = 1 and P_i[t] = W_i[t].",
    readings=(
        Reading("by value", "The numbers are compared; slots with workers and with PSs.", by_value),
        Reading("by link", "The slowest link is one inside a machine.", by_link, exhaustive=every_slot),
    ),
    regimes=(
        of_data("one machine", lambda d: sum(map(bool, d["workers"])) == sum(map(bool, d["ps"])) == 1),
        of_data("workers spread", lambda d: sum(map(bool, d["workers"])) > 1),
        of_data("PSs spread", lambda d: sum(map(bool, d["ps"])) > 1),
        of_data("slower links", lambda d: d["external"] < d["internal"]),
        of_data("equal bandwidths", lambda d: d["external"] == d["internal"]),
        of_data("nothing to send", lambda d: d["size"] == 0),
    ),
    strategy=_slots(),
    planted=(Planted("P and W meet", at(by_value, alone=False)),),
    witnesses=WITNESSES,
    assumption=Assumption("slower links", "b^e < b^i and g > 0", slower_links, slower_links),
    repaired_by="dmlrs.fact1_repaired",
)
FACT1_REPAIRED = restricted(
    FACT1,
    readings=restricted(FACT1).readings[:1],
    regimes=FACT1.regimes[:4],
    strategy=_slots(slower=True),
    witnesses=None,
)

# --- (2) -------------------------------------------------------------------------------------------------------------


def meets(case: Case, equal: bool = True, spare: int = 0) -> Finding | None:
    """A job that can be scheduled can be scheduled with sum w / sum s = gamma in each of its slots.

    The cluster holds up to ``room`` workers of the job at a time, with their PSs; the work is in worker-slots.
    """
    d = case.data
    most, gamma = min(d["batch"], d["room"]), d["gamma"]
    if ceil(d["work"] / Fraction(most)) > d["slots"]:
        return None
    counts = [n for n in range(1, most + 1) if not equal or (n / gamma).denominator == 1]
    needed = ceil(d["work"] / Fraction(counts[-1])) if counts else d["slots"] + 1
    return Finding(Fraction(needed), Fraction(d["slots"] - spare), "at most", "slots; one too many stands for never")


def served(case: Case, rounded_up: bool = True) -> Finding:
    """Some whole number of PSs gives every worker count at most gamma workers per PS.

    Proof
    -----
    Take s = ceil(n/gamma) of them for n workers: gamma s >= n. So a job whose worker counts fit is never stopped by the
    ratio itself; the PSs are part of what has to fit.
    """
    gamma = case.data["gamma"]
    worst = max(n - gamma * (ceil(n / gamma) if rounded_up else n // gamma) for n in range(1, case.data["batch"] + 1))
    return Finding(worst, Fraction(0), "at most", "workers beyond gamma per PS")


def whole_ps(case: Case) -> bool:
    """Every worker comes with a whole number of PSs: 1/gamma is an integer.

    Proof
    -----
    Then n/gamma is an integer for every n, and s = n/gamma meets (2) with equality, whatever the counts of a schedule
    are. So the schedule that exists with at most gamma workers per PS, with no more PSs than it needs, meets it.
    """
    return bool((1 / case.data["gamma"]).denominator == 1)


@st.composite
def _ratios(pick: Any) -> Case:
    gamma = pick(st.sampled_from([Fraction(x) for x in ("1", "1/2", "2", "3", "3/2", "1/3", "5/2")]))
    small = st.integers(1, 4)
    row = {name: pick(small) for name in ("batch", "room", "work", "slots")}
    return Case(None, row | {"gamma": gamma})


RATIO2 = Claim(
    id="dmlrs.ratio2",
    source="paper 001, section 3-2), (2)",
    statement="Whenever a job can be scheduled, it can be with (2) in each slot: sum_h w_ih / sum_h s_ih = gamma_i.",
    readings=(
        Reading("equality", "Exactly gamma workers per PS in every slot in which the job has workers.", meets),
        Reading("at most", "At most gamma workers per PS; the rate keeps gamma.", served),
    ),
    regimes=(
        of_data("gamma not whole", lambda d: d["gamma"].denominator > 1),
        of_data("fewer workers than gamma", lambda d: min(d["batch"], d["room"]) < d["gamma"]),
        of_data("several PSs per worker", lambda d: d["gamma"] < 1),
        of_data("several slots", lambda d: d["slots"] > 1),
    ),
    strategy=_ratios(),
    planted=(
        Planted("with a slot to spare", at(meets, spare=1)),
        Planted("PSs rounded down", at(served, rounded_up=False)),
    ),
    witnesses=WITNESSES,
    assumption=Assumption("whole PSs", "1/gamma_i is a whole number", whole_ps, whole_ps),
    repaired_by="dmlrs.ratio2_repaired",
)
RATIO2_REPAIRED = Claim(
    id="dmlrs.ratio2_repaired",
    source="paper 001, section 3-2), (2), repaired",
    statement="Some whole number of PSs gives every worker count at most gamma workers per PS: ceil(n/gamma).",
    readings=(RATIO2.readings[1],),
    regimes=RATIO2.regimes,
    strategy=_ratios(),
    planted=(RATIO2.planted[1],),
)

# --- R-DMLRS and DMLRS -----------------------------------------------------------------------------------------------


def same_optimum(case: Case) -> Finding:
    """R-DMLRS over the schedules that satisfy (2), (3), (4), (7) has the optimum of DMLRS.

    Proof
    -----
    Take a solution of DMLRS. Each job with x_i = 1 trains V_i samples by (3) within (2), (4) and (7): its w, s are a
    schedule pi of Pi_i, which completes at the time of (6). Set x_pi = 1: (9) holds, and (8) is (5), because jobs with
    x_i = 0 have w = 0 by (4) and may drop their PSs. The utilities agree. Back: given x_pi, let x_i be 1 for the jobs
    with a schedule and w, s its numbers; (8) is (5), and (2)-(4), (6), (7) hold by the choice of Pi_i.
    """
    return Finding(best_packing(case.instance), best_by_slots(case.instance), "equal", "R-DMLRS and DMLRS")


def printed_sets(case: Case) -> Finding:
    """R-DMLRS over all schedules that satisfy (3) and (4), as section 4.1 defines Pi_i, has the optimum of DMLRS.

    A completion before the first slot of the job counts as a training time of 1, the most it can count.
    """
    instance = case.instance
    menus = [
        [(job.utility.lower(max(1, plan.time)), plan) for plan in plans(instance, job, first=0)]
        for job in instance.jobs
    ]
    return Finding(packing(instance, menus), best_by_slots(instance), "equal", "R-DMLRS and DMLRS")


def _one_job(case: Case) -> Finding:
    """R-DMLRS that accepts one job at most."""
    instance = case.instance
    alone = [packing(instance, [[(plan.utility, plan) for plan in plans(instance, job)]]) for job in instance.jobs]
    return Finding(max(alone), best_by_slots(instance), "equal")


EQUIVALENCE = Claim(
    id="dmlrs.equivalence89",
    source="paper 001, section 4.1, (8)-(9)",
    statement="R-DMLRS and DMLRS have the same optimum.",
    readings=(
        Reading("Pi_i as printed", "All schedules that satisfy (3) and (4).", printed_sets),
        Reading("Pi_i with (2) and (7)", "All schedules of the job that are feasible for it alone.", same_optimum),
    ),
    regimes=(*regimes.SHAPES, *regimes.DETAILS, regimes.LATE, regimes.RESERVED, regimes.HOPELESS),
    strategy=draw.cases(),
    planted=(Planted("one job at most", _one_job),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.equivalence89_repaired",
    small_repair=True,
)
EQUIVALENCE_REPAIRED = Claim(
    id="dmlrs.equivalence89_repaired",
    source="paper 001, section 4.1, (8)-(9), repaired",
    statement="With Pi_i the schedules that satisfy (2), (3), (4) and (7), R-DMLRS and DMLRS have the same optimum.",
    readings=EQUIVALENCE.readings[1:],
    regimes=EQUIVALENCE.regimes,
    strategy=EQUIVALENCE.strategy,
    planted=EQUIVALENCE.planted,
)

CLAIMS = table(FACT1, FACT1_REPAIRED, RATIO2, RATIO2_REPAIRED, EQUIVALENCE, EQUIVALENCE_REPAIRED)
