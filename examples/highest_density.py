"""A policy with weights for `schedproof prove`: highest weight per remaining slot first.

schedproof prove examples/highest_density.py --option machines=1 --option sizes=2 --option weights=3 --option
present=3
"""

WEIGHTS = True


def run(jobs, machines):
    """Return the jobs to run, of jobs (slots left, weight): the highest weight per slot."""
    denser = [sum(other * slots > weight * left for left, other in jobs) for slots, weight in jobs]
    return sorted(range(len(jobs)), key=lambda n: (denser[n], jobs[n]))[:machines]
