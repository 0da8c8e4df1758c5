"""Wang et al. 2019, section V-C: "in the Pareto distribution, most of the data nodes' data amount is much larger".

Section V-B: Pareto with minimum 2 GB and shape 2, uniform from 2 to 8 GB, normal with mean 5 GB and deviation 1 GB.
"""

from fractions import Fraction as F


def beyond(z):
    """Pr(X > z) of a Pareto size, for z of at least 2 GB."""
    return (F(2) / z) ** 2


half = F(1, 2)
print(f"above the middle: {beyond(5)} should be at least {half}")
assert beyond(5) < half

exceeds = 4 * (F(1, 2) - F(1, 8)) / 6  # the mean of beyond(u) = 4/u^2 over [2, 8]
steps = [2 + F(6 * n, 1000) for n in range(1001)]
low, high = (sum(beyond(u) for u in part) / 1000 for part in (steps[1:], steps[:-1]))
assert low < exceeds < high  # sums of 1000 rectangles, as beyond falls
print(f"above another: {exceeds} should be at least {half}")
assert exceeds < half

mean = 2 * F(2, 2 - 1)  # minimum times shape/(shape - 1)
print(f"on average: {mean} should be at least 5")
assert mean < 5
assert beyond(F(283, 100)) < half < beyond(F(282, 100))
print("Half of the data nodes have less than 2.83 GB.")
