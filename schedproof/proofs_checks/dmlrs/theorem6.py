"""Theorem 6 (G > 1): the probability of a feasible solution, and the ratio.

The ratio holds if each job takes a small share of a machine.
"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Domain, Outside, Premise, Regime
from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.competitive import (
    beside,
    flat,
    lasting_utilities,
    printed_factor,
    ratio_claim,
)
from schedproof.proofs_checks.dmlrs.shared.optimum import at_most_optimum
from schedproof.proofs_checks.dmlrs.shared.premises import PRICED_REPAIRED
from schedproof.proofs_checks.dmlrs.shared.regimes import outcome
from schedproof.proofs_checks.dmlrs.shared.rounding import printed_above
from schedproof.proofs_checks.dmlrs.shared.slot_rounding import gain4
from schedproof.proofs_checks.dmlrs.shared.states import probability
from schedproof.proofs_checks.strategies import dmlrs_ratio as draw
from schedproof.proofs_checks.strategies.dmlrs_ratio import MACHINE_SIZE, Compared
from schedproof.reference.dmlrs import Outcome


def some_job_pays(case: Compared) -> bool:
    """Whether some job that can finish earns 2 D_0 at the horizon.

    True if there are no prices.
    """
    out = outcome(case, "denominators")
    return (
        not isinstance(out, Outcome) or max(lasting_utilities(case.instance), default=Fraction(0)) >= 2 * out.start[1]
    )


SOME_JOB_PAYS: Premise[Compared] = Premise("2 D_0 <= u_i(T - a_i) for a job that can finish", some_job_pays)
FLAT: Premise[Compared] = Premise("(U^r/L)^x <= 4/3", lambda case: flat(case.instance, "denominators"))


def gain_30(instance: Instance, delta: Fraction) -> Fraction:
    """A lower bound on the largest G_delta of (30) over the jobs.

    W_1 = v c_e for one sample.
    """
    return printed_above(min(job.external_time for job in instance.jobs), 1, delta)[1]


THEOREM6_RATIO = ratio_claim(6, "G > 1 of (30)", gain_30)
REPAIRED = THEOREM6_RATIO.repair(
    "Let the prices be (12) with exact theta, U^r = max u_i(ceil(V c_i/F)) over the smallest positive one"
    " of alpha, beta, and 0 < L <= U^r. If no job takes more than x C of a resource in a slot, (U^r/L)^x "
    "<= 4/3 and 2 D_0 <= u_i(T - a_i) for a job that can finish, then OPT <= 6 max_r(1, ln(U^r/L)) P, and"
    " so OPT <= (6 G/delta) max_r(1, ln(U^r/L)) P with G > 1.",
    domain=Domain(
        Compared,
        draw.crowds(),
        (*regimes.of_run("denominators"), Regime("more jobs than fit", lambda c: len(c.instance.jobs) > MACHINE_SIZE)),
        (PRICED_REPAIRED, FLAT),
    ),
)
# the rows that pack
THEOREM6_PROBABILITY = probability(6, "delta/(3 (HR + 1))", gain4, lambda slot: slot.rows, above_one=True)

SMALL_SHARES_PROOF = """
Let K = max_r (U^r/L)^x <= 4/3. A schedule pi that does not fit the free capacity meets some rho > (1 - x) C. The price
there is at least U^r (L/U^r)^x >= U^r/K, so K p a_pi >= u_i(pi). A schedule that fits has lambda_i >= u_i(pi) - p a_pi.
So lambda and K p satisfy (11). An admitted job that takes y C of a resource, y <= x, pays c = sum p y C. It raises C p
by p C ((U^r/L)^y - 1) <= eps p y C, where eps = max(1, max_r ((U^r/L)^x - 1)/x) (lemma10_finite_repaired, printed
price). As K eps >= 1, D = sum lambda + K sum p C grows by at most lambda_i + K eps c <= K eps u. So OPT <= K (D_0 + eps
P). By the premise the job by itself earns at least 2 D_0, so D_0 <= OPT/2. Hence OPT <= K eps/(1 - K/2) P <= 4 eps P.
Let z = x ln(U^r/L) <= ln(4/3). Then ((U^r/L)^x - 1)/x = ln(U^r/L) (e^z - 1)/z <= 1.16 ln(U^r/L), as (e^z - 1)/z does
not decrease and is (1/3)/ln(4/3) < 1.16 at the end. So 4 eps <= 4.64 max(1, ln(U^r/L)). Finally, G > 1 >= delta.
Coq, core: dmlrs.v theorem6_ratio. Outside: that no schedule earns more than U^r for each unit of r that it uses
(price_blocks_repaired). The job that can finish is a solution by itself, and an optimal solution exists. Algorithm 2
with exact theta is
the rule of `run`. Finally, 6 G/delta >= 6.
- *PD-ORS may not have charged K p.* It need not: any lambda, p >= 0 that satisfy (11) bound OPT from above. The growth
is counted in K p from the first job on.
- *Why is the premise on D_0 needed, if L is so small?* L is small against the jobs that last to the horizon. If none
of these can finish, PD-ORS may reject all others (theorem6_ratio-patient: P = 0).
- *PD-ORS may choose schedules of more than x C.* x is the largest share that any schedule takes in a slot, of OPT or of
PD-ORS.
"""


@REPAIRED.reading(
    "small shares", "The case is the one that Appendix C intends.", SMALL_SHARES_PROOF, where=(SOME_JOB_PAYS,)
)
@REPAIRED.false_variant("a twelfth of it", share=Fraction(1, 12))
@REPAIRED.false_variant("whatever D_0 is", started=False)
def small_shares(case: Compared, share: Fraction = Fraction(1), started: bool = True) -> Answer:
    """OPT <= 6 max_r(1, ln(U^r/L)) P_I with the prices (12), for small shares.

    U^r is repaired and theta exact.

    Parameters
    ----------
    started
        Whether some job that can finish must earn 2 D_0 at the horizon for the case to count.
    """
    out = outcome(case, "denominators")
    if not isinstance(out, Outcome):
        return out
    if started and not some_job_pays(case):
        return Outside(SOME_JOB_PAYS)
    bound = 6 * printed_factor(out) * out.primal
    return beside(at_most_optimum(case.instance, case.plan), bound, share, "OPT over 6 max(1, ln(U/L)) P")
