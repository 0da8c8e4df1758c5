"""Theorem 3 from below: emptiest-server rules are no better than 4/(1 + eps).

This holds at any speed.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.shared.comparison_schedules import Piece, fractional_cost, pieces, total_jct
from schedproof.proofs_checks.preemptive.shared.premises import WITHIN_REPAIRED
from schedproof.proofs_checks.preemptive.shared.regimes import outcome
from schedproof.proofs_checks.strategies import preemptive_traps as draw
from schedproof.proofs_checks.strategies.preemptive_traps import Knockout
from schedproof.reference.preemptive import Order

KNOCKOUT = Claim(
    "preemptive.theorem3_knockout",
    WANG22.at("section IV-E, next to Theorem 3; not printed"),
    "For every rational eps > 0, every w >= 2 and all R, u >= 1 there are jobs of one chunk, within the "
    "premises of theorem3_minlp_repaired, on which A_online at speed 1 + eps costs at least R (2 - "
    "1/w)^2/((R - 1 + w^2) (1 + 1/(4 u)) (1 + eps)) times the optimum at speed 1. The same holds for any "
    "rule that sends each job to a server with fewest jobs. So no ratio below 4/(1 + eps) holds, and at "
    "eps = 1 the ratio 2 of theorem3_minlp_repaired is the best.",
    Domain.of(
        Knockout,
        draw.knockouts(),
        {
            "eps below 1": lambda case: case.speed < 2,
            "eps = 1": lambda case: case.speed == 2,
            "eps above 1": lambda case: case.speed > 2,
            "one round": lambda case: case.rounds == 1,
            "several rounds": lambda case: case.rounds > 1,
            "several servers stay": lambda case: case.width > 2,
        },
    ),
)
ROUNDS_COUNT_ALIKE = """
Let s = 1 + eps = c/b with integers b and c. Take N = w^(2 R) servers of one worker, and jobs of one chunk that takes b
slots at speed s and c slots at speed 1. Delays are 0, and all jobs come at 0. In round i = 0, ..., R - 1 the n_i = w^(2
(R - i)) (w - 1)^(2 i) remaining servers form groups of w^2. For each group come w^2 (V_i - V_(i-1)) jobs that may go to
each of its servers. Here V_i = u (2 w - 1) (w - 1)^(R-1-i) w^i and V_(-1) = 0. Then (w - 1)^2 servers of the group stay
for the next round, and 2 w - 1 do not. First consider A_online. Let each remaining server have V_(i-1) jobs. A job goes
to a server with fewest jobs. So after V_i - V_(i-1) jobs for each server of the group, each of them has V_i jobs, for
every tie-breaking. For A_online the price (5) of a server with k jobs is (k + 1) b in both orders, because all chunks
are alike. V equal jobs on one worker cost at least b V (V + 1)/2, in every order. A fraction r = (2 w - 1)/w^2 of the
n_i servers leaves in this round, each with V_i jobs. These jobs cost at least r n_i b V_i^2/2. As n_i V_i^2 = N V_0^2
for each i, the total is at least R r b N V_0^2/2. Offline, at speed 1, the jobs of a round run on the servers of their
group that do not stay, which have no other jobs. Each of these servers gets U_i = (V_i - V_(i-1))/r jobs: V_0/r in
round 0, V_i/(w r) in later rounds. These are the integers u w^2 (w - 1)^(R-1) and u (w - 1)^(R-1-i) w^(i+1), and at
least 4 u. Round i costs r n_i c U_i (U_i + 1)/2, which is at most (1 + 1/(4 u)) r n_i c U_i^2/2. As 1/(w r) = 1/(2 -
1/w), all rounds together cost at most (1 + 1/(4 u)) r c N V_0^2/2 times (w^2 + R - 1)/(2 - 1/w)^2. The quotient is that
of the statement. With u = w^2 and R = w^3 it tends to 4/s. In continuous time, (4) charges each chunk the mean of t -
r_j over its run, which is the JCT minus half the chunk's time. So b V^2/2 and c U^2/2 replace b V (V + 1)/2 and c U
(U + 1)/2. The quotient is at least that of the statement with the factor 1 + 1/(4 u) removed. At eps = 1 it is 2, the
bound of theorem3_minlp_repaired for D_max = 1: 1 + 1/eps = (3 + eps)/(2 eps) = 2.
- *May a rule see all jobs of a slot before it places one?* The claim does not cover such a rule. This rule places them
one by one, as A_online dispatches the jobs of one slot, in the order of the file.
- *The optimum may be lower than the given schedule.* Then the quotient to the optimum is larger still.
- *Is it the best at other speeds?* This is open. For eps >= 1 the proven bound exceeds 4/(1 + eps) by (1 - eps)^2/(eps
(1 + eps)), for eps < 1 by more.
"""


@KNOCKOUT.reading(
    "residual order",
    "The order is residual, in which theorem3_minlp_repaired holds, and time is in whole slots.",
    ROUNDS_COUNT_ALIKE,
)
@KNOCKOUT.reading(
    "static order", "The order is static, as printed, and time is in whole slots.", ROUNDS_COUNT_ALIKE, order="static"
)
@KNOCKOUT.false_variant("4/(1 + eps) from the first member on", at_once=True)
@KNOCKOUT.false_variant("all rounds are alike, the first one, too", alike=True)
def above(case: Knockout, order: Order = "residual", alike: bool = False, at_once: bool = False) -> Finding:
    """A_online's total JCT over that of a constructed, checked schedule; the bound."""
    least = Fraction(4) / case.speed if at_once else bound(case, alike)
    return Finding(outcome(case.online, order=order).total_jct / shown(case), least, "at least", "A_online, shown")


@KNOCKOUT.reading(
    "emptiest server",
    "Of several emptiest servers the last is chosen; jobs run in order of arrival.",
    ROUNDS_COUNT_ALIKE,
)
def of_the_rule(case: Knockout) -> Finding:
    waiting = Counter[str]()
    for job in case.online.instance.jobs:
        waiting[min(reversed(job.upload_delay), key=lambda name: waiting[name])] += 1
    total = case.speed.denominator * sum(n * (n + 1) // 2 for n in waiting.values())
    return Finding(total / shown(case), bound(case), "at least", "the rule, and a shown schedule")


@KNOCKOUT.reading(
    "objective of (4)",
    "The objective is that of A_online in continuous time, as in theorem3_ilp_fluid.",
    ROUNDS_COUNT_ALIKE,
)
@KNOCKOUT.false_variant("objective of (4), all rounds alike", alike=True)
def objective(case: Knockout, alike: bool = False) -> Finding:
    out = outcome(case.online, whole_slots=False)
    mine = fractional_cost([Piece(c.job, c.work, tuple(out.runs(c))) for c in out.chunks])
    quotient = mine / fractional_cost(pieces(case.online, whole_slots=False))
    return Finding(quotient, bound(case, alike) * (1 + Fraction(1, 4 * case.scale)), "at least", "(4), A_online, shown")


@KNOCKOUT.reading(
    "inside the premises",
    "The instances satisfy the premises of theorem3_minlp_repaired, in whole slots.",
    ROUNDS_COUNT_ALIKE,
)
def inside(case: Knockout) -> Finding:
    met = sum(premise.met(case.online) for premise in WITHIN_REPAIRED)
    return Finding(Fraction(met), Fraction(len(WITHIN_REPAIRED)), "equal", "premises met")


def bound(case: Knockout, alike: bool = False) -> Fraction:
    """The lower bound of the claim on A_online's ratio.

    With ``alike`` the additional cost of the first round is omitted.
    """
    w, rounds = Fraction(case.width), case.rounds
    cost = (rounds if alike else rounds - 1 + w**2) * (1 + Fraction(1, 4 * case.scale)) * case.speed
    return rounds * (2 - 1 / w) ** 2 / cost


def shown(case: Knockout) -> Fraction:
    return total_jct(pieces(case.online, whole_slots=True))
