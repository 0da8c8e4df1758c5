"""OASiS: admit distributed training jobs at prices, each with its best schedule (Bao et al., INFOCOM 2018).

schedproof --plugin examples/oasis.py ratio oasis jobs.json --bound schedules

A job trains on workers, with the model on parameter servers (PSs). Each resource of each server has a price in each
slot, exponential in its use. When a job arrives, a dynamic program finds the schedule with the largest utility minus
cost; the job is admitted if this payoff is positive. The utility here is rational (the paper has a sigmoid).

`schedules` is the paper's linear program with a column for each schedule of a job, priced by the same dynamic program.
`exact` is the integer program, and `pooled` a relaxation for large instances.
"""

from collections import defaultdict
from fractions import Fraction
from itertools import accumulate, product
from math import ceil

import schedproof as sp

TITLE = "Online job scheduling in distributed machine learning clusters"
PAPER = sp.Paper("Bao et al. 2018", ("Y. Bao", "Y. Peng", "C. Wu", "Z. Li"), TITLE, "INFOCOM", 2018)
WORKERS, PSS = range(2)  # the two amounts of a job on a server


class Server(sp.Entity):
    name: sp.Name
    capacity: tuple[sp.Positive, ...]  # GPUs and memory for workers, network for PSs


class Job(sp.Entity):
    """A job of `work` worker-slots, on at most `chunks` workers at once; a PS serves `per_ps` workers."""

    name: sp.Name
    arrival: sp.Count
    work: sp.Positive
    chunks: sp.Positive
    value: sp.Positive
    target: sp.Positive
    gpus: sp.Positive = 1
    memory: sp.Positive = 1
    network: sp.Positive = 1
    per_ps: sp.Positive = 4

    def utility(self, slot):
        """Return the utility of a completion in a slot: the value, divided by 1 + the delay after the target."""
        return Fraction(self.value, 1 + max(0, slot + 1 - self.arrival - self.target))

    def demand(self):
        return (self.gpus, self.memory, 0), (0, 0, self.network)  # of a worker, of a PS


class Cluster(sp.Instance):
    """Training jobs on servers, in slots."""

    horizon: sp.Positive
    servers: tuple[Server, ...]
    jobs: tuple[Job, ...]


class Plan(sp.Shares):
    """Workers and PSs of each job on each server in each slot; the objective is the total utility."""

    jobs, places, parts = "jobs", "servers", 2

    def uses(cluster, n, job, amounts):
        return [sum(a * one[r] for a, one in zip(amounts, job.demand(), strict=True)) for r in range(3)]

    def check(self, cluster):
        """Add slots with too many workers or too few PSs, amounts that are not whole, and unfinished jobs."""
        if found := super().check(cluster):
            return found
        left = {j: cluster.jobs[j].work for j in self.ends()}
        for (j, slot), (workers, pss) in self.totals().items():
            job, left[j] = cluster.jobs[j], left[j] - workers
            over = {"chunks": workers - job.chunks, "pss": workers - pss * job.per_ps, "whole": (workers + pss) % 1}
            found += [sp.Violation(name, f"{job.name} in slot {slot}", by) for name, by in over.items() if by > 0]
        return found + [sp.Violation("work", cluster.jobs[j].name, work) for j, work in left.items() if work > 0]

    def objective(self, cluster):
        return sum(cluster.jobs[j].utility(slot) for j, slot in self.ends().items())


TINY = {"horizon": (3, 4), "servers": 2, "servers[*].capacity": 3, "servers[*].capacity[*]": (1, 3), "jobs": (1, 3)}
TINY |= {"jobs[*].arrival": (0, 2), "jobs[*].work": (1, 4), "jobs[*].chunks": (1, 2), "jobs[*].memory": (1, 2)}
TINY |= {"jobs[*].per_ps": (1, 2), "jobs[*].value": (1, 100), "jobs[*].target": (1, 3)}
LARGE = {"servers[*].capacity[*]": (8, 16), "jobs[*].work": (5, 60), "jobs[*].chunks": (2, 8)}
HUNDRED = LARGE | {"horizon": 20, "servers": 10, "jobs": 100, "jobs[*].arrival": (0, 15), "jobs[*].target": (1, 10)}
MANY = LARGE | {"horizon": 100, "servers": 100, "jobs": 500, "jobs[*].arrival": (0, 90), "jobs[*].target": (1, 40)}
PRESETS = {"tiny": TINY, "hundred": HUNDRED, "many": MANY}
OASIS = sp.family("oasis", Cluster, Plan, sense="maximize", paper=PAPER, presets=PRESETS)


def slot_costs(job, prices, free):
    """Yield the least cost of 0, 1, ... workers with their PSs in a slot, and the server of each."""
    filled = []
    for demand, most in zip(job.demand(), (job.chunks, ceil(job.chunks / job.per_ps)), strict=True):
        units = []
        for n, (price, room) in enumerate(zip(prices, free, strict=True)):
            count = min(most, *(int(has // d) for has, d in zip(room, demand, strict=True) if d))
            units += [(sum(p * d for p, d in zip(price, demand, strict=True)), n)] * count
        filled.append(sorted(units)[:most])  # the cheapest first: workers and PSs use different resources
    for count in range(len(filled[WORKERS]) + 1):
        workers, pss = filled[WORKERS][:count], filled[PSS][: ceil(count / job.per_ps)]
        if count <= len(pss) * job.per_ps:
            yield sum(price for price, _ in workers + pss), [n for _, n in workers], [n for _, n in pss]


def best_schedule(cluster, job, prices, free):
    """Return the largest utility minus cost of a schedule, and its (slot, server, workers, PSs); 0 and () for none."""
    # dynamic program: the least cost of 0, 1, ... worker-slots up to each slot, with the slots that reach it
    least, best = [(0, ()), *[None] * job.work], (0, ())
    for slot in range(job.arrival, cluster.horizon):
        costs, after = [*slot_costs(job, prices(slot), free(slot))], [*least]
        for done in range(1, job.work + 1):
            for workers, (cost, *servers) in enumerate(costs[1:], 1):
                before = least[max(0, done - workers)]
                if before and (not after[done] or before[0] + cost < after[done][0]):
                    after[done] = before[0] + cost, (*before[1], (slot, *servers))
        if after[-1] is not least[-1] and job.utility(slot) - after[-1][0] > best[0]:
            best = job.utility(slot) - after[-1][0], after[-1][1]
        least = after
    return best[0], tuple((slot, n, w.count(n), q.count(n)) for slot, w, q in best[1] for n in sorted({*w, *q}))


@OASIS.policy
class oasis:
    """OASiS: each job's best schedule at exponential prices, if its payoff is positive."""

    def assign(self, view, job):
        _, rows = best_schedule(view, job, lambda slot: self.prices(view, slot), view.free)
        return {(slot, n): amounts for slot, n, *amounts in rows}

    def prices(self, view, slot):
        """Return each resource's price: L at no use, U at full use, exponential between; here L = 0.01, U = 20."""
        pairs = zip(view.capacity, view.free(slot), strict=True)
        return [[0.01 * 2000 ** float(1 - f / c) for c, f in zip(*pair, strict=True)] for pair in pairs]


@OASIS.policy
class fifo(oasis):
    """First come, first served: each job's earliest completion with the free resources."""

    def prices(self, view, slot):
        return [[0] * 3] * len(view.capacity)


@OASIS.program
class schedules:
    """The largest total utility, with fractions of schedules: one column for each schedule of each job."""

    def better(cluster, multipliers):
        """Return each job's schedule with the largest reduced utility, if positive."""
        return [(job.name, rows) for job, gain, rows in gains(cluster, multipliers) if gain > 1e-9]

    def at_most(cluster, multipliers):
        """No job's schedule gains more; by job."""
        return {job.name: max(0, gain) for job, gain, _ in gains(cluster, multipliers)}

    @sp.group("objective", "(1)", r"\max \sum_l u_l x_l")
    def utility(block, cluster, chosen):
        """The total utility."""
        return sum(chosen.jobs[name].utility(rows[-1][0]) * chosen.x[c] for c, (name, rows) in enumerate(chosen.all))

    @sp.group("constraints", "(1a)", r"\sum_{l \in L_i} x_l \le 1 \quad \forall i")
    def once(block, cluster, chosen):
        """A job has one schedule."""
        held = sp.sums((name, chosen.x[c]) for c, (name, _) in enumerate(chosen.all))
        return {job.name: held[job.name] <= 1 for job in cluster.jobs}

    @sp.group("constraints", "(1b)", r"\sum_l a_{lntr} x_l \le C_{nr} \quad \forall n, t, r")
    def room(block, cluster, chosen):
        """A server's resources suffice in each slot."""
        used = sp.sums(
            ((n, slot, r), amount * chosen.x[c])
            for c, (name, rows) in enumerate(chosen.all)
            for slot, n, *amounts in rows
            for r, amount in enumerate(Plan.uses(cluster, n, chosen.jobs[name], amounts))
        )
        places = product(range(len(cluster.servers)), range(cluster.horizon), range(3))
        return {(n, t, r): used[n, t, r] <= cluster.servers[n].capacity[r] for n, t, r in places}

    @sp.group("variables", "(1c)", r"x_l \ge 0 \quad \forall l", price=better, rest=at_most)
    def chosen(block, cluster, *, columns):
        """The fraction of each schedule."""
        block.all, block.jobs = columns, {job.name: job for job in cluster.jobs}
        block.x = sp.pyo.Var(range(len(columns)), domain=sp.pyo.NonNegativeReals)

    def to_point(plan, cluster):
        rows = defaultdict(tuple)
        for (j, slot, n), amounts in sorted(plan.placed().items()):
            rows[cluster.jobs[j].name] += ((slot, n, *map(int, amounts)),)
        return {"chosen": dict.fromkeys(rows.items(), 1)}


def gains(cluster, multipliers):
    """Yield each job with the reduced utility of its best schedule at the multipliers, and this schedule."""
    room, whole = multipliers["room.row"], [server.capacity for server in cluster.servers]
    prices = [[[room[n, t, r] for r in range(3)] for n in range(len(whole))] for t in range(cluster.horizon)]
    for job in cluster.jobs:
        payoff, rows = best_schedule(cluster, job, prices.__getitem__, lambda slot: whole)
        yield job, payoff - multipliers["once.row"][job.name], rows


class Completions:
    """The groups that both other programs have."""

    @sp.group("objective", "(2)", r"\max \sum_{i,t} u_i(t) x_{it}")
    def utility(block, cluster, run):
        """The total utility of the fractions that complete in each slot."""
        return sum(cluster.jobs[i].utility(t) * x for (i, t), x in run.x.items())

    @sp.group("constraints", "(2a)", r"\sum_t x_{it} \le 1 \quad \forall i")
    def once(block, cluster, run):
        """A job completes once."""
        return {i: sum(run.x[i, t] for t in slots) <= 1 for i, slots in run.slots.items()}

    @sp.group("constraints", "(2b)", r"z_{it} \le z_{i,t-1} + w_{it} - p_i x_{it} \quad \forall i, t")
    def work(block, cluster, run):
        """What completes has been trained before: z is the work in stock."""
        for i, t in run.x:
            before = run.z[i, t - 1] if t > run.slots[i][0] else 0
            yield run.z[i, t] <= before + run.w[i, t] - cluster.jobs[i].work * run.x[i, t]

    @sp.group("variables", "(2d)", r"0 \le w_{it} \le D_i, \quad x, z \ge 0")
    def run(block, cluster):
        """Workers, completed fractions and trained work of each job in each slot from its arrival."""
        block.slots = {job.index: range(job.arrival, cluster.horizon) for job in cluster.jobs}
        keys = [(i, t) for i, slots in block.slots.items() for t in slots]
        block.w = sp.pyo.Var(keys, bounds=lambda block, i, t: (0, cluster.jobs[i].chunks))
        block.x, block.z = (sp.pyo.Var(keys, domain=sp.pyo.NonNegativeReals) for _ in range(2))


@OASIS.program
class pooled(Completions):
    """A larger optimum: all servers' resources are pooled, and jobs may be fractions."""

    @sp.group("constraints", "(2c)", r"\sum_i a_{ir} w_{it} \le \sum_n C_{nr} \quad \forall t, r")
    def room(block, cluster, run):
        """The pooled resources suffice; a worker takes the part 1 / `per_ps` of a PS."""
        for t, r in product(range(cluster.horizon), range(3)):
            here = [(job.index, job.per_ps, *job.demand()) for job in cluster.jobs if job.arrival <= t]
            used = sum((a[r] + Fraction(b[r], per_ps)) * run.w[i, t] for i, per_ps, a, b in here)
            yield used <= sum(server.capacity[r] for server in cluster.servers)

    def to_point(plan, cluster):
        workers, ends, z = {key: each[WORKERS] for key, each in plan.totals().items()}, plan.ends(), {}
        for i, last in ends.items():
            slots = range(cluster.jobs[i].arrival, last)
            z |= zip([(i, t) for t in slots], accumulate(workers.get((i, t), 0) for t in slots), strict=True)
        return {"run.x": dict.fromkeys(ends.items(), 1), "run.w": workers, "run.z": z}


@OASIS.program
class exact(Completions):
    """The largest total utility: the integer program."""

    @sp.group("constraints", "(3a)", r"w_{it} = \sum_n w_{itn} \le \gamma_i \sum_n q_{itn} \quad \forall i, t")
    def spread(block, cluster, run):
        """The workers are on servers, with enough PSs."""
        for i, t in run.x:
            yield run.w[i, t] == sum(run.on[i, t, n] for n in run.servers)
            yield run.w[i, t] <= cluster.jobs[i].per_ps * sum(run.ps[i, t, n] for n in run.servers)

    @sp.group("constraints", "(3b)", r"\sum_i (a_{ir} w_{itn} + b_{ir} q_{itn}) \le C_{nr} \quad \forall n, t, r")
    def room(block, cluster, run):
        """A server's resources suffice in each slot."""
        for n, t, r in product(run.servers, range(cluster.horizon), range(3)):
            here = [(job.index, *job.demand()) for job in cluster.jobs if job.arrival <= t]
            used = sum(a[r] * run.on[i, t, n] + b[r] * run.ps[i, t, n] for i, a, b in here)
            yield used <= cluster.servers[n].capacity[r]

    @sp.group("variables", "(3c)", r"x_{it} \in \{0, 1\}, \quad w, q \in \mathbb{N}")
    def run(block, cluster):
        """Completions, and workers and PSs on each server in each slot."""
        Completions.run.build(block, cluster)
        block.x.domain, block.servers = sp.pyo.Binary, range(len(cluster.servers))
        block.on = sp.pyo.Var([*block.x], block.servers, domain=sp.pyo.NonNegativeIntegers)
        block.ps = sp.pyo.Var([*block.x], block.servers, domain=sp.pyo.NonNegativeIntegers)


@OASIS.claim("section III", false={"factor": Fraction(1, 2)})
def relaxations(cluster, factor=1):
    """The linear program over all schedules is at most the pooled one.

    The schedules of a solution, added up with their fractions, are a solution of the pooled program.
    - *And PSs, which are whole in a schedule?* A worker takes 1 / `per_ps` of a PS in (2c), and at least this here.
    """
    return sp.Finding(sp.bound(schedules, cluster).exact, factor * sp.bound(pooled, cluster).exact)


@OASIS.table
def philly_jobs(rows, slot=600, servers=20):
    """Read Philly jobs with the columns arrival, seconds and gpus; an hour has six slots."""
    jobs = []
    for n, row in enumerate(rows):
        slots, gpus = ceil(row["seconds"] / slot), int(row["gpus"])
        job = {"name": f"j{n}", "arrival": int(row["arrival"] // slot), "work": slots * gpus, "chunks": gpus}
        jobs.append(job | {"value": slots * gpus, "target": slots})
    places = [{"name": f"s{n}", "capacity": [8, 8, 8]} for n in range(servers)]
    return {"horizon": max(job["arrival"] + 2 * job["target"] for job in jobs), "servers": places, "jobs": jobs}
