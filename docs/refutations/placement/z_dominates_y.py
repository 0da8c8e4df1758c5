"""Li et al. 2023, below (10): z_jnt >= y_jnt, where y is 1 for the largest score times room, (11).

Two agents and two tasks, all scores 1/2; rooms 1 and 2; each agent chose another task.
"""

from fractions import Fraction as F

SCORE, ROOMS, CHOSE = F(1, 2), (1, 2), (0, 1)  # by agent

wrong = 0
for task in (0, 1):
    products = [SCORE * room for room in ROOMS]
    winner = products.index(max(products))
    y, z = 1, int(CHOSE[winner] == task)
    print(f"task {task}: agent {winner} has y = {y}, z = {z}")
    wrong += y > z
print(f"the scores of all agents: {wrong} should be at most 0")
assert wrong > 0
