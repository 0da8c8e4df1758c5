"""Offers for one machine: equal jobs arrive one by one, and so many of them fill it.

Each job has a utility from a list; the policy answers it, for good, before it sees the next: it admits the job or turns
it away. So it is in Algorithm 1, which takes a slot's jobs one after the other. A policy that sees all jobs of a slot
before it answers any is bound by this where they come in different slots: job i comes in slot i, needs a worker in each
of the M slots from then on, M at least the number of jobs, and runs to its end once it is admitted. Where a job may be
given up, the bound falls to 1: whoever keeps the best so far has the best in the end.

The payoff is what the best jobs that fit are worth, over what the policy has admitted. For all utilities in [1, phi]
the best ratio has a closed form (the claim ``dmlrs.deterministic_bound``), to which the values of finer lists tend from
below.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf

from schedproof.adversary.games import Payoff, Strategy, best
from schedproof.core.base.untyped import Json
from schedproof.core.runtime.context import Context

Values = tuple[int, ...]
State = tuple[int, int, Values]  # how many jobs are admitted, what they earn, and the best offers that fit, ascending


def solve(
    above: Fraction, *, context: Context, fits: int = 2, values: Values = (2, 3, 4, 5, 6, 7, 8)
) -> Strategy | None:
    return best(Offers(fits, values), above, context)


class Offers:
    """The game in which ``fits`` jobs fill the machine, with utilities among ``values``, in ascending order."""

    name = "dmlrs.offers"

    def __init__(self, fits: int, values: Values) -> None:
        self.fits, self.values = fits, values
        self.setting: dict[str, Json] = {"fits": fits, "values": list(values)}

    def start(self) -> State:
        """No offers."""
        return 0, 0, ()

    def moves(self, state: State) -> Iterator[int]:
        """Offers that are among the best that fit: others would only help the policy."""
        full = len(state[2]) == self.fits
        return (value for value in self.values if not full or value > state[2][0])

    def answers(self, state: State, value: int) -> Iterator[State]:
        """The policy admits the job where it has room, or turns it away."""
        admitted, earned, offers = state
        top = tuple(sorted((*offers, value))[-self.fits :])
        if admitted < self.fits:
            yield admitted + 1, earned + value, top
        yield admitted, earned, top

    def payoff(self, state: State) -> Payoff:
        """What the best offers are worth, over what is earned."""
        _, earned, offers = state
        return Fraction(sum(offers), earned) if earned else inf if offers else Fraction(0)

    def position(self, state: State) -> State:
        """All of it."""
        return state

    def hopeless(self, state: State, floor: Fraction) -> bool:
        """Whether even the largest utilities, and none of them admitted, would not do."""
        return self.fits * self.values[-1] <= floor * state[1]

    def row(self, state: State, value: int, stops: bool) -> dict[str, Json]:
        """What is admitted and what was offered, and the next offer."""
        admitted, earned, offers = state
        return {"admitted": admitted, "earned": earned, "best": offers, "offer": value}
