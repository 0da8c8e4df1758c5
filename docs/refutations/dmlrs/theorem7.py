"""Yu et al. 2022, Theorem 7: "the time complexity of PD-ORS is O(sum_i T K_i^2 E_i^2 (H^3 + S)), which is polynomial."

Steps are counted as its proof counts them, an LP as H^3; the sort of the machines is left out, which only lowers the
count. V = K E samples, T slots, H machines, R resources, S draws. Along each family of inputs below the steps are a
polynomial in n; were they O(...), its degree would be at most that of T V^2 (H^3 + S).
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise


def theta(H: int, R: int, S: int) -> int:
    """Algorithm 4: look at each machine, the LP; S draws that round 2 H numbers and test H R + 2 rows."""
    return H * R + H**3 + S * (2 * H + H * R + 2)


@cache
def recursion(T: int, V: int, H: int, R: int, S: int) -> int:
    """Algorithm 3 as printed: each turn v of its loop calls Algorithm 4, and itself with T - 1 and V - v."""
    return sum(1 + theta(H, R, S) + recursion(T - 1, V - v, H, R, S) for v in range(V + 1)) if T else 0


def tables(T: int, V: int, H: int, R: int, S: int) -> int:
    """Every theta(t, v) and Theta(t, v) is computed once and looked up afterwards."""
    return T * ((V + 1) * theta(H, R, S) + sum(v + 1 for v in range(V + 1)))


def bound(T: int, V: int, H: int, R: int, S: int) -> int:
    """The theorem's T V^2 (H^3 + S)."""
    return T * V**2 * (H**3 + S)


def degree(steps: Callable[..., int], family: Callable[[int], tuple[int, ...]]) -> int:
    """How often the values at n = 1, ..., 12 can be differenced before only zeros are left, less one."""
    left, found = [steps(*family(n)) for n in range(1, 13)], -1
    while any(left):
        left, found = [after - before for before, after in pairwise(left)], found + 1
    return found


SLOTS, DRAWS, RESOURCES = lambda n: (n, 4, 1, 1, 1), lambda n: (2, 1, n, 1, n**3), lambda n: (2, 1, 1, n, 1)
FAMILIES = {"n slots": (SLOTS, recursion), "n machines, n^3 draws": (DRAWS, tables), "n resources": (RESOURCES, tables)}
for name, (family, counted) in FAMILIES.items():
    print(f"{name}: (T, V, H, R, S) = {family(2)}, {family(3)}, ...; degrees of the steps and of the bound in n:")
    for reading in ("recursion",) if counted is recursion else ("recursion", "tables"):
        found, allowed = degree({"recursion": recursion, "tables": tables}[reading], family), degree(bound, family)
        print(f"{reading}: {found} should be at most {allowed}")
        assert found > allowed

first, second, third = (tables(2, 2**n, 1, 1, 1) for n in (2, 4, 8))  # V = 2^n is written with about n bits
print(f"Polynomial in the length of the input? V = 2^n, n = 2, 4, 8, tables: steps {first}, {second}, {third}.")
print("A polynomial grows by about the same factor each time; here the factor squares. Twice the first factor allowed:")
print(f"polynomial: {Fraction(third, second)} should be at most {2 * Fraction(second, first)}")
assert third > 2**8 and Fraction(third, second) > 2 * Fraction(second, first)
