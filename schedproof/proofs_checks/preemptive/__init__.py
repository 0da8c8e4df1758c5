"""The claims of paper 000 (preemptive), each judged by `schedproof.proofs_checks.verify`."""

from schedproof.core.claim import Claim
from schedproof.proofs_checks.preemptive import (
    complexity,
    dual_fitting,
    equivalence,
    hardness,
    parameter_servers,
    storage,
    storage_ratio,
    sums,
    theorems,
)

_MODULES = (
    equivalence,
    hardness,
    dual_fitting,
    sums,
    parameter_servers,
    theorems,
    complexity,
    storage,
    storage_ratio,
)

CLAIMS: dict[str, Claim] = {id: claim for module in _MODULES for id, claim in module.CLAIMS.items()}

__all__ = ["CLAIMS"]
