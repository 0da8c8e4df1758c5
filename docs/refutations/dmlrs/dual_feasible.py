"""Yu et al. 2022, Appendix C, proof of Lemma 8: "By weak duality theorem, we have D_I >= OPT >= P_I".

This needs the payoffs and the final prices of Algorithm 1 to satisfy (11): lambda_i >= u_i - p times what i uses.
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


rho, payoffs = 0, {}
for name, need, worth in jobs:
    fits = need <= gpus - rho
    payoffs[name] = max(Fraction(0), worth - need * price(rho)) if fits else Fraction(0)
    rho += need if payoffs[name] > 0 else 0
    print(f"{name}: {'fits' if fits else 'does not fit'}, lambda = {payoffs[name]}; then rho = {rho}, p = {price(rho)}")

p = price(rho)
misses, name = max((worth - need * p - payoffs[name], name) for name, need, worth in jobs)
print(f"(11) for {name}: lambda is less than u - p times its GPUs by {misses}")
print(f"rows: {misses} should be at most 0")
opt = max(worth for _, need, worth in jobs if need <= gpus)  # both together do not fit
dual = sum(payoffs.values()) + p * gpus
print(f"OPT = {opt}, D_I = sum lambda + p C = {dual}")
print(f"worth: {opt} should be at most {dual}")
assert misses > 0 and opt > dual and sum(need for _, need, _ in jobs) > gpus
