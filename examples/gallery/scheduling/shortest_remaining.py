"""SRPT, shortest remaining processing time first, is optimal for the total flow time on one machine.

Source: Schrage, Operations Research 16 (1968).

The source covers all jobs; here sizes up to 3, up to 4 present jobs and one arrival in a slot are proven.
"""

from flow import Flow


class SRPT(Flow):
    def choose(self, jobs):
        return min(range(len(jobs)), key=lambda i: jobs[i][1] - jobs[i][0])


def theory(longest, present):
    return 1


SYSTEM = SRPT
SIZES = ({"longest": 2, "present": 3}, {"longest": 3, "present": 3}, {"longest": 3, "present": 4})
KNOWN = "proven for these sizes"
