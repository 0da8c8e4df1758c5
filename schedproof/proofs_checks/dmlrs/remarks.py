"""Section 4.4: Remark 1 with Fig. 5, remark ii) on 3 G/delta, and (25)."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared.rounding import above, chance, printed_above, printed_below
from schedproof.proofs_checks.dmlrs.shared.slot_rounding import gain4
from schedproof.proofs_checks.strategies import dmlrs_numbers as numbers
from schedproof.proofs_checks.strategies import dmlrs_slots as slots
from schedproof.proofs_checks.strategies.dmlrs_numbers import Gains
from schedproof.proofs_checks.strategies.dmlrs_slots import PrintedSlot
from schedproof.reference.dmlrs_enclosures import Interval, logarithm

REMARKS_FIGURE5 = Claim(
    "dmlrs.remarks_figure5",
    YU22.at("section 4.4, Remark 1 and Fig. 5"),
    "The larger W_a, the smaller the least delta at which 1 - sqrt(2 ln(3m/delta)/(G W_a)) is positive.",
    Domain.of(
        Gains,
        numbers.gains(),
        {
            "Fig. 5's W_b and r": lambda c: c.width == 15 and c.rows == 401,
            "a larger W_a": lambda c: c.cover[0] < c.cover[1],
            "a positive margin": lambda c: margin(c, (0, 0))[0] > 0,
            "only then positive": lambda c: margin(c, (0, 0))[1] < 0 < margin(c, (1, 1))[0],
        },
    ),
)

EASIER_PROOF = """
1 - sqrt(2 ln(3m/delta)/(G W_a)) > 0 exactly if the margin G W_a/2 - ln(3m/delta) is positive. W_b, r and delta fix G,
which is positive. So the margin rises with W_a. As delta rises, h = 3 ln(3r/delta)/(2 W_b) falls. G = 1 + h -
sqrt(h^2 + 2h) falls in h, because its derivative is 1 - (1 + h)/sqrt(h^2 + 2h) < 0. So G rises with delta, ln(3m/delta)
falls, and the margin rises. So the deltas with a positive margin are an interval up to 1, which grows with W_a.
- *'Which yields delta >= 3m/e^(G W_a/2)' has delta on both sides.* Yes. By the monotonicity it still defines an
interval, and Fig. 5 reads its lower end off a crossing.
- *Does this make the feasibility 'useful in practice'?* Only for the demand. With Fig. 5's W_b = 15 and r = 401, G is
below 0.35 for delta <= 0.1. So the promise is less than a third of the demand. The proof of the packing rows fails
there (lemma1_packing).
"""


@REMARKS_FIGURE5.reading("m = 1", "The condition holds on a longer interval of delta.", EASIER_PROOF)
@REMARKS_FIGURE5.false_variant("by a half more", more=Fraction(1, 2))
def easier(case: Gains, more: Fraction = Fraction(0)) -> Finding:
    return Finding(margin(case, (0, 0))[0] + more, margin(case, (1, 1))[1], "at most", "G W_a/2 - ln(3/delta)")


def margin(case: Gains, which: tuple[int, int]) -> Interval:
    """Return the difference G W_a/2 - ln(3/delta) for a W_a and a delta, with m = 1.

    Lemma 1 guarantees a share if the difference is positive.
    """
    cover, delta = case.cover[which[0]], case.deltas[which[1]]
    gain, log = printed_below(case.width, case.rows, delta), logarithm(3 / delta)
    return gain[0] * cover / 2 - log[1], gain[1] * cover / 2 - log[0]


REMARKS_RATIO = Claim(
    "dmlrs.remarks_ratio",
    YU22.at("section 4.4, remark ii)"),
    "The ratio 3 G/delta decreases as delta increases.",
    Domain.of(
        Gains,
        numbers.gains(),
        {
            "one row": lambda c: c.rows == 1,
            "a small delta": lambda c: c.deltas[0] < Fraction(1, 100),
            "delta up to 1": lambda c: c.deltas[1] == 1,
        },
    ),
)

BELOW_ONE_PROOF = """
Let h = c ln(3r/delta), c = 3/(2 W_b), and s = sqrt(h^2 + 2h). Then G = 1 + h - s and dG/dh = 1 - (1 + h)/s = -G/s. So d
ln G/d ln delta = c/s < c/h = 1/ln(3r/delta) < 1, as 3r/delta >= 3 > e. Hence ln G grows slower than ln delta.
- *G depends on W_b: large or small?* The bound c/h does not depend on W_b; it holds for every W_b > 0.
- *Then should delta be 1?* Only for the factor. The probability is 1 - delta, so the text's trade-off stands.
"""

ABOVE_ONE_PROOF = """
q = ln(3m/delta)/W_a falls in delta, and G = 1 + q + sqrt(q^2 + 2q) rises in q. So G falls in delta, and so does
G/delta.
- *For every m and W_a?* Yes: only q > 0 is used.
"""


@REMARKS_RATIO.reading("0 < G <= 1", "G is that of (35).", BELOW_ONE_PROOF)
@REMARKS_RATIO.reading("G > 1", "G is that of (38).", ABOVE_ONE_PROOF, above_one=True)
@REMARKS_RATIO.false_variant("by a tenth", share=Fraction(9, 10))
@REMARKS_RATIO.false_variant("by a tenth, G > 1", above_one=True, share=Fraction(9, 10))
def ratio_falls(case: Gains, above_one: bool = False, share: Fraction = Fraction(1)) -> Finding:
    gain = printed_above if above_one else printed_below
    small, large = (gain(case.width, case.rows, delta) for delta in case.deltas)
    after, before = 3 * large[0] / case.deltas[1], 3 * small[1] / case.deltas[0]
    return Finding(after, share * before, "at most", f"3 G/delta at delta = {case.deltas[1]}, and at {case.deltas[0]}")


REMARKS_ROW25 = Claim(
    "dmlrs.remarks_row25",
    YU22.at("section 4.4, after Theorem 4"),
    "(25) is guaranteed in practice since the number of samples is typically far more than that of workers.",
    Domain.of(
        PrintedSlot,
        slots.slots(),
        {
            "several machines": lambda s: len(s.free) > 1,
            "F workers are needed": lambda s: s.batch < s.workload + 1,
            "a large batch": lambda s: s.batch > s.workload + 1,
        },
    ),
    severity="false proof step",
)
REPAIRED = REMARKS_ROW25.repair("If F >= G sum w + H for the point w, every draw meets (25).")

ROOMY_PROOF = """
Each w_h is rounded to less than G w_h + 1. The sum over H machines is below G sum w + H <= F.
Coq, core: admission.v remarks_row25. Outside: that a rounded count is at most G w_h + 1. A count is rounded to one of
the whole numbers next to G w_h.
- *And the samples?* K_i does not occur in (25): F_i is the global batch size, and (4) requires only n <= F.
"""


@REMARKS_ROW25.reading("every draw", "No draw with the G of Theorem 4 violates (25), for any number of samples.")
@REPAIRED.reading("every draw", "F is raised so that (25) has room for every draw.", ROOMY_PROOF, roomy=True)
@REPAIRED.false_variant("as printed, whatever F")
@REMARKS_ROW25.false_variant("no draw meets it", never=True)
def row25(slot: PrintedSlot, roomy: bool = False, never: bool = False) -> Finding:
    """A draw of Theorem 4 has more than F workers with probability 0.

    ``roomy`` raises F to G sum w + H.
    """
    program, gain = slot.program(), gain4(slot)
    factor = (gain[1] * sum(slot.point) + len(slot.free)) / slot.batch if roomy else 1
    over = above(program, max(Fraction(1), Fraction(factor)))[-1]
    return Finding(chance(program, gain[0], over), Fraction(never), "equal" if never else "at most", "Pr(LHS(25) > F)")


REMARKS_ROW25.open_reading(
    "far more",
    "Where K_i is far larger than sum w.",
    "the required excess of samples; and (25) compares the workers with F_i, not with K_i",
)
