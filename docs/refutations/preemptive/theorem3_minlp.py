"""Wang et al. 2022, Theorem 3: "For MINLP (2), A_online is (1+eps)-speed D_max(1+1/eps)-competitive."

Total completion times are compared; all jobs here have one chunk, so D_max = 1.
"""

from fractions import Fraction

print("Whole slots, eps = 9. j1 may use servers e0 and e1, j2 only e0; both come at 0, one slot each at any speed.")
online = 1 + 2  # Q = 1 for j1 on both servers, and the tie goes to e0: j2 waits
offline = 1 + 1  # j1 on e1, j2 on e0
print(f"whole slots: {online} should be at most {(1 + Fraction(1, 9)) * offline}")
assert online > (1 + Fraction(1, 9)) * offline

# The pool, eps = 1: job i comes at 8000 i, its chunk takes p_i = 8020 - i slots at double speed, 2 p_i at speed 1. It
# may use the hub (one worker, no delay) and a server of its own, i p_i + 1 slots away.
N, M = 20, 8000
arrivals = [M * i for i in range(N)]
p = [M + N - i for i in range(N)]
print(f"\nJobs arrive at {arrivals[:3]} ... and take {p[:3]} ... slots at double speed, twice that at speed 1.")

left, completion = {}, {}  # the remaining slots of the chunks on the hub


def run_hub(begin: int, end: int) -> None:
    """Train the pending chunks of the hub in the static order of HAPRF, by 1/p, from one time to another."""
    for j in sorted(left, key=p.__getitem__):
        run = min(end - begin, left[j])
        left[j], begin = left[j] - run, begin + run
        if left[j] == 0:
            completion[j] = begin
            del left[j]


for i in range(N):
    before = sum(slots for j, slots in left.items() if p[j] <= p[i])
    after = sum(1 for j in left if p[j] > p[i])
    assert before + p[i] + p[i] * after < (i * p[i] + 1) + p[i]  # (5): the hub is cheaper than the job's own server
    left[i] = p[i]
    run_hub(arrivals[i], arrivals[i] + M)
print(f"Online, all join the hub, each preempts all others. Left at {N * M}: {left}")
run_hub(N * M, N * M + sum(left.values()))
online = sum(completion[i] - arrivals[i] for i in range(N))

far = (0, 2, 4, 6, 8, 10, 12)  # offline at speed 1: these on their own servers, the others on the hub as they come
offline, hub_free = 0, 0
for i in range(N):
    start = arrivals[i] + i * p[i] + 1 if i in far else max(arrivals[i], hub_free)
    if i not in far:
        hub_free = start + 2 * p[i]
    offline += start + 2 * p[i] - arrivals[i]
print(f"Total completion time online: {online}; offline, with jobs {far} on their own servers: {offline}; ratio 2.")
for reading in ("whole slots", "fluid"):  # all times are whole numbers at both speeds
    print(f"{reading}: {online} should be at most {2 * offline}")
assert online > 2 * offline
