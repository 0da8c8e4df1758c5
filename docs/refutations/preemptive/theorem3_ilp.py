"""Wang et al. 2022, Theorem 3: "For ILP (4), the online algorithm A_online is (1+eps)-speed (1+1/eps)-competitive".

Appendix D shows sum alpha <= (1 + 1/eps) OPT_I. Here eps = 1: double speed online, ratio 2.
"""

from fractions import Fraction

RATIO = 2


def cost(arrival: int, start: int, slots: int, charged: Fraction) -> Fraction:
    """(3) for a chunk that runs in one piece, D = 1, with slot t charged t - r + `charged`."""
    return sum(t - arrival + charged for t in range(start, start + slots)) / Fraction(slots)


print("One job of one slot, one idle worker: alpha = Q = 1 (one slot at double speed, too).")
free = RATIO * cost(0, 0, 1, Fraction(0))
print(f"slot start: 1 should be at most {free}")
assert free < 1

# The pool: job i comes at 1000 i, its chunk takes p_i = 1008 - i slots at double speed, 2 p_i at speed 1. It may use
# the hub (one worker, no delay) and a server of its own, i p_i + 1 slots away.
N, M = 8, 1000
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
    if i in (0, 2, 4):
        start = arrivals[i] + i * p[i] + 1
    else:
        start = max(arrivals[i], hub_free)
        hub_free = start + 2 * p[i]
    offline.append((arrivals[i], start, 2 * p[i]))
print("Offline (arrival, start, slots):", *offline)
for reading, charged in {"slot start": Fraction(0), "slot end": Fraction(1), "continuous": Fraction(1, 2)}.items():
    total = sum(cost(*job, charged) for job in offline)
    print(f"{reading}: {sum(alpha)} should be at most {RATIO * total}")
    assert sum(alpha) > RATIO * total
