"""Zhao et al. 2024, after Theorem 1: "the learning rate eta_t should be set as" (53), diam(Y)/(|grad q| sqrt(T)).

Read as: with (53) the regret is at most (39). One resource, gain y, beta = 0, demands 1, y(1) = 0. The port p1 reaches
the node n0 with one gpu, p0 reaches it and three more; the gradient of a job has an entry 1 for each node reached.
"""

from fractions import Fraction as F


def play(jobs, others, length):
    """What OGASched earns if each step has this length; each of the three others has so many gpus."""
    p0, p1, spare, earned = F(0), F(0), F(0), F(0)  # amounts on n0, and of p0 on each of the three others
    for job in jobs:
        if job == "p1":
            earned += p1
            p1 += length
        else:
            earned += p0 + 3 * spare
            p0, spare = p0 + length / 2, min(spare + length / 2, others)  # |grad q| = 2: each entry moves by half of it
        over = max(p0 + p1 - 1, F(0))  # the projection (32) on n0: both lose the same, until one has nothing left
        p0, p1 = p0 - min(max(over / 2, over - p1), p0), p1 - min(max(over / 2, over - p0), p1)
        assert p0 >= 0 and p1 >= 0 and p0 + p1 <= 1
    return earned


INSTANCES = [  # gpus of the three others; jobs of p1 at first, rounds, jobs of p0 at last; above (39); readings
    (F(0), 8, 40, 0, F(179, 5), ["any y(1)", "the diameter", "y(1) = 0"]),
    (F(1, 100), 10, 65, 1, F(461, 10), ["any y(1)", "y(1) = 0"]),
]
for others, first, rounds, last, above, readings in INSTANCES:
    jobs = ["p1"] * first + ["p0", "p0", "p1"] * rounds + ["p0"] * last
    slots, length = len(jobs), F(1, first)
    wide2 = 2 * (1 + 3 * others)  # (51) squared: 2 a c, summed over the nodes
    assert length**2 * slots == wide2  # eta_t |grad q| = (51)/sqrt(T)
    assert above**2 > wide2 * 5 * slots  # (39) squared; (48) is beta^2 + f'(0)^2 = 1 for each of five channels
    earned, fixed = play(jobs, others, length), jobs.count("p0") * (1 + 3 * others)
    print(f"T = {slots}: {first} jobs of p1, {rounds} rounds of p0, p0, p1, {last} of p0; the others: {others} gpu")
    print(f"  the policy earns {earned}; y*, by which p0 has all that it reaches, {fixed}; (39) is below {above}")
    regret = fixed - earned
    for reading in readings:
        print(f"bound {reading}: {regret} should be at most {above}")
    assert regret > above
