"""Theorem 5 (0 < G <= 1): how likely PD-ORS finds a feasible solution, and its ratio."""

from __future__ import annotations

from fractions import Fraction

from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.dmlrs.shared.competitive import WITHIN_SHARES, ratio_claim
from schedproof.proofs_checks.dmlrs.shared.rounding import printed_below
from schedproof.proofs_checks.dmlrs.shared.slot_rounding import gain3
from schedproof.proofs_checks.dmlrs.shared.states import probability
from schedproof.reference.dmlrs import demand, spots


def gain_29(instance: Instance, delta: Fraction) -> Fraction:
    """At least the largest G_delta of (29) that any job meets: W_2 = min(F, C/alpha, C/beta) on the empty cluster."""
    rows, found = len(instance.resources) * len(instance.machines) + 1, []
    for job in instance.jobs:
        sizes = [instance.machines[h].capacity[r] / d for _, h, r in spots(instance) for d in demand(job, r) if d]
        found.append(printed_below(min([Fraction(job.batch_size), *sizes]), rows, delta)[1])
    return max(found)


THEOREM5_RATIO = ratio_claim(5, "0 < G <= 1 of (29)", gain_29, WITHIN_SHARES)
THEOREM5_PROBABILITY = probability(5, "delta/3", gain3, lambda slot: 1, above_one=False)  # the single cover row
