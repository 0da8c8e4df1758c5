"""Ratio claims: `ratio(policy, program) <= 2` is a check.

`ratio_claim` turns a check into a claim. A run satisfies the check if its ratio to a certified bound on the program's
optimum does. A run violates the check only if its ratio to a proven optimum, or to the objective of a schedule that
the checker accepts, exceeds the factor. Otherwise the case is inconclusive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedproof.core.base.untyped import AnyFamily, Value
from schedproof.core.cards import registry
from schedproof.core.cards.sources import Paper, Source
from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.bounds import bound
from schedproof.core.claims.answer import Answer, Finding, Open, Premise
from schedproof.core.claims.claim import Claim, Severity
from schedproof.core.claims.domain import Domain
from schedproof.core.data.options import number, read
from schedproof.core.errors import NoSolution, ProgramError, SchedproofError
from schedproof.core.programs import named
from schedproof.core.programs.program import Program
from schedproof.core.results.run import Policy, Run
from schedproof.core.results.run import policy as choose
from schedproof.core.simulation.instance import Instance
from schedproof.core.solvers.solution import Solution
from schedproof.instances import from_json

OWN = Paper("unpublished", (), "Your own claims", "unpublished", 0)
Met = Callable[[Any], bool]


@dataclass(frozen=True)
class OfInstance:
    instance: Instance


@dataclass(frozen=True)
class PolicyRatio:
    """A policy's cost over a program's optimum; for utilities, optimum over utility."""

    policy: Policy
    program: Program

    def __le__(self, factor: Value) -> RatioAtMost:
        return RatioAtMost(self.policy, self.program, read("factor", number(), factor))


@dataclass(frozen=True)
class RatioAtMost:
    """The check that a policy's ratio to a program is at most a factor.

    A case of the check has an ``instance``.
    """

    policy: Policy
    program: Program
    factor: Fraction

    @property
    def sentence(self) -> str:
        if self.program.sense == "minimize":
            return f"{self.policy.name} costs at most {self.factor} times the optimum of {self.program.title}."
        return f"The optimum of {self.program.title} is at most {self.factor} times what {self.policy.name} earns."

    def __call__(self, case: AnyFamily, factor: Fraction | None = None) -> Answer:
        """Compare a run with the program's bound, or with an attained objective."""
        run, limit = self.policy.run(case.instance), factor or self.factor
        if run.violations:
            why = f"the schedule of {run.policy} is not feasible: {run.violations[0]}"
            return Open(why, len(run.violations), 1)
        if self.program.groups:
            safe = self._finding(run, _bound(self.program, case.instance).exact, limit, "the certified bound")
            if not safe.violated:
                return safe
        solution = self.program.solve(case.instance)
        if solution.proven and solution.exact is not None:
            return self._finding(run, solution.exact, limit, "the optimum")
        attained = _attained(self.program, solution, case.instance)
        finding = None if attained is None else self._finding(run, attained, limit, "what the program attains")
        if finding is not None and finding.violated:
            return finding
        near = (
            f"the ratio of {run.policy} is near {limit}, but the optimum of {self.program.title} is not known exactly"
        )
        if attained is None:
            has = self.program.to_schedule is not None
            near += "; its to_schedule returned no feasible schedule" if has else "; the program has no to_schedule"
            near += ", so there is no schedule to compare with"
        return Open(near, reached=1, limit=1)  # after one solution of the program

    def _finding(self, run: Run, optimum: Fraction, factor: Fraction, what: str) -> Finding:
        cost, least = run.objective, optimum
        if self.program.sense == "maximize":
            cost, least = least, cost
        return Finding(cost, factor * least, "at most", f"the ratio to {what}", relative=True, per=least)


def ratio(policy: str | Policy | AnyFamily, program: str | Program, **options: Value) -> PolicyRatio:
    """The ratio of a policy to a program's optimum; ``<=`` with a factor is a check.

    Parameters
    ----------
    policy
        A policy's name, or a policy that ``sp.policy`` returns or takes.
    program
        A program's id with ``options``, or any program, for example a relaxation or a program with groups dropped and
        added.

    Examples
    --------
    >>> import schedproof as sp
    >>> check = sp.ratio("srtf", "preemptive.lp4") <= 3
    """
    player = policy if isinstance(policy, Policy) else choose(policy)
    return PolicyRatio(player, program if isinstance(program, Program) else named.program(program, **options))


def ratio_claim(
    id: str,
    statement: RatioAtMost,
    *,
    source: Source | None = None,
    proof: str | None = None,
    severity: Severity = "false theorem",
    premises: Mapping[str, Met] | None = None,
    reach: Mapping[str, Met] | None = None,
    too_small: Value = 1,
    preset: str = "tiny",
    strategy: AnyFamily = None,
) -> Claim[OfInstance]:
    """The claim that a policy keeps a ratio on all instances that meet the premises.

    Parameters
    ----------
    id
        ``family.name``. The family is the program's family, or any word for a claim outside the package.
    premises
        Sentence -> predicate of an instance. An instance that violates a premise neither supports nor refutes the
        claim.
    reach
        Regimes that the drawn instances must reach: name -> predicate. By default ``several``: the first list of the
        instance has several entries.
    too_small
        A factor that the policy does not keep: the draws must refute the claim with this factor.
    preset
        Preset of the family's generator, from which instances are drawn.
    strategy
        A Hypothesis strategy that draws the instances in place of the generator.

    Raises
    ------
    SchedproofError
        If the family has no generator and no strategy is given.

    Examples
    --------
    >>> import schedproof as sp
    >>> claim = sp.ratio_claim("notes.srtf", sp.ratio("srtf", "preemptive.lp4") <= 1)
    >>> found = sp.refute(claim, cases=20)  # 20 draws find a counterexample, or none
    """
    from hypothesis import strategies as st

    drawn = strategy if strategy is not None else _draws(statement.program.family, preset)
    domain = Domain.of(
        OfInstance,
        st.builds(OfInstance, drawn),
        {name: _of_case(reached) for name, reached in (reach or {"several": _several}).items()},
        premises=tuple(Premise(sentence, _of_case(met)) for sentence, met in (premises or {}).items()),
    )
    claim = Claim(id, source or OWN.at(id), statement.sentence, domain, severity)
    claim.reading("as stated", statement.sentence, proof)(statement)
    claim.false_variant("a smaller factor", factor=read("too_small", number(), too_small))(statement)
    return claim


def _several(instance: Instance) -> bool:
    return instance.extent[0] > 1


def _of_case(met: Met) -> Met:
    def of_case(case: OfInstance) -> bool:
        return met(case.instance)

    return of_case


def _draws(family: str, preset: str) -> AnyFamily:
    from hypothesis import strategies as st

    try:
        registry.find("generator", family)
    except SchedproofError:
        raise SchedproofError(f"the family {family} has no generator: pass a strategy that draws instances") from None
    return st.builds(lambda seed: from_json(registry.generate(family, preset, seed, {})), st.integers(0, 10**6))


def _bound(program: Program, instance: Instance) -> Bound:
    usual = not program.changes and not program.parameters and program.id in registry.entries("bound")
    return bound(program.id if usual else program, instance)


def _attained(program: Program, solution: Solution, instance: Instance) -> Fraction | None:
    try:
        schedule = solution.schedule()
    except (NoSolution, ProgramError):
        return None
    rules = instance.card.rules_among(program.parameters)
    return None if schedule.violations(instance, **rules) else Fraction(schedule.objective(instance, **rules))
