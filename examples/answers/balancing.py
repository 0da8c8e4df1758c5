"""Load balancing: each job gets a machine, and the largest load counts.

schedproof --plugin examples/answers/balancing.py worst least_loaded --against optimum --preset tiny

The least loaded machine gives at most 2 - 1/m times the optimum on m machines (Graham 1966).
"""

from fractions import Fraction

import schedproof as sp


class Job(sp.Entity):
    name: sp.Name
    size: sp.Positive


class Jobs(sp.Instance):
    """Jobs that arrive one by one, and the number of machines."""

    machines: sp.Positive
    jobs: tuple[Job, ...]


def loads(view):
    """Return the load of each machine."""
    result = [0] * view.system.machines
    for job, machine in view.past:
        result[machine] += job.size
    return result


class Machines(sp.Answers):
    """The machine of each job."""

    def allowed(view):
        return range(view.system.machines)

    def value(view, answer):
        """Return the increase of the largest load."""
        return max(0, loads(view)[answer] + view.request.size - max(loads(view)))


TINY = {"machines": 2, "jobs": (1, 5), "jobs[*].size": (1, 4)}
BALANCING = sp.family("balancing", Jobs, Machines, measure=sp.Measure("makespan"), presets={"tiny": TINY})


@BALANCING.policy
def least_loaded(view):
    """Take the machine with the smallest load."""
    return min(view.allowed, key=lambda machine: loads(view)[machine])


@BALANCING.optimum
def all_loads(jobs):
    """Return the least makespan over all reachable loads."""
    reachable = {(0,) * jobs.machines}
    for job in jobs.jobs:
        reachable = {
            tuple(sorted(load + job.size * (i == n) for i, load in enumerate(each)))
            for each in reachable
            for n in range(jobs.machines)
        }
    return min(map(max, reachable))


def computed():
    """Return the worst ratio that a search finds."""
    return sp.worst(least_loaded, "balancing.optimum", sp.Space(preset="tiny"), sp.Engine(chains=1, steps=25)).exact


THEORY = 2 - Fraction(1, 2)  # two machines
