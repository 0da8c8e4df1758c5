"""A policy that knows of weights, as `schedproof prove` reads one: the most weight for each slot that is left.

schedproof prove examples/highest_density.py --option machines=1 --option sizes=2 --option weights=3 --option present=3
"""

WEIGHTS = True


def run(jobs, machines):
    """Of jobs (slots left, weight), those that run in this slot: the fewest others have more weight for a slot."""
    denser = [sum(other * slots > weight * left for left, other in jobs) for slots, weight in jobs]
    return sorted(range(len(jobs)), key=lambda n: (denser[n], jobs[n]))[:machines]
