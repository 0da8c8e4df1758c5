"""Wang et al. 2022, section I: "we prove that the decision of PS allocation is decoupled from worker allocation ...
A_ps selects an available PS for each running job without affecting the objectives in both the original problem and of
the reformulated problem".
"""

from fractions import Fraction
from itertools import product
from math import ceil

m, G, q, b = 1, 0, 3, 2  # a mini-batch takes m + G, and 2 q/b more unless zeta_j = 1, (1)
print("A job of one mini-batch that only the cloud's workers can train; it may use PSs at the edge and there.")
slots = {}
for server in ("edge", "cloud"):  # what line 6 of Algorithm 5 may draw
    zeta = int(server == "cloud")  # (2g): everything is in the cloud, or not
    slots[server] = ceil(m + G + (0 if zeta else Fraction(2 * q, b)))
    print(f"  PS at the {server}: zeta_j = {zeta}, the job takes {slots[server]} slots")
print(f"any PS: {slots['edge']} should be equal to {slots['cloud']}")
assert slots["edge"] != slots["cloud"]

print("\nEdge: two workers, one PS, no delay. Cloud: ten slots away. Two jobs at 0, one chunk of 2 slots each.")
delay = {"edge": 0, "cloud": 10}
servers = {"PS of the edge": "edge", "PS 1 of the cloud": "cloud", "PS 2 of the cloud": "cloud"}  # any more are alike
assert delay["edge"] + 2 < delay["cloud"] + 2  # (5) for each job: an idle worker of the edge, or the cloud
landed = [p for p, server in servers.items() if delay[server] <= 0]  # (2i) in slot 0
choices = product([None, *landed], repeat=2)
free = [z for z in choices if all(z.count(p) <= 1 for p in landed)]  # (2f)
waiting = min(z.count(None) for z in free)
print(f"Both run at the edge in slot 0. PSs for them in slot 0, within (2f) and (2i): {free}")
print("Jobs that have to wait for one, at least, so that their completion times grow:")
print(f"an available PS: {waiting} should be equal to 0")
assert waiting > 0
