"""Random placement instances with the paper's evaluation settings (section V-A).

The table gives the paper's values, its gaps, and the choices here:

==========================  =========================================  =================================================
drawn                       the paper                                  here
==========================  =========================================  =================================================
clusters                    16 CPU cores and 16 GPUs; on the test bed  the same
                            32 and 16
tasks                       64 for each cluster; on the test bed       the same; 1,000 and 2,000
                            "longer workloads"
arrivals                    "a Poisson distribution with an arrival    a Poisson process of ``rate`` tasks a slot in
                            rate lambda"                               total
links                       uniform on [0, 10] Mbit/s, usable from,    the same, on thousandths; usable at 5 exactly
                            "e.g.", 5
isolated tasks              silent                                     their links are drawn again; ``unreachable``
minimum                     2 CPU cores and 1 GPU                      the same
insensitive tasks           4 slots                                    the same
sensitive tasks             2 to 17 slots, the speed a hyperbolic      17 slots with 1 GPU, 2 with 16, both exactly, and
                            tangent of the number of GPUs              between them as 1 / tanh(k g), k = 0.1117; CPU
                                                                       cores have no effect
how many are sensitive      silent                                     each is with probability 1/2
test-bed tasks              three, measured: Table I has the range of  the same curve between the two ends, with 1 and
                            their durations over all allocations from  with 8 GPUs. `schedproof.workloads.tapfinger` has
                            (2, 1) to (16, 8)                          the measurements
their mix                   silent                                     each with probability 1/3
downsizing                  "we downsize the running time", silent by  by 1; ``downsizing``. In slots of 10 s
                            how much
noise                       "+-0.1 randomness to the normalized        a task's progress in a slot is 1 + e times the
                            progress gains"                            usual, e uniform on [-0.1, 0.1], in thousandths;
                                                                       it takes the least number of slots that is
                                                                       enough. A task's e of its first, second, ...
                                                                       slot is the same for all allocations
horizon                     none is given                              the last arrival plus every task's longest
                                                                       duration
==========================  =========================================  =================================================

With noise, a task of 4 slots takes 4 or 5 slots, and a task of 17 slots up to 19: work left after the fourth slot takes
a whole slot.
`schedproof.instances.placement.Instance.enough` is an earlier horizon that suffices for an optimal schedule.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from schedproof.core.data.options import pick
from schedproof.workloads.draws import Row, random_numbers
from schedproof.workloads.placement import draws
from schedproof.workloads.placement.settings import Settings, configure

TESTBED = Settings(types="testbed", cpus=32, tasks=1000, rate=Decimal("1.5"), most_gpus=8)
PRESETS = {
    "tiny": Settings(clusters=2, cpus=8, gpus=4, tasks=10, rate=Decimal(1), most_cpus=8, most_gpus=4),
    "synthetic3": Settings(),
    "synthetic6": Settings(clusters=6, tasks=384, rate=Decimal(4)),
    "testbed3": TESTBED,
    "testbed6": TESTBED._replace(clusters=6, tasks=2000, rate=Decimal(3)),
}


def generate(preset: str, seed: int, settings: Mapping[str, str]) -> Row:
    """Random placement instances with the paper's evaluation settings (section V-A).

    Presets are ``tiny`` (2 clusters of 8 CPU cores and 4 GPUs, 10 tasks), ``synthetic3`` and ``synthetic6`` (3 or 6
    clusters, 64 tasks for each), ``testbed3`` and ``testbed6`` (1,000 or 2,000 tasks with the durations of Table I).
    """
    s = configure(pick("preset", preset, PRESETS), settings)
    return draws.system(s) | draws.tasks(random_numbers(seed), draws.kinds(s), s)


__all__ = ["PRESETS", "generate"]
