"""Reader of the profile: a task's measured durations by CPU cores and GPUs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal

from schedproof.core.errors import InputError
from schedproof.workloads import tables
from schedproof.workloads.draws import Row
from schedproof.workloads.placement.draws import Kind
from schedproof.workloads.placement.settings import Settings
from schedproof.workloads.settings import WIDE, decimal_of
from schedproof.workloads.tables import LARGEST_TIME, LONGEST_NAME
from schedproof.workloads.tally import DROPPED, FIXED, Tally
from schedproof.workloads.text_files import open_text, rows

MOST = 10**6  # CPU cores or GPUs
COLUMNS = 4  # task, CPU cores, GPUs, seconds
REASONS = {
    **{reason: tables.REASONS[reason] for reason in ("no_final_newline", "blank_line", "name_missing")},
    "field_count": (DROPPED, "fewer than four fields: task, CPU cores, GPUs, seconds"),
    "amount_unreadable": (DROPPED, f"CPU cores or GPUs that are not an integer from 0 to {MOST}"),
    "time_unreadable": (DROPPED, f"a time that is not a number of seconds above 0, at most {LARGEST_TIME}"),
    "outside": (DROPPED, "fewer CPU cores or GPUs than the minimum, or more than the most"),
    "repeat": (FIXED, "another measurement of the same task and allocation: averaged"),
    "repeat_left_out": (DROPPED, "another measurement of the same task and allocation: left out"),
}

Measured = dict[tuple[int, int], list[tuple[Decimal, int]]]  # (CPU cores, GPUs) -> seconds and row, in file order
REPEATS: Mapping[str, Callable[[list[Decimal]], Decimal]] = {
    "mean": lambda times: WIDE.divide(sum(times, Decimal(0)), len(times)),
    "least": min,
    "first": lambda times: times[0],
}


class Profile:
    """A file's measurements by task.

    Attributes
    ----------
    rows
        Number of rows in the file.
    """

    def __init__(self) -> None:
        self.rows = 0
        self._tasks: dict[str, Measured] = {}

    @classmethod
    def read(cls, file: str, s: Settings, tally: Tally) -> Profile:
        """Return the rows within the settings' amounts; count the others.

        Raises
        ------
        InputError
            For a file that cannot be read or has no usable row.
        """
        profile, last = cls(), "\n"
        with open_text(file) as text:
            for row, line, fields in rows(text, file):
                profile.rows, last = row, line
                profile._take(row, fields, s, tally)
        if not last.endswith("\n"):
            tally.add("no_final_newline", profile.rows)
        if not profile._tasks:
            raise InputError(f"the profile has no usable row; dropped: {tally.sentence()}", file=file)
        return profile

    def _take(self, row: int, fields: list[str], s: Settings, tally: Tally) -> None:
        if not any(fields):
            tally.add("blank_line", row)
            return
        if len(fields) < COLUMNS:
            tally.add("field_count", row)
            return
        name, seconds = fields[0], decimal_of(fields[3])
        cpus, gpus = (_amount(text) for text in fields[1:3])
        if not name or len(name) > LONGEST_NAME:
            tally.add("name_missing", row)
        elif cpus is None or gpus is None:
            tally.add("amount_unreadable", row)
        elif seconds is None or not 0 < seconds <= LARGEST_TIME:
            tally.add("time_unreadable", row)
        elif not (s.minimum_cpus <= cpus <= s.most_cpus and s.minimum_gpus <= gpus <= s.most_gpus):
            tally.add("outside", row)
        else:
            measured = self._tasks.setdefault(name, {})
            measured.setdefault((cpus, gpus), []).append((seconds, row))

    def kinds(self, s: Settings, repeats: str, tally: Tally) -> list[Kind]:
        """Return tasks as kinds of equal weight; ``repeats`` combines measurements."""
        unit = WIDE.multiply(s.slot_seconds, s.downsizing)
        kinds = []
        for name, measured in self._tasks.items():
            grid = {}
            for amounts, times in measured.items():
                grid[amounts] = WIDE.divide(REPEATS[repeats]([seconds for seconds, _ in times]), unit)
                for _, row in times[1:]:
                    tally.add("repeat" if repeats == "mean" else "repeat_left_out", row)
            kinds.append(Kind(name, 1, grid))
        return kinds

    def summary(self) -> Row:
        """Return each task's allocations and seconds, and the largest spread of repeats."""
        tasks = {
            name: {
                "allocations": len(measured),
                "seconds": [float(end(t for times in measured.values() for t, _ in times)) for end in (min, max)],
                "repeats_differ_by": round(float(max(max(times)[0] / min(times)[0] for times in measured.values())), 4),
            }
            for name, measured in self._tasks.items()
        }
        return {"tasks": tasks}


def _amount(text: str) -> int | None:
    """Return a number of CPU cores or GPUs; None for other texts."""
    number = decimal_of(text)
    return None if number is None or number % 1 or not 0 <= number <= MOST else int(number)
