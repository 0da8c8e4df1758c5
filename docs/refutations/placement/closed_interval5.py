"""Li et al. 2023, (5): task j takes x_j in each t of [t*_j, t^_j + phi_j], both ends included.

Two tasks of one slot come in slot 0 to a cluster with one unit; phi_j counts the slots in the system.
"""

from itertools import product

ARRIVAL, SLOTS, ROOM, HORIZON = 0, 1, 1, 5


def charged(start, held):
    """The slots of (5): to the completion, and with ``held`` = 1 that slot too."""
    return set(range(start, start + SLOTS + held))


def optimum(held):
    """The least sum of phi_j over all pairs of starts that (2) and (5) allow."""
    best = None
    for starts in product(range(HORIZON), repeat=2):
        used = [sum(t in charged(start, held) for start in starts) for t in range(HORIZON + 2)]
        if starts[0] != starts[1] and max(used) <= ROOM:
            total = sum(start + SLOTS - ARRIVAL for start in starts)
            best = total if best is None else min(best, total)
    return best


runs = {0}
wrong = len(charged(0, 1) ^ runs)
print(f"slots in the system: {wrong} should be equal to 0")
print(f"the optimum: {optimum(1)} should be equal to {optimum(0)}")
assert wrong > 0 and optimum(1) > optimum(0)
