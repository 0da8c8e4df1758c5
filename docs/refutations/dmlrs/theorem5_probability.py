"""Yu et al. 2022, Theorem 5: with probability greater than (1 - (delta/3)^S)^(T K_i E_i) PD-ORS "returns a feasible
solution"; Theorem 3 is to bound the probability "of violating the cover constraint" by delta/3 in each draw.
G < 1 of (29): exp(-(1/G - 1)^2 G W_2/3) = delta/(3(HR + 1)).
"""

from fractions import Fraction
from itertools import product
from math import ceil, factorial, floor

gpus, F, S, delta = (2, 2), 4, 2, Fraction(1, 10)  # two machines, S draws
T, KE = 1, 4  # one slot; tau = 1, g = 0: the four samples need four workers of one GPU in it, PSs take nothing
W_2, rows = min(F, *gpus), len(gpus) * 1 + 1  # HR + 1
print(f"Two machines with 2 GPUs each, one slot; {KE} samples need {KE} workers of one GPU. (23): w = (2, 2).")


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for 0 <= x <= 20, by its series."""
    low = sum(x**k / factorial(k) for k in range(60))
    return low, low + 2 * x**60 / factorial(60)


g, h = Fraction(1158, 10000), Fraction(1159, 10000)
at_g, at_h = ((1 / bound - 1) ** 2 * bound * W_2 / 3 for bound in (g, h))  # falls in G < 1; its exp at G is 90
assert exp_bounds(at_g)[0] > 3 * rows / delta > exp_bounds(at_h)[1]
counts = range(floor(2 * g), ceil(2 * h) + 1)  # (27), on each machine
feasible = [x for x in product(counts, repeat=2) if max(x) <= 2 and KE <= sum(x) <= F]  # (24)-(26), step 11
print(f"{g} < G < {h}: each machine gets one of {list(counts)} workers. Feasible outcomes: {feasible}")
assert not feasible  # so that no number of draws solves the state v = 4, and the loop of step 11 does not end
promised = (1 - (delta / 3) ** S) ** (T * KE)
for reading in ("every state is solved", "step 11 as printed"):
    print(f"{reading}: {len(feasible)} should be at least {promised}")
