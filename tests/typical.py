import schedproof as sp


class Job(sp.Entity):
    name: sp.Name
    size: sp.Positive
    arrival: sp.Count


class Work(sp.Instance):
    """Jobs on one machine."""

    horizon: sp.Positive
    machines: sp.Positive
    capacity: sp.Positive
    jobs: tuple[Job, ...]


class Plan(sp.Shares):
    def most(work, machine, job):
        return job.size

    def objective(self, work):
        return sum(share.amount for share in self.shares)


TINY = {"horizon": 3, "machines": 1, "capacity": 2, "jobs": (2, 4)}
FAMILY = sp.family("typical", Work, Plan, sense="maximize", presets={"tiny": TINY})


@FAMILY.policy
def fair(view):
    part = min(1, view.capacity[0] / max(1, len(view.jobs)))
    return {(job, 0): part for job in view.jobs}


@FAMILY.program
class most:
    """The most work."""

    @sp.group("objective", "(1)", r"\max \sum_{j,t} x_{j,t}")
    def total(block, work, amounts):
        """The total amount."""
        return sum(amounts.x.values())

    @sp.group("constraints", "(1a)", r"\sum_j x_{j,t} \le C \quad \forall t")
    def used(block, work, amounts):
        """The machine's capacity."""
        return {t: sum(amounts.x[job.index, t] for job in work.jobs) <= work.capacity for t in range(work.horizon)}

    @sp.group("variables", "(1b)", r"x_{j,t} \ge 0")
    def amounts(block, work):
        """The amount of a job in a slot."""
        indices = [(job.index, t) for job in work.jobs for t in range(work.horizon)]
        block.x = sp.pyo.Var(indices, domain=sp.pyo.NonNegativeReals)

    def to_point(plan, work):
        return {"amounts.x": {(share.job, share.slot): share.amount for share in plan.shares}}


@FAMILY.table
def table(rows):
    return {"horizon": 9, "machines": 1, "capacity": 2, "jobs": list(rows)}
