"""Wang et al. 2022, section VI: "we can easily prove that the lemmas and theorems still hold for the related problems
(7), (8) and (9)". Theorem 3 with D_max = 1, eps = 1: online at double speed costs at most 2 times the optimum.
"""

from collections.abc import Callable
from fractions import Fraction
from math import ceil

jobs = [("long", 0, 6), ("short0", 0, 1), ("short1", 1, 1), ("short2", 2, 1)]  # name, arrival, slots at speed 1
distance = 16  # of the cloud; the edge has one worker, no delay, and room for one chunk
print("Edge: one worker, room for one chunk. Cloud: 16 slots away. Jobs (arrival, slots at speed 1):", jobs)


def online(halved: Callable[[int], Fraction]) -> Fraction:
    """The sum of the JCTs, which is the sum of the alphas: a chunk is stored from its arrival to its completion."""
    total, full_until = Fraction(0), 0
    for name, arrival, slots in jobs:
        time = halved(slots)
        if arrival >= full_until:  # room means that nobody waits there: Q is time on the edge, 16 + time in the cloud
            jct, place = time, "edge"
            full_until = arrival + time
        else:
            jct, place = distance + time, "cloud"
        print(f"  {name}: {place}, JCT {jct}")
        total += jct
    return total


print("A_online in whole slots:")
whole = online(lambda slots: Fraction(ceil(Fraction(slots, 2))))
print("A_online in fluid time:")
fluid = online(lambda slots: Fraction(slots, 2))

# Offline at speed 1: long in the cloud, every short job on the edge on arrival; each leaves before the next comes.
starts = {"long": distance, "short0": 0, "short1": 1, "short2": 2}  # slots; the edge's are all different
jct = sum(starts[name] + slots - arrival for name, arrival, slots in jobs)
cost = sum(  # (3), with slot t charged t + 1 - r, more than the printed t - r
    Fraction(sum(t + 1 - arrival for t in range(starts[name], starts[name] + slots)), slots)
    for name, arrival, slots in jobs
)
print(f"Offline: long in the cloud, the short jobs on the edge: total JCT {jct}, cost (3) {cost}")

print(f"(7), whole slots: {whole} should be at most {2 * jct}")
print(f"(7), fluid: {fluid} should be at most {2 * jct}")
print(f"(8): {whole} should be at most {2 * cost}")
assert whole > fluid > 2 * jct > 2 * cost
