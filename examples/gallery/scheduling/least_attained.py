"""SETF, least attained service first, is at most 3-competitive at speed 3/2 for the total flow time on one machine.

Source: Kalyanasundaram and Pruhs, Journal of the ACM 47 (2000): (1 + 1/e)-competitive at speed 1 + e.

It does not know the jobs' sizes. The source shares the machine continuously and covers all jobs; here a slot has three
units of work against two, and sizes up to 6, up to 4 present jobs and one arrival in a slot are proven.
"""

from flow import Flow


class SETF(Flow):
    own, other = 3, 2

    def choose(self, jobs):
        return min(range(len(jobs)), key=lambda i: jobs[i][0])


def theory(longest, present):
    return 3


SYSTEM = SETF
SIZES = ({"longest": 4, "present": 3}, {"longest": 4, "present": 4}, {"longest": 6, "present": 3})
RELATION = "<="
KNOWN = "proven for these sizes"
