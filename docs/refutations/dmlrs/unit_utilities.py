"""Yu et al. 2022, after (14): "U^r is the maximum unit-resource job utility to deploy workers and parameter servers
with type-r resource", U^r = max_i u_i(...)/(alpha_i^r + beta_i^r), (13).
"""

from fractions import Fraction
from itertools import product

capacity = {"m0": 1, "m1": 1}  # GPUs; one slot
alpha = beta = 1  # GPUs of a worker and of a parameter server (PS)
utility = 1  # of the only job, which needs one worker and one PS in the slot
U = Fraction(utility, alpha + beta)  # (13)
print(
    f"Two machines with one GPU each, one slot. A job worth {utility}; its worker and its PS need a GPU each. U = {U}."
)

allowed = []  # U times what is used on a machine, for every schedule that fits and every machine that it uses
for worker, ps in product(capacity, repeat=2):
    used = {m: alpha * (m == worker) + beta * (m == ps) for m in capacity}
    if all(used[m] <= capacity[m] for m in capacity):
        print(f"  worker on {worker}, PS on {ps}: uses {used}")
        allowed += [U * used[m] for m in capacity if used[m]]
print("What it earns, and U times what it uses on one machine in the slot:")
print(f"machine and slot: {utility} should be at most {min(allowed)}")
assert utility > max(allowed)
