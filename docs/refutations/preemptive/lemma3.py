"""Wang et al. 2022, Lemma 3: "A_ps generates feasible z_jsp(t) of problem in (4), i.e., constraints (4c) and (4d) are
satisfied." (4c): one PS per running job; (4d): one job per PS; (4h): z_jsp(t) = 0 for t < r_j + Delta_js.
"""

from fractions import Fraction
from itertools import product

jobs = ("a", "b")  # both arrive at 0 with one chunk of 2 slots, and may use every server
delay = {"edge": 0, "cloud": 10}
servers = {"PS of the edge": "edge", "PS 1 of the cloud": "cloud", "PS 2 of the cloud": "cloud"}  # any more are alike
print("Edge: two workers, one PS, no delay. Cloud: ten slots away. Two jobs at 0, one chunk of 2 slots each.")
assert delay["edge"] + 2 < delay["cloud"] + 2  # (5) for each job: an idle worker of the edge, or the cloud
print("A_greedy: Q = 2 on an idle worker of the edge, 12 in the cloud. Both jobs run at the edge in slots 0 and 1.")


def broken(z: tuple[str | None, ...]) -> list[str]:
    """The constraints that the jobs' parameter servers break in slot 0, one entry for each time."""
    taken = [p for p in z if p]
    unserved = ["(4c)" for p in z if p is None]
    shared = ["(4d)" for p in set(taken) if taken.count(p) > 1]
    early = ["(4h)" for p in taken if delay[servers[p]] > 0]
    return unserved + shared + early


print("Line 6 as printed draws any PS with o_jsp = 1. For a and b in slot 0:")
draws = list(product(servers, repeat=len(jobs)))
for z in draws:
    print(f"  {z}: breaks {broken(z)}")
chance = Fraction(sum(bool(broken(z)) for z in draws), len(draws))  # every draw, so for every distribution
print(f"Probability that something is broken: {chance}")
print(f"any PS: {chance} should be at most 0")

picks = [broken(z) for z in product([None, *servers], repeat=len(jobs))]
unserved = min(len(b) for b in picks if set(b) <= {"(4c)"})  # whatever free PS is picked within (4d) and (4h)
print("A free PS that (4d) and (4h) allow, or none. Jobs without PS in slot 0, at least:")
print(f"a free PS: {unserved} should be at most 0")
assert chance > 0 and unserved > 0
