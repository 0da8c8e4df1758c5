"""Rules: a policy as a function of a finite state.

A job is a tuple of integers; an entry is present only if the text defines its constant or function:

- the remaining slots;
- the weight, with ``WEIGHTS = True``;
- the number of chunks, with ``CHUNKS = True``;
- the value of ``keep(slots)`` on arrival;
- the machine that ``place(jobs, slots)`` chose;
- the remaining slots of the upload, with ``UPLOADS = True``;
- with ``TURNS = True`` the rank of its first start among the jobs present (0: not started), or with ``RAN = True``
  whether it ran in the previous slot.

``run(jobs)`` returns the numbers of the running jobs: one for each machine if jobs have machines, else at most as many
as machines. Jobs are sorted, to reduce the number of states, or with ``ORDER = True`` in order of arrival. With
``PREEMPTIVE = False`` a started job runs to its end, in any schedule; its last entry is then as with ``RAN``. ``keep``
and ``place`` also take a job's weight and chunks, if the rule supports them. Functions may take ``machines``,
``delays`` (the upload slots of each machine) and options by name. ``MACHINES = 1`` restricts a rule to one machine.

With ``CHUNKS = True`` a job has several chunks of equal slots, each on one machine at a time, any machine in any slot.
``run`` returns a job's number once for each of its machines, at most min(chunks, remaining slots) times. The state of
single chunks is not needed: the u-th slot of a job goes to chunk u modulo the number of chunks. A job has at most as
many machines in a slot as chunks, so these chunks differ. Each chunk gets all its slots, and the job ends with its last
slot. Conversely no schedule of chunks gives a job more machines in a slot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from inspect import Parameter, signature
from typing import Any

from schedproof.adversary.exact_ratio.language import parse
from schedproof.core.errors import InputError, PolicyError, one_sentence, short

Job = tuple[int, ...]
Jobs = tuple[Job, ...]
MACHINES = ("machines", "delays")  # keyword parameters that are not options


class Rule:
    """A rule's text with values of its options.

    Attributes
    ----------
    name, text
        The policy's name and the text of its rule.
    machines, speed
        Number of machines, and the divisor of each job's time before rounding up.
    pinned
        Whether a job stays on the machine assigned on its arrival.
    preemptive
        Whether a started job may wait.
    weighted, chunked, uploads
        Whether the rule supports weights, several chunks, and uploads.
    delays
        The slots of an upload to each machine.
    options
        The values of the rule's options, with defaults.
    """

    def __init__(
        self,
        name: str,
        text: str,
        machines: int,
        speed: Fraction,
        given: Mapping[str, Any],
        delays: tuple[int, ...] = (),
    ) -> None:
        self.name, self.text, self.machines, self.speed = name, text, machines, speed
        self.delays = delays or (0,) * machines
        found = parse(text, name)
        functions = (found.get(word) for word in ("run", "place", "keep"))
        self._run, self._place, self._keep = (each if callable(each) else None for each in functions)
        self._ordered, self._turns, self._ran = (found.get(word, False) is True for word in ("ORDER", "TURNS", "RAN"))
        if self._run is None:
            raise InputError("no rule: expected a function run(jobs)", file=name)
        self.pinned = self._place is not None
        self.weighted, self.chunked = (found.get(word, False) is True for word in ("WEIGHTS", "CHUNKS"))
        self.uploads = self.pinned and found.get("UPLOADS", False) is True
        self._at = 1 + self.weighted + bool(self._keep)  # index of a job's machine
        self.preemptive = found.get("PREEMPTIVE", True) is True
        self._ran |= not self.preemptive
        if any(self.delays) and not self.uploads:
            raise InputError(f"delay={max(self.delays)}: the rule {name} supports no uploads")
        if self.pinned and not self.preemptive:
            raise InputError("no rule: place cannot be combined with PREEMPTIVE = False", file=name)
        if self.chunked and (self.pinned or not self.preemptive):
            raise InputError("no rule: CHUNKS = True needs jobs that may move and wait at any time", file=name)
        if found.get("MACHINES", machines) != machines:
            raise InputError(f"machines={machines}: the rule {name} is for machines={found['MACHINES']}")
        self.options = self._options(given)
        known = {"machines": machines, "delays": self.delays, **self.options}
        self._run, self._place, self._keep = (
            function and partial(function, **{name: known[name] for name in _options(function)})
            for function in (self._run, self._place, self._keep)
        )

    def _options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        taken = [_options(function) for function in (self._run, self._place, self._keep) if function]
        usual = {name: value for options in taken for name, value in options.items() if name not in MACHINES}
        for option in given.keys() - usual.keys():
            known = ", ".join(sorted(usual)) or "none"
            raise InputError(f"the rule {self.name} has no option '{option}', only {known}")
        options = {name: given.get(name, value) for name, value in usual.items()}
        for option, value in options.items():
            if value is Parameter.empty:
                raise InputError(f"the rule {self.name} needs the option {option}")
        return options

    def arrive(self, jobs: Jobs, size: int, weight: int = 1, chunks: int = 1) -> Jobs:
        """Return the jobs after an arrival; `size` is the slots of a chunk at speed 1."""
        slots = -(-size * self.speed.denominator // self.speed.numerator)
        job = [slots * chunks, *([weight] if self.weighted else []), *([chunks] if self.chunked else [])]
        new = [*job]
        if self._keep:
            job.append(self._ask(self._keep, *new))
        if type(job[-1]) is not int:
            raise PolicyError(f"the rule {self.name}: keep returned {short(job[-1])}, expected a whole number")
        if self._place:
            job.append(self._ask(self._place, jobs, *new))
            if not (type(job[-1]) is int and 0 <= job[-1] < self.machines):
                raise PolicyError(f"the rule {self.name}: place returned {short(job[-1])}, expected a machine's number")
            job += [self.delays[job[-1]]] if self.uploads else []
        return self._sorted((*jobs, (*job, *([0] if self._turns or self._ran else []))))

    def numbers(self, job: Job) -> tuple[int, int, int]:
        """Return a job's remaining slots, weight and chunks."""
        return job[0], job[1] if self.weighted else 1, job[1 + self.weighted] if self.chunked else 1

    def run(self, jobs: Jobs) -> list[int]:
        """Return the numbers of the jobs that run, once for each of their machines.

        Raises
        ------
        PolicyError
            If no schedule could run these jobs.
        """
        chosen = self._ask(self._run, jobs)
        whole = isinstance(chosen, list | tuple) and all(type(n) is int and 0 <= n < len(jobs) for n in chosen)
        often = whole and all(chosen.count(n) <= min(self.numbers(jobs[n])[::2]) for n in chosen)
        if not often or len(chosen) > self.machines:
            raise PolicyError(
                f"the rule {self.name}: run returned {short(chosen)}, expected at most {self.machines} numbers of jobs"
            )
        if self.pinned and len({jobs[n][self._at] for n in chosen}) < len(chosen):
            raise PolicyError(f"the rule {self.name}: run returned two jobs of one machine, expected at most one")
        if self.uploads and any(jobs[n][self._at + 1] for n in chosen):
            raise PolicyError(f"the rule {self.name}: run returned a job whose upload has not ended")
        if not self.preemptive and any(job[-1] and n not in chosen for n, job in enumerate(jobs)):
            raise PolicyError(f"the rule {self.name}: run omitted a started job, which must run to its end")
        return list(chosen)

    def advance(self, jobs: Jobs) -> Jobs:
        """Return the jobs after a slot."""
        chosen = self.run(jobs)
        rest = [(job[0] - chosen.count(n), *job[1:]) for n, job in enumerate(jobs)]
        if self.uploads:
            at = self._at + 1
            rest = [(*job[:at], max(0, job[at] - 1), *job[at + 1 :]) for job in rest]
        if self._ran:
            rest = [(*job[:-1], int(n in chosen)) for n, job in enumerate(rest)]
        elif self._turns:
            turn = 1 + max(job[-1] for job in jobs)
            rest = [(*job[:-1], job[-1] or turn * (n in chosen)) for n, job in enumerate(rest)]
            rank = {old: new for new, old in enumerate(sorted({0} | {job[-1] for job in rest if job[0]}))}
            rest = [(*job[:-1], rank[job[-1]]) for job in rest if job[0]]
        return self._sorted(tuple(job for job in rest if job[0]))

    def _sorted(self, jobs: Jobs) -> Jobs:
        return jobs if self._ordered else tuple(sorted(jobs))

    def _ask(self, function: Callable[..., Any] | None, *arguments: Any) -> Any:
        assert function is not None
        with one_sentence(f"the rule {self.name} stopped with", PolicyError):
            return function(*arguments)


def _options(function: Callable[..., Any]) -> dict[str, Any]:
    positional = {"jobs", "slots", "weight", "chunks"}
    return {name: p.default for name, p in signature(function).parameters.items() if name not in positional}
