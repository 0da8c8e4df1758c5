"""Yu et al. 2022, section 4.1: with Pi_i "the set of all feasible schedules for job i that satisfy constraints (3),
(4)", "one can equivalently reformulate Problem DMLRS as" R-DMLRS, (8)-(9).
"""

from itertools import product

slots, gpus = 2, 1  # one machine
arrival, need, batch = 1, 2, 1  # slots are 0 and 1; E K tau = 2 worker-slots; F = 1; a worker holds one GPU; worth 1
print("One machine, one GPU, slots 0 and 1. A job that arrives in slot 1, needs 2 worker-slots, one worker at a time.")

schedules = list(product(range(batch + 1), repeat=slots))  # workers in slots 0 and 1, (4)
enough = [w for w in schedules if sum(w) >= need]  # (3) with x = 1
fits = [w for w in enough if all(workers <= gpus for workers in w)]  # (5), and (8) with x = 1
arrived = [w for w in fits if not any(w[:arrival])]  # (7)
print(f"Schedules with (3) and (4) that fit the machine: {fits}; with (7), too: {arrived}")

r_dmlrs = max([0] + [1 for _ in fits])  # (8)-(9): the job is worth 1 whenever it completes
dmlrs = max([0] + [1 for _ in arrived])
print(f"Pi_i as printed: {r_dmlrs} should be equal to {dmlrs}")
assert r_dmlrs != dmlrs
