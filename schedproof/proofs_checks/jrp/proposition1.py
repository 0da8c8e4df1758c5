"""Proposition 1: acceptance of a job, its probability, the number of iterations."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Finding, worst
from schedproof.families.jrp import WANG19
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.shared.iterations import ITERATIONS
from schedproof.proofs_checks.strategies.jrp_rounds import Iteration, Ties, vertex_iteration
from schedproof.reference.jrp import ZERO, all_three, draws, first, job_by_job, present, prune, residual_instance

ACCEPTS = Claim(
    "jrp.proposition1_accepts",
    WANG19.at("section IV-B, proof of Proposition 1"),
    "At least one job is accepted in each iteration, or the algorithm finishes.",
    ITERATIONS,
    severity="false proof step",
)
ACCEPTS_REPAIRED = ACCEPTS.repair(
    "If the data nodes of the job of the highest priority are drawn with x^/y^ and it comes first on each "
    "server, that job is accepted. If the test also has (16) and (17), the job is served in time."
)
ITERATIONS_OF_P = Claim(
    "jrp.proposition1_iterations",
    WANG19.at("Proposition 1"),
    "Algorithm 1 finishes in at most p iterations.",
    ITERATIONS,
    severity="false theorem",
)
ITERATIONS_OF_P_REPAIRED = ITERATIONS_OF_P.repair(
    "With the top job drawn from x^/y^, first on each server and all resources tested: at most p iterations."
)


@ACCEPTS.reading(
    "equals by the file", "The statement holds with probability 1; equal priorities are in the order of the jobs."
)
@ACCEPTS.reading(
    "equals in the best order",
    "The statement holds with probability 1; equal priorities are in the best order.",
    best=True,
)
@ACCEPTS_REPAIRED.false_variant("as printed")
@ITERATIONS_OF_P.false_variant("one iteration is enough")
def accepts(case: Iteration, best: bool = False) -> Finding:
    return Finding(nobody(case, best), ZERO, "at most", "Pr(no job is accepted)")


TOP_JOB_ACCEPTED = """
After PRUNE with x = 1, LP_I has a solution with y_k = 1 for each single remaining job. So its optimum is at least 1,
and the top job has y^_k > 0. By (6) its x^/y^ add up to 1 for each data node, so all of them are drawn. They come first
on each server. A server gets only candidates of the job, and by `prune_copes_repaired` it copes with them. So (21),
(16) and (17) hold, and the data nodes are kept.
Coq, core: vertex.v each_alone, top_drawn, top_accepted; jrp.v line19. Outside: what PRUNE leaves
(prune_copes_repaired), and the composition of the theorems. The result of PRUNE is `pruned`. x/y adds up to 1, so each
data node of the top job is drawn, to a server of its A_i. Data that
pass (16) and (17) are served in time with the rates of line19.
- *The top job may share a server with other jobs of y = 1.* It comes first among equals, and it passes the test by
itself.
- *A top job without data nodes.* Line 17 has no condition for it, so it is accepted.
"""


@ACCEPTS_REPAIRED.reading(
    "all three resources", "Servers keep the data that pass (21), (16) and (17).", TOP_JOB_ACCEPTED
)
def accepts_repaired(case: Iteration) -> Finding:
    lost = _loss(case, case.top, first(case.top))
    return Finding(lost, ZERO, "at most", "Pr(the top job is not accepted)")


@ACCEPTS.false_variant("even the lowest priority")
@ACCEPTS_REPAIRED.false_variant("the lowest priority")
def _low_first(case: Iteration) -> Finding:
    low = min(case.present, key=lambda k: case.y[k])
    return Finding(
        _loss(case, low) if case.y[low] else ZERO, ZERO, "at most", "Pr(the job of the lowest priority is not accepted)"
    )


def nobody(case: Iteration, best: bool = False) -> Fraction:
    """The probability that an iteration accepts no job.

    Equal priorities are ordered by the file, or with the best job first.
    """
    orders = [first(k) for k in case.present] if best else [job_by_job]
    return case.chance(lambda drawn: not any(case.accepted(drawn, ties) for ties in orders))


def _loss(case: Iteration, job: int, ties: Ties = job_by_job) -> Fraction:
    """The probability that a job with certain draws is not accepted.

    All resources are tested.
    """
    return case.chance(lambda drawn: job not in case.accepted(drawn, ties, all_three), case.drawn_surely([job]))


@ITERATIONS_OF_P.reading("surely", "The statement is for every draw; equal priorities are in the order of the jobs.")
@ITERATIONS_OF_P.reading("surely, best order", "Equal priorities are in the best order.", best=True)
def more_than_p(case: Iteration, best: bool = False) -> Finding:
    """p iterations in a row without acceptance, and one more, have probability 0.

    An iteration without acceptance changes nothing: PRUNE and LP_I are the same in the next iteration.
    """
    return Finding(nobody(case, best) ** len(case.y), ZERO, "at most", "Pr(more than p iterations), at least")


@ITERATIONS_OF_P.reading(
    "on average, best order", "The bound holds in expectation; equal priorities are in the best order."
)
def expectation(case: Iteration) -> Finding:
    return Finding(1 / (1 - nobody(case, best=True)), Fraction(len(case.y)), "at most", "E(iterations), at least")


ONE_LEAVES_EACH_TIME = """
In each iteration PRUNE works on a copy. If no job is left in the copy, the algorithm ends. Otherwise the top job is
accepted (`proposition1_accepts_repaired`) and leaves the instance, and no job returns. The instance has p jobs.
Coq, core: vertex.v at_most_p, top_drawn, top_accepted. Outside: what PRUNE leaves (prune_copes_repaired), and the
composition of the theorems. PRUNE works on a copy. If PRUNE leaves a job, the iteration accepts the top job.
- *The iteration that finds no job counts as well.* It ends in line 4 before it solves an LP. If it counts, the number
is p + 1, also in the printed proof.
- *PRUNE of a later iteration may reject jobs.* Then fewer jobs remain, which only shortens the run.
"""


@ITERATIONS_OF_P_REPAIRED.reading("surely", "The statement is for every draw.", ONE_LEAVES_EACH_TIME)
@ITERATIONS_OF_P_REPAIRED.false_variant("p - 1 iterations", fewer=1)
def iterations_repaired(case: Iteration, fewer: int = 0) -> Finding:
    return Finding(Fraction(longest(case.instance)), Fraction(len(case.y) - fewer), "at most", "iterations")


def longest(instance: Instance, fits: Callable[..., bool] = all_three) -> int:
    """The most iterations of the repaired Algorithm 1 over all draws.

    An iteration without acceptance counts as one more than allowed. The top job is drawn with certainty and is first
    on each server, and all resources are tested. PRUNE works on a copy: a job that it rejects returns in the next
    iteration with its original servers.
    """
    if not present(prune(instance)):
        return 0
    case = vertex_iteration(instance)
    seen, limit = set(), 1
    for _, drawn in draws(case.drawn_surely([case.top])):
        gone = case.accepted(drawn, first(case.top), fits) & set(case.present)
        if not gone:
            return len(case.y) + 1
        stay = {node: j for node, j in case.kept(drawn, first(case.top), fits).items() if node[0] in gone}
        key = tuple(sorted(stay.items()))
        if key not in seen:
            seen.add(key)
            limit = max(limit, 1 + longest(residual_instance(instance, stay), fits))
    return limit


CHANCE = Claim(
    "jrp.proposition1_chance",
    WANG19.at("Proposition 1: the guarantee of Algorithm 1 as printed"),
    "With x = 1 in (19) and (20), an iteration accepts a job with probability at least y_top^n >= p^-n, "
    "where n is the number of data nodes of the top job. So the algorithm ends almost surely.",
    ITERATIONS,
)
ALL_DRAWN_AT_ONCE = """
By (6) each data node of the top job is drawn with probability y_top, independently. So all of them are drawn with
probability y_top^n, and then the job is accepted (`top_job_kept_repaired`). LP_I admits y_k = 1 for each single job
(see `trivial_definition_repaired`). So its optimum is at least 1, and y_top >= 1/p.
- *Other jobs may take the storage first.* The top job comes first on each of its servers where its data nodes are
drawn; equal priorities are ordered by the file.
- *Iterations without success may continue for ever.* They do not change the instance, so the probability stays the
same. The waiting time is geometric and finite with probability 1.
"""


@CHANCE.reading("equals by the file", "Equal priorities are in the order of the jobs.", ALL_DRAWN_AT_ONCE)
def chance(case: Iteration) -> Answer:
    level, count = case.y[case.top], len(case.instance.jobs[case.top].nodes)
    once = Finding(1 - nobody(case), level**count, "at least", "Pr(a job is accepted), y_top^n")
    floor = Finding(level, Fraction(1, len(case.y)), "at least", "y_top, 1/p")
    return worst([once, floor])


CHANCE.false_variant("y_top whatever n is")(lambda case: Finding(1 - nobody(case), case.y[case.top], "at least"))
