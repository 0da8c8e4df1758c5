"""Random preemptive instances by section V-A and Table II of Wang et al. 2022.

The table gives the paper's values, its gaps, and the choices here (``x`` in [a, b] is uniform on a grid: integers, or
the decimals of the setting's default):

=====================  =====================================  ====================================================
drawn                  the paper                              here
=====================  =====================================  ====================================================
slot                   one hour                               ``slot_seconds`` = 3600
r_j                    submission times of the trace, 30      hours of two days weighted as in the Philly trace (the
                       jobs, scaled up to 300                 paper plots two peaks; the trace's 1.4 jobs a day and
                                                              machine make 300 jobs on 100 servers in 2.1 days), a
                                                              uniform second within the hour
model, D_j, B_j        one of six at random, Table II         the same, uniform
worker need of j       "according to the number of GPUs"      not used: D_j already limits it, (2c); ``chunks=gpus``
                                                              takes D_j from the trace's GPU counts instead
worker type of j       picked at random from 2 (testbed),     one type, uniform over the types that servers have
                       8 to 10 (simulator)                    (2; 8)
PS type of j           silent on the job's side               the same (testbed: one type; simulator: 8)
E_j                    [20, 60]                               the same
m_j, G_j, q_j          [0.001, 0.05] h, [10, 100] ms,         the same; also for the testbed, where the paper measured
                       [30, 575] MB (simulator)               n_j and does not print it
b_j                    [100, 5 * 1024] Mbps, a worker type's  per job, as in (1); 1 Mbps is slot_seconds / 8 MB per
                                                              slot
Delta_js               [1, 4] slots to edge servers,          one draw per job and server, independent; in slots for
                       [10, 15] to the cloud                  any length of a slot
workers of s           testbed: 1 GPU, 12 cores, 16 GB, two   testbed: 1 GPU worker, 2 CPU workers, 3 PSs, which use
                       worker types; simulator: GPUs of the   every core and GB; simulator: one worker per GPU, GPUs
                       trace's machine, types at random       drawn from the trace's machine sizes, a type drawn each
PSs of s               CPUs of the trace's machine            Philly has no CPU counts: 12 per GPU, as on the testbed
                                                              machine and on the 8-GPU machines of the PAI trace
U_s, u_j               silent                                 unlimited and 0 unless set
T                      "large enough"                         max (r + Delta) + sum D ceil(p): see `draws.horizon`
=====================  =====================================  ====================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from schedproof.core.base.untyped import Json
from schedproof.core.data.options import pick
from schedproof.workloads.draws import random_numbers
from schedproof.workloads.preemptive import draws
from schedproof.workloads.preemptive.settings import Settings, configure
from schedproof.workloads.settings import range_of

PRESETS = {
    "tiny": Settings(
        jobs=3,
        servers=2,
        hardware="uniform",
        types=2,
        ps_types=1,
        ps_per_gpu=Decimal(1),
        hours=4,
        arrivals="uniform",
        chunks="uniform",
        epochs=range_of("1", "2"),
        minibatch_hours=range_of("0.1", "0.5", 2),
        gradient_mb=range_of("30", "100"),
        bandwidth_mbps=range_of("2", "10"),
        delay=range_of("0", "2"),
        cloud_delay=range_of("3", "6"),
    ),
    "testbed": Settings(jobs=30, servers=8, hardware="testbed"),
    "simulator": Settings(),
}


def generate(preset: str, seed: int, settings: Mapping[str, str]) -> dict[str, Json]:
    """Random preemptive instances with the paper's evaluation ranges.

    Presets are ``tiny``, ``testbed`` (30 jobs, 8 edge servers and the cloud) and ``simulator`` (300 jobs, 100 servers,
    8 types). Servers are drawn before arrivals, arrivals before jobs.
    """
    chosen = configure(pick("preset", preset, PRESETS), settings)
    rng = random_numbers(seed)
    system = draws.servers(rng, [f"edge-{i}" for i in range(1, chosen.servers + 1)], None, chosen)
    arrival = draws.arrivals(rng, chosen)
    jobs = draws.jobs(rng, [f"j{i}" for i in range(1, chosen.jobs + 1)], arrival, None, system, chosen)
    return draws.instance(system, jobs, [draws.chunk_slots(job) for job in jobs])
