"""Round robin is (2 - 2/(n + 1))-competitive for the total completion time of n jobs of unknown sizes.

Source: Motwani, Phillips and Torng, Theoretical Computer Science 130 (1994).

No deterministic algorithm that does not know the sizes is better. All jobs are there at time 0; job j completes at
sum_i min(p_i, p_j). The source covers all n and sizes; here all sizes up to 4 of n <= 5 jobs are tried.
"""

from fractions import Fraction
from itertools import combinations_with_replacement


def value(n):
    return max(Fraction(shared(sizes), shortest(sizes)) for sizes in combinations_with_replacement(range(1, 5), n))


def shared(sizes):
    return sum(min(p, q) for p in sizes for q in sizes)


def shortest(sizes):
    """The optimum: shortest job first."""
    return sum(size * (len(sizes) - place) for place, size in enumerate(sorted(sizes)))


def worst(n):
    """Equal jobs, in the order of completion."""
    return [(1, shared((1,) * n) * j // n, shortest((1,) * j)) for j in range(1, n + 1)]


def theory(n):
    return 2 - Fraction(2, n + 1)


SIZES = ({"n": 2}, {"n": 3}, {"n": 5})
KNOWN = "proven for these sizes"
