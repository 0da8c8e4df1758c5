"""Wang et al. 2022, Theorem 3: "For ILP (4), the online algorithm A_online is (1+eps)-speed (1+1/eps)-competitive".

Appendix D shows sum alpha <= (1 + 1/eps) OPT_I. By Definition 2 the sum of f_jd over A_online's own y would count.
"""

from fractions import Fraction

CHARGED = {"slot start": Fraction(0), "slot end": Fraction(1), "continuous": Fraction(1, 2)}  # slot t at t - r + this


def cost(arrival: int, start: int, slots: int, charged: Fraction) -> Fraction:
    """(3) for a chunk that runs in one piece, D = 1."""
    return sum(t - arrival + charged for t in range(start, start + slots)) / Fraction(slots)


print("Two jobs of one slot come at 0; j1 may use e0 or e1, j2 only e0; eps = 9, a slot is a slot at any speed.")
print("Q = 1 for j1 on both, the tie goes to e0, and j2 waits: alpha = 1 and 2. Offline j1 takes e1.")
online = 1 + 2
for reading in ("slot start", "slot end"):
    c, allowed = CHARGED[reading], (1 + Fraction(1, 9)) * 2 * cost(0, 0, 1, CHARGED[reading])
    own = cost(0, 0, 1, c) + cost(0, 1, 1, c)
    print(f"{reading}: {online} should be at most {allowed}")
    print(f"objective, {reading}: {own} should be at most {allowed}")
    assert online > allowed and own > allowed

# The pool, eps = 1: job i comes at 200 i, its chunk takes p_i = 208 - i slots at double speed, 2 p_i at speed 1. It may
# use the hub (one worker, no delay) and a server of its own, i p_i + 1 slots away.
N, M = 8, 200
arrivals = [M * i for i in range(N)]
p = [M + N - i for i in range(N)]
print(f"\n{N} jobs arrive at {arrivals} and take {p} slots at double speed, twice that at speed 1.")

left, alpha = {}, []  # the remaining slots of the chunks on the hub
for i in range(N):
    before = sum(slots for j, slots in left.items() if p[j] <= p[i])  # rates 1/p: the static order of HAPRF
    after = sum(1 for j in left if p[j] > p[i])
    hub, own = before + p[i] + p[i] * after, (i * p[i] + 1) + p[i]  # (5)
    assert hub < own
    alpha.append(hub)
    left[i] = p[i]
    time = M  # until the next arrival
    for j in sorted(left, key=p.__getitem__):
        run = min(time, left[j])
        left[j], time = left[j] - run, time - run
    left = {j: slots for j, slots in left.items() if slots}
print(f"Online, all join the hub, each preempts all others. Still there after {M * N}: {left}")
print(f"alpha = {alpha}, sum {sum(alpha)}")

offline, hub_free = [], 0  # at speed 1: jobs 0, 2, 4 on their own servers, the others on the hub in order of arrival
for i in range(N):
    start = arrivals[i] + i * p[i] + 1 if i in (0, 2, 4) else max(arrivals[i], hub_free)
    hub_free = hub_free if i in (0, 2, 4) else start + 2 * p[i]
    offline.append((arrivals[i], start, 2 * p[i]))
print("Offline (arrival, start, slots):", *offline)
for reading, charged in CHARGED.items():
    total = sum(cost(*job, charged) for job in offline)
    print(f"{reading}: {sum(alpha)} should be at most {2 * total}")
    assert sum(alpha) > 2 * total
