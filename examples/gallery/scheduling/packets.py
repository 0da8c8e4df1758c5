"""Packets with deadlines: one packet is sent in each slot, and its weight is gained.

A request is one packet (slots until its deadline, weight), or the end of the slot. At most two packets arrive in a
slot.
"""

import schedproof as sp


class Packets(sp.System):
    gains = True
    constant = False

    def __init__(self, slack, weights):
        self.slack, self.weights = slack, weights

    def start(self):
        return ()  # the pending packets, sorted

    def offline(self):
        return (), 0  # the pending packets, and the arrivals in this slot

    def requests(self, offline):
        packets = [(slack, weight) for slack in range(1, self.slack + 1) for weight in self.weights]
        return [*(packets if offline[1] < 2 else ()), "send"]

    def answer(self, state, request):
        if request != "send":
            return tuple(sorted((*state, request))), 0
        return sent(state, self.choose(state)) if state else ((), 0)

    def moves(self, offline, request):
        pending, arrivals = offline
        if request != "send":
            return [((tuple(sorted((*pending, request))), arrivals + 1), 0)]
        found = [sent(pending, packet) for packet in pending] or [((), 0)]
        return [((left, 0), gain) for left, gain in found]


def sent(pending, packet):
    """The pending packets of the next slot after one is sent, and its weight."""
    left = list(pending)
    left.remove(packet)
    return tuple((slack - 1, weight) for slack, weight in left if slack > 1), packet[1]
