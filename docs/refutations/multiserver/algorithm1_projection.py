"""Zhao et al. 2024, section III-B: lines 6-31 of Algorithm 1 turn z(t+1) into its projection (32), for each (r, k).

One node, one resource. Compared are the squared distances between what the lines give and the projection.
"""

from fractions import Fraction as F


def lines_7_to_31(z, a, c, zero_b2, rho_at_least_0, empty_s):
    """Algorithm 1 as printed, for ports numbered by descending z (line 7), or None if the repeat loop never ends.

    zero_b2: a port of B2 gets 0, as B2 is defined. empty_s: each repeat starts with S empty. No line does either.
    """
    ports, y = range(len(z)), [F(0)] * len(z)
    b1, b3 = set(), set(ports)  # lines 10-13
    while True:
        s = {None}
        while s:  # lines 19-31
            s = set()
            if b3:  # (38), which line 20 calls (39)
                rho = F(2, len(b3)) * (sum(z[i] for i in b3) - c + sum(a[i] for i in b1))
                rho = max(rho, F(0)) if rho_at_least_0 else rho
            for i in ports:
                if i in b1:
                    y[i] = F(a[i])
                elif i in b3:
                    y[i] = z[i] - rho / 2
                    if y[i] < 0:
                        s = set(ports[i:])
                        break
                elif zero_b2:
                    y[i] = F(0)
            if s and not empty_s:
                return None  # line 31 never finds S empty
            b3 -= s
        if y[0] <= a[0]:  # line 15
            return y
        b1, b3 = {0}, set(ports[1:])  # line 16


CASES = [  # z, a, c; tau, by which the projection is clip(z - tau, 0, a): tau = 0, or tau > 0 and the row is full
    ([2, 2], [1, 1], 10, 0),
    ([0], [1], 1, 0),
    ([4, 3], [4, 1], 4, 1),
    ([1, -1], [1, 1], 1, 0),
]
READINGS = {"B2 set to 0": (1, 0, 1), "rho at least 0": (1, 1, 1), "B2 left as it is": (0, 0, 1), "S kept": (0, 0, 0)}
for z, a, c, tau in CASES:
    nearest = [min(max(zi - tau, 0), ai) for zi, ai in zip(z, a, strict=True)]
    assert sum(nearest) == c if tau else sum(nearest) <= c  # (34)-(37) with rho = 2 tau
    print(f"z = {z}, a = {a}, c = {c}: the projection is {nearest}")
    far = {reading: lines_7_to_31(z, a, c, *flags) for reading, flags in READINGS.items()}
    for reading, y in far.items():
        print(f"  {reading}: lines 7-31 give", *y or ["no end"])
        if y and y != nearest:
            distance = sum((yi - pi) ** 2 for yi, pi in zip(y, nearest, strict=True))
            print(f"{reading}: {distance} should be at most 0")
    assert any(y != nearest for y in far.values())
