"""Zhao et al. 2024, proof of Theorem 1, after (45): on a right d-regular graph it is d |R| (K - 1) (varpi_r*)^2.

One port at two nodes, d = 1; two resources with linear gains, of slope 1 at n0 and 2 at n1.
"""

K, d = 2, 1
varpi = {"n0": 1, "n1": 2}
reach = [["n0", "n1"]]  # R_l of each port
assert all(sum(r in nodes for nodes in reach) == d for r in varpi)

bound45 = (K - 1) * sum(varpi[r] ** 2 for nodes in reach for r in nodes)
formula = {r: d * len(varpi) * (K - 1) * varpi[r] ** 2 for r in varpi}
print(f"(45) is {bound45}; the formula: {formula}")
print(f"any r: {bound45} should be equal to {formula['n0']}")
assert bound45 not in formula.values()
assert bound45 == d * (K - 1) * sum(v**2 for v in varpi.values())  # the sum over r stays
