"""Wang et al. 2019, section III-D: without deadlines, one data node per job, "our problem becomes MKP".

Multiple knapsack usually has items with profits; (5) counts jobs.
"""

from itertools import combinations

CAPACITY = 2  # of the only knapsack or server
SIZES = (1, 1, 2)
PROFITS = (1, 1, 3)

sets = [s for n in range(4) for s in combinations(range(3), n) if sum(SIZES[i] for i in s) <= CAPACITY]
most = max(map(len, sets))
accepted = [s for s in sets if len(s) == most]  # the optima of JRP
print(f"sizes {SIZES}, profits {PROFITS}, one knapsack of {CAPACITY}")
print(f"sets that fit: {sets}; JRP counts, so that it accepts one of {accepted}")
of_jrp, of_mkp = (max(sum(PROFITS[i] for i in s) for s in among) for among in (accepted, sets))
print(f"with profits: {of_jrp} should be equal to {of_mkp}")
assert of_jrp < of_mkp
