"""Sending the packet with the earliest deadline is optimal if all packets have the same weight.

Source: Jackson, UCLA Research Report 43 (1955).

The source covers all packets; here slacks up to 3 are proven, with up to two arrivals in a slot.
"""

from packets import Packets


class EarliestDeadline(Packets):
    def __init__(self, slack=2):
        super().__init__(slack, (1,))

    def choose(self, pending):
        return pending[0]


def theory(slack):
    return 1


SYSTEM = EarliestDeadline
SIZES = ({"slack": 1}, {"slack": 2}, {"slack": 3})
KNOWN = "proven for these sizes"
