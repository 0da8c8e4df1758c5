"""Yu et al. 2022, Appendix C: "We use OPT as the optimal objective value of Problem R-DMLRS, which is also the optimum
to Problem D-R-DMLRS."
"""

from fractions import Fraction
from itertools import product

gpus = 3  # one machine, one slot
holds = {"a": 2, "b": 2}  # GPUs; each job has one schedule, all of its workers in the slot, and is worth 1
print(f"One machine with {gpus} GPUs, one slot; two jobs that are worth 1 and hold 2 GPUs each.")

choices = [dict(zip(holds, x, strict=True)) for x in product((0, 1), repeat=2)]
opt = max(sum(x.values()) for x in choices if sum(holds[i] * x[i] for i in holds) <= gpus)  # (8), x binary
print(f"OPT, x binary: {opt}")

x = dict.fromkeys(holds, Fraction(3, 4))  # feasible for the relaxed (8), (9): by weak duality no dual is worth less
assert sum(holds[i] * x[i] for i in holds) <= gpus and max(x.values()) <= 1
p, payoff = Fraction(1, 2), 0  # feasible for (11): lambda_i >= u_i - p times what i holds
assert all(payoff >= 1 - p * holds[i] for i in holds)
dual = len(holds) * payoff + p * gpus
assert dual == sum(x.values())
print(f"x = 3/4 for both earns {sum(x.values())}; p = 1/2, lambda = 0 is worth {dual}: the optimum of the dual")

print(f"binary x: {dual} should be equal to {opt}")
assert dual != opt
