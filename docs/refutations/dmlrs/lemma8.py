"""Yu et al. 2022, Lemma 8: "If there exists constants eps >= 1, G > 0 and delta in (0, 1] such that P_i - P_(i-1) >=
(delta/3G)/eps (D_i - D_(i-1)) for all i, and if P_0 = 0 and D_0 <= OPT/2, then" 6 G eps/delta-competitive.
"""

from fractions import Fraction
from math import isqrt

gpus = 2  # one machine, one slot
jobs = [("small", 1, 1), ("large", 2, 16)]  # name, GPUs (one sample-slot each), utility; in order of arrival
print(f"One machine with {gpus} GPUs, one slot. Jobs (name, GPUs, utility):", jobs)

mu = 1 / min(Fraction(need, gpus) for _, need, _ in jobs)  # 1/mu <= ceil(V c_e) sum(alpha + beta)/(T sum C)
L = min(Fraction(worth, 2 * mu * need) for _, need, worth in jobs)  # (14), ceil(V c_e) = GPUs, alpha + beta = 1
U = max(worth for _, _, worth in jobs)  # (13), alpha + beta = 1
print(f"mu = {mu}, L = {L}, U = {U}")


def price(rho: int) -> Fraction:
    """(12); C = 2, and U/L = 64 is a square."""
    root = isqrt(int(U / L))
    assert root**gpus == U / L
    return L * root**rho


rho, primal, dual = 0, Fraction(0), gpus * price(0)
opt = max(worth for _, need, worth in jobs if need <= gpus)  # both together do not fit
assert dual <= Fraction(opt, 2) and sum(need for _, need, _ in jobs) > gpus
print(f"P_0 = 0, D_0 = {dual}, OPT = {opt}")
factor = Fraction(0)  # the least 3 G eps/delta that the premise allows
for name, need, worth in jobs:
    payoff = worth - need * price(rho)
    if need <= gpus - rho and payoff > 0:
        grows = payoff + gpus * (price(rho + need) - price(rho))
        rho, primal, dual, factor = rho + need, primal + worth, dual + grows, max(factor, grows / worth)
        print(f"{name} is admitted: P grows by {worth}, D by {grows}, to {dual}")
    else:
        print(f"{name} does not fit: P and D do not grow")

assert factor >= 1  # for example eps = 1, delta = 1, G = factor/3
print(f"The premise holds with 3 G eps/delta = {factor}, and the lemma says OPT <= 2 * {factor} * {primal}.")
print(f"as printed: {opt} should be at most {2 * factor * primal}")
assert opt > 2 * factor * primal
