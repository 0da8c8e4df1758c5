"""`Proof`: the proven competitive ratio of a policy, with its cycle and potential."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf
from pathlib import Path

import numpy as np

from schedproof.adversary.exact_ratio.automata import Automaton, Kind, as_word, kinds_of
from schedproof.adversary.exact_ratio.graph import Product
from schedproof.adversary.exact_ratio.rule import Jobs, Rule
from schedproof.adversary.walks.search import Bounds
from schedproof.core.base.display import Tabled
from schedproof.core.base.numbers import plural, rounded
from schedproof.core.base.untyped import Axes, Json, Network, Value
from schedproof.core.cards import registry
from schedproof.core.data.graphml import write_graphml
from schedproof.core.runtime.files import sha256, write_json

Move = tuple[Kind, Json]  # the kind of an arriving job (0: a slot), and the other schedule's state afterwards


def within(present: int) -> str:
    """Return the premise of an upper bound, in words."""
    return f", while neither schedule, the policy's or the offline one, has more than {present} jobs present"


@dataclass(frozen=True, repr=False)
class Proof(Tabled):
    """A policy's competitive ratio for the total JCT, exact or between two bounds.

    The ratio covers all sequences of arrivals, of any length, with at most `present` jobs at a time. This limit holds
    for the policy's schedule and for the offline schedule.

    Attributes
    ----------
    rule
        The policy's rule.
    sizes, weights, chunks, present
        The possible slots of a chunk, the largest weight and number of chunks of a job, and the most jobs present.
    bounds
        The proven bounds.
    graph
        The states and steps of the proof; equivalent states of the policy are merged.
    policy, one
        The policy before merging, and the number of each of its states in the graph, shape (states,).
    """

    rule: Rule
    sizes: range
    weights: int
    chunks: int
    present: int
    bounds: Bounds = field(repr=False)
    graph: Product = field(repr=False)
    policy: Automaton[Jobs] = field(repr=False)
    one: np.ndarray = field(repr=False)

    @property
    def least(self) -> Fraction | float:
        """A lower bound, perhaps infinite; sequences come arbitrarily close to it."""
        return self.bounds.least

    @property
    def most(self) -> Fraction | None:
        """An upper bound on the ratio of every sequence, or None if none is known."""
        return self.bounds.most

    @property
    def exact(self) -> Fraction | None:
        """The ratio, or None while the bounds differ."""
        return self.most if self.most == self.least else None

    @property
    def sentence(self) -> str:
        jct = "total weighted JCT" if self.weights > 1 else "total JCT"
        limit = "" if self.most is None else within(self.present)
        return f"the competitive ratio of {self.rule.name} for the {jct} is {self._value}{limit}"

    @property
    def _value(self) -> str:
        if self.exact is not None:
            return as_decimals(self.exact)
        if self.least == inf:
            return "infinite: some job waits forever"
        above = "" if self.most is None else f" and at most {as_decimals(self.most, up=True)}"
        return f"at least {as_decimals(Fraction(self.least))}{above}"

    @property
    def setting(self) -> dict[str, Json]:
        """The parameters of the proof, as in the certificate."""
        rule = self.rule
        numbers: dict[str, Json] = {"machines": rule.machines, "sizes": self.sizes[-1], "unit": self.sizes.step}
        uploads: dict[str, Json] = {"far": sum(delay > 0 for delay in rule.delays), "delay": max(rule.delays)}
        most: dict[str, Json] = {"weights": self.weights, "chunks": self.chunks}
        return numbers | {"present": self.present, "speed": str(rule.speed), **most, **uploads}

    @property
    def kinds(self) -> list[Kind]:
        return kinds_of(self.sizes, self.weights, self.chunks)

    @property
    def way(self) -> list[Move]:
        """The moves from the empty state to the cycle."""
        return self._way_and_cycle[0]

    @property
    def cycle(self) -> list[Move]:
        """The moves of the cycle that proves the lower bound."""
        return self._way_and_cycle[1]

    @cached_property
    def _way_and_cycle(self) -> tuple[list[Move], list[Move]]:
        if not (walk := self.bounds.walk):
            return [], []
        way, round_ = self._moves(self.graph.way(int(self.graph.tail[walk[0]]))), self._moves(walk)
        ends = [self._after(0, way)]
        while ends[-1] not in ends[:-1]:
            ends.append(self._after(ends[-1], round_))
        first = ends.index(ends[-1])
        return way + first * round_, (len(ends) - 1 - first) * round_

    def _after(self, state: int, moves: Sequence[Move]) -> int:
        for kind, _ in moves:
            state = int(self.policy.arrive[self.kinds.index(kind), 0, state] if kind else self.policy.slots[0, state])
        return state

    @property
    def walk(self) -> list[tuple[str, int, int]]:
        """The slots of the cycle: arrivals, the policy's cost and the other schedule's."""
        steps, graph = self.bounds.walk, self.graph
        slots = [step for step in steps if graph.arriving[graph.kind(step)] is None]
        rounds = len(self.cycle) // len(steps) if steps else 0
        amounts = [(int(graph.large[step]), int(graph.small[step])) for step in slots] * rounds
        words = _as_words(self.cycle).split(" | ")
        return [(word, *both) for word, both in zip(words, amounts, strict=bool(steps))]

    def facts(self) -> dict[str, Value]:
        return {"proof": self.sentence, **self.setting, **self.rule.options}

    def lines(self) -> Iterator[str]:
        yield self.sentence
        states, steps = self.graph.size
        sizes = ", ".join(map(str, self.sizes))
        jobs = f"jobs of {sizes} slots" if self.chunks == 1 else f"jobs of up to {self.chunks} chunks of {sizes} slots"
        weights = f" with weights up to {self.weights}" if self.weights > 1 else ""
        premises = f"{jobs}{weights}, at most {self.present} present in either schedule"
        move = "stay on their machine" if self.rule.pinned else "may move"
        move = move if self.rule.preemptive else "run without preemption"
        far, delay = self.setting["far"], self.setting["delay"]
        away = f", {far} of them after an upload of {plural(delay, 'slot')}" if far else ""
        where = f"on {plural(self.rule.machines, 'machine')}{away}, {premises}"
        yield f"{where}, against schedules within these limits in which jobs {move}"
        yield f"{states} states, {steps} steps"
        if self.cycle:
            rounds = len(self.cycle) // len(self.bounds.walk)
            cost, other = (rounds * each for each in self.graph.costs(self.bounds.walk))
            words = ("", " (slots:weight)", " (slots:weight:chunks)")[2 if self.chunks > 1 else self.weights > 1]
            yield f"worst cycle{words}: {_as_words(self.cycle)}; the policy pays {cost}, another schedule {other}"

    def to_json(self) -> dict[str, Json]:
        """Return the result object of ``prove --json``."""
        ends = {"at_least": _json(self.least), "at_most": _json(self.most), "exact": self.exact is not None}
        states, steps = self.graph.size
        return {
            "policy": self.rule.name,
            "rule": sha256(self.rule.text.encode()),
            "setting": self.setting,
            "options": self._options,
            **ends,
            "states": states,
            "steps": steps,
            "way": self.way,
            "cycle": self.cycle,
        }

    def to_file(self) -> dict[str, Json]:
        """Return the certificate that `schedproof.check.ratio` reads with the rule."""
        return {
            "version": 2,
            "system": "jobs in slots",
            "source": sha256(self.rule.text.encode()),
            "setting": self.setting,
            "options": self._options,
            "at_least": _json(self.least),
            "at_most": _json(self.most),
            "unit": 1,
            "policy": self._alike,
            "other": self.graph.schedule.states,
            "potential": self.bounds.rows(self.graph.mine, self.graph.theirs),
            "way": self.way,
            "walk": self.cycle,
        }

    def plot(self, ax: Axes = None) -> Axes:
        """Draw the path to the worst cycle, and the cycle."""
        from schedproof.adversary.exact_ratio.picture import draw_cycle
        from schedproof.core.simulation.pictures import title

        axes = draw_cycle(self.graph, self.bounds, self.kinds, self.rule, ax)
        # a rule in a file has no title
        names = [title(self.rule.name, self.rule.options)] if self.rule.name in registry.entries("policy") else []
        axes.set_title(": ".join([*names, f"competitive ratio {self._value}"]), fontsize=9)
        return axes

    def to_networkx(self) -> Network:
        """Return the graph of states and steps; see `graphml.state_graph`."""
        from schedproof.adversary.exact_ratio.graphml import state_graph

        return state_graph(self.graph, self.bounds, self.kinds)

    def write_graph(self, path: str | Path) -> None:
        """Write the graph of states and steps into a GraphML file, atomically."""
        write_graphml(path, self.to_networkx())

    def write(self, path: str | Path) -> None:
        """Write the certificate into a file, atomically."""
        write_json(path, self.to_file())

    @property
    def _alike(self) -> list[list[Jobs]]:
        rows: list[list[Jobs]] = [[] for _ in self.graph.policy.states]
        for number, state in zip(self.one.tolist(), self.policy.states, strict=True):
            rows[number].append(state)
        return rows

    @property
    def _options(self) -> dict[str, Json]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in self.rule.options.items()}

    def _moves(self, steps: Sequence[int]) -> list[Move]:
        graph, moves = self.graph, list[Move]()
        for step in steps:
            kind = graph.arriving[graph.kind(step)]
            after = graph.schedule.states[graph.theirs[graph.head[step]]]
            moves.append((0 if kind is None else self.kinds[kind], after))
        return moves


def _json(bound: Fraction | float | None) -> str | None:
    return None if bound is None else "inf" if bound == inf else str(bound)


def as_decimals(ratio: Fraction, *, up: bool = False) -> str:
    """Return a ratio as text, with six digits rounded down or up."""
    return f"{ratio} = {rounded(ratio, 6, up=up)}" if ratio.denominator > 1 else f"{ratio}"


def _as_words(moves: list[Move]) -> str:
    """Return the arrivals of each slot: ``1 2 | - | 1``."""
    slots: list[list[str]] = [[]]
    for kind, _ in moves:
        if kind:
            slots[-1].append(as_word(kind))
        else:
            slots.append([])
    if slots[-1]:  # the cycle begins in the middle of a slot's arrivals
        slots[0] = slots.pop() + slots[0]
    else:
        slots.pop()
    return " | ".join(" ".join(slot) or "-" for slot in slots)
