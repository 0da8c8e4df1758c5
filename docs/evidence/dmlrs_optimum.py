"""Enclose the optimum of small dmlrs draws, and thus PD-ORS's true ratio.

The upper bound is that of R-DMLRS's LP. The lower bound is the best schedule of PD-ORS offline, over many random orders
of the jobs and several spans of prices. ``python docs/evidence/dmlrs_optimum.py`` does so at the size of the paper's
Fig. 10, for dmlrs_figures.md.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.bounds import bound
from schedproof.core.errors import SchedproofError
from schedproof.core.results.run import Policy, policy
from schedproof.core.simulation.policy import DecidedBy
from schedproof.experiments.cells import Draw
from schedproof.experiments.compare import draws
from schedproof.experiments.table import markdown
from schedproof.instances.dmlrs import Instance, Job, Schedule
from schedproof.instances.dmlrs.drive import schedule_of, system

SPANS = (10, 12, 14, 20)
ONLINE = (policy("pd_ors"), policy("pd_ors", span=12))


@dataclass(frozen=True)
class Enclosure:
    """The optimum is between the utility of ``best`` and the bound."""

    best: Schedule
    above: Bound


def enclosure(instance: Instance, tries: int, seed: int = 0) -> Enclosure:
    """Return the optimum's enclosure; it depends on the seed and the number of tries."""
    rng = random.Random(seed)
    found = []
    for _ in range(tries):
        jobs = rng.sample(instance.jobs, len(instance.jobs))
        found.append(in_order(instance, policy("pd_ors", span=rng.choice(SPANS)), jobs))
    best = max(found, key=lambda schedule: schedule.objective(instance))
    return Enclosure(best, bound("dmlrs.rdmlrs_lp", instance))


def in_order(instance: Instance, choice: Policy, jobs: Sequence[Job]) -> Schedule:
    """Return the decisions of a plan-once policy that sees the jobs in this order."""
    planner = choice.build(instance)
    planner.start(system(instance))
    for job in jobs:
        planner.arrive(job.arrival, [job])
    return schedule_of(
        planner.advance(instance.horizon), instance, DecidedBy(f"dmlrs.{choice.name} in any order", choice.options, 0)
    )


def table(cases: Iterable[Draw], tries: int) -> Any:
    """Return one row per draw (pandas): enclosure, utilities, and true ratios."""
    import pandas as pd

    rows = []
    for case in cases:
        instance = case.instance()
        found = enclosure(instance, tries)
        low, high = float(found.best.objective(instance)), found.above.value
        if found.best.violations(instance) or not found.above.verify(instance):
            raise SchedproofError(f"the optimum of {case} is not enclosed: a schedule or a certificate is wrong")
        row = {**case.settings, "seed": case.seed, "at_least": low, "at_most": high}
        for choice in ONLINE:
            name = " ".join([choice.name, *(f"{key}={value}" for key, value in choice.options.items())])
            earned = float(choice.run(instance).objective)
            row |= {
                name: earned,
                f"{name}, ratio": f"{low / earned:.4g} to {high / earned:.4g}" if earned else "undefined",
            }
        rows.append(row)
    return pd.DataFrame(rows)


def main() -> None:
    """Print the table of Fig. 10's size: T = 10, I = 10, several numbers of machines."""
    cases = draws("figure10", family="dmlrs", seeds=5, vary={"machines": (4, 6, 8, 10, 12)})
    print(markdown(table(cases, tries=100)))


if __name__ == "__main__":
    main()
