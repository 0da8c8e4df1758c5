"""Landlord is k-competitive for paging with loading costs.

Source: Young, Algorithmica 33 (2002).

A loaded page has its cost as credit, and a request renews it. On a fault all credits fall equally until a page without
credit is evicted. The source covers all k and costs; here k <= 3 is proven, for the costs 1, 2, 1, 2, ...
"""

from paging import Paging


class Landlord(Paging):
    def cost(self, page):
        return 1 + page % 2

    def start(self):
        return tuple((page, self.cost(page)) for page in range(self.k))  # pages with credits, the oldest first

    def answer(self, state, request):
        rest = [(page, credit) for page, credit in state if page != request]
        if len(rest) < self.k:
            return (*rest, (request, self.cost(request))), 0
        least = min(credit for _, credit in rest)
        rest = [(page, credit - least) for page, credit in rest]
        rest.remove(next(row for row in rest if not row[1]))
        return (*rest, (request, self.cost(request))), self.cost(request)

    def moves(self, offline, request):
        return [(after, fault * self.cost(request)) for after, fault in super().moves(offline, request)]


def theory(k, n):
    return k


SYSTEM = Landlord
SIZES = ({"k": 2, "n": 3}, {"k": 2, "n": 4}, {"k": 3, "n": 4})
KNOWN = "proven for these sizes"
