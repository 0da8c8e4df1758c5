"""TapFinger's profile of three ML tasks as placement instances.

The profile has no arrivals: it gives the durations of three tasks by CPU cores and GPUs. Tasks, arrivals, links and
noise are drawn as in `schedproof.workloads.placement`, with its settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from schedproof.core.data.options import pick
from schedproof.core.errors import InputError
from schedproof.workloads.draws import Row, random_numbers
from schedproof.workloads.placement import PRESETS, draws
from schedproof.workloads.placement.settings import NAMES, OF_TYPES, configure
from schedproof.workloads.tally import Tally
from schedproof.workloads.tapfinger.profile import REASONS, REPEATS, Profile

GIVEN_BY_THE_TRACE = {"types", *OF_TYPES["synthetic"]}


def load(files: Sequence[str | Path], seed: int, options: Mapping[str, str]) -> tuple[Row, Row]:
    """Tasks drawn from TapFinger's test-bed profile of three ML tasks, with a report.

    Parameters
    ----------
    files
        One file without a header: task, CPU cores, GPUs, seconds. Each row then has the loss after each epoch, which
        is not used.
    seed
        The seed for kinds, arrivals, links and noise.
    options
        - the settings of the generator's ``testbed3``, except those of synthetic tasks: ``downsizing`` (1) divides the
          seconds; ``minimum_cpus`` (2) to ``most_cpus`` (16) and ``minimum_gpus`` (1) to ``most_gpus`` (8) select the
          rows;
        - ``repeats``: the duration of an allocation with several measurements: their ``mean`` (default), the ``least``
        or the ``first``.
    """
    given = {name: str(text) for name, text in options.items()}
    repeats = given.pop("repeats", "mean")
    pick("value of repeats", repeats, REPEATS)
    s = configure(PRESETS["testbed3"], given, [name for name in (*NAMES, "repeats") if name not in GIVEN_BY_THE_TRACE])
    if len(files) != 1:
        raise InputError(f"expected one file, the profile, not {len(files)}")
    file, tally = str(files[0]), Tally(REASONS)
    profile = Profile.read(file, s, tally)
    kinds = profile.kinds(s, repeats, tally)
    kept = profile.rows - tally.drops()
    report = {
        "trace": "tapfinger",
        "recorded": {"summary": "no schedule: the file has measured durations, and the arrivals are drawn"},
        "options": dict(options),
        "seed": seed,
        "files": {f"1: {Path(file).name}": {"table": "profile", "rows": profile.rows, **tally.account(kept)}},
        **profile.summary(),
    }
    return draws.system(s) | draws.tasks(random_numbers(seed), kinds, s), report


__all__ = ["load"]
