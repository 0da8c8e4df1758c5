"""Given prices: what a case's ``price`` means, and cases of the slot problem (19) on two machines."""

from __future__ import annotations

from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import Priced
from schedproof.reference.dmlrs import spots
from schedproof.reference.dmlrs_schedules import Use


def prices(case: Priced) -> Use:
    """The case's prices, assigned cyclically to its slots, machines and resources."""
    return {spot: case.price[n % len(case.price)] for n, spot in enumerate(spots(case.instance))}


TWO_MACHINES = draw.slot_priced(machines=2, scenes=("plain", "slow")) | draw.slot_priced(
    machines=2, roomy=True, scenes=("plain", "slow")
)
