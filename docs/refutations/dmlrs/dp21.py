"""Yu et al. 2022, section 4.3: "Problem (16) is equivalent to the dynamic program" (21), which Algorithm 3 solves for
the workloads v = 0, 1, 2, ...: Theta(t, V) = min over v of theta(t, v) + Theta(t - 1, V - v).
"""

from fractions import Fraction
from math import ceil, inf

slots, samples, per_sample = 2, 5, Fraction(2, 5)  # tau = 2/5 slot per sample, g = 0, so that c_i = c_e = tau
price, gpus, batch = 1, 1, 1  # one machine with one GPU at this price; (4): at most F = 1 worker at a time
print(f"One machine, one GPU at price {price}, {slots} slots. A job of {samples} samples, {per_sample} slot each.")


def theta(v: int) -> int | float:
    """(19): the cost of training v samples in one slot."""
    workers = ceil(v * per_sample)
    return price * workers if workers <= min(gpus, batch) else inf


def best(t: int, v: int) -> int | float:
    """Theta(t, v), Algorithm 3; before the arrival only the workload 0 is done."""
    if t == 0:
        return 0 if v == 0 else inf
    return min(theta(now) + best(t - 1, v - now) for now in range(v + 1))


print(f"theta(t, v) for v = 0 to 5: {[theta(v) for v in range(samples + 1)]}")
algorithm3 = best(slots, samples)

workers = 1  # in each of the two slots: (17) asks that they train V samples in all
assert slots * workers / per_sample >= samples
optimum = price * workers * slots  # a single slot trains 5/2 samples, so that nothing cheaper does
print(f"One worker in both slots trains {slots / per_sample} samples: (16) costs {optimum}. Algorithm 3: {algorithm3}")

everything = price * gpus * slots
measured = everything + 1 if algorithm3 == inf else algorithm3
print(f"(For no schedule at all we write {everything + 1}, more than all GPUs in all slots cost.)")
print(f"whole samples: {measured} should be equal to {optimum}")
assert measured != optimum
