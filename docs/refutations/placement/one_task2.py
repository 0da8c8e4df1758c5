"""Li et al. 2023, section III-B: sum over j in Q_nt of y_jnt <= 1, "i.e., the task is only scheduled to at most one
cluster". One task, 0, in the queues of two clusters."""

QUEUES = {1: [0], 2: [0]}
Y = {(0, 1): 1, (0, 2): 1}  # (j, n) -> y

assert all(sum(Y[j, n] for j in queue) <= 1 for n, queue in QUEUES.items())
places = sum(Y[0, n] for n in QUEUES)
print(f"that is: {places} should be at most 1")
assert places > 1
