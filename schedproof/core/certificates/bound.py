"""Bounds with exact certificates, and guarantees with named premises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from time import perf_counter
from typing import Literal, Protocol, Self

from schedproof.core.base.display import Tabled
from schedproof.core.base.numbers import as_float, as_text
from schedproof.core.base.untyped import AnyFamily, Json, Value
from schedproof.core.cards import registry
from schedproof.core.cards.family import BoundEntry
from schedproof.core.errors import ProgramError, SchedproofError

Answer = Literal["yes", "no", "undetermined"]


class Certificate(Protocol):
    """Multipliers chosen by a prover; they prove a bound for its parameters."""

    @property
    def value(self) -> Callable[..., Fraction]:
        """``value(instance, **parameters)``: the exact bound; ValueError if invalid."""

    def to_json(self) -> dict[str, Json]:
        """Return the multipliers for storage."""

    @classmethod
    def from_json(cls, row: Json, instance: AnyFamily) -> Self:
        """Read multipliers written by `to_json`; raise an InputError for other data."""


class Unproven(SchedproofError):
    """A certificate does not prove its bound."""

    exit_code = 1


@dataclass(frozen=True, repr=False)
class Bound(Tabled):
    """A certified bound on a program's optimum.

    Attributes
    ----------
    kind
        ``lower`` or ``upper``.
    parameters
        Typed values of the ``parameters`` of its `schedproof.core.cards.family.BoundEntry`, which define the problem.
    instance_sha256
        SHA-256 of its instance.
    exact
        The bound as a rational.
    witness
        The certificate.
    details
        Details of its computation: columns, seconds, the floating-point optimum.
    among
        Restriction of the solutions that the bound covers, ``schedules that ...``; empty for all solutions.
    """

    program: str
    kind: Literal["lower", "upper"]
    parameters: Mapping[str, Value]
    instance_sha256: str
    exact: Fraction
    witness: Certificate = field(repr=False)
    details: dict[str, Json] = field(default_factory=dict)
    among: str = ""

    @property
    def family(self) -> str:
        return self.program.partition(".")[0]

    @property
    def value(self) -> float:
        return float(self.exact)

    @property
    def statement(self) -> str:
        """The proven statement without the number."""
        of = f"the optimum among {self.among}" if self.among else "the optimum"
        entry = registry.entries("bound").get(self.program)
        program = entry.program_of(self.program) if isinstance(entry, BoundEntry) else self.program
        asked = "".join(f", {name}={value}" for name, value in self.parameters.items())
        return f"{self.kind} bound on {of} of {program}{asked}, instance {self.instance_sha256[:12]}"

    def facts(self) -> dict[str, Value]:
        return {
            "program": self.program,
            f"{self.kind} bound": registry.family(self.family).own.measure.amount(self.exact, self.kind),
            "parameters": self.parameters,
            "among": self.among,
            "instance": self.instance_sha256[:12],
            "details": self.details,
        }

    def check(self, instance: AnyFamily) -> None:
        """Recompute the bound from the instance and the certificate.

        Raises
        ------
        Unproven
            The message states the first difference.
        """
        entry = registry.bound_entry(self.program)
        if instance.family != self.family or instance.sha256 != self.instance_sha256:
            raise Unproven(f"the bound {self.program} is for another instance (SHA-256 {self.instance_sha256[:12]}...)")
        for name, result, expected in (("kind", self.kind, entry.kind), ("among", self.among, entry.among)):
            if result != expected:
                raise Unproven(f"{self.program} proves a bound with {name}='{expected}', not '{result}'")
        parameters = entry.statement(self.parameters)
        if missing := parameters.keys() - self.parameters.keys():
            raise Unproven(f"the bound {self.program} lacks its parameter {', '.join(sorted(missing))}")
        expected = registry.load(entry.certificate)
        if type(self.witness) is not expected:
            raise Unproven(
                f"expected a {expected.__name__} as certificate of {self.program}, found {type(self.witness).__name__}"
            )
        try:
            proven = self.witness.value(instance, **parameters)
        except ValueError as error:
            raise Unproven(f"the certificate of {self.program} proves no bound: {error}") from None
        if proven != self.exact:
            raise Unproven(f"the certificate of {self.program} proves {as_float(proven):.17g}, not {self.value:.17g}")

    def require_about(self, run: AnyFamily) -> None:
        """Raise an error for a run checked under rules for which the bound does not hold.

        Raises
        ------
        ProgramError
            The message names the rule.
        """
        if needs := self.other_rule(run.rules):
            raise ProgramError(f"a ratio of this {run.policy} run {needs}")

    def other_rule(self, rules: Mapping[str, Value]) -> str:
        """Return why a run under these rules needs another bound; empty if it does not."""
        entry = registry.bound_entry(self.program)
        for name, (mine, usual) in self._rules.items():
            theirs = rules.get(name, usual)
            expected = {"any": mine, "beyond": usual}.get(entry.rules.get(name, ""), theirs)
            if mine != expected:
                return f"needs a bound with {name}={expected}, but {self.program} has {name}={mine}"
        return ""

    def covers(self, rules: Mapping[str, Value]) -> bool:
        """Whether no schedule under these rules can be better than the bound."""
        entry = registry.bound_entry(self.program)
        held = (
            entry.rules.get(name) == "any" or rules.get(name, usual) == mine
            for name, (mine, usual) in self._rules.items()
        )
        return not entry.beatable and all(held)

    def is_beaten_by(self, objective: Fraction) -> bool:
        """Whether an objective is better than the bound."""
        return objective < self.exact if self.kind == "lower" else objective > self.exact

    @property
    def _rules(self) -> dict[str, tuple[Value, Value]]:
        usual = registry.family(self.family).rules_with({})
        return {name: (self.parameters.get(name, value), value) for name, value in usual.items()}

    def parts(self, schedule: AnyFamily, instance: AnyFamily, objective: Fraction) -> Iterable[AnyFamily]:
        """Return the parts of a schedule's gap, from ``gap`` on the family's card.

        Raises
        ------
        SchedproofError
            If the family has no breakdown, or its breakdown does not support the bound's certificate or the schedule.
        """
        card = registry.family(self.family)
        if not card.own.gap:
            raise SchedproofError(f"the family {self.family} has no gap breakdown, only ratios")
        result: Iterable[AnyFamily] = card.load("gap")(schedule, instance, self)
        return result

    def verify(self, instance: AnyFamily) -> bool:
        """Whether the certificate proves exactly this bound on the instance."""
        try:
            self.check(instance)
        except SchedproofError:
            return False
        return True

    def to_json(self) -> dict[str, Json]:
        """Return the result object of ``bound --json``."""
        return {
            "kind": self.kind,
            "program": self.program,
            "parameters": parameter_texts(self.parameters),
            "instance_sha256": self.instance_sha256,
            "value": self.value,
            "exact": as_text(self.exact),
            "witness": self.witness.to_json(),
            "details": self.details,
        } | ({"among": self.among} if self.among else {})

    def to_file(self) -> dict[str, Json]:
        """Return the JSON object of the certificate file."""
        return {
            "version": 1,
            "program": self.program,
            "kind": self.kind,
            "among": self.among,
            "parameters": parameter_texts(self.parameters),
            "instance_sha256": self.instance_sha256,
            "value": as_text(self.exact),
            "multipliers": self.witness.to_json(),
        }


def parameter_texts(parameters: Mapping[str, Value]) -> dict[str, str]:
    """Return parameters as texts for results."""
    return {name: str(value) for name, value in parameters.items()}


def bound_of(
    program: str,
    certificate: Certificate,
    instance: AnyFamily,
    details: Mapping[str, Json],
    *,
    started: float,
    **parameters: Value,
) -> Bound:
    """Return the bound that a certificate proves, with times to find and check it.

    Parameters
    ----------
    started
        Start of the computation on `time.perf_counter`.
    parameters
        All parameters that the card lists for the bound.
    """
    result, entry = perf_counter(), registry.bound_entry(program)
    exact = certificate.value(instance, **parameters)
    seconds = {"seconds": round(result - started, 3), "certify_seconds": round(perf_counter() - result, 3)}
    all_details = {**details, **seconds}
    return Bound(program, entry.kind, parameters, instance.sha256, exact, certificate, all_details, entry.among)


@dataclass(frozen=True)
class Guarantee:
    """A theorem's guarantee for a run, with its premises.

    Attributes
    ----------
    value
        The guaranteed competitive ratio, or None, for example without speed augmentation.
    source
        The claim's id, or the name of an author.
    premises
        Premise -> yes / no / undetermined on the instance.
    """

    value: Fraction | None
    source: str
    premises: dict[str, Answer]


UNPROVEN = Guarantee(None, "none", {})  # for a policy without a theorem
