"""Seeded trials and searches: Hypothesis draws the cases for `verify`."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any

from hypothesis import HealthCheck, Phase, find, given, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir, storage_directory
from hypothesis.errors import NoSuchExample, Unsatisfiable
from hypothesis.internal.conjecture import providers

from schedproof.core.claims import cases

SIZES = {"dev": 100, "ci": 150, "deep": 5000}  # cases per claim
QUIET: dict[str, Any] = {"database": None, "deadline": None, "suppress_health_check": list(HealthCheck)}


class OutOfTime(BaseException):
    """End a search at once.

    It does not derive from Exception, because Hypothesis would report an Exception as a failing test.
    """


def profile() -> str:
    """The profile in SCHEDPROOF_PROFILE, by default dev: the numbers of trials."""
    return os.environ.get("SCHEDPROOF_PROFILE", "dev")


def profile_size() -> int:
    return SIZES[profile()]


@contextmanager
def by_the_seed_alone() -> Iterator[None]:
    """Make Hypothesis draws depend only on the seed, and store no files.

    By default Hypothesis takes one number in 20 from the constants of imported modules that are not installed
    packages. It stores these constants in the current folder, which may not be writable.
    """
    home = storage_directory(intent_to_write=False).home_directory
    theirs, ours = vars(providers), dict[str, Any]()
    with suppress(KeyError):  # another version of Hypothesis may have other names; then draws are not controlled
        ours = {"_get_local_constants": theirs["Constants"], "CONSTANTS_CACHE": type(theirs["CONSTANTS_CACHE"])(1024)}
    before = {name: theirs[name] for name in ours}
    theirs.update(ours)
    set_hypothesis_home_dir(Path(os.devnull, "hypothesis"))
    try:
        yield
    finally:
        set_hypothesis_home_dir(home)
        theirs.update(before)


def draw(strategy: Any, count: int, number: int, visit: Callable[[Any], None], *, steered: bool = False) -> None:
    """Pass up to ``count`` cases, which the seed determines, to ``visit``.

    Parameters
    ----------
    steered
        Whether draws are steered towards large values of `hypothesis.target`, which ``visit`` calls.
    """
    phases = [Phase.generate, *([Phase.target] if steered else [])]

    @seed(number)
    @settings(max_examples=count, phases=phases, **QUIET)
    @given(strategy)
    def run(case: Any) -> None:
        visit(case)

    with by_the_seed_alone():
        run()


def smallest(
    strategy: Any, wanted: Callable[[Any], bool], seconds: float, number: int, progress: Callable[[str], None]
) -> Any:
    """The smallest case with a property that a shrinking search finds, or None."""
    best: list[Any] = []  # the best case of all earlier rounds
    this: list[Any] = []  # the best case of the current round
    end, seen = monotonic() + seconds, 0
    rule = settings(max_examples=1000, phases=[Phase.generate, Phase.shrink], **QUIET)

    def look(case: Any) -> bool:
        nonlocal seen
        if monotonic() > end:
            raise OutOfTime
        seen += 1
        if not wanted(case):
            return False
        size = cases.size(case)
        if not best or size < cases.size(best[-1]):
            least = cases.size(this[-1]) if this else size + 1
            if size <= least:  # of equal cases the later one, which Hypothesis considers simpler
                this.append(case)
            if size < least:
                progress(f"{seen} cases, a witness of {size} bytes")
        return True

    try:
        while True:
            number += 1
            try:
                with by_the_seed_alone():
                    find(strategy, look, settings=rule, random=random.Random(number))
            except (NoSuchExample, Unsatisfiable):
                progress(f"{seen} cases")
            best, this = best + this[-1:], []
    except OutOfTime:
        progress(f"time limit reached after {seen} cases")
    return next(iter((best + this)[-1:]), None)
