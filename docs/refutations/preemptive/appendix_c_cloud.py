"""Wang et al. 2022, Appendix C, in the proof of Lemma 2: "We only discuss the case that new data chunk is dispatched to
edge servers, because allocating to the cloud is obviously feasible": (6a) holds for its alpha_jd, all w and t.
"""

from fractions import Fraction

p, D, arrival, delay = 3, 1, 0, 1  # one job, one chunk of three slots, which only the cloud may train; upload 1
print("One job of 3 slots, only in the cloud, upload 1.")

alpha = Fraction(delay + p, D)  # (5), first and third item: there is no waiting in the cloud
landing = arrival + delay
print(f"alpha = {alpha}; the chunk runs on its own cloud worker in [{landing}, {landing + p}).")


def row(t: int, beta: Fraction) -> Fraction:
    """What (6a), multiplied by p = E B/n, allows alpha to be at most, slot t being charged t + 1 - r."""
    return Fraction(t + 1 - arrival, D) + p * beta


mine = [row(t, Fraction(1, D) if t < landing + p else Fraction(0)) for t in range(landing, landing + 10)]
idle = [row(t, Fraction(0)) for t in range(landing, landing + 10)]  # the cloud has more workers; nothing is there
print(f"From the landing on, the rows of its own worker allow {[int(x) for x in mine]},")
print(f"and those of an idle cloud worker {[int(x) for x in idle]}:")
print(f"every worker: {alpha} should be at most {min(idle)}")
assert alpha <= min(mine) and alpha > min(idle)
