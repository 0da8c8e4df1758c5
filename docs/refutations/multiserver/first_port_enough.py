"""Zhao et al. 2024, section III-B, on lines 15-18 of Algorithm 1: "Note that here we only need to check for l = 1 since
the elements in z are sorted."

One node, one resource, two ports, numbered by descending z.
"""

from fractions import Fraction as F

Z, A, C = (3, 2), (3, 1), 5

rho = F(2, 2) * (sum(Z) - C)  # (38): both ports are in B3
y = [z - rho / 2 for z in Z]  # line 25; nothing is below 0, so that the repeat loop ends
print(f"z = {Z}, a = {A}, c = {C}: rho = {rho}, y = ({y[0]}, {y[1]})")
assert min(y) >= 0

assert y[0] <= A[0]  # line 15 is not met, line 18 leaves the while loop with this y
beyond = max(yl - al for yl, al in zip(y, A, strict=True))
print(f"line 15: {y[0]} > {A[0]} is false, and the loop ends; the second port has {y[1]} of {A[1]}. The largest y - a:")
print(f"at the first test: {beyond} should be at most 0")
print(f"at the end: {beyond} should be at most 0")
assert beyond > 0
