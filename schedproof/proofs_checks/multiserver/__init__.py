"""The claims of paper 002 (multiserver), each judged by `schedproof.proofs_checks.verify`."""

from schedproof.core.claim import Claim
from schedproof.proofs_checks.multiserver import (
    constants,
    convexity,
    first_port,
    gang,
    gang_regret,
    gradient,
    kkt,
    projection,
    regret_algorithm1,
    regret_constant,
    regret_decay,
    regret_steps,
    regret_tight,
    replication,
    scale,
    step_growth,
    unseen,
    utilities,
    vector_form,
    work,
)

_MODULES = (
    convexity,
    vector_form,
    utilities,
    gradient,
    kkt,
    projection,
    first_port,
    constants,
    regret_constant,
    regret_steps,
    step_growth,
    regret_decay,
    regret_tight,
    regret_algorithm1,
    scale,
    work,
    replication,
    unseen,
    gang,
    gang_regret,
)

CLAIMS: dict[str, Claim] = {id: claim for module in _MODULES for id, claim in module.CLAIMS.items()}

__all__ = ["CLAIMS"]
