"""Section III-C, (41)(i): the inequality behind Theorem 1."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Premise
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import Compared, all_utilities
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import ZERO, Matrix


def is_linear(case: Compared) -> bool:
    """Whether there is one resource and all utilities are linear.

    Then no gradient depends on y.
    """
    return len(case.instance.resources) == 1 and all(f.kind == "linear" for f in all_utilities(case.instance))


@lru_cache(maxsize=4)
def run(case: Compared) -> oga.OgaRun:
    return oga.play(case.instance, case.start, oga.constant(case.step))


LINEAR_OPTIMUM: Premise[Compared] = Premise("the optimum (10) is that of a linear program", is_linear)
EXACT = regimes.exact(run)

INEQUALITY41 = Claim(
    "multiserver.inequality41",
    ZHAO24.at("section III-C, (41)(i)"),
    "sum_t grad q (y* - y(t)) <= (eta/2) sum |grad q|^2 + (|y(1) - y*|^2 - |y(T) - y*|^2)/(2 eta).",
    Domain(Compared, draw.compared_cases(), (*regimes.RUNS, *regimes.MANY)),
    severity="slip",
)
REPAIRED = INEQUALITY41.repair("(41)(i) with y(T + 1) in place of y(T), for every y* in Y.", small=True)

TELESCOPED_PROOF = """
y(t + 1) is the projection of y(t) + eta g_t onto Y, a closed convex set that contains y*. A projection does not
increase the distance to any point of the set: ||y(t + 1) - y*||^2 <= ||y(t) + eta g_t - y*||^2 = ||y(t) - y*||^2 +
eta^2 ||g_t||^2 - 2 eta g_t (y* - y(t)). Divide by 2 eta and sum over t = 1, ..., T: the distances telescope from y(1)
to y(T + 1). No other property of y* and g_t is used.
Coq: oga_regret.v oga_inequality41. Objects: instance, oga, next, project, gradient, total. In words: slots are numbered
from 0, so y(T + 1) is y T.
- *(40) has eta_t where the step from t - 1 to t has eta_(t-1).* The step is constant here, so the index does not
matter.
- *Dropping the last distance hides its index.* Both distances are at least 0, so (41)(ii) and Theorem 1 do not change.
(i) itself changes.
"""


@INEQUALITY41.reading(
    "optimum",
    "y* is the optimum (10).",
    best=True,
    where=(LINEAR_OPTIMUM, EXACT),
)
@INEQUALITY41.reading("any point", "y* is any point of Y.", where=(EXACT,))
@REPAIRED.reading(
    "any point",
    "y* is any point of Y, such as the optimum (10).",
    TELESCOPED_PROOF,
    last=1,
    where=(EXACT,),
)
@INEQUALITY41.false_variant("without the first term", last=1, norms=False, also=REPAIRED)
@REPAIRED.false_variant("y(T) as printed")
@regimes.of_exact_runs
def telescope(case: Compared, last: int = 0, best: bool = False, norms: bool = True) -> Answer:
    """(41)(i): a bound on sum_t g_t (y* - y(t)) by norms and distances.

    The bound is (eta/2) sum ||g_t||^2 + (||y(1) - y*||^2 - ||y(T + last) - y*||^2)/(2 eta).

    Parameters
    ----------
    last
        0 for the last term y(T), as printed; 1 for y(T + 1).
    best
        Whether y* is the optimum (10), for one resource and linear utilities; else any point of Y.
    norms
        Whether the first term is included; the false variant omits it.
    """
    eta, ours = case.step, run(case)
    point = oga.best_linear(case.instance, oga.add(*ours.gradients)) if best else case.fixed
    gained = sum((oga.dot(g, point) - oga.dot(g, y) for g, y in zip(ours.gradients, ours.decided, strict=True)), ZERO)
    end = ours.after if last else ours.decided[-1]
    shrunk = apart(ours.decided[0], point) - apart(end, point)
    limit = norms * eta / 2 * sum(ours.norms, ZERO) + shrunk / (2 * eta)
    return Finding(gained, limit, "at most", "sum of g_t (y* - y(t)), and the right side")


def apart(one: Matrix, other: Matrix) -> Fraction:
    return oga.square(oga.add(one, oga.multiple(Fraction(-1), other)))
