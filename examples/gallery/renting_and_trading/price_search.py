"""Search for a maximum: an asset is sold at one of the offered prices, or at the price 1 at the end."""

import schedproof as sp


class PriceSearch(sp.System):
    """The gain is paid at the end, so that only complete sequences count."""

    gains = True
    constant = False

    def __init__(self, highest=4):
        self.highest = highest

    def start(self):
        return "open"

    def requests(self, offline):
        return [] if offline == "over" else [*range(1, self.highest + 1), "end"]

    def moves(self, offline, request):
        if request == "end":
            return [("over", 1 if offline == "open" else offline)]
        return [(offline, 0)] + ([(request, 0)] if offline == "open" else [])
