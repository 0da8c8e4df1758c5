"""The probability in Theorems 5 and 6 that PD-ORS finds a feasible solution.

The cases have one job, one slot and equal bandwidths with c_i = c_e = 1. So v samples take v workers, and the states
(t, v) of the dynamic program are v = 1, ..., V, with T K E = V. The job is served only if the state v = V is solved,
and the case holds its LP point.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from schedproof.core.claims.claim import Claim, Domain, Finding, Regime
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared.rounding import Units, above, chance, some
from schedproof.proofs_checks.dmlrs.shared.slot_rounding import OUTSIDE, SERVERS_USE, SMALL_DELTA, SlotGain, hit_chance
from schedproof.proofs_checks.strategies import covering, dmlrs_slots
from schedproof.proofs_checks.strategies.covering import Program, TwoStates, dot
from schedproof.proofs_checks.strategies.dmlrs_slots import PrintedSlot

Rows = Callable[[PrintedSlot], int]


def infeasible(program: Program, gain: Fraction) -> Fraction:
    def short(units: Units) -> bool:
        return any(dot(row, units) < a for row, a in zip(program.cover, program.demand, strict=True))

    return chance(program, gain, some([short, *above(program)]))


def two_states(case: TwoStates, power: int = 2) -> Finding:
    """All N states are solved with probability at least (1 - p^S)^N, for N = 2.

    p bounds the probability that a draw is infeasible. The program of the second state depends on whether the first
    state was solved, because the first state's result changes prices and free capacities.
    """
    draws, total = case.draws, Fraction(0)
    first, after, otherwise = (infeasible(block, case.gain) for block in case.programs)
    for one in product((True, False), repeat=draws):  # which draws of the first state are feasible
        for two in product((True, False), repeat=draws):
            second = after if any(one) else otherwise
            weight = Fraction(any(one) and any(two))
            for p, good in [(first, g) for g in one] + [(second, g) for g in two]:
                weight *= 1 - p if good else p
            total += weight
    p = max(first, after, otherwise)
    return Finding(total, (1 - p**draws) ** power, "at least", f"Pr(both states are solved), p = {p}")


TWO_STATES_PROOF = """
Given the history, the S draws of a state are independent, and each is infeasible with probability at most p. So the
state fails with probability at most p^S, for every history. The probability that all N states are solved is a product
over the states. Each factor is Pr(solved | all before it solved) >= 1 - p^S. N is the number of states that are solved
by rounding. It is at most the sum of T V_i over *all* jobs, not T K_i E_i of one job. p follows from (24)-(26) and the
row for parameter servers and must be computed. It is neither delta/3 nor delta/(3 (H R + 1)), which bound the
probability that relaxed rows fail. In the program with shrunk rooms and raised demands
(`rounding.dmlrs.shrunk_slot_cost`) p = 0.
Coq: admission.v probability. Objects: chance. In words: S is `draws`, and the next program to round may depend on all
earlier draws.
- *The check has only N = 2.* The product of conditional probabilities is the same for every N; two states show that
the history does not matter.
- *Are states not independent?* They need not be: the bound holds given any history.
"""

WHOLE_SLOTS = Domain(
    PrintedSlot,
    dmlrs_slots.slots(whole=True),
    (
        OUTSIDE,
        Regime("one draw", lambda s: s.draws == 1),
        Regime("many draws", lambda s: s.draws == 20),
        Regime("delta = 1", lambda s: s.delta == 1),
        SMALL_DELTA,
        Regime("several resources", lambda s: len(s.worker) > 1),
        SERVERS_USE,
    ),
)


def probability(number: int, base: str, gain: SlotGain, rows: Rows, above_one: bool) -> Claim[PrintedSlot]:
    """Theorem 5 or 6; its proof counts a given number of rows of each state.

    Parameters
    ----------
    base
        The probability that a draw fails, in the statement.
    above_one
        Whether G is at least 1.
    """
    claim = Claim(
        f"dmlrs.theorem{number}_probability",
        YU22.at(f"Theorem {number} and the end of its proof"),
        f"With probability greater than (1 - ({base})^S)^(T K E), PD-ORS returns a feasible (and "
        "competitive) solution.",
        WHOLE_SLOTS,
        severity="false theorem",
    )
    repaired = claim.repair(
        "If every draw is infeasible with probability at most p, for every history, PD-ORS finds a feasible "
        "solution of each of the N states that it rounds with probability at least (1 - p^S)^N.",
        domain=Domain.of(
            TwoStates,
            covering.pairs(above_one),
            {"one draw": lambda case: case.draws == 1, "several draws": lambda case: case.draws > 1},
        ),
    )

    @claim.reading(
        "every state is solved",
        "As in the proof: each state (t, v) gets a feasible integer solution within S draws.",
    )
    @claim.false_variant("with certainty", sure=True)
    def every_state(slot: PrintedSlot, sure: bool = False) -> Finding:
        """Every state gets a feasible schedule with the stated probability.

        The measured value is an upper bound. Only the state v = V counts, with each row at the better end of G's
        interval. The value is 1 if one machine holds the job, since the internal case needs no rounding.
        """
        states = int(slot.workload)  # T K E with T = 1 and one sample for each worker
        claimed = (1 - (slot.delta / (3 * rows(slot))) ** slot.draws) ** states
        measured = Fraction(1) if slot.inside else hit_chance(slot, gain(slot))
        return Finding(measured, Fraction(1) if sure else claimed, "at least", f"V = {states} states")

    @claim.reading(
        "step 11 as printed",
        "Step 11 draws until a draw is feasible and at least S draws are made. Then it returns a solution.",
    )
    def ends(slot: PrintedSlot) -> Finding:
        """Algorithm 4 with step 11 as printed ends with the stated probability.

        Step 11 draws again while the draw is infeasible. The measured value is the probability that the algorithm ends
        in the state v = V: 0 if no draw is feasible, otherwise at most 1.
        """
        finding, where = every_state(slot), "Pr(step 11 ends in the state v = V)"
        return Finding(Fraction(finding.measured > 0), finding.claimed, "at least", where)

    sentence = "N = 2; the second program depends on the outcome of the first."
    repaired.reading("two states", sentence, TWO_STATES_PROOF)(two_states)
    repaired.false_variant("one state's probability", power=1)(two_states)
    return claim
