"""Yu et al. 2022, section 4.3: "by enumerating all t in [a_i, T] and solving the dynamic program Theta(t, V_i) in (21)
for every choice of t, we can solve Problem (15)", the best payoff of a schedule at given prices (Algorithm 2).
"""

from fractions import Fraction
from itertools import product
from math import ceil, inf

slots, samples, per_sample = 2, 5, Fraction(2, 5)  # tau = 2/5 slot per sample, g = 0, so that c_i = c_e = tau
price, gpus, batch, utility = 1, 1, 1, 3  # one machine with one GPU at this price; (4): at most F = 1 worker at a time
print(f"One machine, one GPU at price {price}, {slots} slots. A job of {samples} samples, {per_sample} slot each.")
print(f"It is worth {utility} whenever it completes.")


def theta(v: int) -> int | float:
    """(19): the cost of training v samples in one slot."""
    workers = ceil(v * per_sample)
    return price * workers if workers <= min(gpus, batch) else inf


def best(t: int, v: int) -> int | float:
    """Theta(t, v), (21) for v = 0, 1, 2, ... as in Algorithm 3; before the arrival only the workload 0 is done."""
    if t == 0:
        return 0 if v == 0 else inf
    return min(theta(now) + best(t - 1, v - now) for now in range(v + 1))


found = 0  # Algorithm 2, step 1; each completion time may raise it
for t in range(1, slots + 1):
    print(f"  completion by slot {t}: Theta = {best(t, samples)}, payoff {utility - best(t, samples)}")
    found = max(found, utility - best(t, samples))

schedules = list(product(range(min(gpus, batch) + 1), repeat=slots))  # the workers in each slot
finishing = [workers for workers in schedules if sum(workers) / per_sample >= samples]  # (17)
payoffs = {workers: utility - price * sum(workers) for workers in finishing}
print(f"Schedules (workers in each slot) that train {samples} samples, and their payoffs in (15): {payoffs}")
optimum = max(payoffs.values())
print(f"whole samples: {found} should be equal to {optimum}")
assert found != optimum
