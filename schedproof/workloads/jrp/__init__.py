"""Random jrp instances with the paper's evaluation settings (section V-B).

The table gives the paper's values, its gaps, and the choices here (``x`` in [a, b] is uniform on a grid: integers, or
the decimals of the setting's default):

====================  =======================================  ====================================================
drawn                 the paper                                here
====================  =======================================  ====================================================
the area              19 hexagonal cells, a server in each     the same; ``rings`` of cells around the centre, 2
r^c, r^b              150 GFLOPS, 10 Gbps                      the same
r^s                   between 100 and 200 GB                   [100, 200], whole
data nodes of a job   "about 15"                               [13, 17], whole
a data node's cell    random                                   uniform; its server is named first in the file
A_i                   servers of its cell and the neighbours'  the same
d_i, uniform          2 GB to 8 GB                             [2, 8], two decimals
d_i, normal           mean 5 GB, standard deviation 1          the same, two decimals; below 0 counts as 0
d_i, Pareto           minimum 2 GB, shape 2                    the same, two decimals, cut at 10^6 GB
h_k                   30 MB to 575 MB                          [30, 575] MB, whole
f_k                   "about 6MB"                              [5, 7] MB, one decimal
g_k                   "based on the respective parameter size  0.0067 GFLOP for each MB of the model and MB of the
                      and mini-batch size"                     mini-batch
T_k                   silent                                   2
lambda_k              between 3 and 8                          [3, 8], whole
tau_k                 1 hour to 2 hours                        [3600, 7200] s, whole
epsilon               silent                                   0.3
p                     an axis                                  50
====================  =======================================  ====================================================

A mini-batch of 6 MB thus takes 0.04 GFLOP per MB of the model, as a forward pass of one image through networks of the
paper's sizes: 11.3 GFLOP at 241 MB (ResNet-152), 19.6 at 575 MB (VGG-19). LP_I then behaves as section V-C describes:
it fills the storage, and time limits the rounding (docs/evidence/jrp_figures.md).

For ``figure6``, section V-C reports fewer accepted jobs and "most of the data nodes' data amount is much larger than
that in other distributions". With minimum 2 and shape 2 the mean is 4 GB and the median 2.83 GB. The mean of the other
distributions is 5 GB, so LP_I accepts more jobs here. The tail is kept as drawn: about 2 of 1,000 jobs have a data node
that no server can serve.

Every column has its own random stream. For one seed, ``jobs`` = 10 are the first ten of ``jobs`` = 100, and the three
distributions differ only in the data amounts.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from schedproof.core.data.options import pick
from schedproof.workloads.draws import Row, affordable, random_numbers
from schedproof.workloads.jrp import draws
from schedproof.workloads.jrp.draws import area
from schedproof.workloads.jrp.settings import Settings, configure
from schedproof.workloads.settings import range_of

PRESETS = {
    "tiny": Settings(
        jobs=4,
        rings=1,
        communication_share=Decimal("0.5"),
        storage=range_of("3", "4"),
        compute=range_of("2", "4"),
        bandwidth=range_of("0.1", "0.2", 1),
        epochs=range_of("1", "1"),
        nodes=range_of("2", "2"),
        size=range_of("1", "3"),
    ),
    "figure4": Settings(),
    "figure5": Settings(distribution="normal"),
    "figure6": Settings(distribution="pareto"),
}


def generate(preset: str, seed: int, settings: Mapping[str, str]) -> Row:
    """Random jrp instances with the paper's evaluation settings (section V-B).

    Presets are ``tiny`` (7 servers, 4 jobs of 2 data nodes), ``figure4`` (uniform), ``figure5`` (normal) and
    ``figure6`` (Pareto).
    """
    s = configure(pick("preset", preset, PRESETS), settings)
    affordable(s.jobs * int(s.nodes.high), "data nodes")
    of_servers, of_jobs, of_nodes = random_numbers(seed).spawn(3)
    cells = area(s.rings)
    servers = draws.servers(of_servers, cells, s)
    nodes = draws.data_nodes(of_nodes, cells, [server["name"] for server in servers], s)
    return {
        "version": 1,
        "family": "jrp",
        "communication_share": s.communication_share,
        "servers": servers,
        "jobs": [job | {"data_nodes": own} for job, own in zip(draws.jobs(of_jobs, s), nodes, strict=True)],
    }


__all__ = ["PRESETS", "area", "generate"]
