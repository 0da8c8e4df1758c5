"""AVR, which runs each job at a constant speed until its deadline, needs at most (2a)^a/2 times the least energy.

Source: Yao, Demers and Shenker, FOCS (1995); Bansal, Bunde, Chan and Pruhs, Algorithmica 60 (2011), for all a >= 2.

A machine of speed s uses the power s^a. The source covers all jobs; here all sets of n jobs of work 1 or 2 within four
slots are tried.
"""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement

JOBS = [(start, end, work) for start, end in combinations(range(5), 2) for work in (1, 2)]


def value(n, a):
    return max(ratio(jobs, a) for jobs in combinations_with_replacement(JOBS, n))


def worst(n, a):
    jobs = max(combinations_with_replacement(JOBS, n), key=lambda jobs: ratio(jobs, a))
    firsts = [jobs[: i + 1] for i in range(n)]
    return [(f"{some[-1][0]}-{some[-1][1]}", average(some, a), least(some, a)) for some in firsts]


def ratio(jobs, a):
    return average(jobs, a) / least(jobs, a)


def average(jobs, a):
    """The energy of AVR."""
    return sum(sum(Fraction(w, end - start) for start, end, w in jobs if start <= t < end) ** a for t in range(4))


def least(jobs, a):
    """The optimum: the jobs inside the interval of the highest density run at that speed; then without both."""
    if not jobs:
        return 0
    ends = sorted({time for start, end, _ in jobs for time in (start, end)})
    speed, s, e = max((Fraction(inside(jobs, s, e), e - s), s, e) for s, e in combinations(ends, 2))

    def cut(time):
        return time - min(max(time - s, 0), e - s)

    rest = [(cut(start), cut(end), work) for start, end, work in jobs if not s <= start < end <= e]
    return speed**a * (e - s) + least(rest, a)


def inside(jobs, s, e):
    return sum(work for start, end, work in jobs if s <= start < end <= e)


def theory(n, a):
    return Fraction((2 * a) ** a, 2)


SIZES = ({"n": 2, "a": 2}, {"n": 3, "a": 2}, {"n": 3, "a": 3})
RELATION = "<="
KNOWN = "proven for these sizes"
