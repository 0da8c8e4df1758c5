"""Wang et al. 2022, section IV-C: the dispatching policy "assigns data chunk d to the worker w on server s which makes
Q_jdsw minimized". Algorithm 2, lines 9-27, is to do that.
"""

from fractions import Fraction

chunks, slots = 2, 1  # one job: D_j, and E_j B_j / n_j of each chunk
pending = {"w0": 0, "w1": 0}  # two idle edge workers, no delay: how many chunks of the job each of them has
print(f"A job of {chunks} chunks of {slots} slot each, two idle workers.")


def q(worker: str) -> Fraction:
    """(5): waiting for the present chunks of equal rate, and processing, without preemption."""
    return Fraction(slots * pending[worker], chunks) + Fraction(slots, chunks)


stored = {w: q(w) for w in pending}  # lines 3-8
for chunk in range(1, chunks + 1):
    chosen = min(stored, key=stored.get)  # line 11, ties to the first worker
    actual = {w: q(w) for w in pending}
    print(f"  chunk {chunk}: stored Q {[str(x) for x in stored.values()]}, ", end="")
    print(f"actual Q {[str(x) for x in actual.values()]}, goes to {chosen}")
    stored[chosen] = q(chosen)  # lines 22-23: before the chunk is there
    pending[chosen] += 1  # line 26
print("Q where the last chunk goes, and the least Q:")
print(f"as printed: {actual[chosen]} should be equal to {min(actual.values())}")
assert actual[chosen] > min(actual.values())
