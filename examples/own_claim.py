"""A claim with its strategy, and a shrunk counterexample: is FCFS 2-competitive?"""

from dataclasses import dataclass

from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.cards.sources import Paper
from schedproof.core.claims.claim import Claim, Domain, Finding

NOTES = Paper("Me 2026", ("M. E.",), "Notes", "unpublished", 2026)


@dataclass(frozen=True)
class Lengths:
    """A case: the lengths of jobs on one machine."""

    lengths: list[int]


CLAIM = Claim(
    "notes.first_come_is_2_competitive",
    NOTES.at("page 2"),
    "On one machine, first come first served has at most twice the least total JCT.",
    Domain.of(
        Lengths,
        st.builds(Lengths, st.lists(st.integers(1, 20), min_size=1, max_size=6)),
        {"a long job first": lambda case: case.lengths[0] > min(case.lengths)},
    ),
)


@CLAIM.reading("as stated", "Jobs that all arrive in slot 0.")
@CLAIM.false_variant("it is best", factor=1)
def at_most(case, factor=2):
    """First come first served has at most ``factor`` times the least total JCT."""
    return Finding(total(case.lengths), factor * total(sorted(case.lengths)), "at most")


def total(order):
    """Return the sum of completion times of jobs in this order."""
    return sum(length * (len(order) - n) for n, length in enumerate(order))


print(sp.verify(CLAIM, budget=3)[0])
