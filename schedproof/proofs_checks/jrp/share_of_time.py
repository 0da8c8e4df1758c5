"""Section IV-A: is epsilon the ratio of communication to total time?"""

from __future__ import annotations

from collections.abc import Callable
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
    Repair,
    with_settings,
)
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared.time_split import (
    EPSILON_ALONE,
    NO_PARAMETERS,
    NO_WORK,
    computing,
    holds16,
    holds17,
    sending,
)
from schedproof.proofs_checks.strategies import jrp_model as draw
from schedproof.proofs_checks.strategies.jrp_model import OnServer
from schedproof.reference.jrp import ONE

NO_TIME = Outside("which satisfy (16) and (17) and take some time")
NOT_TIGHT = Outside("(16) and (17) hold with equality")


def ratio_is(case: OnServer) -> Answer:
    """Sending takes the part epsilon of the job's training time."""
    times = _times(case)
    return Finding(times[1] / sum(times), case.epsilon, "equal", "sending / total time") if times else NO_TIME


def ratio_at_most(case: OnServer) -> Answer:
    """Sending takes at most the part epsilon of the job's training time."""
    times = _times(case)
    return Finding(times[1] / sum(times), case.epsilon, "at most", "sending / total time") if times else NO_TIME


def of_deadline(case: OnServer, kept: Fraction = ONE) -> Answer:
    """Sending takes at most the part epsilon of the time that the job may take, tau."""
    times = _times(case)
    if not times:
        return NO_TIME
    return Finding(times[1] / case.tau, kept * case.epsilon, "at most", "sending / the deadline")


OF_DEADLINE_PROOF = Proof(
    """
    (16) divided by lambda f r^b; where r^b = 0 it says that there is nothing to send, which takes no time.
    """,
    answers={
        "Then epsilon is a limit, not a ratio.": "So it is: as a ratio of the training time it is refuted, this "
        "reading is what remains.",
    },
)


def tight(case: OnServer) -> Answer:
    """Where (16) and (17) hold with equality, r^b and r^c not 0, sending takes the part epsilon of training."""
    times = _times(case)
    return ratio_is(case) if times == ((1 - case.epsilon) * case.tau, case.epsilon * case.tau) else NOT_TIGHT


TIGHT_PROOF = Proof(
    """
    Then sending takes epsilon tau and computing (1 - epsilon) tau, by (16) and (17) divided by lambda f r^b and f r^c.
    """,
    answers={
        "Does LP_I have such solutions?": "Yes: no other row asks for more r^b or r^c, so that both may be as small "
        "as (16) and (17) allow.",
    },
)


def _times(case: OnServer) -> tuple[Fraction, Fraction] | None:
    """Computing and sending time of a job that satisfies (16) and (17) and takes some time."""
    work, sent = computing(case), sending(case)
    within = holds16(case, case.epsilon) and holds17(case, case.epsilon)
    return (work, sent) if within and work is not None and sent is not None and work + sent else None


def _of_times(name: str, reached: Callable[[Fraction, Fraction, Fraction], bool]) -> Regime[OnServer]:
    """A regime of computing time, sending time and the deadline."""

    def met(case: OnServer) -> bool:
        times = _times(case)
        return times is not None and reached(*times, case.tau)

    return Regime(name, met)


TIMES = Domain(
    OnServer,
    draw.on_servers().map(lambda case: case.raised),
    (
        _of_times("most of the time is sending", lambda work, sent, tau: sent > work),
        _of_times("most of the time is computing", lambda work, sent, tau: sent < work),
        _of_times("less time than the deadline", lambda work, sent, tau: work + sent < tau),
        NO_PARAMETERS,
        NO_WORK,
    ),
)
DEADLINE: Reading[OnServer] = Reading(
    "of the deadline", "The total time is tau, the time that the job may take.", of_deadline, proof=OF_DEADLINE_PROOF
)

SHARE = Claim(
    id="jrp.share_of_time",
    source=WANG19.at("section IV-A, before (16)"),
    statement="epsilon indicates the ratio of communication time to the total time of the accepted job requests, "
    "which satisfy (16) and (17) and take some time.",
    severity="slip",
    readings=(
        Reading("equal to epsilon", "The job's communication time over its training time on a server.", ratio_is),
        Reading("at most epsilon", "The same; 'the communication time of a job is often restricted'.", ratio_at_most),
        DEADLINE,
    ),
    domain=TIMES,
    false_variants=(FalseVariant("half of it, of the deadline", with_settings(of_deadline, kept=Fraction(1, 2))),),
    old_repair=Repair(
        statement="For jobs which satisfy (16) and (17) and take some time, epsilon is the largest part of the "
        "deadline that communication may take, and its part of the training time where (16) and (17) hold with "
        "equality.",
        readings=(
            DEADLINE,
            Reading("(16) and (17) with equality", "Resources as small as they may be.", tight, proof=TIGHT_PROOF),
        ),
        domain=TIMES.but(regimes=(*TIMES.regimes, EPSILON_ALONE)),
        false_variants=(FalseVariant("of the training time, without equality", ratio_at_most),),
    ),
)
