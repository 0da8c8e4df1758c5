"""A claim of my own, with its strategy, to a shrunk counterexample: does the largest job alone bound the total JCT?"""

from dataclasses import dataclass

from hypothesis import strategies as st

from schedproof.core.claim import Claim, Domain, FalseVariant, Finding, Reading, Regime
from schedproof.core.sources import Paper
import schedproof as sp

NOTES = Paper("Me 2026", ("M. E.",), "Notes", "unpublished", 2026)


@dataclass(frozen=True)
class Lengths:
    """A case: the lengths of jobs that wait for one machine."""

    lengths: list[int]


def total(case, order):
    """The sum of completion times when the jobs run in this order."""
    return sum(length * (len(order) - n) for n, length in enumerate(order))


def shortest_is_half(case):
    first_come, best = total(case, case.lengths), total(case, sorted(case.lengths))
    return Finding(first_come, 2 * best, "at most", "first come first served, and twice the least total JCT")


CLAIM = Claim(
    id="notes.first_come_is_2_competitive",
    source=NOTES.at("page 2"),
    statement="On one machine, first come first served has at most twice the least total JCT.",
    readings=(Reading("as stated", "Jobs that are all there at slot 0.", shortest_is_half),),
    domain=Domain(
        Lengths,
        st.builds(Lengths, st.lists(st.integers(1, 20), min_size=1, max_size=6)),
        (Regime("a long job first", lambda case: case.lengths[0] > min(case.lengths)),),
    ),
    false_variants=(FalseVariant("it is best", lambda case: Finding(total(case, case.lengths), total(case, sorted(case.lengths)), "at most")),),
)
print(sp.verify(CLAIM, budget=3)[0])
