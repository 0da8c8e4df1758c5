"""Wang et al. 2022, (2j): c_j = arg max over t in [T] of (sum_s sum_w v_jsw y_jsw(t) > 0); it "computes the JCT", which
is c_j - r_j in (2).
"""

arrival, length, horizon = 0, 2, 10  # one job of two slots on an idle worker
busy = range(arrival, arrival + length)
print(f"One job of {length} slots comes at {arrival} to an idle worker: it runs in slots {list(busy)}.")

indicator = {t: int(t in busy) for t in range(horizon)}
maximisers = [t for t, value in indicator.items() if value == max(indicator.values())]
print(f"The indicator in slots 0 to {horizon - 1}: {list(indicator.values())}; it is largest at t = {maximisers}")
print(f"arg max: {len(maximisers)} should be equal to 1")

last = max(maximisers)
print(f"With the last of them c - r = {last} - {arrival}, for a job that runs in {len(busy)} different slots:")
print(f"last busy slot: {last - arrival} should be at least {len(busy)}")
assert len(maximisers) != 1 and last - arrival < len(busy) <= last + 1 - arrival
