"""Theorems 5 and 6, how likely a feasible solution is: claims theorem5_probability and theorem6_probability.

The cases have one job, one slot and equal bandwidths with c_i = c_e = 1, so that v samples take v workers and the
states (t, v) of the dynamic program are v = 1, ..., V: T K E = V of them. The job can be served only if the state v = V
is solved, and the case holds its LP point.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.dmlrs.enclosures import Interval
from schedproof.proofs_checks.dmlrs.house import WITNESSES
from schedproof.proofs_checks.dmlrs.rounding_model import Block
from schedproof.proofs_checks.dmlrs.rounding_model import read as read_block
from schedproof.proofs_checks.dmlrs.rounding_slots import Slot, printed
from schedproof.proofs_checks.dmlrs.rounding_theorems import OUTSIDE, gain3, gain4, solved
from schedproof.proofs_checks.strategies import covering as draw
from schedproof.proofs_checks.writing import at, of_data, table


def every_state(
    case: Case, gain: Callable[[Slot], Interval], rows: Callable[[Slot], int], sure: bool
) -> Finding | None:
    """Every state gets a feasible schedule with probability greater than (1 - (delta/(3 rows))^S)^(T K E).

    Measured is an upper bound: the state v = V alone, each of whose rows is taken at the better end of G; it is 1 where
    one machine holds the job, as the internal case needs no rounding.
    """
    slot = printed(case)
    if slot is None or slot.workload.denominator > 1:
        return None
    states = int(slot.workload)  # T K E with T = 1 and one sample for each worker
    claimed = (1 - (slot.delta / (3 * rows(slot))) ** slot.draws) ** states
    chance = Fraction(1) if slot.inside else solved(slot, gain(slot))
    return Finding(chance, Fraction(1) if sure else claimed, "at least", f"V = {states} states")


def ends(case: Case, gain: Callable[[Slot], Interval], rows: Callable[[Slot], int]) -> Finding | None:
    """Algorithm 4 with step 11 as printed, which draws again as long as the draw is infeasible, ends so often.

    Measured is the probability that the state v = V ends: 0 where no draw can be feasible, else at most 1.
    """
    finding = every_state(case, gain, rows, sure=False)
    if finding is None:
        return None
    return Finding(Fraction(finding.measured > 0), finding.claimed, "at least", "Pr(step 11 ends in the state v = V)")


REGIMES = (
    OUTSIDE,
    of_data("one draw", lambda d: d["draws"] == 1),
    of_data("many draws", lambda d: d["draws"] == 20),
    of_data("delta = 1", lambda d: d["delta"] == 1),
    of_data("delta at most 1/100", lambda d: d["delta"] <= Fraction(1, 100)),
    of_data("several resources", lambda d: len(d["worker"]) > 1),
    of_data("parameter servers use a resource", lambda d: any(d["ps"])),
)


def cover_only(slot: Slot) -> int:
    """Theorem 5 counts the single cover row."""
    return 1


def resource_rows(slot: Slot) -> int:
    """Theorem 6 counts the H R + 1 packing rows."""
    return slot.rows


def _readings(gain: Callable[[Slot], Interval], rows: Callable[[Slot], int]) -> tuple[Reading, ...]:
    return (
        Reading(
            "every state is solved",
            "As the proof has it: each state (t, v) gets a feasible integer solution within S draws.",
            at(every_state, gain=gain, rows=rows, sure=False),
        ),
        Reading(
            "step 11 as printed",
            "It draws until a draw is feasible (and there were S): the algorithm returns something.",
            at(ends, gain=gain, rows=rows),
        ),
    )


THEOREM5 = Claim(
    id="dmlrs.theorem5_probability",
    source="paper 001, Theorem 5 and the end of its proof",
    statement="With probability greater than (1 - (delta/3)^S)^(T K E), PD-ORS returns a feasible (and competitive) "
    "solution.",
    readings=_readings(gain3, cover_only),
    regimes=REGIMES,
    strategy=draw.slots(whole=True),
    planted=(Planted("with certainty", at(every_state, gain=gain3, rows=cover_only, sure=True)),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.theorem5_probability_repaired",
)

THEOREM6 = Claim(
    id="dmlrs.theorem6_probability",
    source="paper 001, Theorem 6 and the end of its proof",
    statement="With probability greater than (1 - (delta/(3 (HR + 1)))^S)^(T K E), PD-ORS returns a feasible (and "
    "competitive) solution.",
    readings=_readings(gain4, resource_rows),
    regimes=REGIMES,
    strategy=draw.slots(whole=True),
    planted=(Planted("with certainty", at(every_state, gain=gain4, rows=resource_rows, sure=True)),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.theorem6_probability_repaired",
)

# --- what is true ----------------------------------------------------------------------------------------------------


def infeasible(block: Block, gain: Fraction) -> Fraction:
    """The probability that a draw violates some row."""

    def bad(units: tuple[int, ...]) -> bool:
        short = any(block.sum(row, units) < a for row, a in zip(block.cover, block.demand, strict=True))
        return short or any(event(units) for event in block.above())

    return block.chance(gain, bad)


def two_states(case: Case, power: int = 2) -> Finding | None:
    """If every draw is infeasible with probability at most p, all N states are solved with at least (1 - p^S)^N.

    Here N = 2; the second state's program depends on whether the first was solved, as PD-ORS's prices and rooms do.

    Proof
    -----
    Given everything before it, the S draws of a state are independent, and each is infeasible with probability at most
    p; so the state fails with at most p^S, whatever the history. The probability that all N states are solved is the
    product over the states of Pr(solved | all before it solved) >= 1 - p^S. N is the number of states that are solved
    by rounding, at most the sum of T V_i over *all* jobs, not T K_i E_i of one. p is what (24)-(26) and the row for
    parameter servers make it, a number to be computed, and neither delta/3 nor delta/(3 (H R + 1)): those bound the
    events that relaxed rows fail. In the program with shrunk rooms and raised demands (`rounding.covering.shrunk`) p =
    0.
    """
    blocks = [read_block(Case(None, data)) for data in case.data["programs"]]
    gain, draws = Fraction(case.data["gain"]), case.data["draws"]
    if None in blocks or draws > 3:
        return None
    first, after, otherwise = (infeasible(block, gain) for block in blocks if block is not None)
    chance = Fraction(0)
    for ends in product(
        (True, False), repeat=2 * draws
    ):  # which draws of the first and of the second state are feasible
        one, two = ends[:draws], ends[draws:]
        second = after if any(one) else otherwise
        weight = Fraction(1)
        for p, good in [(first, g) for g in one] + [(second, g) for g in two]:
            weight *= 1 - p if good else p
        chance += weight * (any(one) and any(two))
    p = max(first, after, otherwise)
    return Finding(chance, (1 - p**draws) ** power, "at least", f"Pr(both states are solved), p = {p}")


REPAIRED_REGIMES = (
    of_data("one draw", lambda d: d["draws"] == 1),
    of_data("several draws", lambda d: d["draws"] > 1),
)


def _repaired(of: Claim, above_one: bool) -> Claim:
    return Claim(
        id=of.repaired_by,
        source=of.source + ", repaired",
        statement="If every draw is infeasible with probability at most p, whatever happened before, PD-ORS finds a "
        "feasible solution of each of the N states that it rounds with probability at least (1 - p^S)^N.",
        readings=(
            Reading("two states", "N = 2, the second program depending on what became of the first.", two_states),
        ),
        regimes=REPAIRED_REGIMES,
        strategy=draw.pairs(above_one),
        planted=(Planted("one state's probability", at(two_states, power=1)),),
    )


CLAIMS = table(THEOREM5, _repaired(THEOREM5, False), THEOREM6, _repaired(THEOREM6, True))
