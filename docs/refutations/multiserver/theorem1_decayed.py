"""Zhao et al. 2024: Theorem 1 bounds the regret of OGASched by (39), and line 33 of Algorithm 1 is eta_(t+1) = lambda
eta_t; the best decay is stated to be in [0.995, 0.9999]. Here lambda = 0.995, a = c = 1, gain y, beta = 0, one node.
"""

from fractions import Fraction as F
from math import ceil, floor, isqrt

DECAY = F(995, 1000)

print("1. One port, a job in each of three slots, eta_0 = 1/100, y(1) = 0")
y, eta, regret = F(0), F(1, 100), F(0)
for _ in range(3):
    regret += 1 - y  # the optimum is y* = 1
    y, eta = min(y + eta, F(1)), eta * DECAY
assert F(49, 20) ** 2 > 2 * 3  # (39) squared: 2 T a c (beta^2 + f'(0)^2)
print(f"   the regret is {regret}; (39) is sqrt(6) < 49/20")
print(f"bound any eta_0: {regret} should be at most 49/20")
assert regret > F(49, 20)

print("2. Two ports, p0 in 340 slots, then p1 in 684: T = 1024, eta_0 = (51)/((48) sqrt(T)) = 1/32, y(1) = 0")
# (51) squared and (48) squared are 2, (39) is 2 sqrt(T) = 64. The port that comes is raised by eta; if that is too much
# for the node, (32) lowers both by the same amount, or the one by more where the other has nothing left.
y, eta, earned = [F(0), F(0)], F(1, 32), F(0)
for t in range(1024):
    came = int(t >= 340)
    earned += y[came]
    y[came] += eta
    over = max(sum(y) - 1, F(0))
    less = min(over / 2, y[1 - came])
    y[1 - came] -= less
    y[came] -= over - less
    eta *= DECAY
regret = 684 - earned  # against y* = (0, 1)
rounded = F(floor(1000 * regret), 1000)
print(f"   the policy earns {float(earned):.3f}, p1 has {float(y[1]):.3f} at the end; (39) is 64")
print(f"bound the proof's step: {rounded} should be at most 64")
assert rounded > 64

print("3. Any eta_0, the same two ports, T = 4200. N is the number of slots with eta_t >= 2.")
T, WAIT = 4200, 1500
b = F(ceil(1000 * 2 * DECAY**WAIT / (1 - DECAY)), 1000)
print("   a. In N + 1 slots the port comes that has nothing: a step of 2 hands the node over, the regret is (N + 1)/2.")
print(f"   b. p0 comes in N + {WAIT} slots, then p1, which never has more than b = {b}, the sum of its steps:")
print(f"      the regret is at least (1 - b) ({T - WAIT} - N) - N - {WAIT}.")
N = ((T - WAIT) * (1 - b) - WAIT - F(1, 2)) / (F(5, 2) - b)  # a grows with N, b falls: here they meet
least = (N + 1) / 2
assert least == (1 - b) * (T - WAIT - N) - N - WAIT and N + WAIT < T
bound = F(isqrt(4 * T * 10**6) + 1, 1000)  # at least (39) = 2 sqrt(T)
print(f"bound the best eta_0: {least} should be at most {bound}")
assert least > bound
