"""Yu et al. 2022, section 4.3, case 1, and Algorithm 4, steps 2-7: of the machines sorted by sum_r p_h^r (alpha^r gamma
+ beta^r), the first that passes (4) and (24) with s = ceil(v c_i/gamma) and w = gamma s "returns the schedule and the
corresponding cost value" of (19) on one machine.
"""

from math import ceil

gamma, batch, v, c = 2, 1, 1, 1  # at most gamma workers per PS and F = 1 workers in all; v samples of c slots each
worker, ps = {"GPU": 1, "CPU": 0}, {"GPU": 0, "CPU": 1}  # alpha and beta
capacity = {"GPU": 1, "CPU": 1}  # of each of the two machines
prices = {"m0": {"GPU": 1, "CPU": 5}, "m1": {"GPU": 3, "CPU": 2}}
print(f"Prices {prices}; each machine has one of either. A worker takes a GPU, a PS a CPU. gamma = 2, F = 1, v = 1.")


def cost(machine: str, w: int, s: int) -> int:
    """Of w workers and s parameter servers on a machine."""
    return sum(price * (worker[r] * w + ps[r] * s) for r, price in prices[machine].items())


def passes(w: int, s: int) -> bool:
    """(4), and (24) with the whole capacity left."""
    return w <= batch and all(worker[r] * w + ps[r] * s <= capacity[r] for r in capacity)


nothing = 1 + sum(price * capacity[r] for of in prices.values() for r, price in of.items())
s = ceil(v * c / gamma)  # step 3
w = gamma * s  # (22)
found = nothing
for machine in sorted(prices, key=lambda machine: cost(machine, gamma, 1)):  # step 2
    ok = passes(w, s)
    print(f"Algorithm 4 tries w = {w}, s = {s} on {machine}, sort key {cost(machine, gamma, 1)}: passes {ok}")
    if ok:
        found = cost(machine, w, s)
        break
print(f"(For no schedule at all we write {nothing}, more than all capacity costs.)")

grid = [(machine, w, s) for machine in prices for w in range(3) for s in range(3)]
doing = {way: cost(*way) for way in grid if passes(*way[1:]) and way[1] >= v * c and way[1] <= gamma * way[2]}
print(f"Placements on one machine that train v, by (19), and their costs: {doing}")
print(f"of (19): {found} should be equal to {min(doing.values())}")
assert found != min(doing.values())
