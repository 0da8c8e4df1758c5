"""Weighted completion times in a concurrent open shop: a paper in one file.

schedproof --plugin examples/open_shop.py worst mussq --against open_shop.exact --preset tiny

This problem is the core of coflow scheduling. A job has work on every machine, may run on all at once, and completes
with the last of it. Mastrolilli et al. (2010) bound the cost by a linear program with a row for each machine and set of
jobs. Without solving it they find an order of at most twice the cost. SEBF is from Varys (Chowdhury et al. 2014).
"""

from itertools import product

import numpy as np

import schedproof as sp
from schedproof.adversary import machines
from schedproof.formulations import completion, ordering


class Job(sp.Entity):
    name: sp.Name
    weight: sp.Positive
    times: tuple[sp.Count, ...]
    arrival: sp.Count = 0


class Shop(sp.Instance):
    """Jobs with work on every machine, which may be done in parallel."""

    machines: sp.Positive
    jobs: tuple[Job, ...]


TITLE = "Minimizing the sum of weighted completion times in a concurrent open shop"
PAPER = sp.Paper("Mastrolilli et al. 2010", ("M. Mastrolilli et al.",), TITLE, "Operations Research Letters", 2010)
TINY = {"machines": 2, "jobs": (1, 3), "jobs[*].weight": (1, 4), "jobs[*].times[*]": (0, 3)}
LARGE = {"machines": 50, "jobs": 2000, "jobs[*].times[*]": (0, 100)}
PRESETS = {"tiny": TINY, "online": {"jobs": 6, "jobs[*].arrival": (0, 6)}, "large": LARGE}
KIND = {"at_once": True, "preemptive": True}  # options of sp.Intervals
SHOP = sp.family("open_shop", Shop, sp.Intervals, **KIND, paper=PAPER, presets=PRESETS, checker="open_shop_check")


def from_the_end(view, step=1):
    """Yield the fullest machine, the remaining jobs by cost of delay (the first goes last), and the row's payment."""
    times, weights = (np.array([getattr(job, name) for job in view.jobs], float) for name in ("left", "weight"))
    left = np.arange(len(weights))
    while left.size:
        i = times[left].sum(0).argmax()
        here = times[left, i]
        price = np.where(here > 0, weights[left] / np.maximum(here, 1), np.inf)
        left = left[price.argsort(kind="stable")]
        pay = price.min() if here.any() else 0.0
        yield (int(i), tuple(left.tolist())), pay
        weights[left] -= pay * times[left, i]
        left = left[step:]


@SHOP.policy
def mussq(view):
    """MUSSQ: the last job is the one on the fullest machine that is cheapest to delay; re-planned at arrivals."""
    return [view.jobs[left[0]] for (_, left), _ in from_the_end(view)][::-1]


@SHOP.policy
def sebf(view):
    """SEBF: the smallest bottleneck per weight first; re-planned at every arrival."""
    return sorted(view.jobs, key=lambda job: max(job.left) / job.weight)


@SHOP.program
class parallel:
    """The linear program of parallel inequalities, one for each machine and set of jobs."""

    def first(shop):
        """Return some of MUSSQ's rows."""
        return dict(from_the_end(SHOP.schedule.view(shop), 1 + len(shop.jobs) // 400))

    def violated(shop, values):
        """Return each machine's most violated row, over prefixes by completion."""
        ends = np.array([values["completion.C"][job.index] for job in shop.jobs])
        order = ends.argsort()
        times = np.array([job.times for job in shop.jobs])[order]
        lack = (times.cumsum(0) ** 2 + (times**2).cumsum(0)) / 2 - (times * ends[order, None]).cumsum(0)
        return [(i, tuple(order[: n + 1].tolist())) for i, n in enumerate(lack.argmax(0)) if lack[n, i] > 1e-6]

    @sp.group("constraints", "(2)", r"\sum_{j \in S} p_{ij} C_j \ge f_i(S)", separate=violated, start=first)
    def sets(block, shop, completion, *, rows):
        """A machine runs one job at a time: f_i(S) = (square of its work + squares of its jobs) / 2."""
        for i, some in rows:
            work = {j: shop.jobs[j].times[i] for j in some}
            least = (sum(work.values()) ** 2 + sum(time**2 for time in work.values())) / 2
            yield sum(time * completion.C[j] for j, time in work.items()) >= least

    cost, completion, to_point = completion.cost, completion.completion, completion.to_point


@SHOP.program
class exact:
    """The least cost without arrivals, with one order variable per pair of jobs."""

    @sp.group("constraints", "(4)", r"C_j \ge \sum_k p_{ik} \delta_{kj} \quad \forall i, j")
    def work(block, shop, completion, order):
        """A job completes after all work on a machine up to its own, if it has some."""
        for i, j in product(range(shop.machines), shop.jobs):
            if j.times[i]:
                yield completion.C[j.index] >= sum(k.times[i] * order.until[k.index, j.index] for k in shop.jobs)

    cost, completion, order = completion.cost, completion.completion, ordering.order
    exact, to_schedule = (SHOP.schedule.best_order,), ordering.to_schedule


sebf_two = sp.ratio_claim("open_shop.sebf_two", sp.ratio(sebf, exact) <= 2)


@SHOP.claim("section 3", false={"factor": 1})
def two(shop, factor=2):
    """MUSSQ costs at most twice the linear program.

    Its multipliers y pay the weights, so its cost is at most sum of y p(S)^2 over its rows, where p(S)^2 <= 2 f(S).
    - *And a job without work on the fullest machine?* It is chosen only when no work is left, and completes at 0.
    """
    return sp.Finding(sp.policy(mussq).run(shop).objective, factor * sp.bound(parallel, shop).exact, relative=True)


@SHOP.claim("section 1", false={"less": 1})
def one_order(shop, less=0):
    """One order for all machines suffices.

    Let j be complete last. Moved to the end on every machine, it completes no later, nor does any other. Repeat.
    - *May j have no work where the order ends?* Then it is not moved there, and the last job there ends before j.
    """
    return sp.Finding(SHOP.schedule.best_order(shop), SHOP.schedule.best(shop) - less)


SHOP.game(machines.arrivals)


@SHOP.table
def coflows(rows):
    """Read a table with the columns name, weight and arrival, and one for each machine."""
    jobs = [{key: row.pop(key) for key in ("name", "weight", "arrival")} | {"times": [*row.values()]} for row in rows]
    return {"machines": len(jobs[0]["times"]), "jobs": jobs}
