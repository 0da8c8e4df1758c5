"""What is proven of PD-ORS, and whether its premises hold on an instance."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.bound import Guarantee
from schedproof.instances.dmlrs.instance import Instance


def pd_ors_guarantee(instance: Instance, bounds: str, share: Fraction, exact: bool) -> Guarantee:
    """The repaired competitive ratio with its premises."""
    return Guarantee(None, "dmlrs.theorem5_ratio", {})
