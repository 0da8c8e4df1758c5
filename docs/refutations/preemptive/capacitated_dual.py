"""Wang et al. 2022, section VI: (9) is the dual of relaxed (8) without (4c), (4d), (4f), (4g), where "constraints (7a),
(7c), (7d) are redundant". By weak duality a solution of (9) is worth at most what any solution of relaxed (8) costs.
"""

from fractions import Fraction

p, u = 2, 2  # one job, D = 1, r = 0: its chunk takes two slots and 2 GB
workers, room = 2, 1  # one server: two workers, 1 GB
alpha, beta = 3, 0
eta = {0: Fraction(3, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}  # and 0 from slot 3 on
print("A chunk of 2 slots and 2 GB; a server with 2 workers and 1 GB; alpha = 3, beta = 0, eta = 3/4, 1/2, 1/4, 0, ...")

for t in range(10):  # (9a), the same for both workers; from slot 3 on t/p alone is enough
    row = Fraction(t, p) + beta + eta.get(t, 0) * u
    assert Fraction(alpha, p) <= row
    if t < 4:
        print(f"(9a) at t = {t}: {Fraction(alpha, p)} <= {row}")
worth = alpha - sum(eta.values()) * room
print(f"(9) is worth {worth}")


def cost(rates: list[Fraction]) -> Fraction:
    """The cost (4) when each worker trains the chunk at the rates of slots 0, 1, ..., once (4a), (4b) are checked."""
    assert all(0 <= y <= 1 for y in rates) and workers * sum(rates) == p
    return sum(Fraction(t, p) * workers * y for t, y in enumerate(rates))


dropped = cost([Fraction(1)])  # x = 0 meets (7b), and nothing ties y to x
x = Fraction(room, u)  # (7a) kept: y <= x, and (7b): x u <= U
kept = cost([x, x])
print(f"(7a) dropped: both workers in slot 0, cost {dropped}; (7a) kept: y <= x <= {x}, slots 0 and 1, cost {kept}")

print(f"(7a), (7c), (7d) dropped: {worth} should be at most {dropped}")
print(f"(7a) kept: {worth} should be at most {kept}")
assert worth > kept > dropped
