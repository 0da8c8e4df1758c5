"""Yu et al. 2022, section 4.2: u_i(ceil(E K c_i/F) - a_i) in (13) "is the largest utility that job i can achieve by
using the maximum number of co-located workers". u_i is a function of (last slot) - a_i, by (6); slots count from 1.
"""

from itertools import combinations

u = {0: 1, 1: 0}  # and 0 for every longer training time
arrival, needed, horizon = 2, 2, 6  # ceil(E K c_i/F) = 2: with F co-located workers the job needs two slots
print(f"A job arrives in slot {arrival} and needs {needed} slots of F workers. u(0) = 1, u(1) = u(2) = ... = 0.")

printed = u[max(needed - arrival, 0)]
print(f"(13): u({needed} - {arrival}) = {printed}")

earned = {run: u.get(run[-1] - arrival, 0) for run in combinations(range(arrival, horizon + 1), needed)}
print("What it earns by the slots in which it runs:", earned)
print(f"slots from 1: {printed} should be equal to {max(earned.values())}")
assert printed != max(earned.values())
