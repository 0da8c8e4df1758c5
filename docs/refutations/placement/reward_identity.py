"""Li et al. 2023, IV-A: sum of phi_j = sum over t of the alive tasks; by (5) j runs for t in [t*_j, t^_j + phi_j]."""

ARRIVAL, START, SLOTS = 0, 0, 1
PHI = START + SLOTS - ARRIVAL

waits = [t for t in range(10) if ARRIVAL <= t < START]
runs = [t for t in range(10) if START <= t <= ARRIVAL + PHI]
alive = len(waits) + len(runs)
print(f"alive as in (5): {alive} should be equal to {PHI}")
print(f"in the system, without the end: {sum(ARRIVAL <= t < ARRIVAL + PHI for t in range(10))}")
assert alive != PHI
