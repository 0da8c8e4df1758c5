"""Total flow time on one machine by dual fitting: the shortest job first, with twice the speed.

schedproof --plugin examples/flow_time.py verify flow_time.fitted

The policy stores half of the number of present jobs as the price of each slot. The smallest price with which a slot
pays for a job's unit is the job's multiplier. These multipliers are feasible in the linear program of fractional flow
time, so they bound each schedule of speed 1 (after Anand, Garg and Kumar 2012; the factor 4 is ours).
"""

from fractions import Fraction

import schedproof as sp

TITLE = "Resource augmentation for weighted flow-time explained by dual fitting"
PAPER = sp.Paper("Anand et al. 2012", ("S. Anand", "N. Garg", "A. Kumar"), TITLE, "SODA", 2012)


class Job(sp.Entity):
    name: sp.Name
    time: sp.Positive
    arrival: sp.Count


class Work(sp.Instance):
    """Jobs that arrive at one machine of speed 1; a policy may use speed 2."""

    machines = 1
    horizon: sp.Positive
    jobs: tuple[Job, ...]

    def validate(self):
        needed = max((job.arrival for job in self.jobs), default=0) + sum(job.time for job in self.jobs)
        if self.horizon < needed:
            raise sp.InputError(f"expected a horizon >= {needed}", path="horizon", value=self.horizon)


class Plan(sp.Shares):
    """Amounts of work in each slot; the cost is the total flow time."""

    def capacity(work, machine):
        return 2

    def check(self, work):
        return [*super().check(work), *self.unfinished(work)]

    def unfinished(self, work):
        for job in work.jobs:
            if gap := job.time - sum(share.amount for share in self.shares if share.job == job.index):
                yield sp.Violation("work", job.name, abs(gap))

    def objective(self, work):
        ends = {job.index: job.arrival for job in work.jobs}
        for share in self.shares:
            ends[share.job] = max(ends[share.job], share.slot + 1)
        return sum(ends[job.index] - job.arrival for job in work.jobs)


TINY = {"horizon": 30, "jobs": (1, 5), "jobs[*].time": (1, 4), "jobs[*].arrival": (0, 6)}
FLOW = sp.family("flow_time", Work, Plan, sense="minimize", paper=PAPER, presets={"tiny": TINY})


@FLOW.policy
def shortest(view, *, notes):
    """Run the shortest job first with speed 2, and store multipliers of the linear program."""
    prices, fitted = notes.setdefault("prices", {}), notes.setdefault("multipliers", {"done": {}})
    left = {job: job.time - view.given[job.index][0] for job in view.jobs}
    present = sorted((job for job in view.jobs if left[job]), key=lambda job: job.time)
    if not view.jobs:
        return {}
    prices[view.slot] = Fraction(len(present), 2)
    fitted["one"] = {slot: -price for slot, price in prices.items()}
    for job in view.jobs:
        paid = Fraction(view.slot + 1 - job.arrival, job.time) + prices[view.slot]
        fitted["done"][job.index] = min(paid, fitted["done"].get(job.index, paid))
    speed, amounts = 2, {}
    for job in present:
        amounts[job, 0] = min(speed, left[job])
        speed -= amounts[job, 0]
    return amounts


@FLOW.program
class fractional:
    """The least fractional flow time: each unit of work counts its delay divided by the job's time."""

    @sp.group("objective", "(1)", r"\min \sum_{j,t} d_{j,t} x_{j,t}")
    def delay(block, work, run):
        """The fractional flow time, with d_jt = (t + 1 - arrival of j) / time of j."""
        return sum((t + 1 - work.jobs[j].arrival) / work.jobs[j].time * x for (j, t), x in run.x.items())

    @sp.group("constraints", "(1a)", r"\sum_t x_{j,t} \ge p_j \quad \forall j")
    def done(block, work, run):
        """All work of each job is done."""
        return {job.index: sum(run.x[job.index, t] for t in run.slots[job.index]) >= job.time for job in work.jobs}

    @sp.group("constraints", "(1b)", r"\sum_j x_{j,t} \le 1 \quad \forall t")
    def one(block, work, run):
        """The machine has speed 1."""
        slots = range(min(job.arrival for job in work.jobs), work.horizon)
        return {t: sum(x for (_, slot), x in run.x.items() if slot == t) <= 1 for t in slots}

    @sp.group("variables", "(1c)", r"x_{j,t} \ge 0 \quad \forall j, t")
    def run(block, work):
        """The work of a job in a slot from its arrival on."""
        block.slots = {job.index: range(job.arrival, work.horizon) for job in work.jobs}
        block.x = sp.pyo.Var(
            [(j, t) for j, slots in block.slots.items() for t in slots], domain=sp.pyo.NonNegativeReals
        )


@FLOW.claim("theorem 1.1", false={"factor": 1})
def fitted(work, factor=4):
    """The shortest job first with speed 2 costs at most 4 times the bound by its own multipliers.

    The price of a slot is half of the number of present jobs; a job's multiplier is the most that the slots allow.
    - *Why is a job's multiplier feasible in later slots?* It is the minimum over all slots of the horizon.
    """
    run = sp.policy(shortest).run(work)
    return sp.Finding(run.objective, factor * run.bound(fractional).exact)
