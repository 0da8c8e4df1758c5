"""Section VI, (9): is it the dual of relaxed (8)?"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Multipliers

DUAL = Claim(
    "preemptive.capacitated_dual",
    WANG22.at("section VI, (9)"),
    "(9) is the dual of relaxed (8): the value of a feasible point of (9) is at most the cost of a "
    "feasible point of (8).",
    Domain.of(
        Multipliers,
        draw.multipliers(),
        {
            "storage-bound": lambda case: case.room < case.size * case.workers,
            "storage ample": lambda case: case.room >= case.size * case.workers,
            "storage has a price": lambda case: any(case.eta),
            "workers have a price": lambda case: any(case.beta),
        },
        premises=(Premise("a feasible point of (9)", lambda case: dual9_value(case) is not None),),
    ),
    severity="false proof step",
)
REPAIRED = DUAL.repair(
    "(9) is the dual of relaxed (4) with storage counted only while a chunk is trained: the value of a "
    "feasible point of (9) is at most the cost of a feasible point of (8) with this count."
)


def solvable(stored: str) -> tuple[Premise[Multipliers]]:
    """Whether relaxed (8), in this reading, has a feasible point within the horizon."""
    return (Premise("there is a feasible point of (8)", lambda case: primal8_value(case, stored) is not None),)


@DUAL.reading(
    "(7a), (7c), (7d) dropped", "The rows are dropped, as in the text: y and x share no row.", where=solvable("dropped")
)
@DUAL.reading("(7a) kept", "y_jdsw(t) <= x_jds(t), without (4e).", where=solvable("kept"), stored="kept")
@DUAL.false_variant("twice the value", stored="trained", factor=2)
def weakly_dual(case: Multipliers, stored: str = "dropped", factor: int = 1) -> Finding:
    dual, primal = dual9_value(case) or Fraction(0), primal8_value(case, stored) or Fraction(0)
    return Finding(factor * dual, primal, "at most", "a point of (9), and relaxed (8)")


TRAINED_ROWS = """
The program minimises sum c y with c = n (t - r_j)/(E D B) and y >= 0 subject to three kinds of rows. The first is sum a
y >= 1 for each chunk (multiplier alpha >= 0, a = n/(E B)). The second is -sum_jd y >= -1 for each worker and slot (beta
>= 0). The third is -sum_jd u_j sum_w y >= -U_s for each server and slot (eta >= 0). The dual of min cy, Ay >= b, y >= 0
is max b'lambda, A'lambda <= c, lambda >= 0. The column of y_jdsw(t) has the entries a, -1 and -u_j in the rows
alpha_jd, beta_sw(t) and eta_s(t). This gives (9a), and b gives the objective of (9). In this program a chunk is stored
only while it is trained, unlike in (7).
Coq: preemptive.v weak_duality_9_8. Objects: feasible8, feasible9, primal_cost, dual_worth. In words: a column that (4h)
forbids has rate and cost 0 there.
- *(7a)-(7d) require more than these rows.* Yes. The statement is about the program with only these rows, which is not
the program that section VI describes.
- *Where is (4e)?* It is omitted, as for (6); this only lowers the optimum (eq4e_redundant_repaired).
"""


@REPAIRED.reading(
    "x := sum_w y", "x is sum_w y, and (4c)-(4g) are dropped, as for (6).", TRAINED_ROWS, where=solvable("trained")
)
def dual_of_trained(case: Multipliers) -> Finding:
    return weakly_dual(case, "trained")


def dual9_value(case: Multipliers) -> Fraction | None:
    """The objective of (alpha, beta, eta) in (9) for one job of one chunk.

    The instance has one server. Return None if the point violates (9a).
    """
    for t, (b, e) in enumerate(zip(case.beta, case.eta, strict=True)):
        if min(b, e, case.alpha) < 0 or case.alpha / case.time > Fraction(t) / case.time + b + e * case.size:
            return None
    return case.alpha - case.workers * sum(case.beta, Fraction(0)) - case.room * sum(case.eta, Fraction(0))


def primal8_value(case: Multipliers, stored: str) -> Fraction | None:
    """The least cost of relaxed (8) for a job of one chunk: fill the earliest slots.

    Return None if the horizon is too short.

    Parameters
    ----------
    stored
        The bound on y in a slot. ``dropped``: only (4b), as (7a), (7c), (7d) are left out. ``kept``: y <= x and (7b),
        so that u y <= U_s for each worker. ``trained``: x := sum_w y, so that u sum_w y <= U_s.
    """
    rest, cost = case.time, Fraction(0)
    stores = case.room / case.size
    rates = {
        "dropped": case.workers,
        "kept": case.workers * min(Fraction(1), stores),
        "trained": min(case.workers, stores),
    }
    for t in range(len(case.eta)):
        taken = min(rest, rates[stored])
        cost, rest = cost + taken * t / case.time, rest - taken
    return None if rest else cost
