"""Evaluate a policy file on an instance: feasibility, objective, ratio and gap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from schedproof.core.base.display import Tabled
from schedproof.core.base.numbers import above, decimals
from schedproof.core.base.untyped import Json, Value
from schedproof.core.certificates.bound import Bound
from schedproof.core.errors import PolicyError, require
from schedproof.core.programs.program import Program
from schedproof.core.results.ratio import Ratio
from schedproof.core.results.run import Run, policy
from schedproof.core.simulation.coerce import as_instance
from schedproof.core.simulation.instance import Instance
from schedproof.experiments.compare import USUAL
from schedproof.experiments.evaluation.process import policy_in_process
from schedproof.experiments.families import comparison

SECONDS, MEBIBYTES = 60.0, 4096
SEES_ALL = ("preemptive", "dmlrs", "jrp", "placement")  # families whose policies receive the instance in `assign`


@dataclass(frozen=True, repr=False)
class Evaluation(Tabled):
    """The result of `evaluate`.

    Attributes
    ----------
    run
        The checked run, or None if the policy failed.
    ratio
        The certified ratio with its gap, or None without a feasible run or a bound.
    offline
        Whether the policy receives all jobs at once and thus is not an online algorithm.
    error
        The reason why there is no run; empty after a run.
    """

    policy: str
    run: Run | None = field(repr=False)
    ratio: Ratio | None = field(repr=False)
    offline: bool = False
    error: str = ""

    @property
    def feasible(self) -> bool:
        return self.run is not None and self.run.feasible

    @property
    def violation(self) -> str:
        """The first violation of the checker, or the error; empty for a feasible run."""
        if self.run is None:
            return self.error
        return str(self.run.violations[0]) if self.run.violations else ""

    def facts(self) -> dict[str, Value]:
        found = {"policy": self.policy, "feasible": self.feasible, "violation": self.violation or "none"}
        if self.run is not None:
            found |= {"objective": float(self.run.objective), "seconds": f"{self.run.seconds:.2f}"}
        if self.ratio is not None:
            found["ratio"] = f"at most {decimals(self.ratio.exact, 4, up=True)}"
        return found

    def to_json(self) -> dict[str, Json]:
        """Return the result object of ``evaluate --json``.

        ``ratio`` is rounded up, so it is never below the exact ratio. The parts of ``gap`` add up to its total.
        """
        run, ratio = self.run, self.ratio
        gap = ratio.gap_or_why_not()[0] if ratio is not None else None
        return {
            "policy": self.policy,
            "feasible": self.feasible,
            "violation": self.violation or None,
            "offline": self.offline,
            "objective": None if run is None else float(run.objective),
            "sense": None if run is None else run.sense,
            "bound": None if ratio is None else float(ratio.bound.value),
            "ratio": None if ratio is None else above(ratio.exact),
            "gap": None if gap is None else gap.to_json(),
            "seconds": None if run is None else round(run.seconds, 4),
        }

    def lines(self) -> list[str]:
        if self.run is None:
            return [f"{self.policy}: {self.error}"]
        first = f"{self.policy}: {self.run.instance.in_words(self.run.objective)}, {self.run.judgement}"
        first += ", offline: it receives all jobs at once" if self.offline else ""
        gap, why_not = self.ratio.gap_or_why_not() if self.ratio is not None else (None, "")
        more = [] if self.ratio is None else [self.ratio.sentence, *([why_not] if gap is None else gap.lines())]
        return [first, *(f"  {each}" for each in self.run.violations[:1]), *more]


def evaluate(
    file: str | Path,
    instance: Instance | str | Path,
    bound: Bound | Program | str | None = USUAL,
    *,
    options: Mapping[str, Value] | None = None,
    time_limit: float = SECONDS,
    memory: int = MEBIBYTES,
) -> Evaluation:
    """Evaluate a policy in its own process.

    The policy sees only the driver's messages: it cannot read or change the instance. The calling process checks the
    schedule.

    Parameters
    ----------
    file
        ``FILE.py:NAME``, or ``FILE.py`` with one policy.
    instance
        An instance, or the name of its file.
    bound
        A certified bound, computed once for many policies; or a program that gives a certified bound; or ``usual`` for
        the family's program. None omits the ratio.
    time_limit
        Seconds for the policy, including its start.
    memory
        MiB of address space that the policy's process may use.

    Raises
    ------
    InputError
        For an invalid instance or bound. If the policy fails, the result has an ``error``.
    """
    require(file, (str, Path), "the name of a policy's file, FILE.py or FILE.py:NAME")
    on = as_instance(instance)
    words = {name: str(value) for name, value in (options or {}).items()}
    name = str(file).rpartition(":")[2] if ":" in str(file) else Path(file).stem
    try:
        with policy_in_process(str(file), words, time_limit, memory) as remote:
            run = policy(remote).run(on)
            offline = on.family in SEES_ALL and callable(getattr(remote, "assign", None))
    except PolicyError as error:
        return Evaluation(name, None, None, error=str(error))
    other = comparison(on.family).bound if bound == USUAL else bound
    measured = run.ratio(other) if run.feasible and other is not None else None
    return Evaluation(run.policy, run, measured, offline)
