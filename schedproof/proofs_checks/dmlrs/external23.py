"""(23)-(26): the external case of the slot problem (19), for given prices."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from schedproof.core.base.numbers import ceil
from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Premise, Regime, worst
from schedproof.families.dmlrs import YU22
from schedproof.instances.dmlrs import Job
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import SlotPriced
from schedproof.reference.dmlrs_given_prices import cost, theta
from schedproof.reference.dmlrs_schedules import Placed, free, spread


def across(case: SlotPriced, job: Job, ps: str) -> list[Placed]:
    """The placements of ceil(v c_e) workers that communicate across machines.

    The number of parameter servers follows (2), or is 1.
    """
    n = ceil(case.samples * job.external_time)
    if n > job.batch_size:
        return []
    needed = job.ps_needed(n) if ps == "ratio" else 1
    return [p for p in spread(case.instance, job, job.arrival, n, needed) if not p.internal]


def alone(case: SlotPriced, job: Job) -> list[Placed]:
    """The least solutions of (23), ceil(v c_e) workers; no row asks for PSs."""
    n = ceil(case.samples * job.external_time)
    return list(spread(case.instance, job, job.arrival, n, 0)) if n <= job.batch_size else []


def by_ratio(case: SlotPriced, job: Job) -> Fraction | None:
    """The optimum of (19); None if no placement trains v in the job's first slot."""
    return theta(case.instance, job, job.arrival, case.samples, case.prices)


def of_some_job(sentence: str, met: Callable[[SlotPriced, Job], object]) -> Premise[SlotPriced]:
    return Premise(sentence, lambda case: any(bool(met(case, job)) for job in case.instance.jobs))


ACROSS = of_some_job("a job finds a placement across machines", lambda case, job: across(case, job, "ratio"))
ACROSS_WITH_ONE = of_some_job(
    "a job finds a placement across machines, with one PS", lambda case, job: across(case, job, "some")
)
TRAINABLE = of_some_job("a job finds a placement", lambda case, job: by_ratio(case, job) is not None)
SOLVABLE = of_some_job("it has a solution", alone)

EXTERNAL23 = Claim(
    "dmlrs.external23",
    YU22.at("section 4.3, case 2, (23)-(26)"),
    "In the external case (19) can be rewritten as (23): the optima are the same.",
    Domain(
        SlotPriced,
        draw.two_machines(),
        (
            regimes.SEVERAL_MACHINES,
            regimes.SEVERAL_RESOURCES,
            *regimes.DETAILS,
            regimes.BROKEN_RATE,
            regimes.FREE_OF_CHARGE,
            Regime[SlotPriced]("a broken workload", lambda c: c.samples.denominator > 1),
        ),
    ),
    severity="false theorem",
)
REPAIRED = EXTERNAL23.repair(
    "With a row sum_h s >= sum_h w / gamma in (23) and c_i <= c_e, the better of the two cases is the optimum of (19).",
    small=True,
)

PER_PS = "at most gamma workers per PS"


@EXTERNAL23.reading(PER_PS, "(19) with the model's ratio (2).", where=(ACROSS,))
@EXTERNAL23.reading(
    "some parameter server",
    "(19) without (2), but with one parameter server, since otherwise no rate is defined.",
    ps="some",
    where=(ACROSS_WITH_ONE,),
)
def printed23(case: SlotPriced, ps: str = "ratio") -> Answer:
    """The optimum of (23) is that of (19) over placements across machines.

    Parameters
    ----------
    ps
        ``ratio``: ceil(n/gamma) parameter servers, by (2). ``some``: one parameter server, because without one there
        is no rate.
    """
    rows = []
    for job in case.instance.jobs:
        by_printed, by_model = cheapest(case, alone(case, job)), cheapest(case, across(case, job, ps))
        if by_printed is not None and by_model is not None:
            rows.append(
                Finding(by_printed, by_model, "equal", f"{job.name}, {ceil(case.samples * job.external_time)} workers")
            )
    return worst(rows)


WITH_PS_ROW_PROOF = """
Let v be the workload. A placement on one machine is feasible for (19) exactly if it has at least v c_i workers: this is
the internal case. A feasible placement on several machines has at least v c_e workers. With its PSs it is feasible for
the extended (23). Conversely, a solution of the extended (23) has at least v c_e workers and enough PSs. If it is on
one machine, it trains at the internal rate, which is enough as c_i <= c_e. In either case more workers or PSs than
needed cost no less, as prices are nonnegative.
Coq, core: admission.v external23_repaired. Outside: the rows of (19) for resources and parameter servers, and the cost.
Both cases and (19) have the same rows for resources and parameter servers, and the same cost. So the least cost of the
union is the smaller of the two least costs.
- *Why c_i <= c_e?* If links were faster than machines, n = ceil(v c_e) workers on one machine would train less than v;
the paper has b^e << b^i.
- *(2) is an equation.* It is read as at most gamma workers per PS. ratio2 shows that the equation excludes jobs that
could run.
- *Fewer workers than v c_e, on one machine?* That is the internal case, which is compared too.
"""


@REPAIRED.reading(PER_PS, "The numbers of PSs are whole.", WITH_PS_ROW_PROOF, where=(TRAINABLE,))
@EXTERNAL23.false_variant("(23) against all of (19)", row=False)
def with_ps_row(case: SlotPriced, row: bool = True) -> Answer:
    rows = []
    for job in case.instance.jobs:
        exact = by_ratio(case, job)
        inside, outside = (ceil(case.samples * c) for c in (job.internal_time, job.external_time))
        menu: list[Placed] = []
        if inside <= job.batch_size:
            ways = spread(case.instance, job, job.arrival, inside, job.ps_needed(inside))
            menu += [p for p in ways if p.internal]
        if outside <= job.batch_size:
            menu += spread(case.instance, job, job.arrival, outside, job.ps_needed(outside) if row else 0)
        if exact is not None:
            rows.append(Finding(cheapest(case, menu) or Fraction(0), exact, "equal", job.name))
    return worst(rows)


def cheapest(case: SlotPriced, parts: Iterable[Placed]) -> Fraction | None:
    return min((cost(p.use, case.prices) for p in parts), default=None)


EXTERNAL23_GREEDY = Claim(
    "dmlrs.external23_greedy",
    YU22.at("section 4.3, case 2: '(23) ... is clearly NP-Hard'"),
    "(23) as printed, called clearly NP-hard, is solved in H (R + log H) steps. If it has a solution, "
    "fill the machines in the order of the price of a worker.",
    EXTERNAL23.domain.but(premises=(SOLVABLE,)),
)

FILLED_PROOF = """
No row of (23) needs a parameter server, and no price is negative. So s = 0 in some optimum. Then (24) is w_h <= m_h :=
min_r floor(C_h^r/alpha^r). (26) and integrality give sum w >= n := ceil(V c_e), and more than n workers are never
cheaper. Let w be optimal, and let some machine hold a worker while a cheaper machine is not full. Moving the worker
costs no more. So filling the cheapest machines first is optimal. (25) holds if n <= F, and cannot hold otherwise.
- *Is (23) with a row for parameter servers NP-hard?* This claim makes no statement on this question: with two numbers
for each machine and a joint row, sorting no longer solves (23).
- *Did the authors mean that program?* Algorithm 4 relaxes and rounds (23) as printed, which needs no rounding and no
ratio.
"""


@EXTERNAL23_GREEDY.reading("as printed", "There is no row for parameter servers.", FILLED_PROOF)
@EXTERNAL23_GREEDY.false_variant("the dearest first", backwards=True)
def greedy_filling(case: SlotPriced, backwards: bool = False) -> Answer:
    rows = []
    for job in case.instance.jobs:
        rest, exact = ceil(case.samples * job.external_time), cheapest(case, alone(case, job))
        spots = [(job.arrival, h) for h in range(len(case.instance.machines))]
        amounts = {spot: {r: d for r, d in job.worker.items() if d} for spot in spots}
        price = {
            s: sum((case.prices.get((*s, r), Fraction(0)) * d for r, d in amounts[s].items()), Fraction(0))
            for s in spots
        }
        paid = Fraction(0)
        for spot in sorted(spots, key=lambda s: -price[s] if backwards else price[s]):
            room = min(free(case.instance, (*spot, r)) // d for r, d in amounts[spot].items())
            taken = min(rest, int(room))
            rest, paid = rest - taken, paid + taken * price[spot]
        if exact is not None:
            rows.append(Finding(paid if not rest else Fraction(-1), exact, "equal", job.name))
    return worst(rows)
