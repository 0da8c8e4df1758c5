"""Wang et al. 2019, proof of Theorem 1: after lower priorities have been removed, "edge server j is assigned at least
1 - 1/eta of the total capacity", and therefore (24); eta is "the maximum number of data nodes that any edge server can
serve". Jobs of 1, 1 and 4 GB, one data node each, on a server of 5 GB, no deadlines.
"""

from fractions import Fraction as F

SIZES, ROOM = (1, 1, 4), 5
Y = (F(1), F(1), F(3, 4))  # LP_I: y0 + y1 + 4 y2 <= 5, y0, y1 <= 1; with prices 1/4, 3/4, 3/4 no y has more than 11/4
assert sum(d * y for d, y in zip(SIZES, Y, strict=True)) == ROOM and sum(Y) == F(5, 4) + 2 * F(3, 4)

up = sorted(SIZES)
most = max(n for n in range(1, 4) if sum(up[:n]) <= ROOM)
whichever = max(n for n in range(1, 4) if sum(up[-n:]) <= ROOM)
assert (most, whichever) == (2, 2)


def kept(drawn):
    """GB of the longest prefix by priority that satisfies (21)."""
    total = 0
    for i in drawn:
        if total + SIZES[i] > ROOM:
            break
        total += SIZES[i]
    return total


all_three, first_two = kept([0, 1, 2]), kept([0, 1])
print(f"With probability {Y[2]} all three are drawn, {sum(SIZES)} GB, and {all_three} are kept; else {first_two}.")
etas = {"most here": most, "most anywhere": most, "all candidates": 3, "whichever they are": whichever}
for reading, eta in etas.items():
    claimed = (1 - F(1, eta)) * ROOM
    print(f"{reading}: {all_three} should be at least {claimed}")
    assert all_three < claimed

mean = Y[2] * all_three + (1 - Y[2]) * first_two
claimed = (1 - Y[2]) * first_two + (1 - F(1, whichever)) * ROOM * Y[2]  # E(D; D <= r) + (1 - 1/eta) r Pr(D > r)
print(f"(24): {mean} should be at least {claimed}")
assert mean < claimed
print(f"With eta = floor(r/max d) = {ROOM // max(SIZES)} both would hold: one large data node leaves little behind it.")
