"""Yu et al. 2022, section 4.3, case 2: for placements that are not on one machine "we can rewrite Problem (19) as"
(23): min sum_h p_h^w w_h + p_h^s s_h within (24) the capacities, (25) sum_h w_h <= F and (26) sum_h w_h >= v c_e.
"""

from itertools import product

gpus, price = (1, 1), (1, 1)  # two machines; a worker needs a GPU, a parameter server (PS) needs a GPU
batch, need, gamma = 1, 1, 1  # F, v c_e for one sample, workers per PS
print("Two machines with one GPU each at price 1. A job whose worker and PS need a GPU each, one worker needed.")

counts = list(product(range(2), repeat=2))
placements = [
    (w, s)
    for w, s in product(counts, counts)
    if all(w[h] + s[h] <= gpus[h] for h in range(2))  # (24), (18)
    and need <= sum(w) <= batch  # (25), (26)
]


def cost(placement: tuple[tuple[int, ...], tuple[int, ...]]) -> int:
    """What the workers and the parameter servers cost."""
    w, s = placement
    return sum(price[h] * (w[h] + s[h]) for h in range(2))


best23 = min(placements, key=cost)
print(f"(23): w = {best23[0]}, s = {best23[1]}, cost {cost(best23)}")
readings = {
    "at most gamma workers per PS": lambda w, s: sum(w) <= gamma * sum(s),  # (2) in the model
    "some parameter server": lambda w, s: sum(s) >= 1,  # else (20) has no bandwidth
}
for reading, meets in readings.items():
    best19 = min((one for one in placements if meets(*one)), key=cost)
    print(f"(19): w = {best19[0]}, s = {best19[1]}, cost {cost(best19)}")
    print(f"{reading}: {cost(best23)} should be equal to {cost(best19)}")
    assert cost(best23) != cost(best19)
