"""A bound is a number with a witness that re-derives it exactly; a ratio has two certified sides and named premises."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, Protocol

from schedproof.core.errors import ProgramError, SchedproofError
from schedproof.core.numbers import as_text

Answer = Literal["yes", "no", "cannot tell"]


class Certificate(Protocol):
    """Multipliers that prove a bound."""

    def value(self, instance: Any) -> Fraction:
        """The bound they prove on this instance, exactly; raises ValueError when they prove nothing."""

    def to_json(self) -> dict[str, Any]:
        """The multipliers, for storage."""


@dataclass(frozen=True)
class Bound:
    """A certified bound on a program's optimum.

    Attributes
    ----------
    kind
        ``lower`` or ``upper``.
    exact
        The bound, a rational.
    witness
        The certificate that proves it.
    details
        How it was computed: columns, seconds, the floating-point optimum it came from.
    among
        Which solutions it speaks about, where that is not all of them: ``schedules that ...``.
    """

    program: str
    family: str
    kind: Literal["lower", "upper"]
    exact: Fraction
    witness: Certificate = field(repr=False)
    details: dict[str, Any] = field(default_factory=dict)
    among: str = ""

    @property
    def value(self) -> float:
        """The bound as a double."""
        return float(self.exact)

    def verify(self, instance: Any) -> bool:
        """Whether the witness proves this very number on the instance."""
        try:
            return self.witness.value(instance) == self.exact
        except ValueError:
            return False

    def to_json(self) -> dict[str, Any]:
        """The result object of ``bound --json``."""
        return {
            "kind": self.kind,
            "program": self.program,
            "value": self.value,
            "exact": as_text(self.exact),
            "witness": self.witness.to_json(),
            "details": self.details,
        } | ({"among": self.among} if self.among else {})


@dataclass(frozen=True)
class Guarantee:
    """What a theorem promises of a run, and under which premises.

    Attributes
    ----------
    value
        The promised competitive ratio; None where the theorem promises none (no speed augmentation, say).
    source
        The claim's id.
    premises
        Premise -> yes / no / cannot tell, each evaluated on the instance.
    """

    value: Fraction | None
    source: str
    premises: dict[str, Answer]


@dataclass(frozen=True)
class Ratio:
    """The measured ratio of a run to a certified bound, beside what is guaranteed and why.

    Attributes
    ----------
    exact
        objective / bound for minimization, bound / objective for maximization: never below the true ratio.
    guarantee
        The theorem's value when every premise is ``yes``; None otherwise.
    """

    run: Any = field(repr=False)
    bound: Bound = field(repr=False)
    exact: Fraction
    promised: Guarantee

    @property
    def value(self) -> float:
        """The measured ratio as a double."""
        return float(self.exact)

    @property
    def premises(self) -> dict[str, Answer]:
        """Each premise of the guarantee, evaluated on the instance."""
        return self.promised.premises

    @property
    def guarantee(self) -> Fraction | None:
        """The guaranteed value, quoted only when every premise is met."""
        met = all(answer == "yes" for answer in self.premises.values())
        return self.promised.value if met else None

    @property
    def sentence(self) -> str:
        """What the ratio says, in words, with its two sides."""
        objective, bound = f"{float(self.run.objective):.10g}", f"{self.bound.value:.10g}"
        optimum = f"the optimum among {self.bound.among}" if self.bound.among else "the optimum"
        if self.bound.kind == "lower":
            return f"at most {self.value:.6f} times {optimum} ({objective} / {bound})"
        return f"{optimum} is at most {self.value:.6f} times as much ({bound} / {objective})"

    def to_json(self) -> dict[str, Any]:
        """The result object of ``ratio --json``."""
        return {
            "value": self.value,
            "exact": as_text(self.exact),
            "guarantee": None if self.guarantee is None else as_text(self.guarantee),
            "theorem": self.promised.source,
            "premises": self.premises,
            "objective": as_text(self.run.objective),
            "bound": as_text(self.bound.exact),
        }

    def plot(self, ax: Any = None) -> Any:
        """The measured ratio as a bar, the optimum's 1 and the guaranteed value as lines."""
        from schedproof.core.pictures import draw_ratio

        return draw_ratio(self, ax)


def ratio(run: Any, bound: Bound) -> Ratio:
    """The ratio of a run to a bound on the same instance.

    Raises
    ------
    ProgramError
        When they belong to different families, or the bound is on the wrong side or not positive.
    """
    if run.family != bound.family:
        raise ProgramError(f"a {run.family} run has no ratio to a {bound.family} bound")
    if not run.feasible:
        raise Infeasible(run)
    side = "lower" if run.sense == "minimize" else "upper"
    if bound.kind != side:
        raise ProgramError(
            f"a ratio for a {run.sense} objective needs a {side} bound, {bound.program} gives a {bound.kind} one"
        )
    top, bottom = (run.objective, bound.exact) if side == "lower" else (bound.exact, run.objective)
    if bottom <= 0:
        raise ProgramError(f"the ratio is undefined: {'the bound' if side == 'lower' else 'the objective'} is {bottom}")
    return Ratio(run, bound, Fraction(top) / Fraction(bottom), run.guarantee)


class Infeasible(SchedproofError):
    """A ratio was asked of a schedule that the checker rejects."""

    exit_code = 1

    def __init__(self, run: Any) -> None:
        first = run.violations[0]
        super().__init__(f"{run.policy}: no ratio is quoted, the schedule is not feasible (first: {first})")
