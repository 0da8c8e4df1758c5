"""`Worst`: the worst instance that a search found for a policy, with its proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import NamedTuple

from schedproof.adversary.documents import copy, read
from schedproof.adversary.lift import Lift, lifts
from schedproof.adversary.objective import Judged, Kind, Objective, Score, as_words
from schedproof.core.base.display import Tabled
from schedproof.core.base.numbers import as_float, decimals, plural, shown
from schedproof.core.base.untyped import Axes, Frame, Json, Value
from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.bounds import write_bound
from schedproof.core.data.arrays import write_object
from schedproof.core.errors import InputError
from schedproof.core.results.run import Run
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import best_within
from schedproof.core.simulation.instance import Instance, Schedule
from schedproof.core.simulation.pictures import title
from schedproof.instances import from_json


class Step(NamedTuple):
    """A new worst instance in a piece of a search.

    Attributes
    ----------
    looked_at
        Number of instances that the piece had evaluated.
    document
        The instance as a line of JSON.
    """

    piece: str
    looked_at: int
    score: Score
    document: str

    @property
    def instance(self) -> Instance:
        instance: Instance = from_json(read(self.document))
        return instance


@dataclass(frozen=True, repr=False)
class Worst(Tabled):
    """The worst instance found for a policy, and the trace of the search.

    Attributes
    ----------
    judged
        The policy's run on the instance, and its ratio or regret.
    against, kind
        The id of the reference, and whether it is a bound, a program or a regret.
    space
        The searched space in words.
    complete
        Whether every instance of the space was evaluated.
    found
        The score before shrinking, which may reduce the score.
    looked_at
        Number of instances evaluated by the search, and by the shrinking.
    unjudged
        Number of instances without a score, by reason.
    trace
        Each new worst instance of a piece.
    unfinished
        Whether the search was interrupted; the same search with the same store resumes.
    solver_bound
        A solver's bound on the whole space, not certified, or None without a solver.
    goal
        The objective of the search.
    """

    judged: Judged = field(repr=False)
    against: str
    kind: Kind
    space: str
    complete: bool
    found: Score
    looked_at: tuple[int, int]
    unjudged: dict[str, int] = field(repr=False)
    trace: tuple[Step, ...] = field(repr=False)
    unfinished: bool = False
    solver_bound: float | None = None
    goal: Objective | None = field(default=None, repr=False)

    def lifts(self, largest: int = 10, *, time_limit: float | None = None) -> list[Lift]:
        """Return the families of the instance along which the ratio grows, up to a size.

        A family grows copies of an item, a number, or both; the largest ratios come first.
        """
        found: list[Lift] = []

        def work(_: Context) -> None:
            if self.goal is not None:
                found.extend(lifts(self.goal, copy(self.instance.to_json()), range(1, largest + 1)))

        best_within(Context(time_limit=time_limit), work)
        return sorted(found, key=lambda lift: -lift.values[-1])

    @property
    def instance(self) -> Instance:
        instance: Instance = self.judged.run.instance
        return instance

    @property
    def run(self) -> Run:
        return self.judged.run

    @property
    def bound(self) -> Bound | None:
        """The certified bound, or None for a program or a regret."""
        return self.judged.bound

    @property
    def schedule(self) -> Schedule | None:
        """The better schedule, or None for a bound or a regret."""
        return self.judged.schedule

    @property
    def exact(self) -> Score:
        """The exact ratio or regret; infinite if only the better schedule earns anything."""
        return self.judged.ratio

    @property
    def share(self) -> Score | None:
        """The measured value over the guarantee, if it was the score, else None."""
        return None if self.judged.guaranteed is None else self.judged.score

    @property
    def value(self) -> float:
        """`exact` as a float."""
        return float(self.exact)

    @property
    def sentence(self) -> str:
        promised = self.judged.guaranteed
        if promised is None:
            return self._proof_sentence
        share = "" if self.exact == inf else f" (measured: {float(self.judged.score):.1%} of this)"
        return f"{self._proof_sentence}; {self.run.guarantee.source} guarantees {decimals(promised, 4, up=True)}{share}"

    @property
    def _proof_sentence(self) -> str:
        size = plural(*self.instance.extent)
        if self.exact == inf:
            return f"infinite ratio on {size}: {self.run.policy} earns nothing, but {self.against} earns something"
        number = self._number
        if self.kind == "bound":
            return f"on {size} the ratio of {self.run.policy} is at most {number}, by the certified {self.against}"
        if self.kind == "program" and self.schedule is None:
            return f"on {size} the ratio of {self.run.policy} is {number}, to the optimum {self.against}"
        if self.kind == "program":
            return f"on {size} the ratio of {self.run.policy} is at least {number}, to a schedule of {self.against}"
        return f"on {size} the regret of {self.run.policy} is at least {number}"

    @property
    def _number(self) -> str:
        exact = Fraction(self.exact)
        rounded = decimals(exact, 4, up=self.kind == "bound")
        return rounded.rstrip("0").rstrip(".") if Fraction(rounded) == exact else rounded

    @property
    def scope(self) -> str:
        unjudged = sum(self.unjudged.values())
        without = f", {unjudged} of them without a score" if unjudged else ""
        looked = f"{self.looked_at[0]} evaluated{without}, {self.looked_at[1]} more for shrinking"
        if self.unfinished:
            return f"the worst instance so far among {self.space} ({looked})"
        if self.complete:
            return f"no instance is worse among {self.space}: all {self.looked_at[0]} evaluated{without}"
        return f"the worst instance found among {self.space} ({looked})"

    def facts(self) -> dict[str, Value]:
        return {"worst": self.sentence, "scope": self.scope, "exact": as_words(self.exact)}

    def lines(self) -> Iterator[str]:
        yield self.sentence
        if self.exact != inf and Fraction(self._number) != self.exact:
            yield f"exactly {shown(Fraction(self.exact))}"
        if self.found != self.judged.score:
            yield f"before shrinking: {'infinite' if self.found == inf else self.found}"
        yield self.scope
        if self.solver_bound is not None:
            yield f"the solver's bound on all these instances, not certified: {self.solver_bound:.7g}"
        yield from (f"{count} without a score: {why}" for why, count in sorted(self.unjudged.items()))

    def to_json(self) -> dict[str, Json]:
        """Return the result object of ``worst --json``."""
        return {
            "policy": self.run.policy,
            "against": self.against,
            "exact": as_words(self.exact),
            "value": None if self.exact == inf else self.value,
            "share": None if self.share is None else as_words(self.share),
            "proves": {"bound": "at most", "program": "at least", "regret": "at least"}[self.kind],
            "instance_sha256": self.instance.sha256,
            "space": self.space,
            "complete": self.complete,
            "solver_bound": self.solver_bound,
            "unfinished": self.unfinished,
            "looked_at": list(self.looked_at),
            "unjudged": self.unjudged,
            "trace": [[step.piece, step.looked_at, as_words(step.score)] for step in self.trace],
        }

    def to_frame(self) -> Frame:
        import pandas as pd

        return pd.DataFrame(
            [(*step[:2], as_float(step.score)) for step in self.trace], columns=["piece", "looked_at", "score"]
        )

    def plot(self) -> Axes:
        """Draw the policy's schedule above the better one, or above the gap to the bound."""
        from schedproof.core.simulation.schedule_pictures import draw_above_gap, draw_beside

        name = title(self.run.policy, self.run.options)
        if self.schedule is not None:
            return draw_beside(self.instance, {name: self.run.schedule, "a better schedule": self.schedule})
        gap = None if self.bound is None or self.exact == inf else self.run.ratio(self.bound).gap_or_why_not()[0]
        return self.run.plot() if gap is None else draw_above_gap(self.run, gap)

    def write(self, folder: str | Path) -> list[Path]:
        """Write ``instance.json``, ``schedule.json``, ``bound.json`` or ``better.json``.

        Raises
        ------
        InputError
            If they cannot be written.
        """
        home = Path(folder)
        try:
            home.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot create the folder: {error.strerror or error}", file=str(folder)) from None
        files = [home / "instance.json", home / "schedule.json"]
        write_object(files[0], self.instance.to_json())
        write_object(files[1], self.run.schedule.to_json(self.instance))
        if self.bound is not None:
            files.append(home / "bound.json")
            write_bound(files[-1], self.bound)
        if self.schedule is not None:
            files.append(home / "better.json")
            write_object(files[-1], self.schedule.to_json(self.instance))
        return files
