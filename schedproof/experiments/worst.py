"""Search for a policy's worst instance, on an engine and with a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from schedproof.adversary.attacks import attacks
from schedproof.adversary.documents import Document, read
from schedproof.adversary.objective import from_words, objective
from schedproof.adversary.search import Piece, State, exhaustive, pieces
from schedproof.adversary.shrink import Shrinking
from schedproof.adversary.space import Documents, of_free, of_preset
from schedproof.adversary.worst import Step, Worst
from schedproof.core.base.untyped import AnyFamily, Value
from schedproof.core.cards import registry
from schedproof.core.claims import claims
from schedproof.core.data.options import number, whole
from schedproof.core.data.options import read as read_option
from schedproof.core.data.store import Store
from schedproof.core.errors import InputError, NoSolution, require_family
from schedproof.core.results.run import Policy
from schedproof.core.results.run import policy as choose
from schedproof.core.runtime.context import Context, Progress, silent
from schedproof.core.simulation.coerce import as_instance
from schedproof.core.simulation.instance import Instance
from schedproof.experiments.engines import Place
from schedproof.experiments.pieces import Work
from schedproof.instances import from_json

CASES = 60  # number of drawn cases of a claim from which a search starts
SEARCHES = "searches for worst instances"  # the kind of store for these cells


@dataclass(frozen=True)
class Space:
    """The space of instances of a search for the worst instance.

    Attributes
    ----------
    instance
        An instance, or its file, in which some numbers are free.
    free
        Free numbers, like ``jobs[*].arrival=0..20``, of the instance or of a draw. If the space has at most ``chains``
        times ``steps`` instances, all are evaluated.
    preset
        Preset of the generator whose draws give the numbers and sizes, if no instance is given.
    settings
        Settings of the generator.
    witnesses
        Whether to start also from the instances of the family's stored witnesses, and to allow their values.
    cases_of
        A claim. The search starts also from the instances of cases that Hypothesis draws for the claim, and allows
        their values.
    within
        Possible values of numbers, like ``jobs[*].chunks=1..2``, in place of the values in draws.
    only
        The instances to consider: ``all``; ``finite``: instances with a finite ratio; ``guaranteed``: instances on
        which every premise of the policy's guarantee holds. With ``guaranteed`` the search maximises ratio over
        guarantee.
    """

    instance: Instance | str | Path | None = None
    free: Sequence[str] = ()
    preset: str = "tiny"
    settings: Mapping[str, Value] | None = None
    witnesses: bool = False
    cases_of: str | None = None
    within: Sequence[str] = ()
    only: str = "all"

    def documents(self, family: str, base: Instance | None, seed: int) -> Documents:
        """Return the space of documents; ``base`` is the given instance or None."""
        texts = {name: str(value) for name, value in (self.settings or {}).items()}
        if base is None and not self.free:
            more = {"stored witnesses": witness_instances(family)} if self.witnesses else {}
            if self.cases_of:
                more |= {f"cases of {self.cases_of}": claim_instances(self.cases_of, family, seed)}
            return of_preset(family, self.preset, texts, seed, more, self.within)
        if self.within or self.cases_of:
            raise InputError("--within and --cases-of cannot be combined with an instance or --free")
        given = base.to_json() if base else registry.generate(family, self.preset, seed, texts)
        return of_free(given, self.free)


@dataclass(frozen=True)
class Engine:
    """Length, workers and store of a search.

    The seed determines the search on any engine. The same search with the same store resumes.

    Attributes
    ----------
    chains
        Number of searches.
    steps
        Instances that each search evaluates. Then the worst instance is shrunk, with at most twice as many evaluations
        as all searches together.
    keep
        The share of the ratio that a smaller instance must keep while the instance is shrunk.
    seed
        Seed of the search and of a randomised policy.
    store, engine, jobs, scheduler, slurm
        As in `schedproof.sweep`, but by default one search at a time in this process.
    time_limit
        Seconds. The answer is the best result within the limit; the same call with the same store resumes. Each run of
        a policy from outside this package must end within the limit.
    """

    chains: int = 4
    steps: int = 250
    keep: Value = 1
    seed: int = 0
    store: str | Path | None = None
    engine: str = "joblib"
    jobs: int | None = 1
    scheduler: str | None = None
    slurm: Mapping[str, str] | None = None
    time_limit: float | None = None

    @property
    def share(self) -> Fraction:
        share: Fraction = read_option("keep", number(), self.keep)
        if share > 1:
            raise InputError("expected a share of the ratio: above 0 and at most 1", path="keep", value=str(self.keep))
        return share

    @property
    def counts(self) -> tuple[int, int]:
        return read_option("chains", whole(), self.chains), read_option("steps", whole(), self.steps)

    @property
    def place(self) -> Place:
        folder = Path(f"{self.store or 'worst'}.slurm").resolve()
        jobs = None if self.jobs is None else read_option("jobs", whole(), self.jobs)
        place = Place(jobs, self.scheduler, self.slurm, folder)
        place.require_used(self.engine, self.time_limit)
        return place


def worst(
    policy: str | Policy | AnyFamily,
    against: str,
    space: Space = Space(),
    engine: Engine = Engine(),
    *,
    options: Mapping[str, Value] | None = None,
    against_options: Mapping[str, Value] | None = None,
    progress: Progress = silent,
) -> Worst:
    """Search for a policy's worst instance, and shrink the instance.

    The seed determines the search on any engine. The same call with the same store resumes.

    Parameters
    ----------
    policy
        A policy's name with ``options``, or any policy that ``sp.policy`` takes or returns.
    against
        A bound: the result is the certified ratio, an upper bound on the true ratio. Or a program with schedules: the
        result is the ratio to its schedule, a lower bound on the true ratio. Or ``optimum``, which a family declares.
        Or ``family.regret``.
    space
        The space of instances.
    engine
        The length of the search, and the processors.
    options
        Options of the policy.
    against_options
        Options of the bound, of the program or of the regret.
    progress
        Called with the number of evaluated instances.

    Raises
    ------
    InputError
        For an unknown name, number or setting.
    NoSolution
        If no evaluated instance of the space has a ratio.
    PolicyTimeout
        If no instance has a ratio before a run of the policy exceeds the time limit.

    Examples
    --------
    >>> import schedproof as sp
    >>> day = sp.generate("preemptive", seed=2)
    >>> found = sp.worst("srtf", "preemptive.lp4", sp.Space(day, free=["jobs[*].arrival=0..2"]))
    >>> found.complete, found.looked_at[0], found.exact >= sp.policy("srtf").run(day).ratio(found.bound).exact
    (True, 27, True)
    """
    player, base = choose(policy, **(options or {})), as_instance(space.instance)
    family = _family(player, against, base)
    if base is not None:
        require_family(f"{family}.{player.name}", base)
    goal = objective(player, family, against, against_options, engine.seed, space.only)
    goal = replace(goal, time_limit=engine.time_limit)
    documents = space.documents(family, base, engine.seed)
    share, (chains, steps), place = engine.share, engine.counts, engine.place
    with Store(SEARCHES, engine.store, State.from_row) as finished:
        context = Context(engine.seed, progress, engine.time_limit)
        work = Work(goal, documents, engine.seed, finished, engine.engine, place, context)
        limit = chains * steps
        parts = pieces(documents, goal, engine.seed, chains, steps)
        return _result(work, attacks(documents, goal, limit), parts, share, 2 * limit)


def _family(policy: Policy, against: str, instance: Instance | None) -> str:
    if instance is not None:
        return instance.family
    for name in (against, policy.name):
        if (family := name.partition(".")[0]) in registry.families():
            return family
    return registry.find("policy", policy.name)[0].partition(".")[0]


def witness_instances(family: str) -> list[Document]:
    return _of(witness.case for filed in claims.of_family(family).values() for witness in filed.witnesses())


def claim_instances(claim: str, family: str, seed: int = 0) -> list[Document]:
    """Return the instances of a claim's stored cases and of `CASES` drawn cases.

    Raises
    ------
    InputError
        If the claim's cases have no instances of the family.
    """
    from schedproof.proofs_checks.trials import draw

    filed = claims.find(claim, family)
    cases = list(filed.cases())
    draw(filed.claim.domain.strategy, CASES, seed, cases.append)
    result = _of(cases)
    if not result or result[0]["family"] != family:
        raise InputError(
            f"expected a claim about {family} instances, but the cases of {filed.claim.id} have no instance"
        )
    return result


def _of(cases: Iterable[AnyFamily]) -> list[Document]:
    result = [case.instance for case in cases if isinstance(getattr(case, "instance", None), Instance)]
    return [instance.to_json() for instance in {one.sha256: one for one in result}.values()]


def _result(work: Work, first: Sequence[Piece], parts: Sequence[Piece], share: Fraction, most: int) -> Worst:
    states = work.complete(first)
    if any(state.settled for state in states):
        parts = first
    else:
        result = any(state.best for state in states)
        parts, states = [*first, *parts], [*states, *work.complete(parts, result)]
    every = [state for state in states if state.score is not None]
    if not every:
        why = "".join(f"; {words}" for words in dict.fromkeys(words for state in states for words in state.unjudged))
        raise NoSolution(f"no instance among {work.space.sentence} has a ratio{why[:300]}")
    best = max(every, key=lambda state: state.score or 0)  # the first of several worst instances
    assert best.best is not None and best.score is not None
    done, last = all(state.done for state in states), best
    if shrunk := done and work.space.size is None:
        many = {
            state.best: state for state in (every if share == 1 else [best])
        }  # the share of the ratio to keep refers to a single score
        numbers = work.space.limits, work.space.numbers if share == 1 else {}
        rest = [
            Shrinking(work.objective, read(str(one.best)), one.score or 0, share, most // len(many), *numbers)
            for one in sorted(many.values(), key=lambda state: state is not best)
        ]
        shrinking = work.complete(rest)
        last, done = max(shrinking, key=lambda state: state.score or 0), all(state.done for state in shrinking)
    traces = [
        Step(part.name, looked_at, from_words(score), document)
        for part, state in zip(parts, states, strict=True)
        for looked_at, score, document in state.trace
    ]
    judged = work.objective.judge(from_json(read(str(last.best))))
    found = (
        judged if last is best else work.objective.judge(from_json(read(best.best)))
    )  # the result is evaluated again, regardless of the store
    return Worst(
        judged=judged,
        against=work.objective.against,
        kind=work.objective.kind,
        space=work.space.sentence,
        complete=exhaustive(parts) and done,
        found=found.score,
        looked_at=(sum(state.steps for state in states), sum(state.steps for state in shrinking) if shrunk else 0),
        unjudged=dict(sum((Counter(state.unjudged) for state in states), Counter())),
        trace=tuple(traces),
        unfinished=not done,
        solver_bound=min((state.bound for state in states if state.bound is not None), default=None),
        goal=work.objective,
    )
