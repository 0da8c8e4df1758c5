"""Wang et al. 2022, Lemma 1: "For any feasible solution, the objective value of the original MINLP (2) is at least that
of ILP (4)."
"""

from fractions import Fraction
from itertools import combinations

time, delay = Fraction(11, 10), 10  # one job, D = 1, r = 0: E B/n slots, one worker at this distance
slots = range(delay, delay + 10)  # where y may be 1
print(f"One chunk of {time} slots, one worker {delay} slots away, arrival 0.")

# y is binary. (2b) and (4a): the number of slots is at least E B/n, so one is not enough, and more only cost more.
schedules = [two for two in combinations(slots, 2) if len(two) >= time]
jct = min(max(two) + 1 for two in schedules)  # the job completes when its last slot ends
fractional = min(sum(Fraction(t) / time for t in two) for two in schedules)  # (3)
print(f"Best in both: slots 10 and 11. Objective of (2): {jct}. Objective of (4): (10 + 11)/(11/10) = {fractional}.")

print(f"as printed: {fractional} should be at most {jct}")
assert fractional > jct
