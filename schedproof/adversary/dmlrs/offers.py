"""Offers for one machine: equal jobs arrive one by one until they fill it.

Each job has a utility from a list. The policy admits or rejects a job irrevocably before it sees the next one, as
Algorithm 1 does within a slot. The bound also holds for policies that see a slot's jobs together: job i comes in slot i
and needs a worker in each of the M following slots, where M is at least the number of jobs. An admitted job runs to its
end. If admitted jobs may be dropped, the bound is 1.

The payoff is the utility of the best jobs that fit, over the utility of the admitted jobs. For all utilities in
[1, phi] the best ratio has a closed form (the claim ``dmlrs.deterministic_bound``), the limit of finer lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf

from schedproof.adversary.games import Payoff, Strategy, best
from schedproof.core.base.untyped import Json
from schedproof.core.runtime.context import Context

Values = tuple[int, ...]
State = tuple[int, int, Values]  # number of admitted jobs, their utility, and the best offers that fit, ascending


def solve(
    above: Fraction, *, context: Context, fits: int = 2, values: Values = (2, 3, 4, 5, 6, 7, 8)
) -> Strategy | None:
    return best(Offers(fits, values), above, context)


class Offers:
    """The game in which ``fits`` jobs fill the machine.

    ``values`` are the utilities, ascending.
    """

    name = "dmlrs.offers"

    def __init__(self, fits: int, values: Values) -> None:
        self.fits, self.values = fits, values
        self.setting: dict[str, Json] = {"fits": fits, "values": list(values)}

    def start(self) -> State:
        """Return the position without offers."""
        return 0, 0, ()

    def moves(self, state: State) -> Iterator[int]:
        full = len(state[2]) == self.fits
        return (value for value in self.values if not full or value > state[2][0])

    def answers(self, state: State, value: int) -> Iterator[State]:
        admitted, earned, offers = state
        top = tuple(sorted((*offers, value))[-self.fits :])
        if admitted < self.fits:
            yield admitted + 1, earned + value, top
        yield admitted, earned, top

    def payoff(self, state: State) -> Payoff:
        _, earned, offers = state
        return Fraction(sum(offers), earned) if earned else inf if offers else Fraction(0)

    def position(self, state: State) -> State:
        return state

    def hopeless(self, state: State, floor: Fraction) -> bool:
        return self.fits * self.values[-1] <= floor * state[1]

    def row(self, state: State, value: int, stops: bool) -> dict[str, Json]:
        admitted, earned, offers = state
        return {"admitted": admitted, "earned": earned, "best": offers, "offer": value}
