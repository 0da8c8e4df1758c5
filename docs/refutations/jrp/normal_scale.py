"""Wang et al. 2019, section IV-C, twice: "(D_j - mu_j)/sigma_j^2 ~ N(0, 1)", with sigma_j^2 = Var(D_j).

One data node of 1 GB that is drawn with probability 1/2. A variable that is N(0, 1) has the variance 1.
"""

from fractions import Fraction as F

LOAD = {0: F(1, 2), 1: F(1, 2)}  # D_j of (22): amount in GB, its probability

mu = sum(p * d for d, p in LOAD.items())
variance = sum(p * (d - mu) ** 2 for d, p in LOAD.items())
scaled = sum(p * ((d - mu) / variance) ** 2 for d, p in LOAD.items())
print(f"mu = {mu}, sigma^2 = {variance}")
print(f"variance of (D - mu)/sigma^2: {scaled}; of (D - mu)/sigma: {variance / variance}")
print(f"as printed: {scaled} should be equal to 1")
assert scaled != 1
