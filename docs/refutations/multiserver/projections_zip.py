"""Zhao et al. 2024, Algorithm 1, line 6: "foreach (r, k) in zip(R, K)".

Two nodes, one resource; one port with a = 1 at both, c = 1; z = (2, 2).
"""

nodes, resources, a, c = ["n0", "n1"], ["gpu"], 1, 1
z = {("n0", "gpu"): 2, ("n1", "gpu"): 2}


def misses(y):
    """By how much y misses (5) or (6); each node has one port."""
    return max(0, *(max(-v, v - a, v - c) for v in y.values()))


def after(pairs):
    """z with the rows of these pairs projected: one port, so that the row's projection is a clip."""
    return z | {pair: max(0, min(z[pair], a, c)) for pair in pairs}


zipped = after(zip(nodes, resources, strict=False))
print(f"rows of zip: {list(zip(nodes, resources, strict=False))}; y = {tuple(zipped.values())}")
print(f"zip: {misses(zipped)} should be at most 0")
assert misses(zipped) > 0
assert misses(after((r, k) for r in nodes for k in resources)) == 0  # each r with each k
