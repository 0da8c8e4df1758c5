"""The multiserver family (Zhao et al. 2024): job types share several nodes.

==============  ==========================  ==============  ===========================  ==========
symbol          attribute                   shape           unit                         equation
==============  ==========================  ==============  ===========================  ==========
T               ``instance.horizon``        1               slots                        II-A
x_l(t)          ``instance.arrivals``       (T, L)          jobs                         (3), III-D
J_l             ``instance.copies``         per port        jobs, at least 1             III-D
R_l             ``port.nodes``              per port        positions of nodes           (1)
a_l^k           ``port.demand``             port, resource  the resource's unit          (5)
c_r^k           ``node.capacity``           node, resource  the resource's unit          (6)
f_k, f_r^k      ``instance.utilities``,     resource;       gain of so many units        (7), (12),
                ``instance.utility(r, k)``  node, resource                               (54)
varpi_r^k       ``utility.steepest``        node, resource  gain per unit                (13)
beta_k          ``instance.overhead``       resource        penalty per unit, in [0, 1]  (7)
y_(l,r)^k(t)    ``schedule.blocks()``       (n, E, K)       the resource's unit          (4)
a_l^{q,k}, m_l  ``port.tasks``,             per task        the resource's unit; tasks   III-E
                ``port.minimum_tasks``
==============  ==========================  ==============  ===========================  ==========

A port with several jobs in a slot counts as J_l copies; copy j is present if x_l(t) >= j. Edges, allocations, programs
and policies refer to copies. In the basic problem each port has one copy.
"""

from schedproof.instances.multiserver.entities import Node, Port, Task
from schedproof.instances.multiserver.graph import Graph
from schedproof.instances.multiserver.instance import Instance
from schedproof.instances.multiserver.schedule import Schedule
from schedproof.instances.multiserver.utility import Utility

from_json, to_json = Instance.from_json, Instance.to_json

__all__ = ["Graph", "Instance", "Node", "Port", "Schedule", "Task", "Utility", "from_json", "to_json"]
