"""Wang et al. 2022, section IV-C: "we relax integrality constraint (4h) to y >= 0 [...]. As a result, constraint (4e)
is redundant." (4e): a data chunk has at most one worker's time in each slot.
"""

from fractions import Fraction

slots, workers = 2, 2  # one job, D = 1, E B/n = 2, r = 0, no delay; one server with two workers
print("One chunk of 2 slots, two workers, arrival 0.")


def optimum(per_slot: int, charged: int) -> Fraction:
    """The least cost (3): work only gets dearer with time, so the earliest slots are filled first."""
    cost, left, t = Fraction(0), slots, 0
    while left:
        work = min(left, per_slot)
        cost += Fraction(work * (t + charged), slots)
        left -= work
        t += 1
    return cost


for reading, charged in {"slot start": 0, "slot end": 1}.items():  # slot t is charged t - r or t + 1 - r
    without, with_4e = optimum(workers, charged), optimum(1, charged)
    print(f"Without (4e) both workers train it in slot 0: {without}. With (4e), slots 0 and 1: {with_4e}.")
    print(f"{reading}: {without} should be equal to {with_4e}")
    assert without != with_4e
