"""Yu et al. 2022, Appendix C: "the minimum amount of overall resource consumption of job i can be computed as" T sum
C/mu <= ceil(E K (tau + 2 g gamma/(b^e F))) sum_r (alpha^r + beta^r).
"""

from fractions import Fraction
from math import ceil

gpus, slots = 3, 1  # one machine; a worker and a parameter server (PS) take one GPU each
samples, tau, g, batch, gamma, rate = 2, 1, 0, 2, 2, 1  # E K, tau, g, F, gamma; the rate b^e, which is b^i, too
alpha = beta = 1
print(f"One machine with {gpus} GPUs, one slot. {samples} samples of one slot each; F = 2 and gamma = 2.")

per_sample = tau + Fraction(2 * g * gamma, rate * batch)  # slots that a worker takes
formula = ceil(samples * per_sample) * (alpha + beta)
print(f"The formula: ceil({samples} * {per_sample}) * ({alpha} + {beta}) = {formula}")

# Every schedule: w workers and s PSs, within (4) and the capacity, at most gamma workers per PS, all samples trained.
grid = [(w, s) for w in range(batch + 1) for s in range(gpus + 1) if alpha * w + beta * s <= gpus]
uses = {(w, s): alpha * w + beta * s for w, s in grid if w <= gamma * s and w * slots / per_sample >= samples}
print(f"Schedules (workers, PSs) and the GPUs that they use: {uses}")
print(f"all resources: {min(uses.values())} should be equal to {formula}")
assert min(uses.values()) != formula
