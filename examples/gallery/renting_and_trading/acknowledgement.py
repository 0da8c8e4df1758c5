"""Acknowledging when the packets' delay reaches the price of an acknowledgement is 2-competitive.

Source: Dooly, Goldman and Scott, Journal of the ACM 48 (2001).

Dynamic TCP acknowledgement in slots: a packet costs 1 for each slot in which it waits. At most one packet arrives in a
slot. The source has continuous time and covers all prices; here prices up to 5 are proven.
"""

import schedproof as sp


class Acknowledgement(sp.System):
    """The offline side acknowledges as soon as ``price`` packets wait: a further slot would cost as much."""

    def __init__(self, price=3):
        self.price = price

    def start(self):
        return 0, 0  # packets that wait, and their delay so far

    def offline(self):
        return 0

    def requests(self, offline):
        return [0, 1]

    def answer(self, state, request):
        packets, delay = state[0] + request, state[1] + state[0] + request
        if delay >= self.price:
            return (0, 0), self.price
        return (packets, delay), packets

    def moves(self, offline, request):
        packets = offline + request
        wait = [(packets, packets)] if packets < self.price else []
        return wait + ([(0, self.price)] if packets else [])


def theory(price):
    return 2


SYSTEM = Acknowledgement
SIZES = ({"price": 2}, {"price": 3}, {"price": 5})
RELATION = "<="
KNOWN = "proven for these sizes"
