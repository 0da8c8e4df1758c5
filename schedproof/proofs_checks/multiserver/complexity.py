"""Sections I and III-B, end: the number of steps of OGASched in a slot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise, Regime
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import slot_steps as steps
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import OneRow, Scaled

ONLY_K_GROWS: Premise[Any] = Premise("Everything but K stays the same", lambda case: case.kind == "resources")


def _of_kind(kind: str) -> Regime[Scaled]:
    return Regime(f"family of {kind}", lambda case: case.kind == kind)


DOMAIN = Domain(Scaled, draw.scaled_cases(tuple(steps.FAMILIES)), tuple(map(_of_kind, steps.FAMILIES)))

COMPLEXITY = Claim(
    "multiserver.complexity",
    ZHAO24.at("section III-B, end"),
    "The fast projection takes O(|L| log(K sum_l |R_l|)) in each time slot.",
    DOMAIN,
    severity="slip",
)
COMPLEXITY_REPAIRED = COMPLEXITY.repair(
    "With the breakpoints z and z - a sorted once, the projection takes O(K sum |R_l| (1 + log |L|)) "
    "steps, and with a processor per channel and resource O(log(K sum |R_l|)).",
    domain=Domain.of(
        OneRow,
        draw.rows(most=8),
        {
            "a binding row": lambda case: steps.breakpoints(case.z, case.a, case.c)[0] > 0,
            "several ports": lambda case: len(case.z) > 2,
        },
    ),
    small=True,
)

ABSTRACT = Claim(
    "multiserver.complexity_abstract",
    ZHAO24.at("section I, contributions"),
    "The parallelism helps yield a complexity of O(log K), K the number of resource types.",
    DOMAIN,
    severity="slip",
)
ABSTRACT_REPAIRED = ABSTRACT.repair(
    "With a processor per channel and resource, O(log K + log |R| + |L| (1 + log |L|)) steps in a slot.", small=True
)

Count = Callable[[steps.Slot], int]


def of_resources(slot: steps.Slot) -> int:
    return steps.log2(2 * slot.resources)


K_ALONE_PROOF = """
The rows of different k are independent. Only the maximum over K in (27) uses all resources, in ceil(log2 K) steps of a
tree. The depth of all other steps does not depend on K.
- *The reward (7) sums over K as well.* A tree computes it in the same number of steps again. But the policy needs only
the gradient.
- *For K = 1 the logarithm is 0.* The bound is taken as log2(2 K), which is of the same order for K >= 2.
"""


@COMPLEXITY.reading("all steps", "One processor: the steps of lines 7-31 for all (r, k).")
@COMPLEXITY.reading(
    "a processor per (r, k)",
    "The steps of lines 7-31 for one (r, k).",
    count=steps.one_row,
)
@ABSTRACT.reading(
    "K alone, in parallel",
    "Only K grows; there is a processor per channel and resource.",
    K_ALONE_PROOF,
    count=steps.depth,
    bound=of_resources,
    kinds=("resources",),
    where=(ONLY_K_GROWS,),
)
@ABSTRACT.reading(
    "K alone, one processor",
    "Only K grows; there is one processor.",
    bound=of_resources,
    kinds=("resources",),
    where=(ONLY_K_GROWS,),
)
@ABSTRACT.reading(
    "every size",
    "A processor per channel and resource; |L| and |R| grow as well.",
    bound=of_resources,
    count=steps.depth,
)
@ABSTRACT.false_variant("the quotient shrinks to a third", claimed=Fraction(1, 3))
def grows(
    case: Scaled,
    count: Count = steps.all_rows,
    bound: Count = lambda slot: slot.bound,
    kinds: Sequence[str] = tuple(steps.FAMILIES),
    claimed: Fraction = Fraction(5, 4),
) -> Answer:
    """The quotient of steps and bound does not grow when n doubles twice.

    The measured value is the smaller of two growth factors; for an O() bound it tends to at most 1.
    """
    if case.kind not in kinds:
        return Outside(ONLY_K_GROWS)
    slots = [steps.FAMILIES[case.kind](case.n * 2**k) for k in range(3)]
    quotients = [Fraction(count(slot), bound(slot)) for slot in slots]
    return Finding(min(b / a for a, b in pairwise(quotients)), claimed, "at most", case.kind)


SHALLOW_PROOF = """
Let C = ceil(log2(2 K sum |R_l|)), where each port has at least one node. A turn of the repeat loop that is not the last
cuts a port, and never the first port of B3. So the loop has at most |L| turns. With sums and minima in trees, a turn
takes at most 2 ceil(log2 |L|) + 2 <= 2 C steps. The while loop has at most two turns, because in the second turn the
first port has its demand. Together these are 4 |L| C steps. As in the paper, sorting counts as log2 |L_r|. Sorting, and
the totals and the maximum over K in (27), take ceil(log2 |L|) + ceil(log2 |R_l|) + ceil(log2 K) + 2 <= (C - 1) + C + 2
<= 5 C. Here |L| <= K sum |R_l| and K |R_l| <= K sum |R_l|.
- *The paper does not state that a row has several processors.* It states no number of processors for a row. With one
processor the statement fails, as the other readings show.
- *No line empties S, so the repeat loop may not end.* Here S is emptied in each turn; the claim counts the steps of
the intended algorithm.
"""


@COMPLEXITY.reading(
    "a processor per channel and resource", "Sums and minima in trees, sorting as log; S emptied.", SHALLOW_PROOF
)
@COMPLEXITY.false_variant("an eighth of it", share=Fraction(1, 8))
def shallow(case: Scaled, share: Fraction = Fraction(1)) -> Finding:
    """At most 9 |L| log2(2 K sum |R_l|) steps, one processor per channel and resource.

    Logarithms are rounded up.
    """
    slot = steps.FAMILIES[case.kind](case.n)
    return Finding(Fraction(steps.depth(slot)), share * 9 * slot.bound, "at most", "steps")


SORTED_WORK_PROOF = """
A row with m ports has 2 m breakpoints z and z - a. Sorting takes 2 m ceil(log2 2 m) comparisons. Each breakpoint is
visited once, with a constant number of operations. The reason is that between two breakpoints sum clip(z - tau, 0, a)
is affine. Its slope is, up to sign, the number of ports between their bounds. m <= |L|, and the m of all rows add up to
K sum |R_l|.
- *With one port log |L| is 0, but the work is positive.* The bound has 1 + log |L|: the count is 2 m (ceil(log2 2 m) +
1) = 2 m (ceil(log2 m) + 2).
- *The gradient and the totals of (27) take steps too.* They take a constant number of operations for each channel and
resource, K sum |R_l| in total.
"""


@COMPLEXITY_REPAIRED.reading("all steps", "There is one processor.", SORTED_WORK_PROOF)
@COMPLEXITY_REPAIRED.false_variant("nine tenths of it", share=Fraction(9, 10))
def sorted_work(case: OneRow, share: Fraction = Fraction(1)) -> Finding:
    many, (_, taken) = 2 * len(case.z), steps.breakpoints(case.z, case.a, case.c)
    return Finding(Fraction(taken), share * many * (steps.log2(many) + 1), "at most", "steps")


SORTED_DEPTH_PROOF = """
Sorting 2 m numbers counts as ceil(log2 2 m) = ceil(log2 m) + 1 steps. The sums at all breakpoints are prefix sums of
slopes, times differences, summed again. A tree finds the first sum beyond c. Together these take three times as many
steps. The products, tau and y take 3. The totals of (27) and the maximum over K take log2 |R| + log2 K + 2 more, in
trees.
- *A comparison network does not sort in log2 steps.* This is the paper's count; with a bitonic network the logarithm
is squared.
- *The sum at a breakpoint depends on all earlier breakpoints.* This is a prefix sum, which a tree computes in a
logarithmic number of rounds.
"""


@COMPLEXITY_REPAIRED.reading(
    "a processor per channel and resource", "Prefix sums are kept in trees.", SORTED_DEPTH_PROOF
)
@COMPLEXITY_REPAIRED.false_variant("nine tenths of it, in parallel", share=Fraction(9, 10))
def sorted_depth(case: OneRow, share: Fraction = Fraction(1)) -> Finding:
    _, taken = steps.in_parallel(case.z, case.a, case.c)
    return Finding(Fraction(taken), share * (4 * steps.log2(len(case.z)) + 7), "at most", "steps")


ANY_SIZE_PROOF = """
The totals and the maximum over K in (27) take log2 |R| + log2 K + 2 steps, rounded up. Sorting takes log2 |L|, and each
of at most |L| turns of the repeat loop takes 2 log2 |L| + 2. The while loop has one turn if no demand is below the
capacity. Finally, 2 + log2 |L| + |L| (2 log2 |L| + 2) <= 5 |L| (1 + log2 |L|).
- *With demands below the capacity the while loop has a second turn.* The second turn starts with one port fewer and is
the last. This is at most twice as many steps, of the same order.
- *Is log |R| + log K needed at all?* Yes: the maximum of K totals over |R_l| nodes depends on all these numbers, and no
tree is flatter.
"""


@ABSTRACT_REPAIRED.reading(
    "every size", "Sums and minima are kept in trees; demands are at least the capacity.", ANY_SIZE_PROOF
)
@ABSTRACT_REPAIRED.false_variant("a fifth of it", share=Fraction(1, 5))
def any_size(case: Scaled, share: Fraction = Fraction(1)) -> Finding:
    slot = steps.FAMILIES[case.kind](case.n)
    limit = steps.log2(slot.resources) + steps.log2(slot.nodes) + 5 * slot.ports * (1 + steps.log2(slot.ports))
    return Finding(Fraction(steps.depth(slot)), share * limit, "at most", "steps")
