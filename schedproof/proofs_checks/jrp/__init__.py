"""The claims of paper 003 (jrp), each judged by `schedproof.proofs_checks.verify`."""

from schedproof.core.claim import Claim
from schedproof.proofs_checks.jrp import (
    assignment,
    chernoff,
    copes,
    expectation,
    full_server,
    iterations,
    kept,
    kept_nodes,
    knapsack,
    line19,
    moments,
    normal_limit,
    prune,
    server_resources,
    single_nodes,
    storage_test,
    theorem1,
    time_split,
    top_job,
    trivial,
    upper_bounds,
)

_MODULES = (
    assignment,
    knapsack,
    time_split,
    upper_bounds,
    server_resources,
    prune,
    copes,
    trivial,
    iterations,
    top_job,
    storage_test,
    line19,
    kept_nodes,
    chernoff,
    moments,
    kept,
    full_server,
    expectation,
    normal_limit,
    theorem1,
    single_nodes,
)

CLAIMS: dict[str, Claim] = {id: claim for module in _MODULES for id, claim in module.CLAIMS.items()}

__all__ = ["CLAIMS"]
