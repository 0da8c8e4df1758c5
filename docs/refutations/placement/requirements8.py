"""Li et al. 2023, (7)-(8): x_r <= C_r where y = 1, and x_r is 0 or in [b_r, C_r]. A GPU and two CPUs are needed."""

NEEDS, CAPACITY, Y = (1, 2), (2, 4), 1

for note, x in (("nothing", (0, 0)), ("no GPU", (0, 2))):
    rows = list(zip(x, NEEDS, CAPACITY, strict=True))
    assert all(a <= c * Y for a, _, c in rows)  # (7)
    assert all(a == 0 or b <= a <= c for a, b, c in rows)  # (8)
    short = sum(a < b for a, b, _ in rows)
    print(f"x = {x}, {note}")
    print(f"y = 1: {short} should be at most 0")
    if any(x):
        print(f"some x > 0: {short} should be at most 0")
    assert short > 0
