"""DRF: Dominant Resource Fairness, in every slot anew.

Beside the rules of `slot_by_slot`:

========================================  ==============================================================================
section 5 says                            done here
========================================  ==============================================================================
"based on their dominant resource share   progressive filling: the job with the smallest dominant share gets one more
in the cloud to achieve its max-min       worker, and the parameter servers that ceil(n / gamma) then asks for, until
fairness"                                 nothing fits; shares are parts of the total capacity, reserved or not
"the number of workers and parameter      from nothing in every slot, at no cost; no job gets more than F, nor more than
servers are computed and allocated        finish it in this slot wherever they are
dynamically"
"placed in a round-robin fashion on       machine by machine in file order, one round for the whole slot, from the first
available machines"                       machine on; a parameter server before the worker that needs it
ties                                      the earlier job in the file
a worker that does not fit                its job gets no more in this slot, the others go on
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
        """Prepare for a cluster whose jobs are not known yet."""
        super().start(system)
        self._total = totals(system.cluster)

    def allocate(self, slot: int) -> dict[int, Rows]:
        """Progressive filling."""
        machines = RoundRobin(self.grid.at(slot))
        progressive_filling(
            [training.job for training in self.present.values()],
            {j: training.enough for j, training in self.present.items()},
            self._total,
            lambda job: machines.one_more(self.present[job.index]),
        )
        return {j: machines.placement(j) for j in machines.rows}
