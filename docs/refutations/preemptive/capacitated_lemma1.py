"""Wang et al. 2022, section VI: "Lemma 1 clearly holds by substituting (7) and (8) for (2) and (4)": the objective of
(7) is at least that of (8). Both add the storage rows (7a)-(7e), which say nothing where storage abounds.
"""

from fractions import Fraction
from itertools import combinations

time, delay = Fraction(11, 10), 10  # one job, D = 1, r = 0: E B/n slots, one worker at this distance
size, storage = 1, 100  # GB of the chunk, and of the only server
slots = range(delay, delay + 10)  # where y may be 1
print(f"One chunk of {time} slots, one worker {delay} slots away, arrival 0.")

# y is binary. (2b) and (4a): the number of slots is at least E B/n, so one is not enough, and more only cost more.
schedules = [two for two in combinations(slots, 2) if len(two) >= time]
for two in schedules:  # x = 1 on the server from the arrival to the completion, (7c), (7d)
    stored = dict.fromkeys(range(max(two) + 2), size)
    assert max(stored.values()) <= storage and all(t in stored for t in two)  # (7b), (7a)
jct = min(max(two) + 1 for two in schedules)  # the job completes when its last slot ends
fractional = min(sum(Fraction(t) / time for t in two) for two in schedules)  # (3)
print(f"Best in both: slots 10 and 11. Objective of (7): {jct}. Objective of (8): (10 + 11)/(11/10) = {fractional}.")

print(f"as printed: {fractional} should be at most {jct}")
assert fractional > jct
