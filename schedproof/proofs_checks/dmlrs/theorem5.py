"""Theorem 5 (0 < G <= 1): how likely PD-ORS finds a feasible solution, its ratio, and its ratio for small shares."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import (
    Answer,
    Claim,
    Domain,
    FalseVariant,
    Finding,
    Outside,
    Proof,
    Reading,
    Regime,
    with_settings,
)
from schedproof.families.dmlrs import YU22
from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.competitive import (
    largest_share,
    lasting_utilities,
    printed_factor,
    ratio_claim,
)
from schedproof.proofs_checks.dmlrs.shared.optimum import at_most_optimum
from schedproof.proofs_checks.dmlrs.shared.regimes import outcome
from schedproof.proofs_checks.dmlrs.shared.rounding import printed_below
from schedproof.proofs_checks.dmlrs.shared.slot_rounding import gain3
from schedproof.proofs_checks.dmlrs.shared.states import probability
from schedproof.proofs_checks.strategies import dmlrs_ratio as draw
from schedproof.proofs_checks.strategies.dmlrs_ratio import MACHINE_SIZE, Compared
from schedproof.reference.dmlrs import demand, spots
from schedproof.reference.dmlrs_enclosures import power


def gain_29(instance: Instance, delta: Fraction) -> Fraction:
    """At least the largest G_delta of (29) that any job meets: W_2 = min(F, C/alpha, C/beta) on the empty cluster."""
    rows, found = len(instance.resources) * len(instance.machines) + 1, []
    for job in instance.jobs:
        sizes = [instance.machines[h].capacity[r] / d for _, h, r in spots(instance) for d in demand(job, r) if d]
        found.append(printed_below(min([Fraction(job.batch_size), *sizes]), rows, delta)[1])
    return max(found)


THEOREM5_RATIO = ratio_claim(5, "0 < G <= 1 of (29)", gain_29)
THEOREM5_PROBABILITY = probability(5, "delta/3", gain3, lambda slot: 1, above_one=False)  # the single cover row

# --- small shares ----------------------------------------------------------------------------------------------------


def small_shares(case: Compared, most: Fraction = Fraction(6)) -> Answer:
    """With the prices (12) and (U^r/L)^x <= 4/3, OPT <= 6 max_r(1, ln(U^r/L)) P_I; exact theta, U^r with the smallest.

    x C is the most that a job takes of a resource in a slot; U^r = max u_i(ceil(V c_i/F)) over the smallest positive
    one of alpha and beta; some job that can finish has u_i(T - a_i) >= 2 D_0.
    """
    out = outcome(case, "denominators")
    if out is None:
        return Outside("TODO")
    spread = max(out.tariff.highest.values()) / out.tariff.lowest
    if power(spread, largest_share(case.instance))[1] > Fraction(4, 3):
        return Outside("TODO")
    if max(lasting_utilities(case.instance), default=Fraction(0)) < 2 * out.start[1]:
        return Outside("TODO")
    claimed = most * printed_factor(out) * out.primal
    return Finding(at_most_optimum(case.instance, case.plan), claimed, "at most", "OPT, 6 max(1, ln(U/L)) P")


SMALL_SHARES_PROOF = Proof(
    """
    Let K = max_r (U^r/L)^x <= 4/3. A schedule pi that does not fit what is left meets some rho > (1 - x) C, where the
    price is at least U^r (L/U^r)^x >= U^r/K; so K p a_pi >= u_i(pi). One that fits has lambda_i >= u_i(pi) - p a_pi. So
    lambda and K p satisfy (11), and as in the repaired theorem OPT <= K (D_0 + eps P), eps = max(1, max_r ((U^r/L)^x -
    1)/x), with D_0 <= OPT/2: OPT <= K eps/(1 - K/2) P <= 4 eps P. With z = x ln(U^r/L) <= ln(4/3), ((U^r/L)^x - 1)/x =
    ln(U^r/L) (e^z - 1)/z <= 1.16 ln(U^r/L), as (e^z - 1)/z does not decrease. So 4 eps <= 4.64 max(1, ln(U^r/L)).
    """,
    answers={"TODO": "TODO"},
)


THEOREM5_RATIO_LIMIT = Claim(
    id="dmlrs.theorem5_ratio_limit",
    source=YU22.at("section 4.4, Theorems 5 and 6 (the ratio), for small shares"),
    statement="With the prices (12), exact theta and U^r over the smallest positive one of alpha, beta: if no job "
    "takes more than x C of a resource in a slot and (U^r/L)^x <= 4/3, then OPT <= 6 max_r(1, ln(U^r/L)) P.",
    readings=(
        Reading("small shares", "The regime that Appendix C has in mind.", small_shares, proof=SMALL_SHARES_PROOF),
    ),
    domain=Domain(
        Compared,
        draw.crowds(),
        (*regimes.of_run("denominators"), Regime("more jobs than fit", lambda c: len(c.instance.jobs) > MACHINE_SIZE)),
    ),
    false_variants=(FalseVariant("a fifteenth of it", with_settings(small_shares, most=Fraction(2, 5))),),
)
