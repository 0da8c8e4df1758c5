"""A policy as `schedproof prove` reads one: the jobs with the least left run, and may move from machine to machine.

schedproof prove examples/migrating_srtf.py --option machines=2 --option sizes=3 --option present=4
"""


def run(jobs, machines):
    """Of jobs (slots left,), those that run in this slot."""
    return sorted(range(len(jobs)), key=lambda n: jobs[n])[:machines]
