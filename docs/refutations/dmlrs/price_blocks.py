"""Yu et al. 2022, section 4.2: "When some type-r resource is exhausted, Q(C) = U^r and no job that requires type-r
resources will be admitted since the U^r is the highest price", U^r = max_i u_i(...)/(alpha_i^r + beta_i^r), (13).
"""

from fractions import Fraction

machines, capacity, slots = 2, 1, 1  # two machines with one GPU each, one slot
alpha = beta = 1  # GPUs of a worker and of a parameter server (PS)
utility, time = 1, 1  # of the only job; ceil(V c_i/F) = ceil(V c_e) = 1
print("Two machines with one GPU each, one slot. A job worth 1; its worker and its PS need a GPU each.")

U = Fraction(utility, alpha + beta)  # (13)
mu = Fraction(slots * machines * capacity, time * (alpha + beta))
L = Fraction(utility) / (2 * mu) / (time * (alpha + beta))  # (14)
print(f"U = {U}, L = {L}. The first machine is full, at price U; the second empty, at price L.")

payoff = utility - (alpha * U + beta * L)  # the worker on the first, the PS on the second
print(f"Worker on the first, PS on the second: it pays {alpha * U + beta * L} and would keep {payoff}.")
print(f"by price: {payoff} should be at most 0")
assert payoff > 0
