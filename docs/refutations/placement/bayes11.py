"""Li et al. 2023, (11): Pr(n|j) = Pr(j|n) Pr(n) / sum over n = 1, ..., N; the agent with the largest gets task j.

Pr(n) is how many of task j, each with its minimum, the free room of cluster n holds.
"""

from fractions import Fraction as F


def largest(given, rooms):
    """All n with the largest Pr(n|j); empty for 0/0."""
    products = [a * b for a, b in zip(given, rooms, strict=True)]
    if not sum(products):
        return []
    shares = [p / sum(products) for p in products]
    return [n for n, share in enumerate(shares) if share == max(shares)]


def right(selected, chose):
    """How many are selected, if all of them chose the task."""
    return len(selected) if set(selected) <= chose else 0


HALF = F(1, 2)
selected = largest([HALF, HALF], [1, 2])[:1]  # of task 0, which agent 0 chose; the same for task 1 of agent 1
print(f"agent {selected} gets both tasks, each agent chose one")
print(f"the scores of all agents: {right(selected, {0})} should be equal to 1")
assert right(selected, {0}) == 0

selected = largest([F(1), F(1)], [1, 1])  # both chose it
print(f"z, all that are largest: {right(selected, {0, 1})} should be equal to 1")
assert right(selected, {0, 1}) == 2

free, needed = 1, 2
selected = largest([F(1)], [free // needed])[:1]
for reading in ("the scores of all agents", "z, all that are largest", "those that chose it"):
    print(f"{reading}: {right(selected, {0})} should be equal to 1")
assert not selected
