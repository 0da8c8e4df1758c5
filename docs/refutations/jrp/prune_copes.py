"""Wang et al. 2019, proof of Proposition 1: after PRUNE a server "can cope with" all candidates of one job.

(19) and (20) print x_i^j, which is not known when PRUNE runs: 0 at first, x^ of the LP before later. One server,
epsilon = 1/2, deadlines 1, a = T g/(tau f) = 1, no data to send.
"""

from fractions import Fraction as F

EPS, A = F(1, 2), 1


def stays(size, x, storage, compute):
    """(18) and (20): the data node is a candidate of the server after PRUNE."""
    return size <= storage and A * x * size <= (1 - EPS) * compute


def copes(size, storage, compute):
    """(7) and (17) with the data node on the server."""
    return stays(size, 1, storage, compute)


size, storage, compute = 2, 2, 2
assert stays(size, 0, storage, compute)
fails = int(not copes(size, storage, compute))
print(f"1. A data node of {size} GB, {compute} GFLOP/s: (20) with x = 0 is 0 <= {(1 - EPS) * compute}, and it stays.")
print(f"   It needs {A * size}. Jobs with which the server cannot cope:")
print(f"x = 0 at first: {fails} should be at most 0")
assert fails > 0

sizes, storage, compute = (1, 2), 100, 4
y = (F(1), F(1, 2))  # LP_I: y0 + 2 y1 <= 2, y0 <= 1; half of their sum is y0 + y1 <= 3/2, tight at this y alone
assert A * (sizes[0] * y[0] + sizes[1] * y[1]) == (1 - EPS) * compute
print(f"2. Data nodes of {sizes} GB, {compute} GFLOP/s: y = ({y[0]}, {y[1]}) in LP_I, so that k0 is accepted.")
left = compute - A * sizes[0] / (1 - EPS)  # k0 has what (17) asks for
chance = F(0)
if stays(sizes[1], y[1], storage - sizes[0], left) and not copes(sizes[1], storage - sizes[0], left):
    chance = 1 - y[1]  # k1 was not drawn and is still there
print(f"   With probability {chance} k1 is not drawn; {left} GFLOP/s are left for it, and it stays:")
print(f"   (20) with x^ = {y[1]} is {A * y[1] * sizes[1]} <= {(1 - EPS) * left}.")
print(f"   It needs {A * sizes[1]}, of which (17) leaves {(1 - EPS) * left}.")
print(f"the last x^: {chance} should be at most 0")
assert chance > 0
