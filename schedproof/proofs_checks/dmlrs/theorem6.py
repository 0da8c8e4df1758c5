"""Theorem 6 (G > 1): how likely PD-ORS finds a feasible solution, and its ratio."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Claim, FalseVariant, with_settings
from schedproof.families.dmlrs import YU22
from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.dmlrs.shared.competitive import TEMPTED, ratio, ratio_readings, repaired
from schedproof.proofs_checks.dmlrs.shared.rounding import printed_above
from schedproof.proofs_checks.dmlrs.shared.slot_rounding import gain4
from schedproof.proofs_checks.dmlrs.shared.states import probability
from schedproof.proofs_checks.strategies.dmlrs_slots import Slot


def gain_30(instance: Instance, delta: Fraction) -> Fraction:
    """At least the largest G_delta of (30) that any job meets: W_1 = v c_e for one sample."""
    return printed_above(min(job.external_time for job in instance.jobs), 1, delta)[1]


THEOREM6_RATIO = Claim(
    id="dmlrs.theorem6_ratio",
    source=YU22.at("section 4.4, Theorem 6 (the ratio), and Appendix C"),
    statement="PD-ORS with G > 1 of (30) is (6 G/delta) max_r(1, ln(U^r/L))-competitive.",
    readings=ratio_readings(gain_30),
    domain=TEMPTED,
    false_variants=(
        FalseVariant("a hundredth of the ratio", with_settings(ratio, gain=gain_30, share=Fraction(1, 100))),
    ),
    repair=repaired(6),
)


def packing_rows(slot: Slot) -> int:
    """Theorem 6 counts the H R + 1 packing rows."""
    return slot.rows


THEOREM6_PROBABILITY = probability(6, "delta/(3 (HR + 1))", gain4, packing_rows, above_one=True)
