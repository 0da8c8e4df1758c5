"""Yu et al. 2022, Theorem 4, G > 1 of (30): exp(-(1 - 1/G)^2 G W_1/2) = delta/3. With probability above 1 - delta
Algorithm 4 "obtains a schedule", and Pr{LHS(24) > C G (1 + sqrt(3 ln(3(HR+1)/delta)/(G W_2)))} <= delta/(3(HR+1)).
"""

from fractions import Fraction
from itertools import product
from math import ceil, factorial, floor

delta, rows = Fraction(1, 10), 2 * 1 + 1  # HR + 1: two machines, GPUs only


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for 0 <= x <= 20, by its series."""
    low = sum(x**k / factorial(k) for k in range(60))
    return low, low + 2 * x**60 / factorial(60)


def gain(W_1: int, g: Fraction) -> tuple[Fraction, Fraction]:
    """Proves that G of (30) is between g and g + 1/10000."""
    h = g + Fraction(1, 10000)
    at_g, at_h = ((1 - 1 / bound) ** 2 * bound * W_1 / 2 for bound in (g, h))  # grows in G > 1; its exp at G is 3/delta
    assert exp_bounds(at_g)[1] < 3 / delta < exp_bounds(at_h)[0]
    print(f"  W_1 = {W_1}: {g} < G < {h}")
    return g, h


left = Fraction(1, 200)  # of a GPU on a machine with price 1; another one with price 2 has a whole GPU left
print(f"One worker of one GPU; {left} GPU left at price 1, one GPU at price 2. (23): w = (1/200, 199/200).")
g, h = gain(1, Fraction(86872, 10000))
W_2, log = left, Fraction(4500, 1000)  # above ln(3(HR + 1)/delta) = ln 90
assert exp_bounds(log)[0] > 3 * rows / delta
assert 3 * log * h / W_2 < (1 / left - h) ** 2  # so that C (G + sqrt(3 ln(90) G/W_2)) < 1
chance = g * left  # of rounding w' = G/200 up
print("The theorem allows less than 1 on the first machine, which gets a whole worker with probability G/200.")
for reading in ("a draw, each row", "a draw, some row"):
    print(f"{reading}: {chance} should be at most {delta / (3 * rows)}")
assert h * left < 1 and chance > delta / (3 * rows)

gpus, F, need = (2, 2), 4, 4  # a parameter server takes nothing, no machine holds the whole job
print(f"\nTwo machines with 2 GPUs each, {need} workers of one GPU are needed. (23): w = (2, 2).")
g, h = gain(need, Fraction(34070, 10000))
counts = range(floor(2 * g), ceil(2 * h) + 1)  # (27), on each machine
feasible = [x for x in product(counts, repeat=2) if max(x) <= 2 and need <= sum(x) <= F]
print(f"Each machine gets one of {list(counts)} workers, and 2 fit. Feasible outcomes: {feasible}")
assert not feasible
print(f"a schedule: {len(feasible)} should be at least {1 - delta}")
