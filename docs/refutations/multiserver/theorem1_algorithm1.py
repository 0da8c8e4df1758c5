"""Zhao et al. 2024, Theorem 1: the regret of OGASched, which is Algorithm 1, is at most (39).

Lines 20 and 25 fill every node, worth it or not. One port on one node, a = c = 1, gain 0.28 y, beta = 0.96, a job in
each of T = 8 slots, y(1) = 0.
"""

from fractions import Fraction as F

ALPHA, BETA, T = F(28, 100), F(96, 100), 8
A = C = 1

# (51) squared is 2 a c, (48) is beta^2 + K varpi^2 with K = 1, varpi = alpha; (39) squared is T times both
wide, steep = F(2 * A * C), BETA**2 + ALPHA**2
bound, eta = F(4), F(1, 2)
assert bound**2 == wide * steep * T and eta**2 == wide / (steep * T)  # eta = (51)/((48) sqrt(T)), the step of the proof

y, earned = F(0), F(0)
for _ in range(T):
    earned += ALPHA * y - BETA * y  # (7)
    z = y + eta * (ALPHA - BETA)  # (30), line 5
    rho = 2 * (z - C)  # (38): one port, in B3
    y = z - rho / 2  # line 25
    assert 0 <= y <= A  # no port is cut (line 26), and line 15 ends the loop
    print(f"z = {z}, rho = {rho}: next y = {y}")
regret = 0 - earned  # no unit is worth its overhead: the optimum (10) is y* = 0
print(f"(39) is {bound}; the optimum earns 0, the policy {earned}")
print(f"rho as printed: {regret} should be at most {bound}")
assert regret > bound
