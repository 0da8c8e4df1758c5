"""Wang et al. 2022, Lemma 2 and Appendix C: alpha_jd = min Q and beta_sw(t), the weight of the uncompleted chunks on w,
satisfy (6a): alpha_jd n/(E B) <= n/(E D B) (t - r_j) + beta_sw(t) for all j, d, s, w and t >= r_j.
"""

from fractions import Fraction

p, D, r, delay = 3, 1, 0, 0  # one job with one chunk of three slots
pending = {"w0": [], "w1": []}  # two idle workers
print("One chunk of 3 slots arrives at 0; workers w0 and w1 are idle, no delay.")

# (5): transit + waiting + processing + what others are delayed; nobody waits on either worker.
Q = {w: Fraction(delay + sum(pending[w]) + p, D) for w in pending}
alpha, chosen = min((q, w) for w, q in Q.items())
print(f"Q = {Q['w0']} on both; {chosen} takes the chunk; alpha = {alpha}")


def beta(worker: str, t: int) -> Fraction:
    """The weight of the uncompleted chunks on a worker: the chunk is on the chosen one during [0, 3)."""
    return Fraction(1, D) if worker == chosen and r <= t < r + p else Fraction(0)


def row(worker: str, t: int, charged: int) -> Fraction:
    """What (6a), multiplied by p = E B/n, allows alpha to be at most; slot t is charged t - r or t + 1 - r."""
    return Fraction(t - r + charged, D) + p * beta(worker, t)


print(f"The row of w0 at t = 0: {alpha} <= {row('w0', 0, 0)}. The row of w1, where nothing is ever pending:")
for reading in ("every t >= r_j", "from the landing on", "landed only", "fluid"):  # no delay, nobody else, whole times
    print(f"{reading}: {alpha} should be at most {row('w1', 0, 0)}")
print(f"slot end: {alpha} should be at most {row('w1', 0, 1)}")
assert alpha <= row("w0", 0, 0) and alpha > row("w1", 0, 1) > row("w1", 0, 0)
