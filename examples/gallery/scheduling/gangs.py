"""SRTF is not competitive if all chunks of a job run together: k present jobs force the ratio k.

Source: claim preemptive.gang_ratio, on Wang et al., IEEE JSAC (2022).

Jobs have one or two chunks of one slot, on two machines. The claim covers all k; here k <= 5 is proven.
"""

import schedproof as sp


def proof(k):
    return sp.prove("srtf:chunks=floating", machines=2, sizes=1, chunks=2, present=k)


def theory(k):
    return k


SIZES = ({"k": 3}, {"k": 4}, {"k": 5})
KNOWN = "proven for these sizes"
