"""Theorem 1 with Algorithm 1's lines 6-31 as the projection (32)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from hypothesis import strategies as st

from schedproof.core.claims.answer import SOMETHING
from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise, Regime
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.multiserver.theorem1 import SQUARES, THEOREM1_PROOF, theorem1
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import ONE, Started
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import row_by_row
from schedproof.reference.multiserver_constants import bound39, bounds, proof_step
from schedproof.reference.multiserver_projection import AS_PRINTED, Interpretation, Numbers, algorithm1, outside

ALGORITHM1 = Claim(
    "multiserver.theorem1_algorithm1",
    ZHAO24.at("section III-C, Theorem 1, for Algorithm 1"),
    "With lines 6-31 of Algorithm 1 and eta = (51)/((48) sqrt(T)), the regret (11) is at most (39).",
    Domain(
        Started,
        st.one_of(
            draw.started_cases(slots=draw.fitting(bounds)),
            draw.started_cases(slots=draw.fitting(bounds), resources=1, nodes=1, full=True),
            st.sampled_from([draw.single_port(8, alpha=Decimal("0.28"), beta=Decimal("0.96"))]),
            st.sampled_from(SQUARES),
        ),
        (
            *regimes.RUNS,
            regimes.of_network(
                "a slope below beta",
                lambda net: any(f.steepest <= b for row in net.channel for f, b in zip(row, net.overhead, strict=True)),
            ),
            Regime("the run stays in Y", lambda case: stays(case)),
            Regime("the run leaves Y", lambda case: leaves(case)),
        ),
    ),
    severity="false theorem",
)
REPAIRED = ALGORITHM1.repair(
    "With a routine that computes (32) in place of lines 6-31, the regret is at most (39).", small=True
)
REPAIRED.reading(
    "(32)",
    "For example the routines of algorithm1_projection_repaired.",
    THEOREM1_PROOF,
    where=(regimes.exact(regimes.ascent),),
)(theorem1)
REPAIRED.false_variant("three fifths of it", share=Fraction(3, 5))(theorem1)

FLOORED = Interpretation(floored=True)
FLOORED_PROJECTION_PROOF = """
Let y be the output for a row, in the order of line 7, and tau = rho/2 at the end. Within a turn of the while loop tau
does not fall. The reason is that the cut ports have z < tau, and without these ports the mean that gives tau is larger,
if tau was positive. So each cut port has z <= tau, and its 0 is clip(z - tau). A port of B3 has z - tau >= 0, and z -
tau <= a if y is in Y. Let B1 = {1}. Then y_1 = z_1 - tau' > a_1 in the first turn, where the sum is c (or tau' = 0). In
the second turn the other ports share c - a_1 > c - y_1. So tau <= tau' and z_1 - tau > a_1, and a_1 is clip(z_1 - tau)
too. If tau > 0, the sum is c by (38). These are the conditions under which y is the projection
(`algorithm1_projection_repaired`). theorem1_constant gives the regret.
- *B3 may become empty.* Only with tau = 0, if all its z are below 0. The mean of z - tau over B3 is nonnegative if
tau > 0.
- *A port cut in the first turn is free again in the second.* It is in B3 at the start of each turn, and the argument is
made turn by turn.
"""


@lru_cache(maxsize=4)
def run_in_y(case: Started, reading: Interpretation = AS_PRINTED) -> oga.OgaRun | None:
    try:
        return printed_run(case, reading)
    except LeavesY:
        return None


def staying(reading: Interpretation = AS_PRINTED) -> tuple[Premise[Started], ...]:
    stay: Premise[Started] = Premise("a run that stays in Y", lambda case: run_in_y(case, reading) is not None)
    return regimes.exact(run_in_y, reading=reading), stay


@ALGORITHM1.reading("rho as printed", "(38), which may be negative; runs that stay in Y.", where=staying())
@ALGORITHM1.reading(
    "rho at least 0",
    "A negative rho counts as 0; runs that stay in Y.",
    FLOORED_PROJECTION_PROOF,
    reading=FLOORED,
    where=staying(FLOORED),
)
@ALGORITHM1.false_variant("a fifth of it", share=Fraction(1, 5))
@REPAIRED.false_variant("lines 6-31")
@regimes.of_exact_runs
def own_projection(case: Started, reading: Interpretation = AS_PRINTED, share: Fraction = ONE) -> Answer:
    run = run_in_y(case, reading)
    if run is None:
        return Outside(SOMETHING)
    return Finding(
        run.least_regret,
        share * oga.root_above(bound39(case.instance)),
        "at most",
        "the regret, and (39)",
        relative=True,
    )


def stays(case: Started) -> bool:
    return regimes.is_exact(run_in_y, case) and run_in_y(case) is not None


def leaves(case: Started) -> bool:
    return regimes.is_exact(run_in_y, case) and run_in_y(case) is None


class LeavesY(ValueError):
    """A decision of lines 6-31 is outside Y, or their repeat loop does not end."""


def printed_run(case: Started, reading: Interpretation = AS_PRINTED) -> oga.OgaRun:
    """The run with lines 6-31.

    Raises
    ------
    LeavesY
        When a decision is outside Y.
    """

    def lines(point: Numbers, demand: Numbers, capacity: Fraction) -> Numbers:
        result = algorithm1(point, demand, capacity, reading)
        if result is None or outside(result, demand, capacity):
            raise LeavesY
        return result

    step = oga.constant(proof_step(case.instance))
    return oga.play(case.instance, case.start, step, onto=lambda instance, y: row_by_row(instance, y, lines))
