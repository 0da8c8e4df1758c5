"""Yu et al. 2022, Theorem 7: "the time complexity of PD-ORS is O(sum_i T K_i^2 E_i^2 (H^3 + S)), which is polynomial."

Steps are counted as its proof counts them, and an LP as H^3. V = K E samples, T slots, H machines, R = 1 resource, S
draws. Where the steps are O(...), the quotient of the two stays bounded. Measured: how it grows when n doubles.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise


def theta(H: int, S: int) -> int:
    """Algorithm 4: sort, look at each machine, the LP; S draws that round 2 H numbers and test H R + 2 rows."""
    return H * max(1, (H - 1).bit_length()) + H + H**3 + S * (2 * H + H + 2)


@cache
def recursion(T: int, V: int, H: int, S: int) -> int:
    """Algorithm 3 as printed: each turn v of its loop calls Algorithm 4, and itself with T - 1 and V - v."""
    return sum(1 + theta(H, S) + recursion(T - 1, V - v, H, S) for v in range(V + 1)) if T else 0


def tables(T: int, V: int, H: int, S: int) -> int:
    """Every theta(t, v) and Theta(t, v) is computed once and looked up afterwards."""
    return T * ((V + 1) * theta(H, S) + sum(v + 1 for v in range(V + 1)))


def growth(name: str, steps: Callable[..., int], sizes: list[tuple[int, int, int, int]]) -> Fraction:
    """The least factor by which steps/(T V^2 (H^3 + S)) grows from one size to the next."""
    quotients = [Fraction(steps(T, V, H, S), T * V**2 * (H**3 + S)) for T, V, H, S in sizes]
    print(f"{name}: (T, V, H, S) = {sizes}: quotients about {[float(round(q, 2)) for q in quotients]}")
    return min(after / before for before, after in pairwise(quotients))


slots = growth("recursion, n slots", recursion, [(n, 4, 1, 1) for n in (4, 8, 16)])
print(f"recursion: {slots} should be at most 5/4")
draws = [(2, 1, n, n**3) for n in (4, 8, 16)]
called = growth("recursion, n machines and n^3 draws", recursion, draws)
print(f"recursion: {called} should be at most 5/4")
looked_up = growth("tables, n machines and n^3 draws", tables, draws)
print(f"tables: {looked_up} should be at most 5/4")
for n in range(1, 100):  # no factor is needed to see it: one theta has over 2 n^4 steps, and H^3 + S = 2 n^3
    assert theta(n, n**3) > 2 * n**4
assert min(slots, called, looked_up) > Fraction(5, 4)

first, second, third = (tables(2, 2**n, 1, 1) for n in (2, 4, 8))  # V = 2^n is written with about n bits
print(f"Polynomial in the length of the input? V = 2^n, n = 2, 4, 8, tables: steps {first}, {second}, {third}.")
print("A polynomial grows by about the same factor each time; here the factor squares. Twice the first factor allowed:")
print(f"polynomial: {Fraction(third, second)} should be at most {2 * Fraction(second, first)}")
assert third > 2**8 and Fraction(third, second) > 2 * Fraction(second, first)
