"""Theorem 3's factor D_max: A_online loses it at every speed, inside all premises."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.shared.comparison_schedules import pieces, total_jct
from schedproof.proofs_checks.preemptive.shared.premises import WITHIN_REPAIRED
from schedproof.proofs_checks.preemptive.shared.regimes import outcome
from schedproof.proofs_checks.strategies import preemptive_stragglers as draw
from schedproof.proofs_checks.strategies.preemptive_stragglers import Stragglers
from schedproof.reference.preemptive import Order

D_MAX = Claim(
    "preemptive.theorem3_dmax",
    WANG22.at("section IV-E, next to Theorem 3; not printed"),
    "For every rational eps > 0, every D >= 2 and all h, n >= 1 there are jobs of at most D chunks, "
    "within the premises of theorem3_minlp_repaired, on which A_online at speed 1 + eps costs at least (h "
    "D + 1)/(h + 2 + eps + 3 h (h D + 1 + eps)/n) times the optimum at speed 1. So no ratio below D_max "
    "holds at any speed.",
    Domain.of(
        Stragglers,
        draw.stragglers(),
        {
            "eps below 1": lambda case: case.speed < 2,
            "eps not whole": lambda case: case.speed.denominator > 1,
            "a great speed": lambda case: case.speed > 5,
            "jobs of two chunks": lambda case: case.chunks == 2,
            "jobs of many chunks": lambda case: case.chunks > 3,
            "worse than the optimum": lambda case: quotient(case) > 1,
        },
    ),
)
ONE_CHUNK_WAITS = """
Let s = 1 + eps = a/b with integers a and b, q = 2 b, m = h D, X = (D - 1) q. Chunks take q slots at speed s and s q at
speed 1, short jobs X slots and s X. All jobs may go to a hub of one worker, with delay 0. h jobs of D chunks come at 0,
and m more at q, 2 q, ..., m q. Each of them has a separate server with D workers at delay m q - 1. n short jobs come at
m q, m q + X, .... Each of them has a separate server at delay h X + 1. First consider A_online up to m q. The chunks of
these jobs have equal rates, so no chunk is preempted. At each multiple of q the hub holds only whole chunks; let k be
their number. By (5) one more chunk costs (k q + q)/D there and (m q - 1 + q)/D on a free worker of the separate server.
As q >= 2, it goes to the hub if and only if k < m. The h jobs at 0 have m chunks, and all of them go to the hub. Then
the hub completes one chunk in each q slots, so it holds m - 1 chunks when the next job comes. One chunk of that job
goes to the hub, and the other D - 1 chunks go to its separate server. The hub runs its chunks in order of arrival. So
at m q the hub has completed the first m chunks, and holds one unstarted chunk of each of the m later jobs. Now consider
A_online from
m q on. A short job has D = 1, so its rate 1/X is above the rate 1/(D q) of the waiting chunks. On the hub it costs X +
X m/D = X + h X by (5), one less than h X + 1 + X on its separate server. The short job preempts, runs at once, and ends
when the next short job comes, which finds the hub unchanged. So all n short jobs run on the hub one after the other,
and only then the m chunks. The i-th of the m jobs, i = 1..m, came at i q and completes at m q + n X + i q. The JCTs are
q m (h + 1)/2
for the first h jobs, m (m q + n X) for the next m, and n X for the short jobs. Together this is more than (m + 1) n X.
Offline, at speed 1, each job uses its separate server. The jobs of D chunks have the JCT m q - 1 + s q, and the short
jobs h X + 1 + s X. The total is (m + h)(m q - 1 + s q) + n (h X + 1 + s X). Divide by n X = n (D - 1) q. The second
part is h + s + 1/X, at most h + s + 1. The first part is less than h (D + 1)(h D + s)/((D - 1) n), and (D + 1)/(D - 1)
<= 3. So the quotient is at least (h D + 1)/(h + 1 + s + 3 h (h D + s)/n). With n = h^3 it tends to D as h grows. The
premises hold. On each server chunks land in order, as the hub's delays are 0 and a separate server serves one job.
Without a cloud no placement is mixed. All times are integers at both speeds. Each server has enough parameter servers.
- *Does the residual order help?* No: whenever a job comes, each chunk on the hub is whole, so the residual rates are
those of the static order.
- *Does it depend on tie-breaking?* Only prices of free workers of one server are equal. Of equal rates the chunk
placed earlier runs first, as in (5).
- *Would another price than (5) be better?* A short job postpones m chunks by X. (5) charges X/D for each postponed
chunk, as if the D chunks of a job shared its completion. But each of the m jobs waits for its single chunk on the hub.
- *Is theorem3_minlp_repaired tight, then?* This does not show it: theorem3_minlp_repaired has D_max (1 + 1/eps) for eps
>= 1. The two bounds converge as the speed grows.
- *The optimum may be lower than the given schedule.* Then the quotient to the optimum is larger still.
"""


@D_MAX.reading(
    "residual order",
    "The order is residual, in which theorem3_minlp_repaired holds, and time is in whole slots.",
    ONE_CHUNK_WAITS,
)
@D_MAX.reading(
    "static order", "The order is static, as printed, and time is in whole slots.", ONE_CHUNK_WAITS, order="static"
)
@D_MAX.reading("fluid", "The order is residual, in continuous time.", ONE_CHUNK_WAITS, whole=False)
@D_MAX.false_variant("D from the first member on", at_once=True)
@D_MAX.false_variant("however few short jobs", loss=0)
def far_above(
    case: Stragglers, order: Order = "residual", whole: bool = True, loss: int = 3, at_once: bool = False
) -> Finding:
    """A_online's total JCT over that of a constructed, checked schedule; the bound."""
    h, waiting = case.groups, case.waiting
    least = Fraction(waiting + 1) / (h + 1 + case.speed + loss * h * (waiting + case.speed) / Fraction(case.short))
    return Finding(
        quotient(case, order, whole), Fraction(case.chunks) if at_once else least, "at least", "A_online, shown"
    )


@D_MAX.reading(
    "inside the premises",
    "The instances satisfy the premises of theorem3_minlp_repaired, in whole slots.",
    ONE_CHUNK_WAITS,
)
def inside(case: Stragglers) -> Finding:
    met = sum(premise.met(case.online) for premise in WITHIN_REPAIRED)
    return Finding(Fraction(met), Fraction(len(WITHIN_REPAIRED)), "equal", "premises met")


def quotient(case: Stragglers, order: Order = "residual", whole: bool = True) -> Fraction:
    """A_online's total JCT at its speed over that of the shown schedule at speed 1."""
    return outcome(case.online, order=order, whole_slots=whole).total_jct / total_jct(pieces(case.online, whole))
