"""The deadline (10) and the split of time (16), (17) of a job on a server."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Regime
from schedproof.proofs_checks.strategies.jrp_model import OnServer
from schedproof.reference.jrp import ONE, ZERO


def computing(case: OnServer) -> Fraction | None:
    """Return the computing time T t^comp of (2); None if it is infinite."""
    return _time(case.work, case.r_c)


def sending(case: OnServer) -> Fraction | None:
    """Return the communication time T t^comm of (3); None if it is infinite."""
    return _time(case.traffic, case.r_b)


def _time(amount: Fraction, rate: Fraction) -> Fraction | None:
    if not amount:
        return ZERO
    return amount / rate if rate else None


def total(case: OnServer) -> Fraction | None:
    work, sent = computing(case), sending(case)
    return None if work is None or sent is None else work + sent


def holds10(case: OnServer) -> bool:
    """Return whether the deadline (10) is met: T (t^comp + t^comm) <= tau."""
    time = total(case)
    return time is not None and time <= case.tau


def holds16(case: OnServer, share: Fraction) -> bool:
    """Return whether (16) holds with lambda in place of eta."""
    return case.T * case.h * case.D - share * case.tau * case.lambda_ * case.f * case.r_b <= 0


def holds17(case: OnServer, share: Fraction) -> bool:
    return case.T * case.g * case.D - (1 - share) * case.tau * case.f * case.r_c <= 0


def ends(case: OnServer) -> tuple[Fraction, Fraction] | None:
    """The interval of shares in [0, 1] that satisfy (16) and (17), or None if empty.

    (16) gives the lower end of the interval, (17) the upper end. A rate of 0 is possible only without traffic or
    without work.
    """
    sent, work = case.T * case.h * case.D, case.T * case.g * case.D
    across, over = case.tau * case.lambda_ * case.f * case.r_b, case.tau * case.f * case.r_c
    if (sent and not across) or (work and not over):
        return None
    return sent / across if across else ZERO, 1 - work / over if over else ONE


NO_WORK: Regime[OnServer] = Regime("no work", lambda case: not case.g)
NO_PARAMETERS: Regime[OnServer] = Regime("no parameters", lambda case: not case.h)
EPSILON_ALONE: Regime[OnServer] = Regime(
    "epsilon alone will do", lambda case: ends(case) == (case.epsilon, case.epsilon)
)
