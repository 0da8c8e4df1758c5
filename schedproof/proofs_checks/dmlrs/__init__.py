"""The claims of paper 001 (dmlrs), each judged by `schedproof.proofs_checks.verify`."""

from schedproof.core.claim import Claim
from schedproof.proofs_checks.dmlrs import (
    complexity,
    duality,
    dynamic_program,
    fitting,
    model,
    price_steps,
    prices,
    ratio_repaired,
    rounding_cost,
    rounding_joint,
    rounding_lemma1,
    rounding_lemma2,
    rounding_probability,
    rounding_theorems,
    slots,
    theorems,
)

_MODULES = (
    model,
    duality,
    dynamic_program,
    slots,
    prices,
    price_steps,
    fitting,
    rounding_cost,
    rounding_lemma1,
    rounding_lemma2,
    rounding_joint,
    rounding_theorems,
    rounding_probability,
    theorems,
    ratio_repaired,
    complexity,
)

CLAIMS: dict[str, Claim] = {id: claim for module in _MODULES for id, claim in module.CLAIMS.items()}

__all__ = ["CLAIMS"]
