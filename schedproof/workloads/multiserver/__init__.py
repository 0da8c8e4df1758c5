"""Random multiserver instances with the paper's evaluation settings.

The table gives the paper's values, its gaps, and the choices here (``x`` in [a, b] is uniform on a grid: integers, or
the decimals of the setting's default):

====================  =======================================  ====================================================
drawn                 the paper                                here
====================  =======================================  ====================================================
|L|, |R|, K, T        10, 128, 6, 2000                         the same
rho, contention       0.7, 10                                  the same
alpha, beta           [1.0, 1.5], [0.3, 0.5]                   the same, two decimals; alpha for each node and
                                                               resource, beta for each resource
f_r^k                 "4 types of utilities", which where is   one of the four for each node and resource, drawn;
                      not said                                 Fig. 7 by ``utilities=linear`` and so on; f_k of the
                                                               gain per total in the same way
c_r^k of CPUs,        "carefully selected from the trace"      one of the 7 shapes of the PAI trace's machines, with
memory, GPUs                                                   their frequencies; memory in units of 16 GB
c_r^k of NPUs, TPUs,  silent; the traces have none             [0, 8], [0, 8], [0, 4], whole
FPGAs
requests              "carefully selected from the trace"      whole, independent: [1, 16] cores, [1, 4] x 16 GB,
                                                               [0, 2] GPUs, NPUs, TPUs, [0, 1] FPGAs
a_l^k                 contention level times the request       the same
E                     silent on the default; sum_r |L_r|/|R|   2.5; each node draws floor or ceiling of it of the
                      of about 2, 2.5 and 3 in Table III       ports, so that the sum is the density
x_l(t)                Bernoulli(rho) upon the trace's          Bernoulli(rho), ``arrivals=periodic`` or ``bursty``;
                      patterns                                 the traces themselves: ``alibaba`` and ``openb``
====================  =======================================  ====================================================

The unit of memory determines the rewards: in GB, memory would dominate gain and overhead. OGASched earns 2,830 to 2,940
per slot in units of 16 GB (Table III: 2,886), and would earn four times as much in GB. The demand of a node's ports,
sum_l rho a_l^k / c_r^k, is on average 1.9 for CPUs, 1.4 for memory and 7.2 for GPUs (nodes with GPUs).

The columns of Table III are ``default`` with ``horizon`` = 1000, 2000, 5000, 10000, with ``arrival_probability`` = 0.3,
0.5, 0.7, 0.9, or with ``density`` = 2, 2.5, 3. The axes of Fig. 3 are ``nodes``, ``ports`` and ``contention``. For one
seed, the values of an axis share all draws that do not depend on the axis.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from schedproof.core.data.options import pick
from schedproof.workloads.draws import Row, affordable, random_numbers
from schedproof.workloads.multiserver import draws
from schedproof.workloads.multiserver.settings import FULL, RESOURCES, Settings, configure
from schedproof.workloads.settings import range_of

PRESETS = {
    "tiny": Settings(
        ports=2,
        nodes=2,
        horizon=6,
        resources=2,
        density=Decimal("1.5"),
        contention=Decimal(1),
        arrival_probability=Decimal("0.5"),
        alpha=range_of("1", "1.5", 1),
        beta=range_of("0.1", "0.9", 1),
        hardware="uniform",
        request_cpu=range_of("1", "3"),
        request_memory=range_of("1", "3"),
    ),
    "default": Settings(),
    "figure2": Settings(horizon=8000, beta=range_of("0.4", "0.6", 2), contention=Decimal(11)),
    "large": Settings(
        ports=100, nodes=1024, horizon=10_000, density=FULL, beta=range_of("0.01", "0.015", 4), contention=Decimal(5)
    ),
}


def generate(preset: str, seed: int, settings: Mapping[str, str]) -> Row:
    """Random multiserver instances with the paper's evaluation settings.

    Arrivals are an array. Presets are ``tiny`` (2 ports, 2 nodes, 2 resources, T = 6), ``default`` (Table II),
    ``figure2`` (T = 8000, beta in [0.4, 0.6], contention level 11) and ``large`` (section IV-C: 100 ports, 1,024 nodes,
    T = 10000, beta in [0.01, 0.015], contention level 5; on a full graph, which the paper does not specify).
    """
    s = configure(pick("preset", preset, PRESETS), settings)
    affordable(s.ports * s.nodes, "pairs of a port and a node")
    of_rewards, of_nodes, of_requests, of_channels, of_arrivals = random_numbers(seed).spawn(5)
    resources = RESOURCES[: s.resources]
    names = [f"n{r}" for r in range(1, s.nodes + 1)]
    nodes = dict(zip(names, draws.capacities(of_nodes, s), strict=True))
    requests = draws.by_resource(resources, draws.requests(of_requests, resources, s.ports, s))
    reached: list[list[str]] = [[] for _ in requests]
    for name, ports in zip(names, draws.channels(of_channels, s), strict=True):
        for port in ports:
            reached[port].append(name)
    rewards = draws.rewards(of_rewards, resources, names, s)
    arrivals = draws.arrivals(of_arrivals, s.ports, s)
    return draws.instance(resources, nodes, zip(requests, reached, strict=True), rewards, arrivals, s)
