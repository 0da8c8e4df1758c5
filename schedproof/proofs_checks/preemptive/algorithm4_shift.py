"""Algorithm 4, line 5: the postponement of the chunks of A_2."""

from __future__ import annotations

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.strategies import preemptive_details as draw
from schedproof.proofs_checks.strategies.preemptive_details import TwoRates

SHIFT = Claim(
    "preemptive.algorithm4_shift",
    WANG22.at("Algorithm 4, line 5, with (5) and section IV-C"),
    "The chunks of A_2 are postponed by the time of the new chunk, E_j B_j / n_jsw.",
    Domain.of(
        TwoRates,
        draw.two_rates(),
        {
            "a faster job postponed": lambda case: case.other_rate > case.rate,
            "a slower job postponed": lambda case: case.other_rate < case.rate,
            "equal rates": lambda case: case.other_rate == case.rate,
        },
    ),
    severity="slip",
)
REPAIRED = SHIFT.repair(
    "With n_jsw in line 5 the chunks of A_2 are postponed by the time of the new chunk.", small=True
)


@SHIFT.reading("as printed", "The chunks move by E_j B_j / n_j's'w'.")
@SHIFT.reading(
    "n_jsw",
    "Line 5 has the new chunk's rate.",
    """
    The new chunk occupies [t*, t* + E_j B_j / n_jsw] by line 2. The chunks of A_2 ran one after the other from t* on,
    as in the landing order no landing follows. So each moves by exactly that length.
    - *May the loop of lines 3-7 run in any order of t?* Only from late to early: setting y(t) = 0 after y(t + shift) =
    1 would erase earlier values. That concerns the program; the claim is about the amount.
    """,
    own_rate=True,
    also=REPAIRED,
)
@SHIFT.false_variant("twice that", own_rate=True, factor=2)
def shift(case: TwoRates, own_rate: bool = False, factor: int = 1) -> Finding:
    """A chunk of A_2 moves by the new chunk's time on the worker, E_j B_j / n_jsw.

    Line 5 divides by the rate of the postponed chunk's job (``other_rate``).
    """
    moved = case.batches / (case.rate if own_rate else case.other_rate)
    return Finding(factor * moved, case.batches / case.rate, "equal", "slots by which a chunk of A_2 moves")
