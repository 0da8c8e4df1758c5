"""Li et al. 2023, section III-C: a task is charged in each t of [t^_j, t^_j + phi_j], from its arrival on.

Two tasks of one slot come in slot 0 to a cluster with one unit and start in slots 0 and 1.
"""

ARRIVAL, SLOTS, STARTS = 0, 1, (0, 1)

for reading, end in (("closed", 1), ("half-open", 0)):
    charged = [set(range(ARRIVAL, start + SLOTS + end)) for start in STARTS]
    runs = [set(range(start, start + SLOTS)) for start in STARTS]
    wrong = [len(one ^ other) for one, other in zip(charged, runs, strict=True)]
    print(f"{reading}: {max(wrong)} should be equal to 0")
    assert max(wrong) > 0
    print(f"in slot 0 both are charged: {sum(0 in one for one in charged)} units of 1")
