"""Power management: an idle slot costs 1 unless the machine is off; switching it on costs a price."""

import schedproof as sp


class Power(sp.System):
    """The offline side knows each idle period's length; switching off within it is never better than at its start."""

    def __init__(self, price=4):
        self.price = price

    def start(self):
        return 0  # idle slots in this period

    def offline(self):
        return "on"

    def requests(self, offline):
        return ["idle", "job"]

    def moves(self, offline, request):
        if request == "job":
            return [("on", 0 if offline == "on" else self.price)]
        return [("off", 0)] + ([("on", 1)] if offline == "on" else [])
