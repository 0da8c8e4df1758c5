"""Yu et al. 2022, Appendix C, proof of Theorems 5 and 6: since a job's demand is "much smaller than the capacity", the
differential relation "implies the allocation-cost relationship in Definition 1", p_(i-1) (rho_i - rho_(i-1)) >=
(delta/3G) (C/eps) (p_i - p_(i-1)), for eps = max_r(1, ln(U^r/L)) and the prices p = L (U/L)^(rho/C) of (12).
"""

from fractions import Fraction
from math import factorial

print("Divided by p_(i-1) C delta/(3 G eps): (U/L)^y - 1 <= (3G/delta) eps y, with y the share that the job takes.")


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for 0 <= x <= 20, by its series."""
    low = sum(x**k / factorial(k) for k in range(60))
    return low, low + 2 * x**60 / factorial(60)


def relation(power: int, y: Fraction, gain: int, bound: Fraction) -> int:
    """The left side for U/L = 2^power; gain = 3G/delta; proves that the right side is `bound`, in thousandths above."""
    per_ln2 = gain * power * y  # the right side is this many times ln 2, as ln(U/L) = power ln 2 >= 1
    assert exp_bounds((bound - Fraction(1, 1000)) / per_ln2)[1] < 2 < exp_bounds(bound / per_ln2)[0]
    assert (power * y).denominator == 1 and power > 1
    left = 2 ** int(power * y) - 1
    print(f"U/L = 2^{power}, share {y}, 3G/delta = {gain}: {left} <= {bound} is false")
    assert left > bound
    return left


half, exact, three = Fraction(1387, 1000), Fraction(6932, 1000), Fraction(20795, 1000)
five_workers = relation(4, 5 * Fraction(1, 10), 1, half)  # of C/10 each
one_worker = relation(100, Fraction(1, 10), 1, exact)
one_job = relation(100, Fraction(1, 10), 3, three)  # delta = G = 1
print(f"one worker small, theta exact: {five_workers} should be at most {half}")
print(f"one worker small, theta exact: {one_worker} should be at most {exact}")
print(f"one worker small: {one_job} should be at most {three}")
print(f"one job small: {one_job} should be at most {three}")
