"""Zhao et al. 2024, section III-C, (41)(i): the telescope ends with |y(T) - y*|^2.

One port on one node, a = c = 1, gain y, beta = 0, a job in the only slot: T = 1, y(1) = 0, eta = 1/2.
"""

from fractions import Fraction as F

eta, gradient, y1 = F(1, 2), 1, F(0)
y_star = 1  # the optimum (10), as the reward y grows

left = gradient * (y_star - y1)  # t = 2 alone
y_T = y1  # T = 1
right = eta * gradient**2 / 2 + ((y1 - y_star) ** 2 - (y_T - y_star) ** 2) / (2 * eta)
print(
    f"left side: {left}; right side: {eta * gradient**2 / 2} + ({(y1 - y_star) ** 2} - {(y_T - y_star) ** 2})/(2 eta)"
)
for reading in ("optimum", "any point"):
    print(f"{reading}: {left} should be at most {right}")
assert left > right

y2 = min(max(y1 + eta * gradient, 0), 1)  # with y(T + 1) it holds
assert left <= eta * gradient**2 / 2 + ((y1 - y_star) ** 2 - (y2 - y_star) ** 2) / (2 * eta)
