"""Which jobs are trivial? Claim trivial_definition."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.groups import GROUPS, gathered, removed, takes
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.jrp.literal import Sets, Weight, outcomes, present, prune, unknown, whole
from schedproof.proofs_checks.jrp.model import ZERO, split
from schedproof.proofs_checks.strategies import jrp_rounds as draw
from schedproof.proofs_checks.writing import at, table


def trivial(case: Case, servers: Callable[[Instance, int, Sets], Sets]) -> Finding:
    """Of each job: some data node has no server with r^s >= d_i in M_i, exactly if PRUNE left one without a server."""
    instance, differ = case.instance, 0
    for job in instance.jobs:
        left = next(outcomes(instance, job.index))
        sides = zip(job.nodes, servers(instance, job.index, left), strict=True)
        rejected = any(all(instance.servers[j].storage < node.size for j in own) for node, own in sides)
        differ += rejected != (not all(left))
    return Finding(Fraction(differ), ZERO, "at most", "jobs rejected or kept for another reason")


def as_left(case: Case) -> Finding:
    """With M_i = A_i as PRUNE leaves it, the trivial jobs are those with a data node that has no server left.

    Proof
    -----
    Line 27 takes each j with r_j^s < d_i out of A_i and later lines only take out more, so that r_j^s >= d_i for each j
    left in A_i: there is such a j exactly if A_i is not empty.
    """
    return trivial(case, lambda instance, k, left: left)


def as_given(case: Case) -> Finding:
    """The same with M_i = A_i of the instance."""
    return trivial(case, lambda instance, k, left: tuple(node.servers for node in instance.jobs[k].nodes))


TRIVIAL = Claim(
    id="jrp.trivial_definition",
    source="paper 003, section IV-B, the definition of a non-trivial job, and Algorithm 1, line 36",
    statement="The jobs rejected as trivial are those that have a data node without a server left after the pruning.",
    readings=(
        Reading("M_i as given", "M_i, which the paper does not define, is A_i of the instance.", as_given),
        Reading("M_i as pruned", "M_i is what PRUNE leaves of A_i.", as_left),
    ),
    regimes=GROUPS,
    strategy=draw.grouped(),
    planted=(Planted("no job is rejected", removed),),
    witnesses=WITNESSES,
    repaired_by="jrp.trivial_definition_repaired",
    small_repair=True,
)


def each_alone(case: Case, x: Weight = whole) -> Finding:
    """When jobs with a data node without servers are rejected, LP_I admits y_k = 1 for each job left, alone.

    Proof
    -----
    Each data node of a job that is left has a server in A_i: send it there, to whichever. What a server then holds of
    the job are some of its candidates, with which it copes by `copes.copes_whole`. So LP_I has a solution with y_k = 1,
    its optimum is at least 1, and some y^_k is at least 1 divided by the number of jobs.
    """
    instance = prune(case.instance, x=x)
    stuck = {k for k, j, held in gathered(instance) if not takes(instance, j, held, split)}
    assert stuck <= set(present(instance))
    return Finding(Fraction(len(stuck)), ZERO, "at most", "jobs left for which a server may be overtaxed")


TRIVIAL_REPAIRED = Claim(
    id="jrp.trivial_definition_repaired",
    source="paper 003, Algorithm 1, line 36, repaired",
    statement="Rejecting the jobs with a data node without a server leaves jobs that LP_I could each serve alone.",
    readings=(Reading("x = 1", "(19) and (20) with x = 1.", each_alone),),
    regimes=GROUPS,
    strategy=draw.grouped(),
    planted=(Planted("with (18) alone", at(each_alone, x=unknown)),),
)

CLAIMS = table(TRIVIAL, TRIVIAL_REPAIRED)
