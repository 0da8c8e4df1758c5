"""Does an iteration accept a job, and how many are there? Claims proposition1_accepts and proposition1_iterations."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.jrp.literal import Node, accepted, all_three, first, job_by_job, kept, present
from schedproof.proofs_checks.jrp.repaired import drawn_surely, longest
from schedproof.proofs_checks.jrp.rounds import ROUNDS, SPREAD, Round, read
from schedproof.proofs_checks.strategies import jrp_rounds as draw
from schedproof.proofs_checks.writing import at, table

ZERO = Fraction(0)


def accepts_one(found: Round, drawn: dict[Node, int], best: bool) -> bool:
    """Whether a draw leads to an accepted job, equal priorities by the file or, best, with any one job first."""
    orders = [first(k) for k in present(found.instance)] if best else [job_by_job]
    return any(accepted(found.instance, kept(found.instance, drawn, found.y, ties)) for ties in orders)


def nobody(found: Round, best: bool = False) -> Fraction:
    """The probability that an iteration accepts no job."""
    return found.chance(lambda drawn: not accepts_one(found, drawn, best))


# --- each iteration accepts a job ------------------------------------------------------------------------------------


def accepts(case: Case, best: bool = False) -> Finding | None:
    """The probability that the iteration accepts no job is 0."""
    found = read(case)
    return None if found is None else Finding(nobody(found, best), ZERO, "at most", "Pr(no job is accepted)")


def accepts_repaired(case: Case) -> Finding | None:
    """With x^/y^ for the top job, first on each server, and the test of all three resources, that job is accepted.

    Proof
    -----
    After PRUNE with x = 1, LP_I has a solution with y_k = 1 for each single job that is left, so that its optimum is at
    least 1 and the top job has y^_k > 0. By (6) its x^/y^ add up to 1 for each data node: all are drawn. They come
    first on each server, and what a server gets of them are some of the job's candidates there, with which it copes by
    `prune_copes_repaired`: (21), (16) and (17) hold, and they are kept.
    """
    found = read(case)
    if found is None:
        return None
    rows, order = drawn_surely(found, [found.top]), first(found.top)
    lost = found.chance(
        lambda drawn: found.top not in accepted(found.instance, kept(found.instance, drawn, found.y, order, all_three)),
        rows,
    )
    return Finding(lost, ZERO, "at most", "Pr(the top job is not accepted)")


def _low_first(case: Case) -> Finding | None:
    """A false variant of the repaired claim: whichever job has its x^/y^, say the last one."""
    found = read(case)
    if found is None:
        return None
    low = min(present(found.instance), key=lambda k: found.y[k])
    if not found.y[low]:
        return None
    lost = found.chance(
        lambda drawn: low not in accepted(found.instance, kept(found.instance, drawn, found.y, fits=all_three)),
        drawn_surely(found, [low]),
    )
    return Finding(lost, ZERO, "at most", "Pr(the job of the lowest priority is not accepted)")


ACCEPTS = Claim(
    id="jrp.proposition1_accepts",
    source="paper 003, section IV-B, proof of Proposition 1",
    statement="At least one job is accepted in each iteration, or the algorithm finishes.",
    readings=(
        Reading("equals by the file", "Surely; equal priorities in the order of the jobs.", accepts),
        Reading(
            "equals in the best order", "Surely; equal priorities in the order that helps.", at(accepts, best=True)
        ),
    ),
    regimes=(*ROUNDS, SPREAD),
    strategy=draw.rounds(),
    planted=(Planted("even the lowest priority", _low_first),),
    witnesses=WITNESSES,
    repaired_by="jrp.proposition1_accepts_repaired",
)
ACCEPTS_REPAIRED = Claim(
    id="jrp.proposition1_accepts_repaired",
    source="paper 003, section IV-B, proof of Proposition 1, repaired",
    statement=(
        "If the data nodes of the job of the highest priority are drawn with x^/y^ and it comes first on each server, "
        "that job is accepted, and with (16), (17) beside (21) as the test it is served in time."
    ),
    readings=(Reading("all three resources", "Servers keep what passes (21), (16) and (17).", accepts_repaired),),
    regimes=(*ROUNDS, SPREAD),
    strategy=draw.rounds(),
    planted=(Planted("as printed", accepts), Planted("the lowest priority", _low_first)),
)

# --- at most p iterations --------------------------------------------------------------------------------------------


def more_than_p(case: Case, best: bool = False) -> Finding | None:
    """The probability of p iterations that accept no job, after which there is another, is 0.

    An iteration that accepts none changes nothing: what PRUNE has left it leaves again, with the same LP_I.
    """
    found = read(case)
    if found is None:
        return None
    chance = nobody(found, best) ** len(found.instance.jobs)
    return Finding(chance, ZERO, "at most", "Pr(more than p iterations), at least")


def expected(case: Case) -> Finding | None:
    """The iterations up to the first that accepts a job are at most p on average; equals in the best order."""
    found = read(case)
    if found is None:
        return None
    mean = 1 / (1 - nobody(found, best=True))
    return Finding(mean, Fraction(len(found.instance.jobs)), "at most", "E(iterations), at least")


def iterations_repaired(case: Case) -> Finding | None:
    """Whatever is drawn, the repaired algorithm ends after at most p iterations.

    Proof
    -----
    In each iteration PRUNE works on a copy. If no job is left in the copy, the algorithm ends. Otherwise the top job is
    accepted (`proposition1_accepts_repaired`) and leaves the instance, to which no job returns. There are p jobs.
    """
    found = read(case)
    if found is None:
        return None
    return Finding(Fraction(longest(case.instance)), Fraction(len(case.instance.jobs)), "at most", "iterations")


def _one_fewer(case: Case) -> Finding | None:
    found = iterations_repaired(case)
    return None if found is None else Finding(found.measured, found.claimed - 1, "at most", "iterations")


ITERATIONS = Claim(
    id="jrp.proposition1_iterations",
    source="paper 003, Proposition 1",
    statement="Algorithm 1 finishes in at most p iterations.",
    readings=(
        Reading("surely", "Whatever is drawn; equal priorities in the order of the jobs.", more_than_p),
        Reading("surely, best order", "Equal priorities in the order that helps.", at(more_than_p, best=True)),
        Reading("on average, best order", "In expectation; equal priorities in the order that helps.", expected),
    ),
    regimes=(*ROUNDS, SPREAD),
    strategy=draw.rounds(),
    planted=(Planted("one iteration is enough", lambda case: _within(case, 1)),),
    witnesses=WITNESSES,
    repaired_by="jrp.proposition1_iterations_repaired",
)


def _within(case: Case, most: int) -> Finding | None:
    found = read(case)
    return None if found is None else Finding(nobody(found) ** most, ZERO, "at most", "Pr(more iterations)")


ITERATIONS_REPAIRED = Claim(
    id="jrp.proposition1_iterations_repaired",
    source="paper 003, Proposition 1, repaired",
    statement="With the top job drawn from x^/y^, first on each server and all resources tested: at most p iterations.",
    readings=(Reading("surely", "Whatever is drawn.", iterations_repaired),),
    regimes=(*ROUNDS, SPREAD),
    strategy=draw.rounds(),
    planted=(Planted("p - 1 iterations", _one_fewer),),
)

CLAIMS = table(ACCEPTS, ACCEPTS_REPAIRED, ITERATIONS, ITERATIONS_REPAIRED)
