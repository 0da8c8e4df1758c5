"""Wang et al. 2019, Algorithm 1, lines 14-17: the x and y that it puts out satisfy (6), sum_j x_i^j = y_k.

Storage only (no deadlines): one server of 2 GB, job k0 with one data node, job k1 with two, of 1 GB each.
"""

from fractions import Fraction as F
from itertools import product

STORAGE = 2
NODES = [("k0", 1), ("k1", 1), ("k1", 1)]  # job, size in GB
Y = {"k0": F(1), "k1": F(1, 2)}  # the optimum of LP_I

# LP_I: y0 + 2 y1 <= 2 and y0 <= 1. Half of their sum is y0 + y1 <= 3/2, met only where both are tight: at Y alone.
assert Y["k0"] + 2 * Y["k1"] == STORAGE and Y["k0"] == 1 and sum(Y.values()) == F(3, 2)
print(f"LP_I has the only optimum y0 = {Y['k0']}, y1 = {Y['k1']}")

after = output = F(0)  # the probability that (6) is broken after the first iteration, and in the output
for drawn in product((False, True), repeat=len(NODES)):
    chance = F(1)
    for (job, _), hit in zip(NODES, drawn, strict=True):
        chance *= Y[job] if hit else 1 - Y[job]
    if not chance:
        continue
    x, used = [0] * len(NODES), 0
    for i in (i for i, hit in enumerate(drawn) if hit):  # by priority: k0, then k1
        if used + NODES[i][1] > STORAGE:
            break  # (21): the longest prefix
        x[i], used = 1, used + NODES[i][1]  # line 14
    y = {job: int(all(x[i] for i, (of, _) in enumerate(NODES) if of == job)) for job in Y}  # line 17
    assert y == {"k0": 1, "k1": 0}
    broken = any(x[i] != y[job] for i, (job, _) in enumerate(NODES))
    after += chance * broken
    # Next iteration: k0 has left and taken 1 GB. (18) lets the server keep one data node of k1, the other has no
    # server left, and line 36 rejects k1. No line sets an x of k1 back to 0.
    assert STORAGE - 1 < 2
    output += chance * broken
    print(f"drawn {drawn} with probability {chance}: x = {x}, y = {y}, (6) {'is broken' if broken else 'holds'}")

for reading, chance in (("after an iteration", after), ("the output", output)):
    print(f"{reading}: {chance} should be at most 0")
    assert chance > 0
