"""Section IV-A: what (16)-(17) have to do with (10). Claims split_equivalent and share_of_time.

A case is one job on one server, with the letters of the paper: T, f, g, h, tau and lambda of the job, D of (1), what
the job gets of the server, r^c and r^b, and epsilon. There is data: D > 0.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.strategies.jrp import st
from schedproof.proofs_checks.writing import at, of_data, table

Data = Any  # the letters
ZERO, ONE = Fraction(0), Fraction(1)
LETTERS = ("T", "f", "g", "h", "tau", "lambda", "D", "r_c", "r_b", "epsilon")


def computing(d: Data) -> Fraction | None:
    """T t^comp of (2), 0 where there is no work; None where it takes forever."""
    return _time(d["T"] * d["D"] * d["g"] / d["f"], d["r_c"])


def sending(d: Data) -> Fraction | None:
    """T t^comm of (3), 0 where there is nothing to send; None where it takes forever."""
    return _time(d["T"] * d["D"] * d["h"] / (d["lambda"] * d["f"]), d["r_b"])


def _time(amount: Fraction, rate: Fraction) -> Fraction | None:
    if not amount:
        return ZERO
    return Fraction(amount) / rate if rate else None


def holds10(d: Data) -> bool:
    """(10), t = T (t^comp + t^comm) <= tau."""
    time = total(d)
    return time is not None and bool(time <= d["tau"])


def total(d: Data) -> Fraction | None:
    """t of (4)."""
    work, sent = computing(d), sending(d)
    return None if work is None or sent is None else work + sent


def holds16(d: Data, share: Fraction) -> bool:
    """(16) with lambda in the place of eta."""
    return bool(d["T"] * d["h"] * d["D"] - share * d["tau"] * d["lambda"] * d["f"] * d["r_b"] <= 0)


def holds17(d: Data, share: Fraction) -> bool:
    """(17)."""
    return bool(d["T"] * d["g"] * d["D"] - (1 - share) * d["tau"] * d["f"] * d["r_c"] <= 0)


def ends(d: Data) -> tuple[Fraction, Fraction] | None:
    """The shares that satisfy (16) and (17) are those from the first to the second of these in [0, 1]; None: no share.

    (16) is a lower end for the share, or none where r^b = 0, when it needs h = 0; (17) likewise an upper end.
    """
    sent, work = d["T"] * d["h"] * d["D"], d["T"] * d["g"] * d["D"]
    across, over = d["tau"] * d["lambda"] * d["f"] * d["r_b"], d["tau"] * d["f"] * d["r_c"]
    if (sent and not across) or (work and not over):
        return None
    return Fraction(sent) / across if across else ZERO, 1 - Fraction(work) / over if over else ONE


# --- is it (10)? -----------------------------------------------------------------------------------------------------


def fixed(case: Case) -> Finding:
    """(16) and (17) at the system's epsilon hold exactly when (10) does."""
    d = case.data
    both = holds16(d, d["epsilon"]) and holds17(d, d["epsilon"])
    return Finding(Fraction(both), Fraction(holds10(d)), "equal", "(16) and (17), (10)")


def own_inside(case: Case) -> Finding:
    """(16) and (17) hold at some share in (0, 1) exactly when (10) does."""
    span = ends(case.data)
    some = span is not None and span[0] <= span[1] and span[0] < 1 and span[1] > 0
    return Finding(Fraction(some), Fraction(holds10(case.data)), "equal", "(16) and (17) at some share, (10)")


def own_closed(case: Case) -> Finding:
    """(16) and (17) hold at some share in [0, 1] exactly when (10) does.

    Proof
    -----
    Write p and q for the parts of tau that computing and sending take; a part is 0 where there is nothing to do. (16)
    says q <= share and (17) p <= 1 - share (r = 0 is allowed where the part is 0, and only there). If both hold, p + q
    <= 1, which is (10). If (10) holds, p + q <= 1 with p, q >= 0, and the share q, which is in [0, 1], satisfies both.
    """
    span = ends(case.data)
    some = span is not None and max(span[0], ZERO) <= min(span[1], ONE)
    return Finding(Fraction(some), Fraction(holds10(case.data)), "equal", "(16) and (17) at some share, (10)")


def implies10(case: Case, share: Fraction | None = None) -> Finding | None:
    """Where (16) and (17) hold at the system's epsilon, (10) does.

    Proof
    -----
    (16) divided by lambda f r^b says that sending takes at most epsilon tau, (17) that computing takes at most (1 -
    epsilon) tau; where r^b = 0, (16) says that there is nothing to send, and likewise (17). The sum is at most tau.
    """
    d = case.data
    if not (holds16(d, d["epsilon"] if share is None else share) and holds17(d, d["epsilon"])):
        return None
    return Finding(Fraction(holds10(d)), ONE, "equal", "(10)")


def nothing_defined(case: Case) -> None:
    """eta_k is not defined for a job."""
    return None


# --- cases -----------------------------------------------------------------------------------------------------------


@st.composite
def _pairs(pick: Any) -> Case:
    """A job on a server; often its parts of the time add up to exactly 1, or its share is exactly epsilon."""
    few = st.sampled_from([Fraction(n) for n in (1, 1, 2, 3)])
    amounts = st.sampled_from([Fraction(n, 2) for n in (0, 1, 2, 2, 4, 6)])
    d = {letter: pick(few) for letter in ("T", "f", "tau", "lambda", "D")}
    d |= {letter: pick(amounts) for letter in ("g", "h", "r_c", "r_b")}
    d["epsilon"] = pick(st.sampled_from([Fraction(n, 4) for n in (1, 2, 3)]))
    part = pick(st.sampled_from([None, ZERO, Fraction(1, 4), d["epsilon"], ONE]))
    if part is not None:  # sending takes this part of the deadline, computing the rest, wherever they can
        work, sent = d["T"] * d["D"] * d["g"] / d["f"], d["T"] * d["D"] * d["h"] / (d["lambda"] * d["f"])
        d["r_c"] = work / ((1 - part) * d["tau"]) if part < 1 else d["r_c"]
        d["r_b"] = sent / (part * d["tau"]) if part else d["r_b"]
    return Case(None, {letter: d[letter] for letter in LETTERS})


def _span(reached: Callable[[Fraction, Fraction, Fraction], bool]) -> Callable[[Data], bool]:
    def look(d: Data) -> bool:
        span = ends(d)
        return span is not None and reached(*span, d["epsilon"])

    return look


_REGIMES = (
    of_data("(10) holds with equality", lambda d: holds10(d) and total(d) == d["tau"]),
    of_data("(10) holds with slack", lambda d: holds10(d) and total(d) < d["tau"]),
    of_data("(10) fails", lambda d: not holds10(d)),
    of_data("no work", lambda d: not d["g"]),
    of_data("no parameters", lambda d: not d["h"]),
    of_data("no bandwidth", lambda d: not d["r_b"]),
    of_data("no compute", lambda d: not d["r_c"]),
    of_data("epsilon alone will do", _span(lambda low, high, share: low == share == high)),
)

_IMPLIES = Reading("the system's epsilon", "At the share that is configured for all.", implies10)
_OWN = Reading("an epsilon of its own in [0, 1]", "For each job and server another one.", own_closed)
SPLIT = Claim(
    id="jrp.split_equivalent",
    source="paper 003, section IV-A, (10), (16), (17)",
    statement="(10) is transformed into (16) and (17): they say the same of a job on a server.",
    readings=(
        Reading("eta_k as printed", "(16) as it stands.", nothing_defined, missing="eta_k is not defined for a job"),
        Reading("the system's epsilon", "lambda_k for eta_k; one epsilon in (0, 1) for all.", fixed),
        Reading(
            "an epsilon of its own in (0, 1)", "lambda_k for eta_k; for each job and server another one.", own_inside
        ),
        _OWN,
    ),
    regimes=_REGIMES,
    strategy=_pairs(),
    planted=(
        Planted("they never hold", lambda case: Finding(ZERO, Fraction(holds10(case.data)), "equal")),
        Planted("they always hold", lambda case: Finding(ONE, Fraction(holds10(case.data)), "equal")),
    ),
    witnesses=WITNESSES,
    repaired_by="jrp.split_equivalent_repaired",
)
SPLIT_REPAIRED = Claim(
    id="jrp.split_equivalent_repaired",
    source="paper 003, section IV-A, (10), (16), (17), repaired",
    statement="(16) with lambda_k, and (17), imply (10); (10) implies them at some share in [0, 1] of its own.",
    readings=(_IMPLIES, _OWN),
    regimes=_REGIMES[:6],
    strategy=_pairs(),
    planted=(
        Planted("(16) without epsilon", at(implies10, share=ONE)),
        Planted("a share in (0, 1)", own_inside),
    ),
)

# --- is epsilon the ratio of communication to total time? ------------------------------------------------------------


def _times(d: Data) -> tuple[Fraction, Fraction] | None:
    """Computing and sending time of a job that satisfies (16) and (17) and takes some time."""
    work, sent = computing(d), sending(d)
    within = holds16(d, d["epsilon"]) and holds17(d, d["epsilon"])
    return (work, sent) if within and work is not None and sent is not None and work + sent else None


def ratio_is(case: Case) -> Finding | None:
    """Sending takes the part epsilon of the job's training time."""
    times = _times(case.data)
    return times and Finding(times[1] / sum(times), case.data["epsilon"], "equal", "sending / total time")


def ratio_at_most(case: Case) -> Finding | None:
    """Sending takes at most the part epsilon of the job's training time."""
    times = _times(case.data)
    return times and Finding(times[1] / sum(times), case.data["epsilon"], "at most", "sending / total time")


def of_deadline(case: Case, kept: Fraction = ONE) -> Finding | None:
    """Sending takes at most the part epsilon of the time that the job may take, tau.

    Proof
    -----
    (16) divided by lambda f r^b; where r^b = 0 it says that there is nothing to send, which takes no time.
    """
    times, most = _times(case.data), kept * case.data["epsilon"]
    return times and Finding(times[1] / case.data["tau"], most, "at most", "sending / the deadline")


def tight(case: Case) -> Finding | None:
    """Where (16) and (17) hold with equality, r^b and r^c not 0, sending takes the part epsilon of the training time.

    Proof
    -----
    Then sending takes epsilon tau and computing (1 - epsilon) tau, by (16) and (17) divided by lambda f r^b and f r^c.
    """
    d, times = case.data, _times(case.data)
    if times is None or times != ((1 - d["epsilon"]) * d["tau"], d["epsilon"] * d["tau"]):
        return None
    return Finding(times[1] / sum(times), d["epsilon"], "equal", "sending / total time")


def _raised(case: Case) -> Case:
    """The same with as much compute and bandwidth as (16) and (17) ask for, or more where there is more."""
    d = case.data
    r_b = d["T"] * d["h"] * d["D"] / (d["epsilon"] * d["tau"] * d["lambda"] * d["f"])
    r_c = d["T"] * d["g"] * d["D"] / ((1 - d["epsilon"]) * d["tau"] * d["f"])
    return Case(None, {**d, "r_c": max(r_c, d["r_c"]), "r_b": max(r_b, d["r_b"])})


def _of_times(name: str, reached: Callable[[Fraction, Fraction, Data], bool]) -> Regime:
    """A regime of computing and sending time."""
    return of_data(name, lambda d: (times := _times(d)) and reached(*times, d))


_REGIMES_OF_TIME = (
    _of_times("most of the time is sending", lambda work, sent, d: sent > work),
    _of_times("most of the time is computing", lambda work, sent, d: sent < work),
    _of_times("less time than the deadline", lambda work, sent, d: work + sent < d["tau"]),
    of_data("no parameters", lambda d: not d["h"]),
    of_data("no work", lambda d: not d["g"]),
)
_DEADLINE = Reading("of the deadline", "The total time is tau, the time that the job may take.", of_deadline)
SHARE = Claim(
    id="jrp.share_of_time",
    source="paper 003, section IV-A, before (16)",
    statement="epsilon indicates the ratio of communication time to the total time of the accepted job requests.",
    readings=(
        Reading("equal to epsilon", "The job's communication time over its training time on a server.", ratio_is),
        Reading("at most epsilon", "The same; 'the communication time of a job is often restricted'.", ratio_at_most),
        _DEADLINE,
    ),
    regimes=_REGIMES_OF_TIME,
    strategy=_pairs().map(_raised),
    planted=(Planted("half of it, of the deadline", at(of_deadline, kept=Fraction(1, 2))),),
    witnesses=WITNESSES,
    repaired_by="jrp.share_of_time_repaired",
)
SHARE_REPAIRED = Claim(
    id="jrp.share_of_time_repaired",
    source="paper 003, section IV-A, before (16), repaired",
    statement=(
        "epsilon is the largest part of the deadline that communication may take, and its part of the training time "
        "where (16) and (17) hold with equality."
    ),
    readings=(_DEADLINE, Reading("(16) and (17) with equality", "Resources as small as they may be.", tight)),
    regimes=(*_REGIMES_OF_TIME, of_data("epsilon alone will do", _span(lambda low, high, share: low == share == high))),
    strategy=_pairs().map(_raised),
    planted=(Planted("of the training time, without equality", ratio_at_most),),
)

CLAIMS = table(SPLIT, SPLIT_REPAIRED, SHARE, SHARE_REPAIRED)
