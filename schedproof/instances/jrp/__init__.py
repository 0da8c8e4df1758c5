"""The jrp family (Wang et al. 2019): jobs are accepted whole or rejected.

========  ================================  ==========  ================  ==========
symbol    attribute                         shape       unit              equation
========  ================================  ==========  ================  ==========
r_j^s     ``server.storage``                per server  GB                (7)
r_j^c     ``server.compute``                per server  GFLOP/s           (8)
r_j^b     ``server.bandwidth``              per server  Gbit/s            (9)
tau_k     ``job.deadline``                  per job     s; None for none  (10)
T_k       ``job.epochs``                    per job     1                 (4)
f_k       ``job.minibatch_size``            per job     GB                (2)
g_k       ``job.minibatch_work``            per job     GFLOP             (2)
h_k       ``job.parameter_size``            per job     Gbit              (3)
lambda_k  ``job.sync_period``               per job     iterations        (3)
C_k       ``job.nodes``                     per job     data nodes        III-A
d_i       ``node.size``                     per node    GB                (1)
A_i       ``node.servers``                  per node    file positions    III-A
epsilon   ``instance.communication_share``  1           1                 (16), (17)
a_k       ``job.compute_rate``              per job     GFLOP/s per GB    (2), (10)
b_k       ``job.bandwidth_rate``            per job     Gbit/s per GB     (3), (10)
========  ================================  ==========  ================  ==========

a_k = T g/(f tau) and b_k = T h/(lambda f tau), both 0 without a deadline. With D_j^k GB of job k on server j, (10) is
a_k D_j^k / r_{j,k}^c + b_k D_j^k / r_{j,k}^b <= 1.
"""

from schedproof.instances.jrp.entities import DataNode, Job, Server
from schedproof.instances.jrp.instance import Instance
from schedproof.instances.jrp.schedule import Assignment, Grant, Placement, Schedule

from_json, to_json = Instance.from_json, Instance.to_json

__all__ = [
    "Assignment",
    "DataNode",
    "Grant",
    "Instance",
    "Job",
    "Placement",
    "Schedule",
    "Server",
    "from_json",
    "to_json",
]
