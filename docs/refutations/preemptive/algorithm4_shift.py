"""Wang et al. 2022, section IV-C: all chunks of A_2 "preempted by d are postponed for E_j B_j / n_jsw time slots (lines
3-7)". Line 5 of Algorithm 4 sets y(t) = 0 and y(t + E_j B_j / n_j's'w') = 1, with the rate of the postponed job j'.
"""

batches = 4  # E_j B_j of the new chunk
new_rate, postponed_rate = 1, 2  # mini-batches a slot: n_jsw and n_j's'w'
first, length = 0, 4  # t*, from which on the postponed chunk was to run, and its slots
print(f"A new chunk of {batches} mini-batches at rate {new_rate} preempts one at rate {postponed_rate}.")

new = set(range(first, first + batches // new_rate))  # line 2
moved = {by: {t + by for t in range(first, first + length)} for by in (batches // postponed_rate, batches // new_rate)}
for by, slots in moved.items():
    print(f"  moved by {by}: the new chunk runs in {sorted(new)}, the other in {sorted(slots)}", end="; ")
    print(f"both hold the worker in {sorted(new & slots)}")
printed, needed = moved
print(f"as printed: {printed} should be equal to {needed}")
assert moved[printed] & new and not moved[needed] & new  # against (4b)
