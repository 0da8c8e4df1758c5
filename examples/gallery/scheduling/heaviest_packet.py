"""Sending the heaviest packet is 2-competitive for packets with deadlines.

Source: Hajek, CISS (2001); Kesselman et al., SIAM Journal on Computing 33 (2004).

Two slots of slack and the weights w - 1 and w give the exact ratio 2 - 1/w. The sources cover all packets; here w <= 4
is proven, with up to two arrivals in a slot.
"""

from fractions import Fraction

from packets import Packets


class HeaviestFirst(Packets):
    def __init__(self, w=2):
        super().__init__(2, (w - 1, w))

    def choose(self, pending):
        return max(pending, key=lambda packet: (packet[1], -packet[0]))


def theory(w):
    return 2 - Fraction(1, w)


SYSTEM = HeaviestFirst
SIZES = ({"w": 2}, {"w": 3}, {"w": 4})
KNOWN = "proven for these sizes"
