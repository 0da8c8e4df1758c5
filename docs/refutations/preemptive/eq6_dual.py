"""Wang et al. 2022, section IV-C: (6) is "the dual problem of relaxed problem (4) without constraints (4c), (4d), (4f)
and (4g)"; Appendix D: (11) that at the slower speed. So their optima would agree. (6a) has rows for all t >= r_j, and
y_jdsw(t) is there for t >= r_j + Delta_js, (4h).
"""

from fractions import Fraction

delay, eps = 1, 1  # one chunk of one slot, arrival 0, D = 1; one worker at this distance
print("One chunk of 1 slot, arrival 0; one worker at distance 1.")


def primal(p: int) -> Fraction:
    """Relaxed (4): p units in all, at most one in a slot, t/p each: the earliest slots after the landing."""
    return sum(Fraction(t, p) for t in range(delay, delay + p))


def dual(p: int, first: int) -> Fraction:
    """max alpha - sum beta(t) with alpha/p <= t/p + beta(t) for t >= first.

    For a given alpha the least beta(t) is max(0, alpha - t)/p. The rest is concave and piecewise linear in alpha, with
    breakpoints at the whole numbers, and falls from first + p on: the maximum is at one of these.
    """
    return max(alpha - sum(Fraction(alpha - t, p) for t in range(first, alpha)) for alpha in range(first + p + 2))


for reading, p in {"(6) as printed": 1, "(11) as printed": 1 + eps}.items():
    print(f"Chunk of {p} slots: relaxed (4) costs {primal(p)}; the rows from the landing on give {dual(p, delay)},")
    print("and those from the arrival on:")
    print(f"{reading}: {dual(p, 0)} should be equal to {primal(p)}")
    assert dual(p, delay) == primal(p) > dual(p, 0)
