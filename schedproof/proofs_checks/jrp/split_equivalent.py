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
    "(10) is transformed into (16) and (17): they say the same of a job on a server.",
    PAIRS.but(regimes=(*PAIRS.regimes, Regime("no compute", lambda case: not case.r_c), time_split.EPSILON_ALONE)),
    severity="slip",
)
REPAIRED = SPLIT.repair(
    "(16) with lambda_k, and (17), imply (10); (10) implies them at some share in [0, 1] of its own.", domain=PAIRS
)
SPLIT.open_reading("eta_k as printed", "(16) as it stands.", "eta_k is not defined for a job")


@SPLIT.reading("the system's epsilon", "lambda_k for eta_k; one epsilon in (0, 1) for all.")
def system_epsilon(case: OnServer) -> Finding:
    both = time_split.holds16(case, case.epsilon) and time_split.holds17(case, case.epsilon)
    return _like10(case, both, "(16) and (17), (10)")


@SPLIT.reading("an epsilon of its own in (0, 1)", "lambda_k for eta_k; for each job and server another one.")
@REPAIRED.false_variant("a share in (0, 1)")
def own_inside(case: OnServer) -> Finding:
    span = time_split.ends(case)
    some = span is not None and span[0] <= span[1] and span[0] < 1 and span[1] > 0
    return _like10(case, some)


IMPLIES10_PROOF = """
(16) divided by lambda f r^b says that sending takes at most epsilon tau, (17) that computing takes at most (1 -
epsilon) tau; where r^b = 0, (16) says that there is nothing to send, and likewise (17). The sum is at most tau.
Coq: jrp.v split_implies_10. Objects: split16, split17, in_time10. In words: a and b are what computing and sending take
at rate 1, in units of the deadline.
- *Why is that less than equivalent?* The two parts are fixed for all jobs: one that computes for 0.9 tau and sends for
0.1 tau fails at epsilon = 1/2.
"""


BOTH: Premise[OnServer] = Premise(
    "(16) with lambda_k, and (17)",
    lambda case: time_split.holds16(case, case.epsilon) and time_split.holds17(case, case.epsilon),
)


@REPAIRED.reading("the system's epsilon", "At the share that is configured for all.", IMPLIES10_PROOF, where=(BOTH,))
def implies10(case: OnServer) -> Finding:
    return Finding(Fraction(time_split.holds10(case)), ONE, "equal", "(10)")


@REPAIRED.false_variant("(16) without epsilon")
def without_epsilon(case: OnServer) -> Finding:
    both = time_split.holds16(case, ONE) and time_split.holds17(case, case.epsilon)
    return Finding(Fraction(time_split.holds10(case)), Fraction(both), "at least", "(10)")


OWN_CLOSED_PROOF = """
Write p and q for the parts of tau that computing and sending take; a part is 0 where there is nothing to do. (16)
says q <= share and (17) p <= 1 - share (r = 0 is allowed where the part is 0, and only there). If both hold, p + q
<= 1, which is (10). If (10) holds, p + q <= 1 with p, q >= 0, and the share q, which is in [0, 1], satisfies both.
Coq: jrp.v share_of_its_own, split_implies_10. Objects: split16, split17, in_time10. In words: a and b are what
computing and sending take at rate 1, in units of the deadline.
- *Where r^b = 0 the quotient q is not defined.* (10) and (16) both say that there is nothing to send: q = 0.
"""


@SPLIT.reading(
    "an epsilon of its own in [0, 1]", "For each job and server another one.", OWN_CLOSED_PROOF, also=REPAIRED
)
def own_closed(case: OnServer) -> Finding:
    span = time_split.ends(case)
    return _like10(case, span is not None and max(span[0], ZERO) <= min(span[1], ONE))


@SPLIT.false_variant("they never hold", holds=False)
@SPLIT.false_variant("they always hold", holds=True)
def _like10(case: OnServer, holds: bool, where: str = "(16) and (17) at some share, (10)") -> Finding:
    return Finding(Fraction(holds), Fraction(time_split.holds10(case)), "equal", where)
