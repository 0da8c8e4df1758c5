"""A table of policies on a window of the Philly trace: JCT and certified ratio.

python examples/trace_table.py traces/philly/philly.csv traces/philly/revised_machine_list.csv
"""

import sys

import schedproof as sp

window, report = sp.trace("philly", sys.argv[1:], seed=1, slot_seconds=60, jobs=300, machines=8)
policies = [sp.policy(name) for name in ("a_online", "srtf", "tiresias_l", "batch_sche")]
policies.append(sp.policy("a_online", order="residual"))
table = sp.compare([window], policies, bound="preemptive.lp4", bound_options={"block": 2000})
print(table[["policy", "options", "mean_jct", "to_best", "ratio", "preemptions"]].to_string(index=False))
