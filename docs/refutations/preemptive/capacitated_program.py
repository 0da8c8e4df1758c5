"""Wang et al. 2022, (7b) and (7c): sum_jd x_jds(t) u_j <= U_s, and x_jds(t) = 1 "for all j, d, s, t in [r_j, c_j]".

Said to mean that "each data chunk occupies allocated storage resources until it is completed".
"""

room = {"e0": 2, "e1": 1}  # U_s in GB, one worker each
size, slots, arrival, open_to = 2, 1, 0, "e0"  # one job, one chunk of 2 GB and one slot, that may only use e0
print("Storage:", room, "- one chunk of 2 GB and 1 slot, which arrives at 0 and may only use e0")

print("A schedule: the chunk is stored and trained on e0 in slot 0, completion 1, and e1 is not touched.")
completion = arrival + slots  # the earliest; a later one only adds slots to the intervals below
assert size <= room[open_to]

intervals = {
    "closed interval": range(arrival, completion + 1),
    "half-open interval": range(arrival, completion),
}
for reading, stored in intervals.items():
    x = {(s, t): 1 for s in room for t in stored}  # (7c)
    excess = {s: max(size * x[s, t] - room[s] for t in stored) for s in room}
    print(f"(7c) stores the chunk on both servers; the left side of (7b) minus U_s: {excess}")
    print(f"{reading}: {max(excess.values())} should be at most 0")
    assert max(excess.values()) > 0
