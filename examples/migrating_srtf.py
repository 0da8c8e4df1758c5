"""A policy for `schedproof prove`: shortest remaining time first, with migration.

schedproof prove examples/migrating_srtf.py --option machines=2 --option sizes=3 --option present=4
"""


def run(jobs, machines):
    """Return the jobs to run in this slot, of jobs (slots left,)."""
    return sorted(range(len(jobs)), key=lambda n: jobs[n])[:machines]
