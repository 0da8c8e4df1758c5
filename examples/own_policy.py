"""A policy of my own against A_online, on a window of the Philly trace, both with a certified ratio.

python examples/own_policy.py traces/philly/philly.csv traces/philly/revised_machine_list.csv
"""

import sys

import schedproof as sp
from schedproof.online.preemptive.gang import GangPolicy


class FewestChunksFirst(GangPolicy):
    """Of the jobs that have landed, the one with the fewest chunks runs first."""

    def order(self, gang, now):
        return gang.job.chunks, not gang.running


window, report = sp.trace("philly", sys.argv[1:], seed=1, slot_seconds=60, jobs=300, machines=8)
print({key: report[key] for key in list(report)[:4]})
bound = sp.bound("preemptive.lp4", window, block=2000)
for policy in (sp.policy("a_online"), sp.policy("a_online", order="residual"), sp.policy(FewestChunksFirst())):
    run = policy.run(window)
    print(run.ratio(bound).sentence)
