"""Double coverage is k-competitive for k servers on a line.

Source: Chrobak, Karloff, Payne and Vishwanathan, SIAM Journal on Discrete Mathematics 4 (1991).

The servers next to the request move towards it at equal speed until one arrives. The source covers all k and real
positions; here k <= 3 on up to five points is proven.
"""

from fractions import Fraction

from line import Line


class DoubleCoverage(Line):
    def answer(self, state, request):
        if request <= state[0]:
            return (Fraction(request), *state[1:]), state[0] - request
        if request >= state[-1]:
            return (*state[:-1], Fraction(request)), request - state[-1]
        left = max(i for i in range(self.k) if state[i] <= request)
        way = min(request - state[left], state[left + 1] - request)
        return (*state[:left], state[left] + way, state[left + 1] - way, *state[left + 2 :]), 2 * way


def theory(n, k):
    return k


SYSTEM = DoubleCoverage
SIZES = ({"n": 3, "k": 2}, {"n": 5, "k": 2}, {"n": 5, "k": 3})
KNOWN = "proven for these sizes"
