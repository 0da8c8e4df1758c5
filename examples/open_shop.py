"""Weighted completion times in a concurrent open shop, the core of coflow scheduling: a paper in one file.

schedproof --plugin examples/open_shop.py worst mussq --against open_shop.exact --preset pair

A job has work on every machine, may run on all at once, and is complete when the last of it is. Mastrolilli et al.
(2010) bound the cost by a linear program with a row for each machine and set of jobs, and without solving it find an
order at most twice as costly. SEBF is the rule of Varys (Chowdhury et al., SIGCOMM 2014).
"""

from csv import DictReader
from fractions import Fraction

import numpy as np

import schedproof as sp
from schedproof.adversary import machines
from schedproof.core.lazy import pyo
from schedproof.formulations import ordering


class Job(sp.Entity):
    name: sp.Name
    weight: sp.Positive
    times: tuple[sp.Count, ...]
    arrival: sp.Count = 0


class Shop(sp.Instance):
    """Jobs with work on every machine, all of which may be done at once."""

    machines: sp.Positive
    jobs: tuple[Job, ...]


class Plan(sp.Intervals):
    at_once = preemptive = True


AUTHORS = ("M. Mastrolilli", "M. Queyranne", "A. S. Schulz", "O. Svensson", "N. A. Uhan")
TITLE = "Minimizing the sum of weighted completion times in a concurrent open shop"
PAPER = sp.Paper("Mastrolilli et al. 2010", AUTHORS, TITLE, "Operations Research Letters", 2010)
ANY = {"jobs[*].times": "machines", "jobs[*].weight": (1, 4), "jobs[*].times[*]": (0, 3), "jobs": (1, 3), "machines": 2}
LARGE = {"jobs": 2000, "machines": 50, "jobs[*].times[*]": (0, 100)}
PRESETS = {"tiny": ANY, "online": ANY | {"jobs": 6, "jobs[*].arrival": (0, 6)}, "large": ANY | LARGE}
SHOP = sp.family("open_shop", Shop, Plan, paper=PAPER, presets=PRESETS)


@SHOP.policy
def mussq(view):
    """MUSSQ: the last job is the one on the fullest machine that is cheapest to delay; anew at every arrival."""
    dtype, left, order = object if len(view.jobs) < 100 else float, [*range(len(view.jobs))], []
    times = np.array([job.left for job in view.jobs], dtype)
    weights = np.array([Fraction(job.weight) for job in view.jobs], dtype)
    loads = times.sum(0)
    while left:
        i = loads.argmax()
        last = min((j for j in left if times[j, i]), key=lambda j: weights[j] / times[j, i], default=left[0])
        weights = weights - weights[last] / times[last, i] * times[:, i] if times[last, i] else weights
        loads = loads - times[last]
        order.insert(0, view.jobs[last])
        left.remove(last)
    return order


@SHOP.policy
def sebf(view):
    """SEBF: the smallest bottleneck for its weight comes first; anew at every arrival."""
    return sorted(view.jobs, key=lambda job: Fraction(max(job.left), job.weight))


@SHOP.program
class parallel:
    """The linear program of parallel inequalities, of which there is one for each machine and set of jobs."""

    integer = False

    def first(shop):
        order, rows = [job.index for job in mussq(Plan.view(shop))], {}
        times, weights = np.array([job.times for job in shop.jobs]), np.array([float(job.weight) for job in shop.jobs])
        for n in range(len(order), 0, -1 - len(order) // 80):  # some of MUSSQ's rows pay what they can
            i = int(times[order[:n]].sum(0).argmax())
            pay = min((weights[j] / times[j, i] for j in order[:n] if times[j, i]), default=0.0)
            rows[i, tuple(order[:n])], weights = pay, weights - pay * times[:, i]
        return rows

    def violated(shop, values):
        order = sorted(shop.jobs, key=lambda job: values["completion.C"][job.index])
        times, done = np.array([job.times for job in order]), [[values["completion.C"][j.index]] for j in order]
        lack = (times.cumsum(0) ** 2 + (times**2).cumsum(0)) / 2 - (times * done).cumsum(0)
        worst = [(i, int(n)) for i, n in enumerate(lack.argmax(0)) if lack[n, i] > 1e-7]
        return [(i, tuple(job.index for job in order[: n + 1])) for i, n in worst]

    @sp.group("objective", "(1)", r"\min \textstyle\sum_j w_j C_j")
    def cost(block, shop, completion):
        return pyo.quicksum(job.weight * completion.C[job.index] for job in shop.jobs)

    @sp.group("constraints", "(2)", r"\sum_{j \in S} p_{ij} C_j \ge f_i(S)", separate=violated, start=first)
    def sets(block, shop, completion, *, rows):
        """A machine runs one job at a time: f_i(S) is half the square of its work and half the squares of its jobs."""
        work = [{j: time for j in some if (time := shop.jobs[j].times[i])} for i, some in rows]
        least = [Fraction(sum(part.values()) ** 2 + sum(t**2 for t in part.values()), 2) for part in work]
        return [pyo.quicksum(t * completion.C[j] for j, t in p.items()) >= f for p, f in zip(work, least, strict=True)]

    @sp.group("variables", "(3)", r"0 \le C_j \le T")
    def completion(block, shop):
        """By the last arrival and all work after it, T, every job is complete."""
        latest = max(job.arrival for job in shop.jobs) + sum(max(job.times) for job in shop.jobs)
        block.C = pyo.Var(range(len(shop.jobs)), bounds=(0, latest))

    def to_point(plan, shop):
        return {"completion.C": dict(enumerate(plan.ends(shop)))}


@SHOP.program
class exact:
    """The least cost of jobs that are all there at once, by who comes before whom."""

    cost, completion, order = parallel.group("cost"), parallel.group("completion"), ordering.order

    @sp.group("constraints", "(4)", r"C_j \ge p_{ij} + \sum_k p_{ik} \delta_{kj} \quad \forall i, j")
    def work(block, shop, completion, order):
        before, by = order.before, {j: [k for k in shop.jobs if k is not j] for j in shop.jobs}
        pairs = [(i, j) for i in range(shop.machines) for j in shop.jobs if j.times[i]]
        earlier = [sum(k.times[i] * before[k.index, j.index] for k in by[j]) for i, j in pairs]
        return [completion.C[j.index] >= j.times[i] + e for (i, j), e in zip(pairs, earlier, strict=True)]

    def to_schedule(model, shop):
        return Plan.in_order(shop, ordering.sequence(model))

    exact = (Plan.best_order,)


ORDER = """
Let j be complete last. Moved to the end on every machine, it is complete no later, and no other job is later. So go on.
- *May j have no work where the order ends?* Then it is not moved there, and what ends there ends before j is complete.
"""
WEIGHTS = """
MUSSQ's multipliers y pay the weights, so its cost is at most sum of y p(S)^2 over its rows, where p(S)^2 <= 2 f(S).
- *And a job without work on the fullest machine?* It is taken only when no work is left at all, and is complete at 0.
"""


@SHOP.claim("MUSSQ costs at most twice the linear program.", "section 3", proof=WEIGHTS, false={"once": {"factor": 1}})
def two(shop, factor=2):
    return sp.Finding(sp.policy(mussq).run(shop).objective, factor * sp.bound(parallel, shop).exact)


@SHOP.claim("SEBF costs at most twice the least cost.", severity="false theorem", false={"once": {"factor": 1}})
def sebf_two(shop, factor=2):
    return sp.Finding(sp.policy(sebf).run(shop).objective, factor * exact.solve(shop).schedule().objective(shop))


@SHOP.claim("One order for all machines suffices.", "section 1", proof=ORDER, false={"less does": {"less": 1}})
def one_order(shop, less=0):
    return sp.Finding(Plan.best_order(shop), Plan.best(shop) - less)


@SHOP.game
def arrivals(above, *, context, jobs: sp.whole(1, 9) = 3, slots: sp.whole(1, 9) = 2, longest: sp.whole(1, 9) = 2):
    """Jobs that arrive slot by slot at two machines: the cost over the least for the same arrivals."""
    return machines.solve(SHOP, above, context, machines=2, jobs=jobs, slots=slots, longest=longest)


@SHOP.trace
def coflows(files):
    """A table with the columns name, weight and arrival, and one for each machine."""
    rows = [row for file in files for row in DictReader(file.read_text().splitlines())]
    jobs = [{"name": row.pop("name"), **{key: int(row.pop(key)) for key in ("weight", "arrival")}} for row in rows]
    every = [job | {"times": [*map(int, row.values())]} for job, row in zip(jobs, rows, strict=True)]
    return {"machines": len(every[0]["times"]), "jobs": every}, {"jobs": len(every)}
