"""Zhao et al. 2024, proof of Proposition 1: "Without loss of generality, we assume that k* = 1", and the second
part of (7) is beta . y with (28).

Two ports with a job each on one node, two resources (cpu, gpu), beta = (1, 1); port 1 has the cpu, port 2 the gpu.
"""

BETA = (1, 1)
Y = {"port 1": (1, 0), "port 2": (0, 1)}  # cpu, gpu

penalties = {port: max(beta * amount for beta, amount in zip(BETA, y, strict=True)) for port, y in Y.items()}
true = sum(penalties.values())
print(f"penalties by (7): {penalties}, together {true}")

by_k = [BETA[k] * sum(y[k] for y in Y.values()) for k in range(2)]  # (28) with the same k* for all ports
print(f"beta . y with k* = cpu for both ports: {by_k[0]}; with k* = gpu for both: {by_k[1]}")
print(f"k* = 1 throughout: {by_k[0]} should be equal to {true}")
print(f"renamed at each y: {max(by_k)} should be equal to {true}")
assert true not in by_k
