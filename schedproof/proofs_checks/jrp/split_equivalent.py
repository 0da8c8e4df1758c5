"""Section IV-A: the relation of (16)-(17) to (10)."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise, Regime
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared import time_split
from schedproof.proofs_checks.strategies import jrp_model as draw
from schedproof.proofs_checks.strategies.jrp_model import OnServer
from schedproof.reference.jrp import ONE, ZERO

PAIRS = Domain.of(
    OnServer,
    draw.on_servers(),
    {
        "(10) holds with equality": lambda case: time_split.holds10(case) and time_split.total(case) == case.tau,
        "(10) holds with slack": lambda case: time_split.holds10(case) and time_split.total(case) != case.tau,
        "(10) fails": lambda case: not time_split.holds10(case),
        "no bandwidth": lambda case: not case.r_b,
    },
    time_split.NO_WORK,
    time_split.NO_PARAMETERS,
)
SPLIT = Claim(
    "jrp.split_equivalent",
    WANG19.at("section IV-A, (10), (16), (17)"),
    "(10) is transformed into (16) and (17): they are equivalent for a job on a server.",
    PAIRS.but(regimes=(*PAIRS.regimes, Regime("no compute", lambda case: not case.r_c), time_split.EPSILON_ALONE)),
    severity="slip",
)
REPAIRED = SPLIT.repair(
    "(16) with lambda_k, and (17), imply (10); (10) implies them at some share in [0, 1] for that job and server.",
    domain=PAIRS,
)
SPLIT.open_reading("eta_k as printed", "(16) as printed.", "eta_k is not defined for a job")


@SPLIT.reading("the system's epsilon", "lambda_k for eta_k; one epsilon in (0, 1) for all.")
def system_epsilon(case: OnServer) -> Finding:
    both = time_split.holds16(case, case.epsilon) and time_split.holds17(case, case.epsilon)
    return _like10(case, both, "(16) and (17), (10)")


@SPLIT.reading("an epsilon of its own in (0, 1)", "lambda_k for eta_k; each job and server has another epsilon.")
@REPAIRED.false_variant("a share in (0, 1)")
def own_inside(case: OnServer) -> Finding:
    span = time_split.ends(case)
    some = span is not None and span[0] <= span[1] and span[0] < 1 and span[1] > 0
    return _like10(case, some)


IMPLIES10_PROOF = """
Divided by lambda f r^b, (16) states that sending takes at most epsilon tau. (17) states that computing takes at most
(1 - epsilon) tau. If r^b = 0, (16) states that the traffic is 0; the same holds for (17) and computing. The sum is at
most tau.
Coq: jrp.v split_implies_10. Objects: split16, split17, in_time10. In words: a and b are the times of computing and
sending at rate 1, in units of the deadline.
- *Why is this not an equivalence?* The two parts are fixed for all jobs. A job that computes for 0.9 tau and sends for
0.1 tau fails at epsilon = 1/2.
"""


BOTH: Premise[OnServer] = Premise(
    "(16) with lambda_k, and (17)",
    lambda case: time_split.holds16(case, case.epsilon) and time_split.holds17(case, case.epsilon),
)


@REPAIRED.reading("the system's epsilon", "All jobs have the configured share.", IMPLIES10_PROOF, where=(BOTH,))
def implies10(case: OnServer) -> Finding:
    return Finding(Fraction(time_split.holds10(case)), ONE, "equal", "(10)")


@REPAIRED.false_variant("(16) without epsilon")
def without_epsilon(case: OnServer) -> Finding:
    both = time_split.holds16(case, ONE) and time_split.holds17(case, case.epsilon)
    return Finding(Fraction(time_split.holds10(case)), Fraction(both), "at least", "(10)")


OWN_CLOSED_PROOF = """
Let p and q be the parts of tau that computing and sending take; a part without work is 0. (16) is q <= share, and (17)
is p <= 1 - share. (r = 0 is allowed only if the part is 0.) If both hold, p + q <= 1, which is (10). If (10) holds, p +
q <= 1 with p, q >= 0, and the share q, which is in [0, 1], satisfies both.
Coq: jrp.v share_of_its_own, split_implies_10. Objects: split16, split17, in_time10. In words: a and b are the times of
computing and sending at rate 1, in units of the deadline.
- *Where r^b = 0 the quotient q is not defined.* (10) and (16) both say that the traffic is 0: q = 0.
"""


@SPLIT.reading(
    "an epsilon of its own in [0, 1]", "Each job and server has another epsilon.", OWN_CLOSED_PROOF, also=REPAIRED
)
def own_closed(case: OnServer) -> Finding:
    span = time_split.ends(case)
    return _like10(case, span is not None and max(span[0], ZERO) <= min(span[1], ONE))


@SPLIT.false_variant("they never hold", holds=False)
@SPLIT.false_variant("they always hold", holds=True)
def _like10(case: OnServer, holds: bool, where: str = "(16) and (17) at some share, (10)") -> Finding:
    return Finding(Fraction(holds), Fraction(time_split.holds10(case)), "equal", where)
