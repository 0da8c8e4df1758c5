"""`Best`: the best competitive ratio of any online policy, proven from both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np

from schedproof.adversary.exact_ratio import automata
from schedproof.adversary.exact_ratio.automata import Automaton, Left
from schedproof.adversary.exact_ratio.game import Forced, Kept, Sides, play
from schedproof.adversary.exact_ratio.proof import as_decimals, within
from schedproof.adversary.exact_ratio.prove import SETTING, sizes_of
from schedproof.adversary.exact_ratio.work_function import FAR
from schedproof.adversary.walks.trials import kept
from schedproof.core.base.display import Tabled
from schedproof.core.base.numbers import plural
from schedproof.core.base.untyped import Json, Value
from schedproof.core.data.options import Option, choice, parse_options
from schedproof.core.errors import InputError, NoSolution
from schedproof.core.runtime.context import Context, Progress, silent
from schedproof.core.runtime.deadline import best_within
from schedproof.core.runtime.files import write_bytes, write_json

KINDS = choice(
    migrating="jobs may move and wait at any time",
    pinned="a job stays on the machine assigned on its arrival",
    whole="a job runs without preemption",
)
GAME = (*SETTING, Option("schedules", KINDS, "migrating"))
RULE = '''"""{sentence}."""

DEPARTURES = {departures}


def run(jobs, machines):
    """The jobs with the least left run, but for these; each job is (slots left,)."""
    left = tuple([job[0] for job in jobs])
    for others, runs in DEPARTURES:
        if left == others:
            return runs
    return list(range(min(machines, len(jobs))))
'''


@dataclass(frozen=True, repr=False)
class Best(Tabled):
    """The best competitive ratio of deterministic online policies for the total JCT.

    The value is exact, or enclosed between two bounds.

    Attributes
    ----------
    setting
        The numbers of the game, as in the certificate.
    sides
        The proofs: a strategy of the adversary, and a policy.
    """

    setting: dict[str, Json]
    sides: Sides = field(repr=False)

    @property
    def least(self) -> Fraction:
        """A lower bound on every policy's ratio."""
        return self.sides.least

    @property
    def most(self) -> Fraction | None:
        """The ratio of the found policy, or None if none was found."""
        return self.sides.most

    @property
    def exact(self) -> Fraction | None:
        """The best ratio, or None while the bounds differ."""
        return self.most if self.most == self.least else None

    @property
    def by_jobs_alone(self) -> bool:
        return self.sides.kept is not None and len({jobs for jobs, _ in self._table.states}) == len(self._table.states)

    @property
    def sentence(self) -> str:
        words = "the least competitive ratio of an online policy for the total JCT is"
        if self.exact is not None:
            return f"{words} {as_decimals(self.exact)}{within(self.setting['present'])}"
        above = (
            ""
            if self.most is None
            else f" and at most {as_decimals(self.most, up=True)}{within(self.setting['present'])}"
        )
        return f"{words} at least {as_decimals(self.least)}{above}"

    def facts(self) -> dict[str, Value]:
        return {"proof": self.sentence, **self.setting}

    def lines(self) -> Iterator[str]:
        yield self.sentence
        numbers = self.setting
        yield f"{self._where}; {KINDS.meanings[self._kind]}"
        if self.sides.forced:
            positions = len(self.sides.forced.positions)
            yield f"for any number of jobs no policy is better: the adversary's strategy has {positions} positions"
        if self.sides.kept:
            how = "only on the jobs present" if self.by_jobs_alone else "also on past arrivals"
            most = f"while at most {numbers['present']} jobs are present in either schedule"
            yield f"a policy of {len(self._table.states)} states has {self.most} {most}; it depends {how}"
        if departs := self.departures:
            jobs, runs = departs[0]
            words = (" ".join(map(str, each)) for each in (jobs, [jobs[n] for n in runs]))
            sets = f"for {plural(len(departs), 'set')} of jobs"
            yield f"{sets} it deviates from shortest remaining time first: of {' it runs '.join(words)}"
        elif self.rule:
            yield "it runs the jobs with the shortest remaining time"

    @property
    def departures(self) -> list[tuple[Left, Left]]:
        """The sets of jobs for which the policy deviates from shortest remaining time.

        Each row holds the jobs' remaining slots, and the numbers of the jobs that run. The list is empty for policies
        that depend on past arrivals, and for jobs that may not move.
        """
        if self._kind != "migrating" or not self.by_jobs_alone:
            return []
        machines, found = self.setting["machines"], []
        states = [jobs for jobs, _ in self._table.states]
        for jobs, after in zip(states, self._table.slots[0].tolist(), strict=True):
            may = combinations(range(len(jobs)), min(machines, len(jobs)))
            runs = next(runs for runs in may if automata.less(jobs, runs) == states[after])  # the least left first
            if runs != tuple(range(len(runs))):
                found.append((jobs, runs))
        return sorted(found, key=lambda pair: (len(pair[0]), pair[0]))

    @property
    def rule(self) -> str | None:
        """The policy as text for `prove`, or None if it is no function of movable jobs."""
        if self._kind != "migrating" or not self.by_jobs_alone:
            return None
        limit = f"while at most {self.setting['present']} are present in either schedule"
        sentence = f"A ratio of {self.most} {self._where}, {limit}"
        return RULE.format(sentence=sentence, departures=tuple(self.departures))

    def to_json(self) -> dict[str, Json]:
        """Return the result object of ``best-ratio --json``."""
        return {
            "setting": self.setting,
            "at_least": str(self.least),
            "at_most": self.most and str(self.most),
            "exact": self.exact is not None,
            "by_jobs_alone": self.by_jobs_alone,
        }

    def to_file(self) -> dict[str, Json]:
        """Return the certificate that `schedproof.check.ratio` reads."""
        return {
            "version": 1,
            "setting": self.setting,
            "at_least": str(self.least) if self.sides.forced else None,
            "at_most": self.most and str(self.most),
            **_policy(self.sides.kept),
            **_adversary(self.sides.forced, self.setting["unit"]),
        }

    def write(self, path: str | Path) -> None:
        """Write the certificate into a file, atomically."""
        write_json(path, self.to_file())

    def write_rule(self, path: str | Path) -> None:
        """Write the policy's rule into a file, atomically."""
        if self.rule is None:
            raise InputError(
                "the policy cannot be written as a rule: jobs may not move between machines, or the policy depends on "
                "past arrivals"
            )
        write_bytes(path, self.rule.encode())

    @property
    def _where(self) -> str:
        numbers = self.setting
        faster = f" of speed {numbers['speed']}" if numbers["speed"] != "1" else ""
        sizes = ", ".join(map(str, sizes_of(numbers)))
        return f"on {plural(numbers['machines'], 'machine')}{faster}, jobs of {sizes} slots"

    @property
    def _kind(self) -> str:
        return str(self.setting["schedules"])

    @property
    def _table(self) -> Automaton[Json]:
        assert self.sides.kept is not None
        return self.sides.kept.graph.policy


def best_ratio(
    *,
    store: str | Path | None = None,
    progress: Progress = silent,
    time_limit: float | None = None,
    **options: Value,
) -> Best:
    """Find the best competitive ratio of deterministic policies for the total JCT.

    The lower bound holds for every policy, with any number of waiting jobs. The policy attains its ratio while at most
    ``present`` jobs are present, in its schedule and in the offline schedule.

    Parameters
    ----------
    store
        An SQLite file that keeps the outcome of each ratio tried. The same call resumes from there; only an unfinished
        ratio is tried again.
    progress
        Called with the progress.
    time_limit
        Seconds; the result is the interval proven within them.
    options
        The options of `GAME`.

    Raises
    ------
    InputError
        If there are too many states.
    Interrupted
        On Ctrl-C; the error's ``best`` is the result so far.
    NoSolution
        If no bound is proven within the time limit.

    Examples
    --------
    >>> import schedproof as sp
    >>> sp.best_ratio(machines=1, sizes=2, present=3).exact
    Fraction(1, 1)
    """
    return best(options, Context(progress=progress, time_limit=time_limit), store)


def best(given: Mapping[str, Value], context: Context, store: str | Path | None = None) -> Best:
    setting = {option.name: option.default for option in GAME} | parse_options("best-ratio", GAME, given)
    sizes = sizes_of(setting)
    shown = {**setting, "speed": str(setting["speed"])}

    def work(inner: Context) -> Best:
        kind, machines, present, speed = (setting[name] for name in ("schedules", "machines", "present", "speed"))
        slots = [-(-size * speed.denominator // speed.numerator) for size in sizes]
        policy, other = (automata.schedules(kind, machines, each, present) for each in (slots, sizes))
        with kept(store) as trials:
            found = play(policy, other, inner, lambda sides: inner.keep(Best(shown, sides)), trials.of(setting=shown))
        return Best(shown, found)

    found = best_within(context, work)
    if found is None:
        raise NoSolution("no bound was proven within the time limit")
    return found


def _policy(kept: Kept | None) -> dict[str, Json]:
    if kept is None:
        return {"policy": [], "other": [], "potential": []}
    table, graph = kept.graph.policy, kept.graph
    rows = [[jobs, table.arrive[:, 0, n].tolist(), int(table.slots[0, n])] for n, (jobs, _) in enumerate(table.states)]
    return {"policy": rows, "other": graph.schedule.states, "potential": kept.bounds.rows(graph.mine, graph.theirs)}


def _adversary(forced: Forced | None, unit: int) -> dict[str, Json]:
    if forced is None:
        return {"functions": [], "moves": [], "positions": []}
    functions, states, slot = forced.functions, forced.schedule.states, len(forced.functions.after) - 1
    used: dict[int, int] = {}
    moves: dict[tuple[int, int], int] = {}
    steps = []
    for place in forced.positions:
        for function in (place.function, int(functions.after[place.move, place.function])):
            used.setdefault(function, len(used))
        if (place.function, place.move) not in moves:
            moves[place.function, place.move] = len(moves)
            after = used[int(functions.after[place.move, place.function])]
            paid = int(functions.paid[place.function]) if place.move == slot else 0
            steps.append([used[place.function], unit * ((place.move + 1) % (slot + 1)), after, paid])
    costs = [[[states[n], int(functions.costs[f, n])] for n in np.flatnonzero(functions.costs[f] < FAR)] for f in used]
    jobs, numbers = forced.policy.states, forced.bounds.potential
    assert numbers is not None
    positions = [
        [jobs[place.jobs], moves[place.function, place.move], int(number)]
        for place, number in zip(forced.positions, numbers, strict=True)
    ]
    return {"functions": costs, "moves": steps, "positions": positions}
