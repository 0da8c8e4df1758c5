"""Wang et al. 2019, (26): sigma_j^2 = sum d_i^2 x_i (1 - x_i) <= d_max mu_j <= mu_j^2/eta, where mu_j = r_j^s, d_max is
the largest sum of one job's data nodes, and eta "the maximum number of data nodes that any edge server can serve".
"""

from fractions import Fraction as F


def terms(jobs, room):
    """sigma^2, d_max mu, mu, and both readings of eta; jobs: lists of (size, x)."""
    nodes = [node for job in jobs for node in job]
    mu = sum(d * x for d, x in nodes)
    assert mu == room
    up = sorted(d for d, _ in nodes)
    most = max(n for n in range(1, len(up) + 1) if sum(up[:n]) <= room)
    whichever = max(n for n in range(1, len(up) + 1) if sum(up[-n:]) <= room)
    variance = sum(d**2 * x * (1 - x) for d, x in nodes)
    return variance, max(sum(d for d, _ in job) for job in jobs) * mu, mu, most, whichever, len(nodes)


def report(name, jobs, room, ends=False):
    variance, middle, mu, most, whichever, number = terms(jobs, room)
    print(f"{name}: sigma^2 = {variance}, d_max mu = {middle}, mu = r = {mu}")
    etas = {"most here": most, "most anywhere": most, "all candidates": number, "whichever they are": whichever}
    for reading, eta in etas.items():
        print(f"{reading}: {middle} should be at most {mu**2 / eta}")
        assert middle > mu**2 / eta
    if ends:
        print(f"the ends alone: {variance} should be at most {mu**2 / whichever}")
        assert variance > mu**2 / whichever


# LP_I: y0 + y1 + 4 y2 <= 5 and y0, y1 <= 1 have the only optimum y = (1, 1, 3/4), as the large job pays least for a GB.
report("jobs of 1, 1 and 4 GB on 5 GB", [[(1, F(1))], [(1, F(1))], [(4, F(3, 4))]], 5)

half = F(1, 2)
report("a job of 14 GB and 28 of 1 GB on 21 GB, x = 1/2", [[(14, half)]] + [[(1, half)]] * 28, 21, ends=True)

variance, middle, mu, *etas = terms([[(1, F(1)), (1, F(1))]], 2)
largest = 2 // 1  # floor(r/max d), so many fit if all are as large as the largest; each other eta is 2, too
print(
    "With eta = floor(r/max d) the ends hold, but not the second inequality. One job of two data nodes of 1 GB on 2 GB:"
)
for reading in ("all as large as the largest", "most here", "most anywhere", "all candidates", "whichever they are"):
    print(f"{reading}: {middle} should be at most {mu**2 / largest}")
assert set(etas) == {largest} and middle > mu**2 / largest >= variance
