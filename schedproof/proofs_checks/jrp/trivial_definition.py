"""Section IV-B and line 36: which jobs are trivial?"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Claim, Finding
from schedproof.families.jrp import WANG19
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.shared.prune_regimes import PRUNED, full_loads, no_removal
from schedproof.proofs_checks.strategies.jrp import OfInstance
from schedproof.reference.jrp import ZERO, Sets, Weight, outcomes, present, prune, split, takes, x_all_one, x_all_zero

TRIVIAL = Claim(
    "jrp.trivial_definition",
    WANG19.at("section IV-B, the definition of a non-trivial job, and Algorithm 1, line 36"),
    "The jobs rejected as trivial are those with a data node that has no server after the pruning.",
    PRUNED,
    severity="slip",
)
REPAIRED = TRIVIAL.repair(
    "Rejecting the jobs with a data node without a server leaves jobs that LP_I could each serve without the others.",
    small=True,
    source=WANG19.at("Algorithm 1, line 36, repaired"),
)


@TRIVIAL.reading("M_i as given", "M_i, which the paper does not define, is A_i of the instance.")
def as_given(case: OfInstance) -> Finding:
    return trivial(case, lambda instance, k, left: tuple(node.servers for node in instance.jobs[k].nodes))


AS_LEFT_PROOF = """
Line 27 removes each j with r_j^s < d_i from A_i, and later lines only remove more. So r_j^s >= d_i for each remaining j
in A_i. Such a j exists exactly if A_i is not empty.
- *The paper writes M_i, not A_i.* M_i is never defined; this reading makes the sentence and line 36 agree.
"""


@TRIVIAL.reading("M_i as pruned", "M_i is A_i after PRUNE.", AS_LEFT_PROOF)
def as_left(case: OfInstance) -> Finding:
    return trivial(case, lambda instance, k, left: left)


EACH_ALONE_PROOF = """
Each data node of a remaining job has a server in A_i; send the data node to any such server. Then each server holds
some of its candidates of the job. By `prune_copes.prune_capacity` it copes with these candidates. So LP_I has a
solution with y_k = 1, its optimum is at least 1, and some y^_k is at least 1 divided by the number of jobs.
Coq, core: vertex.v each_alone. Outside: what PRUNE leaves (prune_copes_repaired). The result of PRUNE is `pruned`.
- *Two data nodes of the job on one server.* PRUNE leaves groups with which the server copes as a whole, so any part of
them fits.
"""


@REPAIRED.reading("x = 1", "(19) and (20) have x = 1.", EACH_ALONE_PROOF)
@REPAIRED.false_variant("with (18) alone", x=x_all_zero)
def each_alone(case: OfInstance, x: Weight = x_all_one) -> Finding:
    """LP_I admits y_k = 1 for each remaining job by itself.

    Jobs with a data node without servers are rejected first.
    """
    instance = prune(case.instance, x=x)
    stuck = {k for k, j, held in full_loads(instance) if not takes(instance, j, held, split)}
    if not stuck <= set(present(instance)):
        raise ArithmeticError("a remaining job is unknown")
    return Finding(Fraction(len(stuck)), ZERO, "at most", "jobs left for which a server may be overtaxed")


TRIVIAL.false_variant("no job is rejected")(no_removal)


def trivial(case: OfInstance, servers: Callable[[Instance, int, Sets], Sets]) -> Finding:
    """For each job, compare the printed condition with the effect of PRUNE.

    The printed condition: some data node has no server with r^s >= d_i in M_i. The effect: PRUNE leaves a data node
    without a server.
    """
    instance, differ = case.instance, 0
    for job in instance.jobs:
        rest = next(outcomes(instance, job.index))
        sides = zip(job.nodes, servers(instance, job.index, rest), strict=True)
        rejected = any(all(instance.servers[j].storage < node.size for j in own) for node, own in sides)
        differ += rejected != (not all(rest))
    return Finding(Fraction(differ), ZERO, "at most", "jobs rejected or kept for another reason")
