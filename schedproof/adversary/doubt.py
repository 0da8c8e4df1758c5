"""Score how near a case is to contradicting a claim, and search for nearer ones.

The search uses neither the stored witnesses nor the stored cases of a claim. It has two kinds of pieces. Hypothesis
draws cases from the claim's domain, steered towards the smallest distance to a violation. Chains move from instance to
instance, starting at a preset's draws; the other fields of a case come from the domain.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, NamedTuple

from hypothesis import Phase, find, settings, target
from hypothesis.database import ExampleDatabase, InMemoryExampleDatabase
from hypothesis.errors import NoSuchExample, Unsatisfiable

from schedproof.adversary.objective import Score
from schedproof.adversary.search import Chain, State, keep
from schedproof.adversary.space import Documents, of_preset
from schedproof.core.cards import registry
from schedproof.core.claims import cases
from schedproof.core.claims.answer import Open, Outside
from schedproof.core.claims.claim import Claim, Finding
from schedproof.core.errors import SchedproofError, describe
from schedproof.proofs_checks.ratio_claims import RatioAtMost
from schedproof.proofs_checks.trials import QUIET, by_the_seed_alone, draw

REFUTED = Fraction(1)  # a case contradicts its claim if and only if its score is at least this
FIRST, DOUBLED = 50, 3  # cases of the first pieces, and number of doublings
SMALL = 3  # largest number of items of one kind in the first instances
FOLLOWED = 6  # different values of a case's other fields
WAYS = ("domain", "presets")
PHASES = (Phase.reuse, Phase.generate, Phase.target)
Rest = tuple[tuple[str, Any], ...]  # the fields of a case other than its instance, by name


class Doubted(NamedTuple):
    """The score of a case; at least `REFUTED` if the case contradicts its claim."""

    score: Score


def doubt(claim: Claim[Any], case: Any) -> Fraction:
    """Return how near a case is to a violation: at least 1 if it violates the claim.

    The score is 1 plus the relative size of the violation, or minus the relative distance to one.

    Raises
    ------
    SchedproofError
        If no check compares anything on this case.
    """
    try:
        answers = claim.answers(case)
    except SchedproofError:
        raise
    except Exception as error:  # a check, perhaps a plug-in's, failed on an unforeseen case: count and report it
        raise SchedproofError(f"a check stopped with {describe(error)}") from error
    result = [answer for answer in answers if isinstance(answer, Finding)]
    if not result:
        reasons = dict.fromkeys(_reason(answer) for answer in answers if not isinstance(answer, Finding))
        raise SchedproofError(f"no check compared the two sides of the claim: {'; '.join(reasons)}")
    return max(map(distance, result))


def _reason(answer: Outside | Open) -> str:
    return answer.reason if isinstance(answer, Open) else f"the case violates the premise '{answer.premise.sentence}'"


def distance(finding: Finding) -> Fraction:
    """Return the score of one comparison, as in `doubt`."""
    scale = abs(Fraction(finding.measured)) + abs(Fraction(finding.claimed))
    part = Fraction(finding.excess) / scale if scale else Fraction(0)
    return REFUTED + part if finding.violated else part


@dataclass(frozen=True)
class Doubt:
    """The goal of a search for a case that contradicts a claim.

    Attributes
    ----------
    rest
        The fields of the cases other than the instance, by name.
    measure
        Function of a claim and a case that returns the score to be maximised, or raises SchedproofError.
    enough
        The score at which a search may end.
    """

    claim: Claim[Any]
    rest: Rest = ()
    measure: Callable[[Claim[Any], Any], Fraction] = doubt
    enough: Score = REFUTED

    def case(self, instance: Any) -> Any:
        return self.claim.domain.case(instance=instance, **dict(self.rest))

    def judge(self, instance: Any) -> Doubted:
        return Doubted(self.measure(self.claim, self.case(instance)))

    @classmethod
    def beside(cls, claim: Claim[Any], case: Any) -> Doubt | None:
        """Return the goal whose cases differ from `case` only in the instance.

        The result is None if the other fields may depend on the instance.
        """
        rest = [(one.name, getattr(case, one.name)) for one in fields(case) if one.name != "instance"]
        usual = {one.name: one.default for one in fields(case)}
        kept = [(name, value) for name, value in rest if value is not usual[name]]
        free = _of_instances(claim) and all(isinstance(value, int | Fraction) for _, value in kept)
        return cls(claim, tuple(kept)) if free else None


def _of_instances(claim: Claim[Any]) -> bool:
    every = fields(claim.domain.case)
    return [one.name for one in every if one.default is MISSING and one.default_factory is MISSING] == ["instance"]


def instances_of(claim: Claim[Any]) -> str:
    """Return the family of a claim's instances; for a ratio claim, the program's."""
    programs = [reading.check.program for reading in claim.readings if isinstance(reading.check, RatioAtMost)]
    return programs[0].family if programs else claim.family


def ways(claim: Claim[Any]) -> tuple[str, ...]:
    """Return the possible attacks on a claim.

    ``presets`` needs a family with a generator and a claim whose cases are instances.
    """
    return WAYS if _of_instances(claim) and instances_of(claim) in registry.entries("generator") else WAYS[:1]


def usual_preset(claim: Claim[Any], name: str | None = None) -> str:
    entry = registry.entries("generator").get(instances_of(claim))
    known = entry.presets if entry else ()
    return name or ("tiny" if "tiny" in known else next(iter(known), ""))


@dataclass(frozen=True)
class Draws:
    """Cases that Hypothesis draws from a claim's domain, towards a goal.

    Attributes
    ----------
    number
        Number of this piece within the attack.
    count
        Largest number of cases.
    look_up
        Called at every case; an exception from it ends the draws.
    """

    goal: Doubt
    seed: int
    number: int
    count: int
    look_up: Callable[[], None]
    found: ExampleDatabase = field(default_factory=InMemoryExampleDatabase, repr=False, compare=False)
    way = "domain"

    @property
    def name(self) -> str:
        return f"draws {self.number}, {self.count} cases"

    def advance(self, state: State, seconds: float) -> State:
        """Draw all cases, or until one reaches the goal; this cannot be resumed midway."""
        state = State()

        def look(case: Any) -> bool:
            self.look_up()
            state.steps += not state.done
            try:
                score = self.goal.measure(self.goal.claim, case)
            except SchedproofError as error:
                state.unjudged[str(error)] = state.unjudged.get(str(error), 0) + 1
                return False
            target(float(score))
            keep(state, cases.to_json(case), score)
            state.done = state.done or score >= self.goal.enough
            return score >= self.goal.enough

        self._find(look, PHASES)
        state.done = True
        return state

    def shrink(self, smaller: Callable[[Any], None]) -> None:
        least: list[int] = []

        def look(case: Any) -> bool:
            self.look_up()
            try:
                enough = self.goal.measure(self.goal.claim, case) >= self.goal.enough
            except SchedproofError:
                return False
            size = cases.size(case)
            if enough and (not least or size <= least[0]):  # among cases of equal size the later one is simpler
                least[:] = [size]
                smaller(case)
            return enough

        self._find(look, (*PHASES, Phase.shrink))

    def _find(self, look: Callable[[Any], bool], phases: Sequence[Phase]) -> None:
        rule = settings(**QUIET | {"database": self.found, "max_examples": self.count, "phases": phases})
        rng = random.Random(10**6 * self.seed + self.number)
        try:
            with by_the_seed_alone():
                find(self.goal.claim.domain.strategy, look, settings=rule, random=rng, database_key=b"enough")
        except (NoSuchExample, Unsatisfiable):
            pass


@dataclass(frozen=True)
class Moves(Chain):
    """A chain of moves that starts from a preset's draws."""

    objective: Doubt
    way = "presets"


def pieces(
    goal: Doubt, by: Sequence[str], preset: str, count: int, seed: int, look_up: Callable[[], None]
) -> Iterator[Draws | Moves]:
    """Yield the pieces of an attack on `count` cases in total, alternating over `by`."""
    claim = goal.claim
    spaces = _spaces(of_preset(instances_of(claim), preset, {}, seed)) if "presets" in by else []
    goals = [replace(goal, rest=rest) for rest in _rests(claim, seed)] if spaces else []
    number, remaining = 0, count
    while remaining > 0 and by:
        for way in by:
            turn = number // len(spaces) if way == "presets" else number
            size = min(remaining, FIRST << min(turn, DOUBLED))
            if size and way == "domain":
                yield Draws(goal, seed, number, size, look_up)
            elif size:
                space = spaces[number % len(spaces)]
                aim = goals[turn % len(goals)]
                yield Moves(space.wider() if turn % 2 else space, aim, seed, number, 1, size)
            remaining -= size
        number += 1


def _spaces(whole: Documents) -> list[Documents]:
    return [*(whole.limit(most) for most in range(1, min(SMALL, whole.largest - 1) + 1)), whole]


def _rests(claim: Claim[Any], seed: int) -> list[Rest]:
    names = [one.name for one in fields(claim.domain.case) if one.name != "instance"]
    result: dict[Rest, None] = {}

    def visit(case: Any) -> None:
        numbers = [(name, getattr(case, name)) for name in names if isinstance(getattr(case, name), int | Fraction)]
        result.setdefault(tuple(numbers))

    if names:
        draw(claim.domain.strategy, 30, seed, visit)
    return list(result)[:FOLLOWED] or [()]
