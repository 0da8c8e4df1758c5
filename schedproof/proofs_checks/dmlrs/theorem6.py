"""Theorem 6 (G > 1): how likely PD-ORS finds a feasible solution, and its ratio."""

from __future__ import annotations

from fractions import Fraction

from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.dmlrs.shared.competitive import ratio_claim
from schedproof.proofs_checks.dmlrs.shared.rounding import printed_above
from schedproof.proofs_checks.dmlrs.shared.slot_rounding import gain4
from schedproof.proofs_checks.dmlrs.shared.states import probability


def gain_30(instance: Instance, delta: Fraction) -> Fraction:
    """At least the largest G_delta of (30) that any job meets: W_1 = v c_e for one sample."""
    return printed_above(min(job.external_time for job in instance.jobs), 1, delta)[1]


THEOREM6_RATIO = ratio_claim(6, "G > 1 of (30)", gain_30)
THEOREM6_PROBABILITY = probability(
    6, "delta/(3 (HR + 1))", gain4, lambda slot: slot.rows, above_one=True
)  # packing rows
