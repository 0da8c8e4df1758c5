"""Yu et al. 2022, Lemma 2: Pr{(B x^)_i > b_i (1 + sqrt(3 ln(3r/delta)/(G W_b))) G, exists i} <= delta/(3r), where G > 1
of (38) is defined by exp(-(1 - 1/G)^2 G W_a/2) = delta/(3m), W_a = min a_i/A_ij, W_b = min b_i/B_ij. Here m = r = 1.
"""

from fractions import Fraction
from math import comb, factorial, floor


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for 0 <= x <= 20, by its series."""
    low = sum(x**k / factorial(k) for k in range(60))
    return low, low + 2 * x**60 / factorial(60)


def at_most(k: int, n: int, p: Fraction) -> Fraction:
    """The probability that a binomial number, n times p, is at most k."""
    return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))


def check(room: Fraction, columns: int, point: Fraction, W_a: int, delta: Fraction, g: Fraction, log: Fraction) -> None:
    """The packing row: this many columns at `point` <= room. Given: a lower bound of G, an upper one of ln(3/delta)."""
    W_b, h = room, g + Fraction(1, 10000)
    at_g, at_h = ((1 - 1 / bound) ** 2 * bound * W_a / 2 for bound in (g, h))  # grows in G > 1; its exp at G is 3/delta
    assert exp_bounds(at_g)[1] < 3 / delta < exp_bounds(at_h)[0] and exp_bounds(log)[0] > 3 / delta
    print(f"W_b = {W_b}, delta = {delta}: {g} < G < {h}, ln(3/delta) < {log}.")

    most = 0  # the largest sum that the lemma may allow: b (G + sqrt(3 ln(3r/delta) G/W_b))
    while most + 1 <= room * h or (Fraction(most + 1) / room - h) ** 2 <= 3 * log * h / W_b:
        most += 1
    chance = 1 - at_most(most, columns, g * point)  # of a larger sum; for G it is likelier than for g
    measured = Fraction(floor(chance * 10**12), 10**12)
    print(f"The lemma allows less than {most + 1}; the row reaches {most + 1} with probability above {measured}.")
    for reading in ("some row", "each row"):  # there is one packing row
        print(f"{reading}: {measured} should be at most {delta / 3}")
    assert chance >= measured > delta / 3


print("min x + 2y, x + y >= 1, x <= 1/250: the optimum is (1/250, 249/250).")
check(Fraction(1, 250), 1, Fraction(1, 250), 1, Fraction(1, 50), Fraction(119375, 10000), Fraction(5011, 1000))
print("\nmin sum x + 2y, sum x + y >= 10000, sum x <= 1 for a hundred x: optimal at x = 1/100 each, y = 9999.")
check(Fraction(1), 100, Fraction(1, 100), 10000, Fraction(1, 20000), Fraction(10480, 10000), Fraction(11003, 1000))
