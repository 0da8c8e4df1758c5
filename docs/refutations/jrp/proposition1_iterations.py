"""Wang et al. 2019, Proposition 1: "Alg. 1 finishes in at most p iterations." Here p = 2.

One server with epsilon = 1/2, deadlines 1, two jobs that are mirror images, so that y0 = y1 in LP_I. All data nodes
have 1 GB, and there is storage for all of them: a job is accepted exactly when each of its data nodes is drawn.
"""

from fractions import Fraction as F

JOBS = 2
#           GFLOP/s and Gbit/s, data nodes of a job, a = T g/(tau f) and b = T h/(tau f lambda) of k0; swapped for k1
INSTANCES = {"one data node each": (4, 1, 2, 1), "two data nodes each": (28, 2, 7, 6)}

for name, (capacity, nodes, a, b) in INSTANCES.items():
    print(f"{name}: {capacity} GFLOP/s and Gbit/s, (a, b) = ({a}, {b}) and ({b}, {a})")
    half = F(capacity, 2)  # (17): nodes (a y0 + b y1) <= half, (16): nodes (b y0 + a y1) <= half
    assert nodes * max(a, b) <= half  # PRUNE removes nothing: each job fits alone
    y = half / (nodes * (a + b))  # the sum of the rows bounds y0 + y1, and a != b: only y0 = y1 = y has both tight
    whole = y**nodes
    nobody = (1 - whole) ** JOBS
    # An iteration without an accepted job leaves the instance as it is. After one that accepts a job the other is
    # accepted, too, or pruned: at the rates of (16), (17) the first has left no compute, or no bandwidth.
    assert nodes * max(a, b) / F(1, 2) == capacity
    late, mean = nobody**JOBS, 1 / (1 - nobody)
    print(f"  y = {y}; a job is drawn whole with probability {whole}, neither with {nobody}")
    print(f"  Pr(more than {JOBS} iterations) and the mean number of iterations: {late}, {mean}")
    for reading in ("surely", "surely, best order"):
        print(f"{reading}: {late} should be at most 0")
        assert late > 0
    if mean > JOBS:
        print(f"on average, best order: {mean} should be at most {JOBS}")
assert mean > JOBS  # in the last instance
