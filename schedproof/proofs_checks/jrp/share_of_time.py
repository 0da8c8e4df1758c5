"""Section IV-A: is epsilon the ratio of communication to total time?"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared import time_split
from schedproof.proofs_checks.strategies import jrp_model as draw
from schedproof.proofs_checks.strategies.jrp_model import OnServer
from schedproof.reference.jrp import ONE, ZERO

TIMES = Domain.of(
    OnServer,
    draw.on_servers().map(lambda case: case.with_enough),
    {
        "most of the time is sending": lambda case: takes(case, lambda work, sent: sent > work),
        "most of the time is computing": lambda case: takes(case, lambda work, sent: sent < work),
        "less time than the deadline": lambda case: takes(case, lambda work, sent: work + sent < case.tau),
    },
    time_split.NO_PARAMETERS,
    time_split.NO_WORK,
    premises=(Premise("(16) and (17) hold, and the job takes some time", lambda case: _times(case) is not None),),
)
SHARE = Claim(
    "jrp.share_of_time",
    WANG19.at("section IV-A, before (16)"),
    "epsilon indicates the ratio of communication time to the total time of the accepted job requests, "
    "which satisfy (16) and (17) and take some time.",
    TIMES,
    severity="slip",
)
REPAIRED = SHARE.repair(
    "For jobs which satisfy (16) and (17) and take some time, epsilon is the largest part of the deadline "
    "that communication may take. If (16) and (17) hold with equality, it is the part of the training "
    "time.",
    domain=TIMES.but(regimes=(*TIMES.regimes, time_split.EPSILON_ALONE)),
)
TIGHT: Premise[OnServer] = Premise(
    "(16) and (17) hold with equality",
    lambda case: _times(case) == ((1 - case.epsilon) * case.tau, case.epsilon * case.tau),
)
TIGHT_PROOF = """
Then sending takes epsilon tau and computing (1 - epsilon) tau, by (16) and (17) divided by lambda f r^b and f r^c.
Coq: jrp.v share_of_deadline. Objects: split16, split17. In words: a and b are the times of computing and sending at
rate 1, in units of the deadline; both add up to all of it.
- *Does LP_I have such solutions?* Yes: no other row needs more r^b or r^c, so both may be as small as (16) and (17)
allow.
"""


@SHARE.reading("equal to epsilon", "The share is the job's communication time over its training time on a server.")
@REPAIRED.reading(
    "(16) and (17) with equality", "The resources are as small as (16) and (17) allow.", TIGHT_PROOF, where=(TIGHT,)
)
def ratio_is(case: OnServer) -> Finding:
    return Finding(_sending(case), case.epsilon, "equal", "sending / total time")


@SHARE.reading(
    "at most epsilon",
    "The share of communication time is at most epsilon: 'the communication time of a job is often restricted'.",
)
@REPAIRED.false_variant("of the training time, without equality")
def ratio_at_most(case: OnServer) -> Finding:
    return Finding(_sending(case), case.epsilon, "at most", "sending / total time")


OF_DEADLINE_PROOF = """
Divide (16) by lambda f r^b. If r^b = 0, (16) states that the traffic is 0, which takes no time.
Coq: jrp.v share_of_deadline. Objects: split16, split17. In words: a and b are the times of computing and sending at
rate 1, in units of the deadline.
- *Then epsilon is a limit, not a ratio.* Yes: as a ratio of the training time it is refuted; this reading remains.
"""


@SHARE.reading(
    "of the deadline", "The total time is tau, the time that the job may take.", OF_DEADLINE_PROOF, also=REPAIRED
)
@SHARE.false_variant("half of it, of the deadline", kept=Fraction(1, 2))
def of_deadline(case: OnServer, kept: Fraction = ONE) -> Finding:
    _, sent = _times(case) or (ZERO, ZERO)
    return Finding(sent / case.tau, kept * case.epsilon, "at most", "sending / the deadline")


def _sending(case: OnServer) -> Fraction:
    work, sent = _times(case) or (ONE, ZERO)
    return sent / (work + sent)


def _times(case: OnServer) -> tuple[Fraction, Fraction] | None:
    work, sent = time_split.computing(case), time_split.sending(case)
    within = time_split.holds16(case, case.epsilon) and time_split.holds17(case, case.epsilon)
    return (work, sent) if within and work is not None and sent is not None and work + sent else None


def takes(case: OnServer, reached: Callable[[Fraction, Fraction], bool]) -> bool:
    """Whether the job satisfies (16) and (17) with these computing and sending times."""
    times = _times(case)
    return times is not None and reached(*times)
