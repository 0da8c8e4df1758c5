"""The distribution of rounded loads of a server, against enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from schedproof.proofs_checks.jrp.spare_rounding import law
from schedproof.proofs_checks.strategies.jrp_spare import Kind, Spare

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def test_the_law_is_that_of_all_outcomes() -> None:
    kinds = (Kind(2, HALF, (2, 1), (THIRD, 1 - THIRD)), Kind(1, THIRD, (3,), (HALF, HALF)))
    case = Spare(kinds, HALF, 2, (9, 9))
    jobs = [kind for kind in kinds for _ in range(kind.jobs)]
    for server in range(2):
        expected = [Fraction(0)] * 10
        for accepted in product((False, True), repeat=len(jobs)):
            nodes = [
                (size, kind.shares[server])
                for kind, yes in zip(jobs, accepted, strict=True)
                if yes
                for size in kind.sizes
            ]
            for here in product((False, True), repeat=len(nodes)):
                chance = Fraction(1)
                for kind, yes in zip(jobs, accepted, strict=True):
                    chance *= kind.y / 2 if yes else 1 - kind.y / 2
                for (_, share), yes in zip(nodes, here, strict=True):
                    chance *= share if yes else 1 - share
                expected[sum(size for (size, _), yes in zip(nodes, here, strict=True) if yes)] += chance
        found = law(case, server, HALF)
        assert found == expected[: len(found)] and sum(found) == 1
