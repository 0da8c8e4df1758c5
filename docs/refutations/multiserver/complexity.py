"""Zhao et al. 2024, section III-B: a slot's projections take O(|L| log(K sum_l |R_l|)) steps.

Steps of lines 7-31 of Algorithm 1 are counted: log2 |L_r| for each port that is sorted, and in each turn of the repeat
loop one for each port of B3 in (38) and one in line 25. The quotient with |L| log2(2 K sum |R_l|) should not keep
growing by 5/4 or more as n doubles; here it is 2 n/log2(2 n) and (n + 1 + log2 n)/log2(2 n), which have no bound.
"""

from fractions import Fraction as F
from itertools import pairwise


def log2(n):
    """For powers of 2."""
    return n.bit_length() - 1


def stairs(n):
    """z of n ports, c = a = 1; each turn of the repeat loop cuts one; all but the first sum to less than 1."""
    tau, drop, z = F(1, n), F(1, 10**40), [1 + F(1, n)]
    for m in range(2, n + 1):
        drop *= max(1, m - 2)
        z.append(tau - m * drop)
        tau -= drop
    assert z == sorted(z, reverse=True) and z[-1] > 0 and sum(z[1:]) < 1
    return z


def steps_of_row(z, c=1):
    """Lines 7-31 for one (r, k); no port gets more than its demand, so that line 15 stops."""
    sizes, ports = [], list(z)
    while True:
        sizes.append(len(ports))
        half_rho = (sum(ports) - c) / len(ports)  # (38)
        y = [zi - half_rho for zi in ports]
        cut = next((i for i, yi in enumerate(y) if yi < 0), None)
        if cut is None:
            assert y[0] <= 1
            return len(z) * log2(len(z)) + sum(2 * size for size in sizes), sizes
        ports = ports[:cut]


def report(name, counts, readings):
    quotients = [F(steps, bound) for steps, bound in counts]
    growth = min(b / a for a, b in pairwise(quotients))
    print(f"{name}, n = 4, 8, 16: steps and bound {counts}, quotients", *quotients)
    for reading in readings:
        print(f"{reading}: {growth} should be at most 5/4")
        assert growth > F(5, 4)


one, _ = steps_of_row([F(1)])
report("one port, n nodes", [(n * one, log2(2 * n)) for n in (4, 8, 16)], ["all steps"])
for n in (4, 8, 16):
    assert steps_of_row(stairs(n))[1] == list(range(n, 0, -1))  # each turn cuts one port
counts = [(steps_of_row(stairs(n))[0], n * log2(2 * n)) for n in (4, 8, 16)]
report("n ports, one node", counts, ["all steps", "a processor per (r, k)"])
