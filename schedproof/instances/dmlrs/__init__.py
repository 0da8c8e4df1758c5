"""The dmlrs family (Yu et al. 2022): workers and parameter servers on machines.

====================  ==============================  ==================  ==========================  ==========
symbol                attribute                       shape               unit                        equation
====================  ==============================  ==================  ==========================  ==========
T                     ``instance.horizon``            1                   slots                       III
a_i                   ``job.arrival``                 per job             slot                        (7)
E_i, K_i              ``job.epochs, samples``         per job             1, samples                  (3)
V_i                   ``job.work``                    per job             samples (E_i K_i)           (17)
F_i                   ``job.batch_size``              per job             workers                     (4)
gamma_i               ``job.workers_per_ps``          per job             workers per PS              (2)
tau_i                 ``job.sample_time``             per job             slots per sample            (1)
g_i                   ``job.model_size``              per job             MB                          (1)
b_i^i, b_i^e          ``job.bandwidth_internal``,     per job             MB per slot                 (1)
                      ``job.bandwidth_external``
c_i, c_e              ``job.internal_time``,          per job             slots per sample of one     (1), (2)
                      ``job.external_time``                               worker
alpha_i^r, beta_i^r   ``job.worker, job.ps``          job, resource       the resource's unit         (5)
C_h^r                 ``machine.capacity``            machine, resource   the resource's unit         (5)
reserved              ``instance.reserved``           slot, machine,      the resource's unit         -
                                                      resource
u_i(x)                ``job.utility``                 per job             utility of x slots of       III-4)
                                                                          training
====================  ==============================  ==================  ==========================  ==========
"""

from schedproof.instances.dmlrs.instance import Instance
from schedproof.instances.dmlrs.job import Job, Machine
from schedproof.instances.dmlrs.schedule import Placement, Schedule

from_json, to_json = Instance.from_json, Instance.to_json

__all__ = ["Instance", "Job", "Machine", "Placement", "Schedule", "from_json", "to_json"]
