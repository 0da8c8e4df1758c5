"""Zhao et al. 2024, section I: "The parallelism helps yield a complexity of O(log(K))".

Steps of a slot of OGASched; the quotient with log2(2 K) must not keep growing as n doubles: asked is a factor of 5/4.
"""

from fractions import Fraction as F


def log2(n):
    """Rounded up: the depth of a tree over n numbers."""
    return (n - 1).bit_length()


def report(name, counts, reading):
    quotients = [F(steps, bound) for steps, bound in counts]
    growth = min(quotients[1] / quotients[0], quotients[2] / quotients[1])
    print(f"{name}, n = 4, 8, 16: steps {[steps for steps, _ in counts]}, quotients", *quotients)
    print(f"{reading}: {growth} should be at most 5/4")
    assert growth > F(5, 4)


# One port, one node, K = n resources, one processor: each of n rows has (38) for its port, and line 25.
report("n resources", [(2 * n, log2(2 * n)) for n in (4, 8, 16)], "K alone, one processor")

# K = 1, one node, n ports of which each turn of the repeat loop cuts one (stairs in complexity.py). A processor for
# each channel: 2 steps for the totals and k* of (27), log2 n for sorting, and in each of n turns trees of depth log2
# |B3| for the sum of (38) and for the first port below 0, a step for rho and a step for line 25.
depths = [2 + log2(n) + sum(2 * log2(left) + 2 for left in range(1, n + 1)) for n in (4, 8, 16)]
report("n ports, in parallel", [(depth, log2(2)) for depth in depths], "every size")
