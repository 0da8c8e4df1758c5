"""Yu et al. 2022, after Theorem 4: "Eqn. (25) is guaranteed in practice since the number of samples is typically far
more than the number of workers." (25) is sum_h w_h <= F. Draws: w'_h = G w_h, rounded up or down, (27)-(28), G of (30).
"""

from fractions import Fraction
from itertools import product
from math import ceil, factorial, floor

F, need, room, delta = 3, 3, (2, 2), Fraction(1)  # (26): at least W_1 = 3 workers; two machines, equal prices
point = (Fraction(3, 2), Fraction(3, 2))
assert sum(point) == need <= F and all(w <= r for w, r in zip(point, room, strict=True))  # (24)-(26)
print(
    f"{need} workers are needed and F = {F}; two machines with room for 2 each, at equal prices. (23): w = (3/2, 3/2)"
)
print("is optimal, as every point with 3 workers is.")


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for 0 <= x <= 2: 20 terms of its series, and with twice the next term for the rest."""
    low = sum(x**k / factorial(k) for k in range(20))
    return low, low + 2 * x**20 / factorial(20)


# (30) solves exp(-(1 - 1/G)^2 G W_1/2) = delta/3: with q = ln(3/delta)/W_1 it says (G - 1)^2 = 2 q G.
g, h = Fraction(229, 100), Fraction(230, 100)
at_g, at_h = ((1 - 1 / G) ** 2 * G * need / 2 for G in (g, h))  # grows in G > 1
assert exp_bounds(at_g)[1] < 3 / delta < exp_bounds(at_h)[0]
print(f"{g} < G < {h}: G w is between {g * point[0]} and {h * point[0]} on each machine.")

assert all(floor(g * w) == floor(h * w) and ceil(g * w) == ceil(h * w) for w in point)
draws = list(product(*((floor(g * w), ceil(g * w)) for w in point)))
broken = [draw for draw in draws if sum(draw) > F]
print(f"All draws: {draws}; against (25): {broken}")
chance = Fraction(len(broken) == len(draws))  # every draw breaks it, so with certainty; the samples play no part
print(f"every draw: {chance} should be at most 0")
assert chance > 0
