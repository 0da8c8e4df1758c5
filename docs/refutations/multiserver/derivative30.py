"""Zhao et al. 2024, section III-A: "the derivative of q(.) at time t is" (30), with k* of (27).

One port with a job, one node, two resources, utilities y and beta = (1, 1); at y = (0, 0) both resources maximise (27).
"""

from fractions import Fraction as F

BETA = (1, 1)


def penalty(y):
    """The second part of (7)."""
    return max(beta * yk for beta, yk in zip(BETA, y, strict=True))


def reward(y):
    """(7): f_k(y) = y."""
    return sum(y) - penalty(y)


y, towards = (F(0), F(0)), (F(0), F(1))
K_STAR = 0  # the first of the two maximisers of (27)
gradient = [1 - BETA[k] if k == K_STAR else 1 for k in range(2)]  # (30)
print(f"at y = (0, 0), towards (0, 1): (30) with k* = 1 is {gradient}, so that q should grow by {gradient[1]} per unit")
for h in (F(1), F(1, 10), F(1, 1000)):  # q is linear along this line
    slope = (reward((F(0), h)) - reward(y)) / h
    print(f"  q(0, {h}) = {reward((F(0), h))}: it grows by {slope} per unit")
    assert slope == 0 != gradient[1]

# q(h, 0) = q(0, h) = 0 and q(h, h) = h: whatever k* is, no vector g has g (1, 0) = g (0, 1) = 0 and g (1, 1) = 1.
assert reward((F(1), F(0))) == reward((F(0), F(1))) == 0 and reward((F(1), F(1))) == 1
printed = BETA[K_STAR] * (towards[K_STAR] - y[K_STAR])
true = penalty(towards) - penalty(y)
print("growth of the penalty towards (0, 1), by (30) and in truth:")
print(f"smallest maximiser: {printed} should be equal to {true}")
assert printed != true
