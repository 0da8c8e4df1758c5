"""The job of the highest priority: claims top_job_kept and proposition1_chance."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, worst
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.jrp.iterations import nobody
from schedproof.proofs_checks.jrp.literal import Node, accepted, job_by_job, kept, node_by_node, present
from schedproof.proofs_checks.jrp.model import ZERO
from schedproof.proofs_checks.jrp.repaired import drawn_surely
from schedproof.proofs_checks.jrp.rounds import ROUNDS, SPREAD, Round, read
from schedproof.proofs_checks.strategies import jrp_rounds as draw
from schedproof.proofs_checks.writing import at, table

Ties = Callable[[Node], tuple[int, ...]]


def highest(found: Round) -> set[int]:
    """The jobs of the highest priority."""
    return {k for k in present(found.instance) if found.y[k] == found.y[found.top]}


def lowest(found: Round) -> set[int]:
    """The jobs of the lowest priority above 0."""
    some = {k: found.y[k] for k in present(found.instance) if found.y[k]}
    return {k for k, y in some.items() if y == min(some.values())}


def if_drawn(case: Case, ties: Ties, which: Callable[[Round], set[int]] = highest) -> Finding | None:
    """Given that all data nodes of the jobs of one priority are drawn, one of these jobs keeps all of its own."""
    found = read(case)
    if found is None:
        return None
    jobs = which(found)
    lost = found.chance(
        lambda drawn: not jobs & set(accepted(found.instance, kept(found.instance, drawn, found.y, ties))),
        drawn_surely(found, jobs),
    )
    return Finding(lost, ZERO, "at most", "Pr(none of these jobs keeps its data nodes)")


def kept_repaired(case: Case) -> Finding | None:
    """If equal priorities are ordered job by job, and the first job's data nodes are drawn, they are kept.

    Proof
    -----
    Each of them is drawn for a server that is left in its A_i, and they come first there. What a server gets of this
    job are some of its candidates, with all of which it copes after PRUNE (`copes.copes_whole`; only (18) is used). So
    they are a prefix that satisfies (21), and the longest such prefix contains them.
    """
    return if_drawn(case, job_by_job)


TOP_JOB = Claim(
    id="jrp.top_job_kept",
    source="paper 003, section IV-B, proof of Proposition 1",
    statement="The data nodes of the job with the highest priority, where they are drawn, are always assigned.",
    readings=(
        Reading("job by job", "Equal priorities in the order of the jobs.", kept_repaired),
        Reading("node by node", "Equal priorities by the data nodes' own numbers.", at(if_drawn, ties=node_by_node)),
    ),
    regimes=(*ROUNDS, SPREAD),
    strategy=draw.rounds(),
    planted=(Planted("the lowest priority", at(if_drawn, ties=job_by_job, which=lowest)),),
    witnesses=WITNESSES,
    repaired_by="jrp.top_job_kept_repaired",
    small_repair=True,
)
TOP_JOB_REPAIRED = Claim(
    id="jrp.top_job_kept_repaired",
    source="paper 003, section IV-B, proof of Proposition 1, repaired",
    statement="With equal priorities ordered job by job, the first job's data nodes are kept where they are drawn.",
    readings=(Reading("job by job", "The first of the jobs of the highest priority.", kept_repaired),),
    regimes=(*ROUNDS, SPREAD),
    strategy=draw.rounds(),
    planted=(Planted("the lowest priority", at(if_drawn, ties=job_by_job, which=lowest)),),
)

# --- with what probability -------------------------------------------------------------------------------------------


def chance(case: Case) -> Finding | None:
    """An iteration accepts a job with probability at least y_top^n >= p^-n, n the data nodes of the top job.

    Proof
    -----
    Each data node of the top job is drawn with probability y_top by (6), independently: all of them with y_top^n, and
    then the job is accepted (`kept_repaired`). As LP_I admits y_k = 1 for each single job (see
    `trivial_definition_repaired`), its optimum is at least 1, so that y_top >= 1/p.
    """
    found = read(case)
    if found is None:
        return None
    level, count = found.y[found.top], len(found.instance.jobs[found.top].nodes)
    once = Finding(1 - nobody(found), level**count, "at least", "Pr(a job is accepted), y_top^n")
    floor = Finding(level, Fraction(1, len(found.instance.jobs)), "at least", "y_top, 1/p")
    return worst([once, floor])


def _in_one_draw(case: Case) -> Finding | None:
    found = read(case)
    return None if found is None else Finding(1 - nobody(found), found.y[found.top], "at least", "Pr, y_top")


CHANCE = Claim(
    id="jrp.proposition1_chance",
    source="paper 003, Proposition 1: what Algorithm 1 as printed does achieve",
    statement=(
        "With x = 1 in (19) and (20), an iteration accepts a job with probability at least y_top^n >= p^-n, n being "
        "the number of data nodes of the top job; so the algorithm ends almost surely."
    ),
    readings=(Reading("equals by the file", "Equal priorities in the order of the jobs.", chance),),
    regimes=(*ROUNDS, SPREAD),
    strategy=draw.rounds(),
    planted=(Planted("y_top whatever n is", _in_one_draw),),
)

CLAIMS = table(TOP_JOB, TOP_JOB_REPAIRED, CHANCE)
