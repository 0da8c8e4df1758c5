"""Yu et al. 2022, Theorem 5: PD-ORS is (6 G/delta) max_r(1, ln(U^r/L))-competitive, G of (29), U^r of (13), L of (14).

One machine and one slot here, one GPU per worker, no parameter servers: alpha + beta = 1, ceil(V c_e) = F = workers.
"""

from fractions import Fraction
from math import ceil, isqrt


def artanh2(z: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of 2 artanh z = 2 (z + z^3/3 + z^5/5 + ...) for 0 <= z <= 1/3, by 60 terms."""
    low = 2 * sum(z ** (2 * k + 1) / (2 * k + 1) for k in range(60))
    return low, low + z**121


def ln(x: int) -> tuple[Fraction, Fraction]:
    """Bounds of ln x = k ln 2 + ln(x/2^k), as ln y = 2 artanh((y - 1)/(y + 1))."""
    k = x.bit_length() - 1
    return tuple(k * a + b for a, b in zip(artanh2(Fraction(1, 3)), artanh2(Fraction(x - 2**k, x + 2**k)), strict=True))


def root(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of the square root, 50 decimals."""
    n = isqrt(x.numerator * 10**100 // x.denominator)
    return Fraction(n, 10**50), Fraction(n + 1, 10**50)


def gain(W_2: int, delta: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of G = 1 + h - sqrt(h^2 + 2h) = 1/(1 + h + sqrt(h^2 + 2h)), h = 3 ln(3(HR + 1)/delta)/(2 W_2), HR = 1."""
    low, high = (3 * log / (2 * W_2) for log in ln(int(6 / delta)))
    return 1 / (1 + high + root(high**2 + 2 * high)[1]), 1 / (1 + low + root(low**2 + 2 * low)[0])


def ratio(readings: list[str], gpus: int, jobs: list[tuple[int, Fraction]], delta: Fraction, step: int = 0) -> None:
    """OPT against (6 G/delta) max(1, ln(U/L)) times what PD-ORS earns; step^C = U/L where a second price is needed."""
    mu = Fraction(gpus, min(need for need, _ in jobs))
    L, U = min(worth / (2 * mu * need) for need, worth in jobs), max(worth for _, worth in jobs)  # (14), (13)
    rho, earned = 0, Fraction(0)
    for need, worth in jobs:
        if need <= gpus - rho and worth > need * L * step**rho:  # room, and the price (12)
            assert rho == 0 or step**gpus == U / L
            rho, earned = rho + need, earned + worth
    opt = sum(sorted((worth for _, worth in jobs), reverse=True)[: gpus // jobs[0][0]])  # all need the same
    bounds = zip(gain(jobs[0][0], delta), ln(int(U / L)), strict=True)  # of G and of ln(U/L)
    low, high = (6 * g / delta * max(1, log) * earned for g, log in bounds)
    allowed = Fraction(ceil(high * 1000), 1000)
    assert (U / L).denominator == 1 and allowed - Fraction(1, 1000) < low <= high <= allowed < opt
    print(f"L = {L}, U/L = {U / L}; PD-ORS earns {earned}. OPT and what the theorem allows, in thousandths above:")
    for reading in readings:
        print(f"{reading}: {opt} should be at most {allowed}")


print("10 GPUs, one slot. A job worth 1 brings 10 workers of one GPU; then the same job comes, worth 1,000,000.")
swallow = [(10, Fraction(1)), (10, Fraction(10**6))]
ratio(["any demand", "one worker small"], 10, swallow, Fraction(1, 10))
print("\n10 GPUs, one slot. Ten jobs of one GPU, worth 5000^k 10^-18, k = 0 to 9; then ten worth 5000^10/20 10^-18.")
ladder = [(1, Fraction(5000**k, 10**18)) for k in range(10)] + [(1, Fraction(5000**10, 20 * 10**18))] * 10
ratio(["any demand", "one worker small", "one job small"], 10, ladder, Fraction(1), 5000)
print("\nOne GPU, one slot, one job of one GPU, worth 1.")
ratio(["any demand"], 1, [(1, Fraction(1))], Fraction(1))
