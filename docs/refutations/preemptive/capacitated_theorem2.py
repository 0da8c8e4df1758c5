"""Wang et al. 2022, section VI: "the lemmas and theorems still hold for the related problems (7), (8)": by Theorem 2,
A_online with the storage test generates a feasible solution of (7), which has (2e): one PS per running job.
"""

from itertools import product

jobs, slots = ("a", "b"), 2  # both arrive at 0 with one chunk of 2 slots and 1 GB
workers, parameter_servers, storage = 2, 1, 100  # of the only server; no delay, no cloud
print("One server with two workers, one PS and ample storage. Two jobs at 0, one chunk of 2 slots each.")

pending = [0] * workers
for job in jobs:  # (5) with equal rates: waiting and processing
    assert jobs.index(job) + 1 <= storage  # the test
    q = [before + slots for before in pending]
    chosen = q.index(min(q))
    pending[chosen] += slots
    print(f"  {job}: Q = {q}, worker {chosen}")
running = sum(held > 0 for held in pending)  # in slot 0
print(f"Jobs that run in slot 0: {running}")

# (2f): a PS serves one job at most. Whoever gets it, in every choice of a PS or none for either job:
choices = product([None, *range(parameter_servers)], repeat=running)
allowed = [z for z in choices if all(z.count(p) <= 1 for p in range(parameter_servers))]
unserved = min(z.count(None) for z in allowed)
print(f"Choices within (2f): {allowed}. Running jobs without a PS, at least:")
print(f"all of (7): {unserved} should be at most 0")
assert unserved > 0
