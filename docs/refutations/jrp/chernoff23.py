"""Wang et al. 2019, (23): "Pr(D_j < (1 - delta) mu_j) < exp(-mu_j delta^2/2)" for every delta in (0, 1).

The sizes d_i of (22) are numbers of GB. Two servers; exp is bounded by its power series.
"""

from fractions import Fraction as F
from math import ceil, factorial

SERVERS = {  # size in GB of each data node, the probability x of each, delta
    "one data node of 10 GB": ([10], F(1, 2), F(9, 10)),
    "fifteen data nodes of 8 GB, as in section V-B": ([8] * 15, F(1, 2), F(1, 2)),
}


def load(sizes, x):
    """The distribution of D_j, (22): each data node is drawn with probability x."""
    chances = {0: F(1)}
    for d in sizes:
        without = {amount: p * (1 - x) for amount, p in chances.items()}
        for amount, p in chances.items():
            without[amount + d] = without.get(amount + d, 0) + p * x
        chances = without
    return chances


def exp_minus(z):
    """At least exp(-z) for z > 0, to nine decimals: 1/e^z, with the power series of e^z cut off."""
    return F(ceil(10**9 / sum(z**k / factorial(k) for k in range(60))), 10**9)


print("The right side of (23) changes with the unit of data, the left side does not.")
for name, (sizes, x, delta) in SERVERS.items():
    mu = sum(d * x for d in sizes)
    tail = sum(p for amount, p in load(sizes, x).items() if amount < (1 - delta) * mu)
    bound = exp_minus(mu * delta**2 / 2)
    print(f"{name}, x = {x}: mu = {mu} GB, delta = {delta}")
    print(f"  Pr(D < {(1 - delta) * mu}) = {tail}, and exp(-{mu * delta**2 / 2}) is at most {float(bound)}")
    print(f"bound in GB: {tail} should be at most {bound}")
    assert tail > bound
