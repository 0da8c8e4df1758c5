"""A tour on an embedded instance: solve, relax, run, certify, judge, draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib.metadata import version
from math import ceil
from pathlib import Path
from time import perf_counter
from typing import Any

from schedproof.core.base.numbers import decimals
from schedproof.core.base.untyped import Figure
from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.bounds import bound
from schedproof.core.claims import claims
from schedproof.core.errors import InputError, SchedproofError
from schedproof.core.programs import named
from schedproof.core.results.run import Run, policy
from schedproof.core.simulation.pictures import COLOURS, RED, panels, save
from schedproof.core.simulation.schedule_pictures import draw_beside
from schedproof.instances import embedded

EXACT, RELAXED, ONLINE, CLAIM = "preemptive.minlp2", "preemptive.lp4", "preemptive.a_online", "preemptive.lemma2"
Say = Callable[[str], object]


class Disagreement(SchedproofError):
    """An error: two parts of the tour disagree."""

    exit_code = 1


def take(folder: str | Path, say: Say) -> tuple[Path, ...]:
    """Take the tour: about fifteen lines and three pictures.

    Parameters
    ----------
    folder
        Folder for ``gantt.png``, ``ratio.png`` and ``lemma2.png``; created if missing.
    say
        A function like ``print``, called with each line when the line's step is done.

    Returns
    -------
    tuple of Path
        The three pictures.

    Raises
    ------
    Disagreement
        If two exact methods, a certificate and its bound, or a schedule and its checker disagree.
    """
    started = perf_counter()
    target = _make_folder(Path(folder))
    instance: Any = embedded("day")  # of the family preemptive
    chunks, workers = sum(job.chunks for job in instance.jobs), sum(q.count for q in instance.classes)
    say(
        f"schedproof {version('schedproof')} on the instance 'day': {len(instance.jobs)} jobs of {chunks} chunks, "
        f"{workers} workers on {len(instance.edges)} edge servers, one cloud"
    )
    optimum = _solve_exactly(instance, say)
    certified = bound(RELAXED, instance)
    for line in _relax(instance, certified):
        say(line)
    run = _run_online(instance)
    residual = policy(ONLINE, order="residual").run(instance)
    for line in _compare(run, residual, optimum, certified):
        say(line)
    witness = _judge(say)
    pictures = (target / "gantt.png", target / "ratio.png", target / "lemma2.png")
    titles = "A_online: sees each job only on arrival", "offline optimum: knows all jobs"
    save(draw_beside(instance, dict(zip(titles, (run.schedule, optimum), strict=True))).figure, pictures[0])
    ratios = run.ratio(certified).plot(known=[optimum], beside=[residual.ratio(certified)])
    save(ratios.figure, pictures[1])
    save(_draw_refutation(witness.case.instance.jobs[0].slots()), pictures[2])
    say(f"pictures     {pictures[0]} (A_online above an optimal schedule), {pictures[1]} (the ratios)")
    say(f"             {pictures[2]} (the violated row)")
    say(f"done         in {perf_counter() - started:.1f} s")
    return pictures


def _make_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot create the folder: {error.strerror}", file=str(folder)) from None
    return folder


def _solve_exactly(instance: Any, say: Say) -> Any:
    optimum: Any = None
    totals = []
    for solver, name in (("highs", "HiGHS"), ("cpsat", "CP-SAT")):
        solution = named.program(EXACT).solve(instance, solver)
        if solution.ended != "optimal" or solution.objective is None:
            raise Disagreement(f"{EXACT} by {name}: {solution.ended} {solution.message}".strip())
        optimum = optimum or solution.schedule()
        totals.append(round(solution.objective, 6))
        seconds = solution.build_seconds + solution.solve_seconds
        say(f"exact        MINLP (2) by {name}: total completion time {totals[-1]:g} slots, optimal, {seconds:.1f} s")
    totals.append(optimum.objective(instance))
    if len(set(totals)) > 1:
        raise Disagreement(f"{EXACT}: the two exact methods and the schedule give {totals}")
    return optimum


def _relax(instance: Any, certified: Bound) -> Iterator[str]:
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


def _compare(run: Run, residual: Run, optimum: Any, certified: Bound) -> Iterator[str]:
    yield (
        f"online       A_online as printed, sees each job only on arrival: {run.objective} slots, "
        f"{run.schedule.preemptions()} interruptions"
    )
    yield "checked      by a checker that shares no code with policies or models: feasible"
    measured, least = decimals(run.ratio(certified).exact, 4, up=True), optimum.objective(run.instance)
    yield f"ratio        {run.objective} / {decimals(certified.exact, 4, up=False)}: certified ratio <= {measured}"
    true = decimals(Fraction(run.objective) / least, 4, up=True)
    yield f"true ratio   {run.objective} / {least} = {true}, as the optimum is known here"
    yield f"variant      A_online with chunks ordered by remaining slots: {residual.objective} slots"
    fast = policy(ONLINE, order="residual", speed=2).run(run.instance).ratio(certified)
    facts = "" if fast.guarantee is not None else "; not guaranteed here, since"
    yield (
        f"guarantee    on workers twice as fast Theorem 3, repaired, promises {fast.promised.value} "
        f"(measured: {decimals(fast.exact, 4, up=True)}){facts}"
    )
    for premise, answer in fast.premises.items():
        if answer != "yes":
            yield f"               {answer}: {premise}"


def _judge(say: Say) -> Any:
    filed = claims.find(CLAIM)
    witness = filed.witnesses()[0]
    try:
        finding = next(iter(witness.replay(filed.claim).values()))
    except ValueError as error:
        raise Disagreement(str(error)) from None
    say(f'claim        Lemma 2: "{filed.claim.statement}"')
    say(f"refuted      {witness.note}")
    say(f"               {finding}")
    return witness


def _draw_refutation(chunk: int) -> Figure:
    both = panels((10, 3), 1, 2, sharey=True)
    slots = range(chunk + 1)
    waiting = {
        "the worker that takes the chunk": [slot < chunk for slot in slots],
        "the idle worker": [False for _ in slots],
    }
    for ax, (title, beta) in zip(both, waiting.items(), strict=True):
        right = [slot + chunk * waits for slot, waits in zip(slots, beta, strict=True)]
        missing = [max(chunk - value, 0) for value in right]
        ax.stairs(right, color=COLOURS[0], linewidth=2, label=r"right side, $(t - r) + p\,\beta(t)$")
        ax.axhline(chunk, color=COLOURS[1], linewidth=2, label=rf"left side, $\alpha = {chunk}$")
        ax.bar(slots, missing, 1, right, align="edge", color=RED, alpha=0.25, label="violated")
        ax.set(
            title=title, xlabel="slot t", xlim=(0, chunk + 1), ylim=(-0.1, 2 * chunk + 1), xticks=[*slots, chunk + 1]
        )
    both[1].legend(fontsize=8, frameon=False, loc="upper left")
    return both[0].figure
