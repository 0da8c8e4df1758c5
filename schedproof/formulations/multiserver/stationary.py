"""The stationary optimum (10): the best single allocation for all slots, what the regret is measured against."""

from __future__ import annotations

from functools import partial

from schedproof.core.options import pick
from schedproof.core.program import Program
from schedproof.formulations.multiserver.allocation import allocation, capacity, demand
from schedproof.formulations.multiserver.reward import gain_by_node, gain_by_total, overhead, presence_in_all_slots
from schedproof.formulations.multiserver.to_schedule import in_all_slots

GAINS = {"node": gain_by_node, "total": gain_by_total}


def stationary(*, gain: str = "node") -> Program:
    """The stationary optimum (10): the largest reward, summed over all slots, of one allocation for all of them.

    Parameters
    ----------
    gain
        ``node`` for (12), each channel through its node's utility; ``total`` for (7), f_k of a job's total.
    """
    return Program(
        id="multiserver.stationary",
        sense="maximize",
        groups=(
            pick("gain", gain, GAINS),
            overhead,
            demand,
            capacity,
            presence_in_all_slots,
            allocation,
        ),
        backend="cvxpy",
        integer=False,
        to_schedule=partial(in_all_slots, gain=gain),
    )
