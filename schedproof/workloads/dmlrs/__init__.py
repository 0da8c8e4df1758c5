"""Random dmlrs instances with the paper's evaluation ranges (section V).

The table gives the paper's values, its gaps, and the choices here (``x`` in [a, b] is uniform on a grid: integers, or
the decimals of the setting's default):

====================  =======================================  ====================================================
drawn                 the paper                                here
====================  =======================================  ====================================================
E_i, K_i, F_i         [50, 200], [20000, 500000], [1, 200]     the same, whole
gamma_i, g_i          [1, 10], [30, 575] MB                    the same, whole
tau_i                 [1e-5, 1e-4] slots                       the same, multiples of 1e-7
length of a slot      silent                                   ``slot_seconds`` = 3600; tau does not depend on it
b_i^e                 silent                                   [1000, 10000] Mbps: a C5n machine has up to 100 Gbps
                                                               for about ten workers; 1 Mbps is slot_seconds / 8
                                                               MB per slot
b_i^i                 "b^e << b^i in practice"                 ``internal_times`` in [5, 20] times b_i^e
a worker              0-4 GPUs, 1-10 vCPUs, 2-32 GB memory,    the same, whole, independent
                      5-10 GB storage
a PS                  1-10 vCPUs, 2-32 GB, 5-10 GB             the same, whole, independent
C_h^r                 "roughly 18 times of the resource        18 times a worker's mean demand: 36 GPUs, 99 vCPUs,
                      demands of a worker/PS"                  306 GB, 135 GB, on every machine; ``capacity_low``
                                                               and ``capacity_high`` set a range
a_i                   rates 1/3 in odd and 2/3 in even slots,  each job draws its slot of the T with these weights;
                      normalised                               the paper's odd slots are our 0, 2, ...
theta1, theta3        [1, 100], [1, 15]                        the same, whole
theta2                0 / [0.01, 1] / [4, 6] for 10 / 55 / 35  the same, two decimals; a class is drawn per job;
                      or 30 / 69 / 1 percent of the jobs       ``mix=30/69/1`` for the second
H of Fig. 10          an axis from 2 to 12                     12
====================  =======================================  ====================================================

With these ranges many jobs cannot finish even on an empty cluster: about 74 % for ``figure6``, 42 % for ``figure9`` and
95 % with the sizes of figure10 (means of 20 seeds). The jobs of ``figure6``, each alone on the cluster, have a total
utility of 280; the paper's Fig. 8 shows more than 1,000. The setting ``infeasible_alone=redraw`` therefore draws such
jobs again within the same ranges. ``figure10`` redraws; ``figure6`` and ``figure9`` are literal.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from schedproof.core.data.options import pick
from schedproof.workloads.dmlrs import draws
from schedproof.workloads.dmlrs.settings import RANGES, Settings, configure
from schedproof.workloads.draws import Row, affordable, random_numbers
from schedproof.workloads.settings import range_of

PRESETS = {
    "tiny": Settings(
        jobs=3,
        machines=2,
        horizon=5,
        slot_seconds=Decimal(8),
        utilities="rational",
        epochs=range_of("1", "2"),
        samples=range_of("1", "3"),
        batch_size=range_of("1", "4"),
        workers_per_ps=range_of("1", "2"),
        sample_time=range_of("0.2", "1", 1),
        model_mb=range_of("0", "1", 1),
        external_mbps=range_of("1", "2"),
        internal_times=range_of("1", "4"),
        worker_gpu=range_of("0", "1"),
        worker_cpu=range_of("1", "2"),
        worker_memory=range_of("1", "2"),
        worker_storage=range_of("1", "1"),
        ps_cpu=range_of("0", "1"),
        ps_memory=range_of("0", "1"),
        ps_storage=range_of("0", "1"),
        capacity=range_of("4", "4"),
        priority=range_of("1", "10"),
        target=range_of("1", "3"),
        sensitive=range_of("0.1", "0.5", 1),
    ),
    "figure6": Settings(),
    "figure9": Settings(horizon=80, machines=30, jobs=100),
    "figure10": Settings(horizon=10, machines=12, jobs=10, infeasible_alone="redraw"),
}


def generate(preset: str, seed: int, settings: Mapping[str, str]) -> Row:
    """Random dmlrs instances with the paper's evaluation ranges (section V).

    Presets are ``tiny``, ``figure6`` (T = 20, I = 50, H = 100), ``figure9`` (80, 100, 30) and ``figure10`` (10, 10,
    12). Machines are drawn before arrivals, classes and jobs. Jobs that never finish cause an InputError.
    """
    chosen = configure(pick("preset", preset, PRESETS), settings)
    rng = random_numbers(seed)
    affordable(chosen.jobs * len(RANGES), "numbers of jobs")
    system = draws.cluster(rng, chosen)
    arrival = draws.arrivals(rng, chosen)
    criticality = draws.classes(rng, chosen)
    jobs = draws.jobs(rng, [f"j{i}" for i in range(1, chosen.jobs + 1)], arrival, criticality, chosen)
    return system | {"jobs": draws.without_unservable(rng, jobs, criticality, system, chosen)}
