"""DRF: Dominant Resource Fairness, recomputed in every slot.

In addition to the rules of `slot_by_slot`:

========================================  ==============================================================================
section 5 says                            implemented
========================================  ==============================================================================
"based on their dominant resource share   progressive filling: the job with the smallest dominant share gets another
in the cloud to achieve its max-min       worker, and the parameter servers that ceil(n / gamma) then requires, until no
fairness"                                 worker fits. Shares are of the total capacity, including reserved amounts
"the number of workers and parameter      every slot starts from empty machines, at no cost; no job gets more than F, or
servers are computed and allocated        more than finish the job in this slot on any machines
dynamically"
"placed in a round-robin fashion on       machine by machine in file order, one round for the whole slot, starting at
available machines"                       the first machine; a parameter server before the worker that needs it
ties                                      the earlier job in the file
a worker that does not fit                its job gets no more workers in this slot; other jobs do
========================================  ==============================================================================

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from schedproof.core.simulation.policy import Hidden
from schedproof.instances.dmlrs.dominant_share import progressive_filling, totals
from schedproof.online.dmlrs.filling import RoundRobin
from schedproof.online.dmlrs.slot_by_slot import Rows, SlotBySlot


class DominantResourceFairness(SlotBySlot):
    def start(self, system: Hidden) -> None:
        super().start(system)
        self._total = totals(system.cluster)

    def allocate(self, slot: int) -> dict[int, Rows]:
        machines = RoundRobin(self.grid.at(slot))
        progressive_filling(
            [training.job for training in self.present.values()],
            {j: training.enough for j, training in self.present.items()},
            self._total,
            lambda job: machines.one_more(self.present[job.index]),
        )
        return {j: machines.placement(j) for j in machines.rows}
