"""Algorithm 4, steps 2-7: the internal case of the slot problem (19)."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.base.numbers import ceil
from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Premise, worst
from schedproof.families.dmlrs import YU22
from schedproof.instances.dmlrs import Job
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import SlotPriced
from schedproof.reference.dmlrs_given_prices import capacity_value, cost
from schedproof.reference.dmlrs_schedules import Placed, placements, spread


def printed_costs(case: SlotPriced, job: Job) -> dict[int, Fraction] | None:
    """Each machine that holds gamma s workers and s PSs, with its cost.

    None if gamma s is not whole.
    """
    s = ceil(case.samples * job.internal_time / job.workers_per_ps)
    w = s * job.workers_per_ps
    if w.denominator > 1:
        return None
    return on_one_machine(case, job, int(w), s) if w <= job.batch_size else {}


def costs_alone(case: SlotPriced, job: Job) -> dict[int, Fraction]:
    """Each machine that holds ceil(v c_i) workers with their PSs, and the cost."""
    n = ceil(case.samples * job.internal_time)
    return on_one_machine(case, job, n, job.ps_needed(n)) if n <= job.batch_size else {}


OWN_FITS: Premise[SlotPriced] = Premise(
    "gamma s is whole and some machine holds as many workers",
    lambda case: any(printed_costs(case, job) for job in case.instance.jobs),
)
WHOLE_AND_FITS: Premise[SlotPriced] = Premise(
    "gamma s is whole and some machine will do",
    lambda case: any(printed_costs(case, job) is not None and costs_alone(case, job) for job in case.instance.jobs),
)
FITS: Premise[SlotPriced] = Premise(
    "some machine will do", lambda case: any(costs_alone(case, job) for job in case.instance.jobs)
)

ALGORITHM4_INTERNAL = Claim(
    "dmlrs.algorithm4_internal",
    YU22.at("section 4.3, case 1, (22), and Algorithm 4, steps 2-7"),
    "Sorted by sum_r p (alpha gamma + beta), the first machine that fits, with s >= v c_i/gamma PSs and "
    "gamma s workers, gives the least cost of case 1; gamma s is whole and some machine will do.",
    Domain(
        SlotPriced,
        draw.two_machines(),
        (
            regimes.SEVERAL_MACHINES,
            regimes.SEVERAL_RESOURCES,
            regimes.FREE_OF_CHARGE,
            regimes.of_instance(
                "n not a multiple of gamma", lambda i: any(j.batch_size % j.workers_per_ps for j in i.jobs)
            ),
        ),
    ),
    severity="slip",
)
REPAIRED = ALGORITHM4_INTERNAL.repair(
    "Sorted by the cost of n = ceil(v c_i) workers and ceil(n/gamma) PSs, the first machine that fits has "
    "the least cost of case 1 of (19), if some machine is large enough.",
    small=True,
)

ZERO = Fraction(0)
OWN_PROOF = """
With w = gamma s the number of workers is the same on every machine. The cost on machine h is s sum_r p (alpha gamma +
beta), which is s times the sort key. So the first machine that passes (4) and (24) is the cheapest machine that passes
them.
- *More than s parameter servers on a cheaper machine?* The cost on a machine rises with s, and its key is the same for
each s. Fewer parameter servers do not train v.
- *Machines of equal key?* Then they cost the same, in any order.
"""


@ALGORITHM4_INTERNAL.reading(
    "of (22)",
    "The least cost among the placements of gamma s workers.",
    OWN_PROOF,
    own=True,
    where=(OWN_FITS,),
)
@ALGORITHM4_INTERNAL.reading(
    "of (19)",
    "The least cost among all placements that train v on one machine, as in case 1 of (19).",
    where=(WHOLE_AND_FITS,),
)
@ALGORITHM4_INTERNAL.false_variant("the last machine", own=True, backwards=True)
@REPAIRED.false_variant("as printed")
def first_that_fits(case: SlotPriced, own: bool = False, backwards: bool = False) -> Answer:
    """Algorithm 4, steps 2-7, against the least cost of case 1.

    s is the least whole number >= v c_i/gamma and w = gamma s, by (22).

    Parameters
    ----------
    own
        Whether the least cost is over placements of the same w and s. By default all placements that train v on one
        machine count, (19).
    """
    rows, never = [], 1 + capacity_value(case.instance, case.prices)
    for job in case.instance.jobs:
        tried = printed_costs(case, job)
        if tried is not None and (best := tried if own else costs_alone(case, job)):
            first = (max if backwards else min)(tried, key=lambda h: (printed_key(case, job, h), h), default=None)
            result = never if first is None else tried[first]
            where = "no machine" if first is None else f"machine {first}"
            rows.append(Finding(result, min(best.values()), "equal", f"{job.name}, {where}"))
    return worst(rows)


FIRST_FIT_PROOF = """
The sort key of a machine is the cost of the placement that is tried there. So the first placement that fits has the
least cost of those that fit. Fewer than n = ceil(v c_i) workers do not train v on one machine. Fewer than ceil(n/gamma)
PSs do not serve n workers, because (2) allows at most gamma workers per PS. More workers or PSs cost no less.
Coq, core: admission.v algorithm4_internal. Outside: the capacity rows of (19). The list is sorted by cost, and the
machines before the first machine that fits do not fit. If some number of workers fits, fewer workers fit too.
- *Are other machines and slots affected?* No: case 1 concerns only one slot and one machine.
- *The key now depends on v.* Yes: machines are sorted once for each n, in H log H steps. theorem7_repaired counts these
steps for each (t, v).
"""


@REPAIRED.reading("whole numbers", "The cost is compared with every placement.", FIRST_FIT_PROOF, where=(FITS,))
def first_fit(case: SlotPriced) -> Answer:
    rows, given = [], case.prices
    for job in case.instance.jobs:
        n, fitting = ceil(case.samples * job.internal_time), costs_alone(case, job)
        ps = job.ps_needed(n)
        order = sorted(range(len(case.instance.machines)), key=lambda h: machine_cost(case, job, h, n, ps))
        first = next((h for h in order if h in fitting), None)
        if first is not None:
            exact = min(cost(p.use, given) for p in placements(case.instance, job, job.arrival) if enough(case, job, p))
            rows.append(Finding(fitting[first], exact, "equal", f"{job.name} on machine {first}"))
    return worst(rows)


def on_one_machine(case: SlotPriced, job: Job, workers: int, ps: int) -> dict[int, Fraction]:
    ways = spread(case.instance, job, job.arrival, workers, ps)
    return {p.rows[0][0]: cost(p.use, case.prices) for p in ways if p.internal}


def printed_key(case: SlotPriced, job: Job, h: int) -> Fraction:
    """The sum of p (alpha gamma + beta) on one machine in the job's first slot."""
    return machine_cost(case, job, h, job.workers_per_ps, 1)


def machine_cost(case: SlotPriced, job: Job, h: int, workers: Fraction | int, ps: Fraction | int) -> Fraction:
    given, names = case.prices, case.instance.resources
    amounts = ((r, job.worker.get(r, ZERO) * workers + job.ps.get(r, ZERO) * ps) for r in names)
    return sum((given.get((job.arrival, h, r), ZERO) * amount for r, amount in amounts), ZERO)


def enough(case: SlotPriced, job: Job, placed: Placed) -> bool:
    """Whether a placement is of case 1 and trains v."""
    return placed.internal and placed.samples(job) >= case.samples


ALGORITHM4_INTERNAL_MACHINES: Claim[SlotPriced] = Claim(
    "dmlrs.algorithm4_internal_machines",
    YU22.at("section 4.3, case 1, after (22)"),
    "When (22) is optimal, there should be exactly one machine h' with w >= 1 and exactly one h'' with s >= 1.",
)

ALGORITHM4_INTERNAL_MACHINES.open_reading(
    "of (22)",
    "In an optimal solution of (22).",
    "(22) has no workload row, so its optimum is w = s = 0, as the text states itself; the text does not "
    "state the intended program",
)
