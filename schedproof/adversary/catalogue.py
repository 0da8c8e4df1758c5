"""The games by name, with their options; what a row names is imported when it is played."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from schedproof.adversary.games import Strategy
from schedproof.core import registry
from schedproof.core.context import Context, Progress, silent
from schedproof.core.deadline import best_within
from schedproof.core.errors import NoSolution, UnknownName
from schedproof.core.family import Entry
from schedproof.core.options import Option, file, increasing, number, read, whole
from schedproof.core.untyped import Value

GAMES = {
    entry.name: entry
    for entry in (
        Entry(
            "bin_stretching",
            "schedproof.adversary.bin_stretching:solve",
            "Online bin stretching: the load of the fullest bin where all items fit into as many bins of capacity 1.",
            (
                Option("bins", whole(1, 12), 3, "how many"),
                Option("capacity", whole(1, 200), 14, "of a bin, in the units that items are multiples of"),
                Option(
                    "drop",
                    whole(0, 200),
                    None,
                    "an item is at most so much smaller than the one before, which is faster and may miss strategies; "
                    "any item may follow if not given",
                ),
            ),
        ),
        Entry(
            "dmlrs.offers",
            "schedproof.adversary.dmlrs_offers:solve",
            "Equal jobs for one machine in one slot: what the best that fit are worth, over what is admitted.",
            (
                Option("fits", whole(1, 20), 2, "how many of the jobs fill the machine"),
                Option("values", increasing(), (2, 3, 4, 5, 6, 7, 8), "the utilities, in a unit of their own"),
            ),
        ),
        Entry(
            "preemptive.arrivals",
            "schedproof.adversary.preemptive_arrivals:solve",
            "Jobs of one chunk on one server's workers: the total JCT, over the least for the same arrivals.",
            (
                Option("workers", whole(1, 5), 2, "how many"),
                Option("jobs", whole(1, 12), 6, "how many arrive at most"),
                Option("sizes", increasing(), (1, 2), "how many slots a chunk takes"),
                Option("slots", whole(1, 20), 3, "in the first so many of which jobs arrive"),
            ),
        ),
        Entry(
            "multiserver.regret",
            "schedproof.adversary.multiserver_regret:solve",
            "Arrivals of ports, slot by slot: what the best fixed allocation earns, less what is earned.",
            (
                Option("slots", whole(1, 100), 4, "how many"),
                Option(
                    "instance",
                    file("the file of an instance with linear utilities and no overheads"),
                    None,
                    "whose system is meant; two ports and a node that has what one asks for, if not given",
                ),
            ),
        ),
    )
}


def game(
    name: str, /, *, above: Value = 0, progress: Progress = silent, time_limit: float | None = None, **options: Value
) -> Strategy:
    """What an adversary forces upon every deterministic online algorithm in a game of that name, and how.

    Parameters
    ----------
    above
        Only strategies that force more than this are of interest.
    progress
        Called with the progress.
    time_limit
        Seconds; the answer is the best strategy by then.

    Raises
    ------
    Interrupted
        When the user interrupts it (Ctrl-C) and there is a strategy by then, its ``best``.
    NoSolution
        When no strategy forces more, or none was found in time.
    """
    floor = read("above", number(from_equal=True), above)
    return play(name, options, floor, Context(progress=progress, time_limit=time_limit))


def play(name: str, given: Mapping[str, Value], above: Fraction, context: Context) -> Strategy:
    """The same with options as a user gives them."""
    if name not in GAMES:
        raise UnknownName("game", name, GAMES)
    found: Strategy | None = best_within(context, lambda inner: registry.call(name, GAMES[name], given, inner, above))
    if found is None:
        why = "was found in time" if context.over else "exists in this game"
        raise NoSolution(f"{name}: no strategy that forces more than {above} {why}")
    return found
