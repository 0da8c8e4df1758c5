"""Section IV-B, lines 26-38: does PRUNE remove jobs that could be served?"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Claim, Finding
from schedproof.families.jrp import WANG19
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.shared.prune_regimes import PRUNED, alone, no_removal, servable
from schedproof.proofs_checks.strategies.jrp import OfInstance
from schedproof.reference import jrp

SAFE = Claim(
    "jrp.prune_safe",
    WANG19.at("section IV-B and Algorithm 1, lines 26-38"),
    "PRUNE removes no job that could be served.",
    PRUNED,
    severity="false proof step",
)
REPAIRED = SAFE.repair(
    "Removing j from A_i only if server j cannot take i as its only data node removes no job that could be served.",
    source=WANG19.at("Algorithm 1, lines 26-38, repaired"),
)


@SAFE.reading("in the order of the file", "Degrees after line 27; equal degrees by position.", free=False)
@SAFE.reading("degrees at the start", "Degrees after line 27; equal degrees in the best order.")
@SAFE.reading("degrees as given", "Degrees |A_i| of the instance; equal degrees in the best order.", degrees="given")
@SAFE.reading(
    "degrees as they stand",
    "Current degrees; servers and equal degrees in the order of the file.",
    degrees="standing",
    free=False,
)
@SAFE.reading(
    "as they stand, best order",
    "Some order of the servers and of equal degrees keeps each job that (7)-(10) could serve.",
    degrees="standing",
)
@SAFE.reading(
    "best order, split time",
    "Some order keeps each job that could be served with (16) and (17) in place of (10).",
    degrees="standing",
    rule=jrp.split,
)
@SAFE.reading(
    "best order, storage alone",
    "With (18) alone, some order keeps each job for which there is storage.",
    degrees="standing",
    rule=jrp.storage_only,
    x=jrp.x_all_zero,
)
@REPAIRED.false_variant("PRUNE as printed", free=False)
def safe(
    case: OfInstance,
    degrees: jrp.Degrees = "left",
    free: bool = True,
    rule: jrp.Rule = jrp.cone,
    x: jrp.Weight = jrp.x_all_one,
) -> Finding:
    pruning = jrp.PruneInterpretation(degrees, free)
    return _losses(case, lambda instance, k: any(all(sets) for sets in jrp.outcomes(instance, k, pruning, x)), rule)


ALONE_IS_LESS = """
Let a schedule serve job k with data node i on server j. The data of job k on j are at least d_i, and all data on j
satisfy (7) and the rule. Both are monotone: with fewer data the same resources still satisfy them. The reason is that a
D/r^c + b D/r^b, T h D and T g D all fall when D falls. So j can take i as its only data node, and (i, j) stays. This
holds for each data node of k, so each keeps a server.
Coq, core: jrp.v less_data, less_data_10. Outside: PRUNE, and the data that a schedule puts on a server. D is all data
of the job on the server, and D' is the size of the data node.
- *Then PRUNE no longer ensures that a server copes with a whole job.* True. Proposition 1 needs another property of
PRUNE, `prune_copes`. Lines 30-35 remove jobs to obtain it.
"""


@REPAIRED.reading("deadlines", "Taking and serving mean (7)-(10).", ALONE_IS_LESS, rule=jrp.cone)
@REPAIRED.reading("split time", "Taking and serving mean (7)-(9), (16), (17).", ALONE_IS_LESS, rule=jrp.split)
@REPAIRED.reading("storage alone", "Taking and serving mean (7).", ALONE_IS_LESS, rule=jrp.storage_only)
def safe_repaired(case: OfInstance, rule: jrp.Rule) -> Finding:
    """No servable job loses a data node under the repaired rule.

    The rule removes (i, j) only if server j cannot take i as its only data node.
    """
    return _losses(case, lambda instance, k: all(alone(instance, k, rule)), rule)


SAFE.false_variant("no job is removed at all")(no_removal)


def _losses(case: OfInstance, keeps: Callable[[Instance, int], bool], rule: jrp.Rule) -> Finding:
    instance = case.instance
    gone = [
        job.index for job in instance.jobs if not keeps(instance, job.index) and servable(instance, job.index, rule)
    ]
    names = ", ".join(instance.jobs[k].name for k in gone)
    return Finding(Fraction(len(gone)), jrp.ZERO, "at most", f"removed: {names or 'none that could be served'}")
