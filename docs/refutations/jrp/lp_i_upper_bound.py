"""Wang et al. 2019, sections IV-A and V-A: LP_I is the relaxation of JRP, its solution "the optimal solution".

(16)-(17) split the time of every job at one epsilon; (10) lets each job split it as it likes. Deadlines are 1.
"""

from fractions import Fraction as F
from operator import mul

# a = T g/(tau f), b = T h/(tau f lambda): (10) is a D/r^c + b D/r^b <= 1
print("1. One server with 10 GFLOP/s and 10 Gbit/s, one job of 1 GB with (a, b) = (9, 1)")
a, b, compute, bandwidth, eps = F(9), F(1), 10, 10, F(1, 2)
assert a / compute + b / bandwidth == 1  # (10): computing takes 9/10 of the deadline, sending 1/10
jrp = 1
lp = min(F(1), (1 - eps) * compute / a, eps * bandwidth / b)  # (17): 9 y <= 5, (16): y <= 5
print(f"   JRP accepts it: 9/10 + 1/10 = 1. At epsilon = {eps}, (17) is 9 y <= 5.")
print(f"any epsilon: {lp} should be at least {jrp}")
assert lp < jrp

print("2. One server with 9 and 9, two jobs of 1 GB with (a, b) = (4, 1) and (1, 4)")
A, B, compute, bandwidth = (4, 1), (1, 4), F(9), F(9)
RC, RB = (6, 3), (3, 6)
assert sum(RC) <= compute and sum(RB) <= bandwidth  # (8), (9)
assert all(F(A[k], RC[k]) + F(B[k], RB[k]) <= 1 for k in range(2))  # (10)
jrp = 2
print(f"   JRP accepts both: r^c = {RC}, r^b = {RB}, and each takes 2/3 + 1/3 of its time")
# (17): 4 y0 + y1 <= 9 (1 - eps). (16): y0 + 4 y1 <= 9 eps. The sum is free of epsilon: 5 (y0 + y1) <= 9.
assert A[0] + B[0] == A[1] + B[1] == 5
best = (compute * (1 - eps) + bandwidth * eps) / 5
y = (F(9, 10), F(9, 10))  # reached at epsilon = 1/2
assert sum(map(mul, A, y)) <= (1 - eps) * compute and sum(map(mul, B, y)) <= eps * bandwidth
assert sum(y) == best
print(f"   (16) + (17): 5 (y0 + y1) <= 9 at every epsilon, and y = (9/10, 9/10) reaches {best} at epsilon = 1/2")
for reading in ("any epsilon", "the best epsilon"):
    print(f"{reading}: {best} should be at least {jrp}")
assert best < jrp
