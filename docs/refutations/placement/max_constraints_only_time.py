"""Li et al. 2023, below (8): t*_j = max t y_jnt "is the only time that y_jnt is positive"; (3) sums over n in D_j."""

D_J = {1}
Y = {(1, 1): 1, (2, 2): 1}  # (n, t) -> y; (4) has a variable for each n

assert sum(y for (n, _), y in Y.items() if n in D_J) <= 1  # (3)
start = max(t * y for (_, t), y in Y.items())  # (6)
others = [(n, t) for (n, t), y in Y.items() if y > 0 and t != start]
print(f"t* = {start}; also positive: {others}")
print(f"all n: {len(others)} should be equal to 0")
assert others
