"""OASiS: admit distributed training jobs at prices, each with its best schedule (Bao et al., INFOCOM 2018).

schedproof --plugin examples/oasis.py ratio oasis jobs.json --bound schedules

A job trains on workers, with the model on parameter servers (PSs). Each resource of each server has a price in each
slot, exponential in its use. When a job arrives, a dynamic program finds the schedule with the largest utility minus
cost; the job is admitted if this payoff is positive. The utility here is rational (the paper has a sigmoid), and a PS
uses the network of its server.

`schedules` is the paper's linear program with a column for each schedule of a job, priced by the same dynamic program.
`exact` is the integer program, and `pooled` a relaxation for large instances.
"""

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import ceil, lcm

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
    gpus: sp.Positive
    memory: sp.Positive
    network: sp.Positive
    per_ps: sp.Positive
    value: sp.Positive
    target: sp.Positive

    def utility(self, slot):
        """Return the utility of a completion in a slot: the value, divided by 1 + the delay after the target."""
        return Fraction(self.value, 1 + max(0, slot + 1 - self.arrival - self.target))

    def demand(self):
        """Return the resources of a worker, and those of a PS."""
        return (self.gpus, self.memory, 0), (0, 0, self.network)


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

    def totals(self):
        """Return each job's workers and PSs in each slot."""
        found = defaultdict(lambda: [0, 0])
        for share in self.shares:
            found[share.job, share.slot][share.part] += share.amount
        return found

    def check(self, cluster):
        return super().check(cluster) or [*self.rules(cluster)]

    def rules(self, cluster):
        """Yield slots with too many workers or too few PSs, amounts that are not whole, and unfinished jobs."""
        left = {share.job: cluster.jobs[share.job].work for share in self.shares}
        for (j, slot), (workers, pss) in self.totals().items():
            job, where = cluster.jobs[j], f"{cluster.jobs[j].name} in slot {slot}"
            left[j] -= workers
            over = {"chunks": workers - job.chunks, "pss": workers - pss * job.per_ps, "whole": (workers + pss) % 1}
            yield from (sp.Violation(name, where, by) for name, by in over.items() if by > 0)
        yield from (sp.Violation("work", cluster.jobs[j].name, work) for j, work in left.items() if work > 0)

    def objective(self, cluster):
        last = {}
        for share in self.shares:
            last[share.job] = max(last.get(share.job, 0), share.slot)
        return sum(cluster.jobs[j].utility(slot) for j, slot in last.items())


TINY = {"horizon": (3, 4), "servers": 2, "servers[*].capacity": 3, "servers[*].capacity[*]": (1, 3), "jobs": (1, 3)}
TINY |= {"jobs[*].arrival": (0, 2), "jobs[*].work": (1, 4), "jobs[*].chunks": (1, 2), "jobs[*].gpus": 1}
TINY |= {"jobs[*].memory": (1, 2), "jobs[*].network": 1, "jobs[*].per_ps": (1, 2)}
TINY |= {"jobs[*].value": (1, 20), "jobs[*].target": (1, 3)}
LARGE = {"servers[*].capacity[*]": (8, 16), "jobs[*].work": (5, 60), "jobs[*].chunks": (2, 8)}
LARGE |= {"jobs[*].value": (1, 100)}
HUNDRED = LARGE | {"horizon": 20, "servers": 10, "jobs": 100, "jobs[*].arrival": (0, 15), "jobs[*].target": (1, 10)}
MANY = LARGE | {"horizon": 100, "servers": 100, "jobs": 500, "jobs[*].arrival": (0, 90), "jobs[*].target": (1, 40)}
PRESETS = {"tiny": TINY, "hundred": HUNDRED, "many": MANY}
OASIS = sp.family("oasis", Cluster, Plan, sense="maximize", paper=PAPER, presets=PRESETS)


def slot_costs(job, prices, free):
    """Return the least cost of 0, 1, ... workers with their PSs in a slot, each with its (server, workers, PSs).

    Workers and PSs use different resources, so both go to the servers with the cheapest units first.
    """
    filled = []
    for part, demand in enumerate(job.demand()):
        units, most = [], ceil(job.chunks / job.per_ps) if part == PSS else job.chunks
        for n, room in enumerate(free):
            count = min([most, *(int(room[r] // demand[r]) for r in range(3) if demand[r])])
            units += [(sum(prices[n][r] * demand[r] for r in range(3)), n)] * count
        filled.append(sorted(units)[:most])
    found = [(0, ())]
    for workers in range(1, len(filled[WORKERS]) + 1):
        pss = ceil(workers / job.per_ps)
        if pss > len(filled[PSS]):
            break
        chosen, cost = defaultdict(lambda: [0, 0]), 0
        for part, count in ((WORKERS, workers), (PSS, pss)):
            for price, n in filled[part][:count]:
                chosen[n][part] += 1
                cost += price
        found.append((cost, tuple((n, *amounts) for n, amounts in sorted(chosen.items()))))
    return found


def best_schedule(cluster, job, prices, free):
    """Return the largest utility minus cost of a schedule, and its (slot, server, workers, PSs); 0 and () for none.

    Dynamic program: the least cost of at least d worker-slots up to each slot, with the slots that reach it.
    """
    least, best = [(0, ()), *[None] * job.work], (0, ())
    for slot in range(job.arrival, cluster.horizon):
        costs, after = slot_costs(job, prices(slot), free(slot)), [*least]
        for done in range(1, job.work + 1):
            for workers, (cost, rows) in enumerate(costs[1:], 1):
                before = least[max(0, done - workers)]
                if before and (not after[done] or before[0] + cost < after[done][0]):
                    after[done] = before[0] + cost, (before[1], slot, rows)
        if after[-1] is not least[-1] and job.utility(slot) - after[-1][0] > best[0]:
            best = job.utility(slot) - after[-1][0], after[-1][1]
        least = after
    return best[0], tuple(_rows(best[1]))


def _rows(steps):
    while steps:
        steps, slot, rows = steps
        yield from ((slot, *row) for row in rows)


@OASIS.policy
class oasis:
    """OASiS: each job's best schedule at exponential prices, if its payoff is positive."""

    def __init__(self):
        self.used, self.plans, self.notes = defaultdict(lambda: [0, 0, 0]), {}, {"payoffs": {}}

    def assign(self, view):
        for job in view.jobs:
            if job.name not in self.plans:
                self.plans[job.name] = self.plan(view, job)
        shares = defaultdict(lambda: [0, 0])
        for job in view.jobs:
            for slot, n, workers, pss in self.plans[job.name]:
                if slot == view.slot:
                    shares[job, n] = (workers, pss)
        return shares

    def plan(self, view, job):
        def free(slot):
            return [
                [c - u for c, u in zip(room, self.used[slot, n], strict=True)] for n, room in enumerate(view.capacity)
            ]

        payoff, rows = best_schedule(view, job, lambda slot: self.prices(view, slot), free)
        self.notes["payoffs"][job.name] = float(payoff)
        for slot, n, *amounts in rows:
            for r in range(3):
                self.used[slot, n][r] += sum(a * one[r] for a, one in zip(amounts, job.demand(), strict=True))
        return rows

    def prices(self, view, slot):
        """Return each resource's price: L at no use, U at full use, exponential between; here L = 0.01, U = 20."""
        return [
            [0.01 * 2000 ** (used / room) for used, room in zip(self.used[slot, n], capacity, strict=True)]
            for n, capacity in enumerate(view.capacity)
        ]


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
        found = ((job, *_priced(cluster, job, multipliers)) for job in cluster.jobs)
        return [_column(job, rows) for job, gain, rows in found if gain > multipliers["once.row"][job.name] + 1e-9]

    def at_most(cluster, multipliers):
        """No job's schedule gains more; by job."""
        once = multipliers["once.row"]
        return {job.name: max(0, _priced(cluster, job, multipliers)[0] - once[job.name]) for job in cluster.jobs}

    @sp.group("objective", "(1)", r"\max \sum_l u_l x_l")
    def utility(block, cluster, chosen):
        """The total utility."""
        return sum(gain * chosen.x[c] for c, gain in enumerate(chosen.gains))

    @sp.group("constraints", "(1a)", r"\sum_{l \in L_i} x_l \le 1 \quad \forall i")
    def once(block, cluster, chosen):
        """A job has one schedule."""
        held = {job.name: [] for job in cluster.jobs}
        for c, (name, *_) in enumerate(chosen.all):
            held[name].append(chosen.x[c])
        return {name: sum(columns) <= 1 for name, columns in held.items()}

    @sp.group("constraints", "(1b)", r"\sum_l a_{lntr} x_l \le C_{nr} \quad \forall n, t, r")
    def room(block, cluster, chosen):
        """A server's resources suffice in each slot."""
        used, jobs = defaultdict(list), {job.name: job for job in cluster.jobs}
        for c, (name, *rows) in enumerate(chosen.all):
            for slot, n, *amounts in zip(*[iter(rows)] * 4, strict=True):
                for r in range(3):
                    if amount := sum(a * one[r] for a, one in zip(amounts, jobs[name].demand(), strict=True)):
                        used[n, slot, r].append(amount * chosen.x[c])
        places = [(n, t, r) for n in range(len(cluster.servers)) for t in range(cluster.horizon) for r in range(3)]
        return {(n, t, r): sum(used[n, t, r]) <= cluster.servers[n].capacity[r] for n, t, r in places}

    @sp.group("variables", "(1c)", r"x_l \ge 0 \quad \forall l", price=better, rest=at_most)
    def chosen(block, cluster, *, columns):
        """The fraction of each schedule."""
        jobs = {job.name: job for job in cluster.jobs}
        block.all, block.gains = columns, [jobs[name].utility(max(rows[::4])) for name, *rows in columns]
        block.x = sp.pyo.Var(range(len(columns)), domain=sp.pyo.NonNegativeReals)

    def to_point(plan, cluster):
        rows = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        for share in plan.shares:
            rows[share.job][share.slot, share.machine][share.part] += int(share.amount)
        flat = {j: [(*key, *amounts) for key, amounts in sorted(held.items())] for j, held in rows.items()}
        return {"chosen": {_column(cluster.jobs[j], held): 1 for j, held in flat.items()}}


def _priced(cluster, job, multipliers):
    room = multipliers["room.row"]
    places, whole = range(len(cluster.servers)), [server.capacity for server in cluster.servers]
    prices = {t: [[room[n, t, r] for r in range(3)] for n in places] for t in range(job.arrival, cluster.horizon)}
    return best_schedule(cluster, job, prices.__getitem__, lambda slot: whole)


def _column(job, rows):
    return (job.name, *(number for row in rows for number in row))


@sp.group("objective", "(2)", r"\max \sum_{i,t} u_i(t) x_{it}")
def utility_of(block, cluster, run):
    """The total utility of the fractions that complete in each slot."""
    return sum(cluster.jobs[i].utility(t) * x for (i, t), x in run.x.items())


@sp.group("constraints", "(2a)", r"\sum_t x_{it} \le 1 \quad \forall i")
def once_of(block, cluster, run):
    """A job completes once."""
    return {i: sum(run.x[i, t] for t in slots) <= 1 for i, slots in run.slots.items()}


@sp.group("constraints", "(2b)", r"z_{it} = z_{i,t-1} + w_{it} - p_i x_{it} \quad \forall i, t")
def work_of(block, cluster, run):
    """What completes has been trained before: z is the work in stock."""
    for i, slots in run.slots.items():
        for t in slots:
            before = run.z[i, t - 1] if t > slots[0] else 0
            yield run.z[i, t] == before + run.w[i, t] - cluster.jobs[i].work * run.x[i, t]


@sp.group("variables", "(2d)", r"0 \le w_{it} \le D_i, \quad x, z \ge 0")
def run(block, cluster):
    """Workers, completed fractions and trained work of each job in each slot from its arrival."""
    block.slots = {job.index: range(job.arrival, cluster.horizon) for job in cluster.jobs}
    keys = [(i, t) for i, slots in block.slots.items() for t in slots]
    block.w = sp.pyo.Var(keys, bounds=lambda block, i, t: (0, cluster.jobs[i].chunks))
    block.x, block.z = (sp.pyo.Var(keys, domain=sp.pyo.NonNegativeReals) for _ in range(2))


@OASIS.program
class pooled:
    """A larger optimum: all servers' resources are pooled, and jobs may be fractions."""

    utility, once, work, run = utility_of, once_of, work_of, run

    @sp.group("constraints", "(2c)", r"\sum_i a_{ir} w_{it} \le \sum_n C_{nr} \quad \forall t, r")
    def room(block, cluster, run):
        """The pooled resources suffice; a worker takes the part 1 / `per_ps` of a PS."""
        common = lcm(*(job.per_ps for job in cluster.jobs))  # the rows times this have whole coefficients
        for t, r in product(range(cluster.horizon), range(3)):
            here = [
                (common * a[r] + common // job.per_ps * b[r], job) for job in cluster.jobs for a, b in [job.demand()]
            ]
            total = sum(server.capacity[r] for server in cluster.servers)
            if used := [a * run.w[job.index, t] for a, job in here if job.arrival <= t]:
                yield sum(used) <= common * total

    def to_point(plan, cluster):
        totals, x, w, z = plan.totals(), {}, {}, {}
        for job in cluster.jobs:
            stock, last = 0, max((slot for j, slot in totals if j == job.index), default=None)
            for t in range(job.arrival, cluster.horizon):
                w[job.index, t] = totals[job.index, t][WORKERS] if (job.index, t) in totals else 0
                x[job.index, t] = int(t == last)
                stock = stock + w[job.index, t] - job.work * x[job.index, t]
                z[job.index, t] = stock
        return {"run.x": x, "run.w": w, "run.z": z}


@OASIS.program
class exact:
    """The largest total utility: the integer program."""

    utility, once, work = utility_of, once_of, work_of

    @sp.group("constraints", "(3a)", r"w_{it} = \sum_n w_{int} \le \gamma_i \sum_n q_{int} \quad \forall i, t")
    def spread(block, cluster, run):
        """The workers are on servers, with enough PSs."""
        for i, t in run.x:
            total = [sum(held[i, n, t] for n in run.servers) for held in (run.on, run.ps)]
            yield run.w[i, t] == total[WORKERS]
            yield run.w[i, t] <= cluster.jobs[i].per_ps * total[PSS]

    @sp.group("constraints", "(3b)", r"\sum_i (a_{ir} w_{int} + b_{ir} q_{int}) \le C_{nr} \quad \forall n, t, r")
    def room(block, cluster, run):
        """A server's resources suffice in each slot."""
        for n, t, r in product(run.servers, range(cluster.horizon), range(3)):
            here = [(job.demand(), job.index) for job in cluster.jobs if job.arrival <= t]
            if here:
                used = (a[WORKERS][r] * run.on[i, n, t] + a[PSS][r] * run.ps[i, n, t] for a, i in here)
                yield sum(used) <= cluster.servers[n].capacity[r]

    @sp.group("variables", "(3c)", r"x_{it} \in \{0, 1\}, \quad w, q \in \mathbb{N}")
    def run(block, cluster):
        """Completions, and workers and PSs on each server in each slot."""
        run.build(block, cluster)
        block.x.domain, block.servers = sp.pyo.Binary, range(len(cluster.servers))
        keys = [(i, n, t) for i, t in block.x for n in block.servers]
        block.on, block.ps = (sp.pyo.Var(keys, domain=sp.pyo.NonNegativeIntegers) for _ in range(2))


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
        jobs.append(job | {"gpus": 1, "memory": 1, "network": 1, "per_ps": 4, "value": slots * gpus, "target": slots})
    horizon = max(job["arrival"] + 2 * job["target"] for job in jobs)
    places = [{"name": f"s{n}", "capacity": [8, 8, 8]} for n in range(servers)]
    return {"horizon": horizon, "servers": places, "jobs": jobs}
