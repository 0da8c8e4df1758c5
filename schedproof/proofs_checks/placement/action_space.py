"""Section IV-A: the joint and the decomposed action space."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import prod

from hypothesis import strategies as st

from schedproof.core.claims.claim import Answer, Claim, Domain, Exhaustive, Finding, Premise
from schedproof.families.placement import LI23
from schedproof.proofs_checks.strategies.placement_network import Sizes

PENDING, CAPACITIES = 10, ((16, 16), (16, 8), (32, 16))  # sections V-A and V-B


LONGEST = 64 * 6  # tasks of the largest training workload, section V-A


def _of_section_v(case: Sizes) -> bool:
    return case.pending == PENDING and case.capacity in CAPACITIES and PENDING <= case.queue <= LONGEST


SPACE = Claim(
    "placement.action_space",
    LI23.at("section IV-A, Action space: 'a dimension of (|Q_nt| x prod_r C_rn). To reduce this space [...]'"),
    "Selecting a task of the pending set and then an allocation takes fewer outputs, |P_nt| + prod (C_rn "
    "+ 1), than the pairs of a task in the queue and an allocation, |Q_nt| prod C_rn. With 16 x 16 units "
    "it takes 299 outputs instead of 2,560 or more.",
    Domain.of(
        Sizes,
        st.builds(Sizes, st.integers(PENDING, LONGEST), st.just(PENDING), st.sampled_from(CAPACITIES)),
        {
            "16 x 16": lambda case: case.capacity == (16, 16),
            "16 x 8": lambda case: case.capacity == (16, 8),
            "32 x 16": lambda case: case.capacity == (32, 16),
        },
        premises=(Premise("the sizes are those of section V", _of_section_v),),
    ),
)


def section_v_sizes() -> Iterator[Sizes]:
    """The capacities of section V, with every queue that fills the pending set."""
    return (Sizes(queue, PENDING, capacity) for capacity in CAPACITIES for queue in range(PENDING, LONGEST + 1))


@SPACE.reading(
    "the sizes of section V",
    "Pending sets of 10, queues of at least 10 tasks, the three capacities.",
    exhaustive=Exhaustive(
        "capacities of 16 x 16, 16 x 8 and 32 x 16, queues of 10 to 384 tasks", 3 * (LONGEST - 9), section_v_sizes
    ),
)
@SPACE.false_variant("a tenth as many", part=Fraction(1, 10))
def smaller(case: Sizes, part: Fraction = Fraction(1)) -> Answer:
    decomposed = case.pending + prod(c + 1 for c in case.capacity)
    return Finding(Fraction(decomposed), part * case.queue * prod(case.capacity), "at most", str(case))
