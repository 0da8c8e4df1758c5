"""The slot optimum: the best allocation of one slot by somebody who has seen its arrivals."""

from __future__ import annotations

from functools import partial

from schedproof.core.options import pick, whole
from schedproof.core.program import Program
from schedproof.formulations.multiserver.allocation import allocation, capacity, demand
from schedproof.formulations.multiserver.reward import overhead, presence_in_a_slot
from schedproof.formulations.multiserver.stationary import GAINS
from schedproof.formulations.multiserver.to_schedule import in_one_slot


def slot_optimum(*, slot: str | int, gain: str = "node") -> Program:
    """The slot optimum: the largest reward (8) of a slot whose arrivals are known.

    Parameters
    ----------
    slot
        From 0 on.
    gain
        ``node`` for (12), each channel through its node's utility; ``total`` for (7), f_k of a job's total.
    """
    number = whole("slot", slot, least=0)
    return Program(
        id="multiserver.slot_optimum",
        sense="maximize",
        groups=(
            pick("gain", gain, GAINS),
            overhead,
            demand,
            capacity,
            presence_in_a_slot,
            allocation,
        ),
        backend="cvxpy",
        integer=False,
        parameters={"slot": number},
        to_schedule=partial(in_one_slot, slot=number, gain=gain),
    )
