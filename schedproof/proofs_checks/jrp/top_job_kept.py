"""The proof of Proposition 1: the data nodes of the job of highest priority."""

from __future__ import annotations

from collections.abc import Callable

from schedproof.core.claims.claim import Claim, Finding
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared.iterations import ITERATIONS
from schedproof.proofs_checks.strategies.jrp_rounds import Iteration, Ties
from schedproof.reference.jrp import ZERO, job_by_job, node_by_node

TOP_JOB = Claim(
    "jrp.top_job_kept",
    WANG19.at("section IV-B, proof of Proposition 1"),
    "The data nodes of the job with the highest priority are always assigned to the servers for which they are drawn.",
    ITERATIONS,
    severity="false proof step",
)
REPAIRED = TOP_JOB.repair(
    "With equal priorities ordered job by job, the first job's data nodes are kept where they are drawn.", small=True
)
KEPT_REPAIRED_PROOF = """
Each data node of the job is drawn for a server that PRUNE left in its A_i, and comes first on this server. A server
gets some of its candidates of this job. After PRUNE the server copes with all these data nodes
(`prune_copes.prune_capacity`; the proof uses only (18)). So these data nodes are a prefix that satisfies (21), and the
longest such prefix contains them.
Coq, core: jrp.v first_job_kept. Outside: that the candidates satisfy (18)-(20) after PRUNE (prune_copes_repaired). With
only (21) as the test, a and b are 0.
- *Two jobs of the highest priority.* The statement means the first of these jobs in the order of the jobs; only this
job is sure to be kept.
"""


@TOP_JOB.reading("job by job", "Equal priorities are in the order of the jobs.", KEPT_REPAIRED_PROOF)
@REPAIRED.reading("job by job", "The job is the first of those of the highest priority.", KEPT_REPAIRED_PROOF)
def kept_repaired(case: Iteration) -> Finding:
    return if_drawn(case, job_by_job)


def highest(case: Iteration) -> set[int]:
    return {k for k in case.present if case.y[k] == case.y[case.top]}


def lowest(case: Iteration) -> set[int]:
    least = min(case.y[k] for k in case.present if case.y[k])
    return {k for k in case.present if case.y[k] == least}


@TOP_JOB.reading("node by node", "Equal priorities are in the order of the data nodes' numbers.", ties=node_by_node)
@TOP_JOB.false_variant("the lowest priority", ties=job_by_job, which=lowest)
def if_drawn(case: Iteration, ties: Ties, which: Callable[[Iteration], set[int]] = highest) -> Finding:
    jobs = which(case)
    lost = case.chance(lambda drawn: not jobs & case.accepted(drawn, ties), case.drawn_surely(jobs))
    return Finding(lost, ZERO, "at most", "Pr(none of these jobs keeps its data nodes)")
