"""Policies side by side: objective, objective relative to a baseline, and the measured ratio to a certified bound.

In a notebook ``compare(draws("simulator", seeds=5))`` gives a pandas frame with one row per instance, policy and speed.
With a results file, a store (`schedproof.core.store`), every finished cell is kept as soon as it is known: what was
interrupted goes on where it stopped, and ``load`` reads what is there. So does ``python -m schedproof.experiments
compare``, and `schedproof.experiments.sweep` with many more.
What a family's comparison shows is in `schedproof.experiments.families`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from schedproof.core.errors import InputError, SchedproofError, family_of, require
from schedproof.core.options import number, read, whole
from schedproof.core.run import Policy, policy
from schedproof.core.store import Row, Store
from schedproof.core.streams import printing
from schedproof.experiments.cells import CELLS, Cell, Draw, Given, about, bound_of, finish, run_of
from schedproof.experiments.families import COMPARISONS, Comparison
from schedproof.experiments.table import frame, markdown, summary
from schedproof.instances import read as read_instance

Progress = Callable[[int, int, Row], None]

POLICIES = "a list of policies, as sp.policy(NAME) gives them"
USUAL = "usual"  # the bound that the instance's family has in `COMPARISONS`


def draws(
    preset: str, *, seeds: int | Iterable[int] = 5, family: str = "preemptive", vary: Any = None, **settings: Any
) -> list[Draw]:
    """Draws of a preset.

    Parameters
    ----------
    seeds
        How many (from 0 on), or which.
    vary
        Setting -> its values: every combination is drawn.
    settings
        Settings of the generator that stay the same.
    """
    numbers = range(seeds) if isinstance(seeds, int) else list(seeds)
    fixed = {name: str(value) for name, value in settings.items()}
    lines = [[(name, str(value)) for value in values] for name, values in (vary or {}).items()]
    return [Draw(family, preset, seed, fixed | dict(chosen)) for chosen in product(*lines) for seed in numbers]


def compare(
    instances: Iterable[Any],
    policies: Sequence[Policy] = (),
    *,
    bound: str | None = USUAL,
    bound_options: Mapping[str, Any] | None = None,
    speeds: Sequence[Any] = (1,),
    baseline: str | None = None,
    results: str | Path | None = None,
    progress: Progress = lambda done, total, row: None,
) -> Any:
    """Run policies on instances and set them beside each other.

    Parameters
    ----------
    instances
        Instances, or `Draw` objects. A policy that draws at random draws with the seed of its `Draw`, or 0.
    policies
        As ``sp.policy(name, **options)`` gives them; those of the family if there are none.
    bound, bound_options
        The program whose certified bound is the other side of the ratio, and its options; ``usual`` for that of the
        family, None for no ratio.
    speeds
        1 + eps, each tried with every policy; the bound stays that of its own options. Only for a family whose policies
        have speeds.
    baseline
        The policy to which the objective is relative, on the same instance at the same speed; None for that of the
        family.
    results
        A store of finished cells; those that it holds for the same instance, seed, policy, options, code and libraries
        are not run again.
    progress
        Told (cells done, cells in all, the cell's row).

    Returns
    -------
    pandas.DataFrame
        One row per instance, policy and speed, in that order; see `frame`.
    """
    require(instances, Iterable, "a list of instances")
    require(policies, Sequence, POLICIES)
    for choice in policies:
        require(choice, Policy, POLICIES)
    plans = [_Plan.of(case, policies, bound, speeds) for case in instances]
    total = sum(len(plan.choices) + (plan.bound is not None) for plan in plans)
    rows: list[Row] = []
    with Store(CELLS, results) as finished:
        for plan in plans:
            instance = plan.case.instance() if isinstance(plan.case, Draw) else plan.case
            for cell in plan.cells(instance, bound_options or {}):
                rows.append(finish(finished, cell, instance))
                progress(len(rows), total, rows[-1])
    return frame(rows, baseline)


@dataclass(frozen=True)
class _Plan:
    """What is to be run on one instance."""

    case: Any
    family: Comparison
    bound: str | None
    choices: list[tuple[Policy, Fraction | None]]  # with the speed, where policies have one

    @classmethod
    def of(cls, case: Any, policies: Sequence[Policy], bound: str | None, speeds: Sequence[Any]) -> _Plan:
        family = COMPARISONS.get(family_of(case), Comparison())
        rates: list[Fraction | None] = [read("speed", number(), speed) for speed in speeds]
        if not family.speeds and rates != [1]:
            raise InputError(f"speeds: policies of the family {case.family} have none")
        compared = policies or family.policies
        if not compared:
            raise InputError(f"policies: the family {case.family} has none that are compared unless they are named")
        choices = product(compared, rates if family.speeds else [None])
        return cls(case, family, family.bound if bound == USUAL else bound, list(choices))

    def cells(self, instance: Any, bound_options: Mapping[str, Any]) -> Iterator[Cell]:
        """Its cells: the bound, and each policy at each speed."""
        case = self.case if isinstance(self.case, Draw) else Given(instance)
        known = case.named | about(instance)
        if self.bound is not None:
            yield bound_of(self.bound, bound_options, case, known)
        for choice, rate in self.choices:
            yield run_of(choice, case, known, speed=rate)


def load(results: str | Path, baseline: str | None = None) -> Any:
    """The frame of everything that a results file holds."""
    with Store(CELLS, results) as finished:
        return frame(finished.rows, baseline)


# --- the command -----------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] = ()) -> int:
    """Compare policies on instance files or draws; prints the summary, and writes every finished cell to a file."""
    parser = argparse.ArgumentParser(prog="python -m schedproof.experiments compare", description=main.__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE", help="instances; draws of the preset if there are none")
    parser.add_argument("--preset", default="tiny", help="of the family's generator")
    parser.add_argument("--family", default="preemptive")
    parser.add_argument("--seeds", default="5", help="how many draws, from seed 0 on")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the generator")
    parser.add_argument(
        "--vary", action="append", default=[], metavar="KEY=V1,V2", help="a setting with several values"
    )
    parser.add_argument(
        "--policy",
        action="append",
        default=[],
        metavar="NAME[:KEY=VALUE,...]",
        help="those of the family if none is named",
    )
    parser.add_argument("--speed", action="append", default=[], help="1 + eps; several are tried one after another")
    parser.add_argument("--bound", default=USUAL, help="the program of the bound, usual for the family's, or none")
    parser.add_argument("--bound-option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--baseline", help="the policy that the others are relative to; the family's if not given")
    parser.add_argument("--out", metavar="FILE", help="a store of finished cells; an interrupted run goes on from it")
    words = parser.parse_args(arguments)
    try:
        with printing():
            _tell(words)
    except SchedproofError as error:
        print(f"schedproof: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        kept = f"; the finished cells are in {words.out}" if words.out else ""
        print(f"\nstopped{kept}", file=sys.stderr)
        return 130
    return 0


def _tell(words: argparse.Namespace) -> None:
    vary = {key: value.split(",") for key, value in _pairs(words.vary).items()}
    if words.files and (words.set or vary):
        raise InputError("settings are for draws of a preset, and instance files are given")
    cases = [read_instance(file) for file in words.files] or draws(
        words.preset, seeds=read("seeds", whole(), words.seeds), family=words.family, vary=vary, **_pairs(words.set)
    )
    table = compare(
        cases,
        [named(text) for text in words.policy],
        bound=None if words.bound == "none" else words.bound,
        bound_options=_pairs(words.bound_option),
        speeds=words.speed or [1],
        baseline=words.baseline,
        results=words.out,
        progress=_say if sys.stderr.isatty() else lambda done, total, row: None,
    )
    print(markdown(summary(table, [*vary, "policy", "options", "speed"])))


def _pairs(words: Iterable[str]) -> dict[str, str]:
    for word in words:
        if "=" not in word:
            raise InputError(f"{word}: expected key=value")
    return {key: value for key, _, value in (word.partition("=") for word in words)}


def named(text: str) -> Policy:
    """The policy of a text like ``NAME`` or ``NAME:KEY=VALUE,KEY=VALUE``."""
    name, _, options = text.partition(":")
    return policy(name, **_pairs(options.split(",") if options else []))


def _say(done: int, total: int, row: Row) -> None:
    what = row.get("policy") or row.get("program")
    print(f"\r\033[K{done} of {total}: {what} on draw {row.get('seed')}", end="", file=sys.stderr, flush=True)
    if done == total:
        print(file=sys.stderr)
