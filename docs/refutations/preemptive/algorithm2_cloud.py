"""Wang et al. 2022, section IV-C: once the first chunk is at the edge, "A_greedy first recalculates Q by resetting
zeta_j = 0 (lines 17-20)". Line 19 of Algorithm 2 is CALCULATEQ(j, d, s_c, w_c), run when d = d_1.
"""

from fractions import Fraction

batches, chunks, delay = 4, 2, 1  # E_j B_j mini-batches of a chunk, D_j, the upload to the cloud
rate = {0: Fraction(1), 1: Fraction(2)}  # n_j by zeta_j, (1)
print(f"{chunks} chunks of {batches} mini-batches; 1 a slot across servers, 2 in one place; upload {delay}.")


def cloud_price(zeta: int) -> Fraction:
    """Algorithm 3, line 8."""
    return Fraction(delay, chunks) + batches / rate[zeta] / chunks


def calculate_q_in_cloud(chunk: int) -> Fraction:
    """Algorithm 3, lines 2-8: zeta_j = 1 for d = d_1, otherwise 0."""
    return cloud_price(1 if chunk == 1 else 0)


first = 1  # line 18 lets line 19 run for d = d_1 only
printed, meant = calculate_q_in_cloud(first), cloud_price(0)
print(f"Line 19 passes d_1 and finds {printed}. With the first chunk at the edge zeta_j = 0, (2h): ", end="")
print(f"the next chunk takes {batches / rate[0]} slots in the cloud, price {meant}.")
print(f"as printed: {printed} should be equal to {meant}")
assert printed != meant
