"""Lines 14 and 17 of Algorithm 1: kept data nodes of jobs that are not accepted."""

from __future__ import annotations

from schedproof.core.claims.claim import Claim, Domain, Finding, Regime
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared.iterations import ROUNDS, all_accepted
from schedproof.proofs_checks.strategies import jrp_rounds as draw
from schedproof.proofs_checks.strategies.jrp_rounds import Drawn, Iteration
from schedproof.reference.jrp import ONE, ZERO, present, prune
from schedproof.reference.jrp_model import levels

_PARTLY: Regime[Iteration] = Regime(
    "a job with several data nodes and 0 < y < 1", lambda case: any(i and case.y[k] < 1 for k, i, *_ in case.x)
)
KEPT = Claim(
    "jrp.kept_nodes_released",
    WANG19.at("Algorithm 1, lines 14 and 17, and its output"),
    "The x and y of Algorithm 1 satisfy (6).",
    Domain(Iteration, draw.rounds(), (*ROUNDS, _PARTLY)),
    severity="slip",
)
REPAIRED = KEPT.repair(
    "If each iteration sets the x of jobs that it does not accept back to 0, x and y satisfy (6).",
    small=True,
    source=WANG19.at("Algorithm 1, lines 14 and 17, repaired"),
)


@KEPT.reading("after an iteration", "Line 14 sets x to 1 and no line sets it back.")
@REPAIRED.false_variant("without the release")
def after_iteration(case: Iteration) -> Finding:
    return Finding(case.chance(lambda drawn: bool(left_over(case, drawn))), ZERO, "at most", "Pr((6) is violated)")


@KEPT.reading("the output", "Line 14 has set x to 1, and no line has set it back when the algorithm ends.")
def at_the_end(case: Iteration) -> Finding:
    """The output satisfies (6).

    The output violates (6) if the next PRUNE rejects a job that has an x of 1.
    """

    def stays(drawn: Drawn) -> bool:
        rest, remaining = case.following(drawn)
        return bool(left_over(case, drawn) - {rest[k] for k in present(prune(remaining))})

    return Finding(case.chance(stays), ZERO, "at most", "Pr(a rejected job has an x of 1)")


RELEASED_PROOF = """
In one iteration each data node is drawn for at most one server of its A_i, so its x add up to at most 1. By line 17
they add up to 1 for each data node of an accepted job, which has y = 1. After the release they add up to 0 for the data
nodes of the other jobs, which have y = 0. An accepted job leaves the instance: later iterations do not touch its x.
Coq: vertex.v kept_nodes_released. Objects: program, released. In words: `stay` gives the server on which line 14 keeps
a data node that is drawn there.
- *A job that PRUNE rejects may have an x from an iteration before.* Not after the release: the job was not accepted
then, so its x is 0 again, and y is 0.
"""


@KEPT.reading("released", "The x of jobs that are not accepted are set back before the next iteration.", RELEASED_PROOF)
@REPAIRED.reading("released", "The x are set back after each iteration, and so at the end.", RELEASED_PROOF)
def after_release(case: Iteration) -> Finding:
    def breaks(drawn: Drawn) -> bool:
        live = case.accepted(drawn)
        return levels(case.pruned, all_accepted(case, drawn)) != [ONE * (k in live) for k in range(len(case.y))]

    return Finding(case.chance(breaks), ZERO, "at most", "Pr((6) is violated)")


KEPT.false_variant("every job is accepted")(
    lambda case: Finding(case.chance(lambda drawn: len(case.accepted(drawn)) < len(case.y)), ZERO)
)


def left_over(case: Iteration, drawn: Drawn) -> set[int]:
    """The jobs for which line 14 sets an x to 1 but line 17 sets no y."""
    return {k for k, _ in case.kept(drawn)} - case.accepted(drawn)
