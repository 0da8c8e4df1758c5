"""The preemptive family (Wang et al. 2022): jobs of chunks at the edge or cloud.

=============  ============================  ============  ======================  ==========
symbol         attribute                     shape         unit                    equation
=============  ============================  ============  ======================  ==========
r_j            ``job.arrival``               per job       slot                    III-A
D_j            ``job.chunks``                per job       chunks                  (2c)
E_j, B_j       ``job.epochs, minibatches``   per job       1                       (2b)
m_j, G_j       ``job.minibatch_time``,       per job       slots                   (1)
               ``job.update_time``
q_j, b_j       ``job.gradient_size``,        per job       MB, MB per slot         (1)
               ``job.bandwidth``
E_j B_j / n_j  ``job.chunk_time``,           per job       slots (exact rational)  (1), (3)
               ``chunk_time_in_cloud``
Delta_js       ``job.delay(server)``         job, server   slots                   (2i)
W_s by type    ``server.workers``            server, type  workers                 (2d)
P_s by type    ``server.parameter_servers``  server, type  parameter servers       (2f)
v_jsw, o_jsp   ``instance.qualified``,       job, place    0 or 1                  (2a), (2e)
               ``job.opens``
T_j            ``instance.last_slot``        per job       slot                    III-A
U_s, u_j       ``server.storage``,           server, job   GB                      (7b)
               ``job.chunk_size``
-              ``instance.restart``          1             slots                   -
-              ``instance.breaks``           server        slots                   -
=============  ============================  ============  ======================  ==========
"""

from schedproof.instances.preemptive.entities import Job, Server, WorkerClass
from schedproof.instances.preemptive.instance import Instance
from schedproof.instances.preemptive.intervals import Intervals, Services
from schedproof.instances.preemptive.schedule import Schedule

from_json, to_json = Instance.from_json, Instance.to_json

__all__ = ["Instance", "Intervals", "Job", "Schedule", "Server", "Services", "WorkerClass", "from_json", "to_json"]
