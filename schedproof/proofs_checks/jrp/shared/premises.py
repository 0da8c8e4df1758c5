"""Premises of the jrp claims about a load, and the limit of their checks."""

from __future__ import annotations

from schedproof.core.claims.claim import Open, Premise
from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad
from schedproof.reference.jrp_load import MOST_NODES, Load, kept_prefix

FULL: Premise[ServerLoad] = Premise("mu_j = r_j^s", lambda case: case.load.full)
SPREAD: Premise[ServerLoad] = Premise("sigma_j > 0", lambda case: bool(case.load.variance))
EXCEEDED: Premise[ServerLoad] = Premise(
    "the storage is exceeded in some draw",
    lambda case: not case.load.enumerable or kept_prefix(case.load).least is not None,
)


def too_many(load: Load) -> Open | None:
    why, limit = "too many data nodes for the distribution", MOST_NODES + 1
    return None if load.enumerable else Open(why, len(load.nodes), limit)
