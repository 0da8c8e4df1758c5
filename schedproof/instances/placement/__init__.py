"""The placement family (Li et al. 2023): tasks get an edge cluster and allocation.

==========  =====================  =============================  ==============  ========
symbol      attribute              shape                          unit            equation
==========  =====================  =============================  ==============  ========
T           ``instance.horizon``   1                              slots           III-B
C_{r,n}     ``cluster.amounts``    resources, per cluster         smallest units  (5)
D_j         ``task.clusters``      file positions, per task       clusters        III-B
b_{j,r}     ``task.needs``         resources, per task            smallest units  (8)
t^_j        ``task.arrival``       per task                       slot            III-B
x_{j,r,n}   ``start.allocation``   resources, per start           smallest units  (5)-(8)
t*_j        ``start.slot``         per start                      slot            (6)
-           ``instance.breaks``    cluster                        slots           -
phi_j       ``mode.slots``         per task and allocation        slots           (1)
==========  =====================  =============================  ==============  ========

phi_j of (1) is the time from arrival to completion, (start - arrival) + ``mode.slots``; ``mode.slots`` is the running
time with an allocation. An allocation without a mode is not allowed.
"""

from schedproof.core.simulation.slot_game import fits
from schedproof.instances.placement.entities import Amounts, Cluster, Mode, Task
from schedproof.instances.placement.instance import Instance
from schedproof.instances.placement.schedule import Schedule, Start

from_json, to_json = Instance.from_json, Instance.to_json

__all__ = ["Amounts", "Cluster", "Instance", "Mode", "Schedule", "Start", "Task", "fits", "from_json", "to_json"]
