"""The main job on an embedded instance, line by line: solve, relax, run online, certify, judge, draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import version
from math import ceil
from pathlib import Path
from time import perf_counter
from typing import Any

from schedproof.core import claims, registry
from schedproof.core.bound import Bound
from schedproof.core.bounds import bound
from schedproof.core.errors import InputError, SchedproofError
from schedproof.core.numbers import decimals
from schedproof.core.pictures import save
from schedproof.core.run import Run, policy
from schedproof.instances import embedded

EXACT, RELAXED, ONLINE, CLAIM = "preemptive.minlp2", "preemptive.lp4", "preemptive.a_online", "preemptive.lemma2"
Say = Callable[[str], object]


class Disagreement(SchedproofError):
    """Two sides of the tour that must agree do not."""

    exit_code = 1


def take(folder: str | Path, say: Say) -> tuple[Path, Path]:
    """Take the tour: about fifteen lines and two pictures.

    Parameters
    ----------
    folder
        Where ``gantt.png`` and ``ratio.png`` go; made if it is missing.
    say
        Gets each line when its step is done, ``print`` for example.

    Returns
    -------
    tuple of Path
        The two pictures.

    Raises
    ------
    Disagreement
        When two exact methods, a certificate and its bound, or a schedule and its checker disagree.
    """
    started = perf_counter()
    target = _make_folder(Path(folder))
    instance: Any = embedded("day")  # of the family preemptive
    chunks, workers = sum(job.chunks for job in instance.jobs), sum(q.count for q in instance.classes)
    say(
        f"schedproof {version('schedproof')} on the instance 'day': {len(instance.jobs)} jobs of {chunks} chunks, "
        f"{workers} workers on {len(instance.edges)} edge servers, one cloud"
    )
    for line in _solve_exactly(instance):
        say(line)
    certified = bound(RELAXED, instance)
    for line in _relax(instance, certified):
        say(line)
    run = _run_online(instance)
    for line in _compare(run, certified):
        say(line)
    for line in _judge():
        say(line)
    pictures = (target / "gantt.png", target / "ratio.png")
    for path, axes in zip(pictures, (run.plot(), run.ratio(certified).plot()), strict=True):
        save(axes.figure, path)
    say(f"pictures     {pictures[0]} (the schedule), {pictures[1]} (the ratio)")
    say(f"done         in {perf_counter() - started:.1f} s")
    return pictures


def _make_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made into a folder: {error.strerror}", file=str(folder)) from None
    return folder


def _solve_exactly(instance: Any) -> Iterator[str]:
    """The optimum of (2), by a mixed-integer program and by constraint programming, which share no model."""
    program = registry.program(EXACT)
    result = []
    for solver, name in (("highs", "HiGHS"), ("cpsat", "CP-SAT")):
        solution = program.solve(instance, solver)
        if solution.ended != "optimal" or solution.objective is None:
            raise Disagreement(f"{EXACT} by {name}: {solution.ended} {solution.message}".strip())
        result.append(round(solution.objective, 6))
        seconds = solution.build_seconds + solution.solve_seconds
        yield f"exact        MINLP (2) by {name}: total completion time {result[-1]:g} slots, optimal, {seconds:.1f} s"
    if result[0] != result[1]:
        raise Disagreement(f"{EXACT}: the two exact methods give {result[0]} and {result[1]}")


def _relax(instance: Any, certified: Bound) -> Iterator[str]:
    """The LP's bound, proved anew from its certificate by rational arithmetic alone."""
    if not certified.verify(instance):
        raise Disagreement(f"{RELAXED}: the certificate does not prove the bound")
    yield (
        f"relaxed      LP of (4): no schedule takes less than {decimals(certified.exact, 4, up=False)} slots, "
        f"so none less than {ceil(certified.exact)}"
    )
    witness = certified.witness.to_json()
    prices = [price for classes, _, row in witness["prices"] for price in row * len(classes)]
    yield (
        f"certificate  {sum(map(bool, prices))} prices of worker slots, {len(witness['values'])} values of chunks: "
        f"they prove {certified.exact} exactly"
    )


def _run_online(instance: Any) -> Run:
    run = policy(ONLINE).run(instance)
    if not run.feasible:
        raise Disagreement(f"{ONLINE}: {run.violations[0]}")
    return run


def _compare(run: Run, certified: Bound) -> Iterator[str]:
    yield (
        f"online       A_online as printed, jobs unknown before they arrive: {run.objective} slots, "
        f"{run.schedule.preemptions()} interruptions"
    )
    yield "checked      by code that shares nothing with the policy or a model: feasible"
    measured = decimals(run.ratio(certified).exact, 4, up=True)
    yield f"ratio        {run.objective} / {decimals(certified.exact, 4, up=False)}: certified ratio <= {measured}"
    residual = policy(ONLINE, order="residual").run(run.instance)
    yield f"variant      the same with chunks ordered by what is left of them: {residual.objective} slots"
    fast = policy(ONLINE, order="residual", speed=2).run(run.instance).ratio(certified)
    facts = "" if fast.guarantee is not None else "; not quoted here, since"
    yield (
        f"guarantee    on workers twice as fast Theorem 3, repaired, promises {fast.promised.value} "
        f"(measured: {decimals(fast.exact, 4, up=True)}){facts}"
    )
    for premise, answer in fast.premises.items():
        if answer != "yes":
            yield f"               {answer}: {premise}"


def _judge() -> Iterator[str]:
    """A printed lemma and the counterexample that is stored for it, evaluated anew."""
    filed = claims.find(CLAIM)
    witness = filed.witnesses()[0]
    try:
        finding = next(iter(witness.replay(filed.claim).values()))
    except ValueError as error:
        raise Disagreement(str(error)) from None
    yield f'claim        Lemma 2: "{filed.claim.statement}"'
    yield f"refuted      {witness.note}"
    yield f"               {finding}"
