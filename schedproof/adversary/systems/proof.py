"""`SystemProof`: a system's exact ratio, its worst walk and its potential."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from schedproof.adversary.systems.graph import Graph
from schedproof.adversary.systems.potential import PotentialCheck, checked
from schedproof.adversary.systems.source import decimals, file_of, hash_of, made_of, options_of, words_of
from schedproof.adversary.systems.system import Asked, Belief, State, text_of
from schedproof.adversary.walks.search import Bounds, search
from schedproof.adversary.walks.trials import kept
from schedproof.core.base.display import Tabled
from schedproof.core.base.untyped import Axes, Json, Network, Value
from schedproof.core.cards.digests import code_of
from schedproof.core.data.graphml import write_graphml
from schedproof.core.errors import NoSolution
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import best_within
from schedproof.core.runtime.files import write_json


@dataclass(frozen=True, repr=False)
class SystemProof(Tabled):
    """A finite system's competitive ratio, exact or between two bounds.

    Attributes
    ----------
    graph
        The states and steps.
    bounds
        The proven bounds.
    source
        The file that defines the system, or None.
    options
        The arguments of the system's class.
    """

    graph: Graph = field(repr=False)
    bounds: Bounds = field(repr=False)
    source: Path | None = None
    options: Mapping[str, Value] = field(default_factory=dict)

    @property
    def least(self) -> Fraction | float:
        """A lower bound on the ratio, perhaps infinite."""
        return self.bounds.least

    @property
    def most(self) -> Fraction | None:
        """An upper bound on the ratio, or None if none is known."""
        return self.bounds.most

    @property
    def exact(self) -> Fraction | None:
        """The ratio, or None if it is infinite or not settled."""
        return self.most if self.most == self.least else None

    @cached_property
    def walk(self) -> list[tuple[Any, State, Fraction, Fraction]]:
        """The worst walk: request, next offline state, cost and offline cost per step."""
        graph = self.graph
        return [
            (
                graph.requests[graph.request[step]],
                graph.others[graph.pairs[graph.head[step]][1]],
                *graph.amounts(step),
            )
            for step in self.bounds.walk
        ]

    @property
    def way(self) -> list[tuple[Any, State]]:
        """The requests and offline states that lead from the start to the worst cycle."""
        graph, walk = self.graph, self.bounds.walk
        steps = graph.way(int(graph.tail[walk[0]])) if walk else []
        ends = ((graph.request[step], graph.pairs[graph.head[step]][1]) for step in steps)
        return [(graph.requests[request], graph.others[place]) for request, place in ends]

    @property
    def closed(self) -> bool:
        """Whether the worst walk is a cycle."""
        walk = self.bounds.walk
        return not walk or bool(self.graph.tail[walk[0]] == self.graph.head[walk[-1]])

    @cached_property
    def potential(self) -> list[tuple[Belief, State, Fraction]]:
        """Each belief and offline state with its potential, a number >= 0.

        The list is empty without an upper bound.

        On each step the algorithm's cost plus the increase of the potential is at most the bound times the offline
        cost; for gains, the offline gain plus the increase is at most the bound times the algorithm's gain.
        """
        if self.most is None or self.bounds.potential is None:
            return []
        scale, beliefs, others = self.graph.unit * self.most.denominator, self.graph.beliefs, self.graph.others
        rows = zip(self.graph.pairs, self.bounds.potential.tolist(), strict=True)
        return [(beliefs[belief], others[place], Fraction(value, scale)) for (belief, place), value in rows]

    @cached_property
    def own_potential(self) -> PotentialCheck | None:
        """The check of the system's method `potential` at the exact ratio, if both exist."""
        method = getattr(self.graph.asked.system, "potential", None)
        return None if method is None or self.exact is None else checked(self.graph, method, self.exact)

    @property
    def inequality(self) -> str:
        """The upper bound for every sequence, or "" if none is known."""
        if not self.potential:
            return ""
        large, small = ("optimum", "gain") if self.graph.asked.gains else ("cost", "optimum")
        more = f" + {self.potential[0][2]}" if self.potential[0][2] else ""
        return f"{large} <= {self.most} * {small}{more} for every sequence of requests from the start"

    @property
    def sentence(self) -> str:
        """The statement that is proven."""
        asked = self.graph.asked
        what = f"the competitive ratio of {asked.name}{words_of(self.options)}"
        if self.least == inf:
            value = "infinite"
        elif self.exact is not None:
            value = decimals(self.exact)
        else:
            above = "" if self.most is None else f" and at most {decimals(self.most)}"
            value = f"at least {decimals(Fraction(self.least))}{above}"
        return (
            f"{what} is {value}{', up to an additive constant' if asked.constant else ', without an additive constant'}"
        )

    def facts(self) -> Mapping[str, Value]:
        return {"proof": self.sentence, "states": self.graph.size[0], "steps": self.graph.size[1]}

    def lines(self) -> Iterator[str]:
        """Yield the result as text."""
        yield self.sentence
        states, steps = self.graph.size
        yield f"{states} states, {steps} steps; {'a randomised' if self._randomised else 'a deterministic'} algorithm"
        if self.bounds.walk:
            own, other = (sum(step[n] for step in self.walk) for n in (2, 3))
            what = "gain" if self.graph.asked.gains else "cost"
            name = "worst cycle" if self.closed else "worst sequence"
            requests = " ".join(text_of(step[0]) for step in self.walk)
            yield f"{name}: {requests}; the algorithm's {what} is {own}, the offline {what} {other}"
        if self.inequality:
            yield self.inequality
        if self.exact is None and self.least != inf:
            yield "not exact: the search ended early"
        if self.own_potential is not None:
            yield self.own_potential.sentence

    def to_json(self) -> dict[str, Json]:
        """Return the result object of ``prove --json``."""
        states, steps = self.graph.size
        return {
            "system": self.graph.asked.name,
            "options": {name: str(value) for name, value in self.options.items()},
            "at_least": "inf" if self.least == inf else str(self.least),
            "at_most": None if self.most is None else str(self.most),
            "exact": None if self.exact is None else str(self.exact),
            "constant": self.graph.asked.constant,
            "states": states,
            "steps": steps,
            "closed": self.closed,
            "walk": [[text_of(request), text_of(other), str(a), str(o)] for request, other, a, o in self.walk],
            "inequality": self.inequality,
            "potential": [[_belief(belief), text_of(other), str(value)] for belief, other, value in self.potential],
        }

    def to_file(self) -> dict[str, Json]:
        """Return the certificate that `schedproof.check.ratio` reads with the source.

        Raises
        ------
        InputError
            If the system's class is not written in a file.
        """
        graph = self.graph
        return {
            "version": 2,
            "system": graph.asked.name,
            "source": hash_of(self.source, graph.asked.name),
            "setting": {},
            "options": {name: str(value) for name, value in self.options.items()},
            "at_least": "inf" if self.least == inf else str(self.least),
            "at_most": None if self.most is None else str(self.most),
            "unit": graph.unit,
            "policy": [[_belief(belief)] for belief in graph.beliefs],
            "other": [text_of(other) for other in graph.others],
            "potential": self.bounds.rows(*np.array(graph.pairs).T),
            "way": [[text_of(request), text_of(other)] for request, other in self.way],
            "walk": [[text_of(request), text_of(other)] for request, other, _, _ in self.walk],
        }

    def write(self, path: str | Path) -> None:
        """Write the certificate into a file, atomically."""
        write_json(path, self.to_file())

    def plot(self, ax: Axes = None) -> Axes:
        """Draw the worst walk: the algorithm's and the offline cost of each request."""
        from schedproof.core.simulation import pictures

        axes = pictures.axes(ax, (8, 3.5))
        places = range(len(self.walk))
        what = "gain" if self.graph.asked.gains else "cost"
        for shift, column, name in ((-0.2, 2, "algorithm"), (0.2, 3, "offline")):
            axes.bar([n + shift for n in places], [float(step[column]) for step in self.walk], 0.4, label=name)
        axes.set_xticks([*places], [text_of(step[0]) for step in self.walk])
        axes.set_xlabel("requests of the worst cycle" if self.closed else "requests of the worst sequence")
        axes.set_ylabel(f"{what} of the request")
        axes.set_title(self.sentence, fontsize=9)
        axes.legend()
        return axes

    def to_networkx(self) -> Network:
        """Return the states and steps as a directed multigraph with costs."""
        from networkx import MultiDiGraph

        graph, found = self.graph, MultiDiGraph()
        for node, (belief, place) in enumerate(graph.pairs):
            states = ", ".join(f"{weight}: {text_of(state)}" for state, weight in graph.beliefs[belief])
            more = {"potential": str(self.potential[node][2])} if self.potential else {}
            found.add_node(node, algorithm=states, offline=text_of(graph.others[place]), **more)
        for step, (tail, head) in enumerate(zip(graph.tail.tolist(), graph.head.tolist(), strict=True)):
            own, other = map(str, graph.amounts(step))
            request = text_of(graph.requests[graph.request[step]])
            found.add_edge(tail, head, request=request, cost=own, optimum=other)
        return found

    def write_graph(self, path: str | Path) -> None:
        """Write the graph of states and steps into a GraphML file, atomically."""
        write_graphml(path, self.to_networkx())

    @property
    def _randomised(self) -> bool:
        return any(len(belief) > 1 for belief in self.graph.beliefs)


def prove_system(
    system: Any,
    context: Context,
    source: Path | None = None,
    options: Mapping[str, Value] | None = None,
    store: str | Path | None = None,
) -> SystemProof:
    """Return a system's exact ratio, or bounds within the time limit.

    Raises
    ------
    InputError
        If the system's methods do not return values as described in `System`, if the system has too many states, or if
        a store is given for a class without a file.
    NoSolution
        If no ratio is found within the time limit.
    """
    asked = Asked(system)
    file, given = source or file_of(system), options if options is not None else options_of(system)
    key = {"system": asked.name, "options": {name: str(value) for name, value in given.items()}}
    if store:
        key |= {"source": hash_of(file, asked.name), "code": code_of(type(system).__module__)}
    listed = list[Graph]()

    def work(inner: Context) -> SystemProof:
        listed.append(graph := Graph(asked, inner))

        def proven(bounds: Bounds) -> SystemProof:
            return SystemProof(graph, bounds, file, given)

        with kept(store) as trials:
            return proven(search(graph, inner, lambda bounds: inner.keep(proven(bounds)), trials.of(**key)))

    found = best_within(context, work)
    if found is None:
        when = "before a first ratio was found" if listed else "before all states were listed"
        raise NoSolution(f"{asked.name}: the time limit of {context.time_limit:g} s was reached {when}")
    return found


def prove_system_in(
    words: str, given: Mapping[str, Value], context: Context, store: str | Path | None = None
) -> SystemProof:
    """Return the exact ratio of the system ``FILE.py:NAME`` with these arguments.

    Raises
    ------
    InputError, SchedproofError
        If the file does not exist or cannot be imported, or the class refuses the arguments.
    """
    system, options = made_of(words, given)
    return prove_system(system, context, Path(words.rpartition(":")[0]), options, store)


def _belief(belief: Belief) -> list[list[str]]:
    return [[text_of(state), str(weight)] for state, weight in belief]
