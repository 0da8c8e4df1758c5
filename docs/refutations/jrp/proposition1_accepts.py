"""Wang et al. 2019, proof of Proposition 1: "there is at least one job request accepted in each iteration".

Two jobs; LP_I serves two thirds of each: often neither is drawn whole, and the iteration accepts no job.
"""

from fractions import Fraction as F
from itertools import permutations, product

Y = F(2, 3)  # LP_I has the rows 2 y0 + y1 <= 2 and y0 + 2 y1 <= 2 in both instances: a third of their sum is
# y0 + y1 <= 4/3, and only y0 = y1 = 2/3 has both rows tight.

# Job, size in GB, its only server.
DEADLINES = [(0, 1, "s0"), (1, 1, "s0")]
STORAGE = [(0, 2, "s0"), (0, 1, "s1"), (1, 2, "s1"), (1, 1, "s0")]
CAPACITY = 2  # GB of each server
# With deadlines the rows are (17) and (16): epsilon = 1/2, 4 GFLOP/s and Gbit/s, (a, b) = (2, 1) and (1, 2), the rates
# that computing and sending need for each GB. With storage alone they are (7) of s0 and s1.
assert sum(a * Y for a in (2, 1)) == F(1, 2) * 4
assert all(sum(size * Y for _, size, server in STORAGE if server == s) == CAPACITY for s in ("s0", "s1"))


def accepted(nodes, order):
    """The jobs whose data nodes are all drawn and kept: each server keeps the longest prefix by (21)."""
    kept = set()
    for server in ("s0", "s1"):
        used = 0
        for i in (i for i in order if nodes[i][2] == server):
            used += nodes[i][1]
            if used > CAPACITY:
                break
            kept.add(i)
    return [k for k in (0, 1) if all(i in kept for i, node in enumerate(nodes) if node[0] == k)]


for name, nodes in (("with deadlines", DEADLINES), ("storage alone", STORAGE)):
    by_file = best_order = F(0)
    for drawn in product((False, True), repeat=len(nodes)):
        chance = F(1)
        for hit in drawn:
            chance *= Y if hit else 1 - Y  # x = y: each data node has one server
        order = [i for i, hit in enumerate(drawn) if hit]  # the priorities are equal: by job, then by data node
        by_file += chance * (not accepted(nodes, order))
        best_order += chance * (not any(accepted(nodes, any_order) for any_order in permutations(order)))
    print(f"{name}: y = 2/3 for both jobs; the probability that no job is accepted")
    for reading, chance in (("equals by the file", by_file), ("equals in the best order", best_order)):
        print(f"{reading}: {chance} should be at most 0")
        assert chance > 0
