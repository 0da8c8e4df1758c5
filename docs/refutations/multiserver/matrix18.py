"""Zhao et al. 2024, proof of Proposition 1, (18): B'_ij is 1 where "(j - i) | |R|", else 0, and (6) is B' y <= c.

The bar is read as usual: j - i divides |R|. One port, two nodes; y = (y_(1,1), y_(1,2)) by (15).
"""

PORTS, NODES = 1, 2


def divides(d, n):
    """Whether d divides n."""
    return d != 0 and n % d == 0


rows, columns = range(1, NODES + 1), range(1, PORTS * NODES + 1)
printed = [[int(divides(j - i, NODES)) for j in columns] for i in rows]
of_6 = [[int((j - 1) % NODES + 1 == i) for j in columns] for i in rows]  # channel j = (l - 1) |R| + r leads to node r
print(f"B' of (18): {printed}; the matrix of (6): {of_6}")
wrong = sum(a != b for one, two in zip(printed, of_6, strict=True) for a, b in zip(one, two, strict=True))
print(f"j - i divides |R|: {wrong} should be at most 0")
assert wrong > 0
