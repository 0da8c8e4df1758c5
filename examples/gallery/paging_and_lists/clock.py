"""CLOCK, which skips recently requested pages once, is k-competitive for paging.

Source: Borodin and El-Yaniv, Online Computation and Competitive Analysis (1998), chapter 3.

The pages form a circle. A request sets the page's bit; on a fault the hand clears bits until it meets a page
without one and replaces that page. The source covers all k and n; here k <= 3 and n = k + 1 are proven.
"""

from paging import Paging


class CLOCK(Paging):
    def start(self):
        return tuple((page, 0) for page in range(self.k))  # the hand is at the first page

    def answer(self, state, request):
        if any(page == request for page, _ in state):
            return tuple((page, int(bit or page == request)) for page, bit in state), 0
        while state[0][1]:
            state = (*state[1:], (state[0][0], 0))
        return (*state[1:], (request, 1)), 1


def theory(k, n):
    return k


SYSTEM = CLOCK
SIZES = ({"k": 2, "n": 3}, {"k": 3, "n": 4})
KNOWN = "proven for these sizes"
