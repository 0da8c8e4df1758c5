"""Commands for one instance: solve, run, check, bound, ratio, regret."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import schedproof as sp
from schedproof.cli.command import Answer, command
from schedproof.cli.overview import change
from schedproof.cli.terminal import best_of, report_lines, say

COMPARED = 4  # steps of a check that also compares the rows, in steps without
EXPLAINED_IN = 10.0  # seconds to explain infeasibility; a run that took longer is not repeated


@command("program", "schedproof.core.programs.program:Program.solve", "out", prove=...)
def solve(
    program: str,
    instance: sp.Instance,
    *,
    drop: Sequence[str] = (),
    relaxed: bool = False,
    certificate: Path | None = None,
    option: Mapping[str, str],
    **words: Any,
) -> Answer:
    """Solve a program on an instance, or explain infeasibility.

    --out writes the schedule.

    confirm: Compare with a second exact method that uses another solver; the exit code is 1 unless both agree.
    certificate: Write a proof into this file. `schedproof check-optimum` checks the proof of a paper's integer optimum;
        `schedproof check-bound` checks the proof for another linear or small integer program. The exit code is 1 if no
        proof is found.
    """
    from schedproof.core.cards import registry

    name, _ = registry.find_for("program", program, instance.card)
    chosen, limit, confirm = change(name, option, drop, relaxed), words["time_limit"], words["confirm"]
    solution, early = best_of(lambda: chosen.solve(instance, prove=certificate is not None, **words))
    if certificate is not None and solution.proof is not None:
        from schedproof.core.runtime.files import write_json

        write_json(certificate, solution.proof)
    result, lines = solution.to_json(), solution.lines(instance.measure)
    if solution.ended == "infeasible" and solution.status != "disputed" and not early:
        left = inf if limit is None else limit - solution.build_seconds - solution.solve_seconds
        why, more = _why_infeasible(chosen, instance, min(EXPLAINED_IN, max(0.0, left)))
        result, lines = result | why, lines + more
    decided, doubtful = solution.ended in ("optimal", "feasible"), confirm and not solution.confirmed
    doubtful = doubtful or (certificate is not None and solution.proof is None)
    code = 1 if doubtful else 0 if decided else 3
    write = partial(solution.write, instance=instance) if decided and not doubtful else None
    return Answer(result, lines, code, write, error=early)


def _why_infeasible(program: sp.Program, instance: sp.Instance, seconds: float) -> tuple[dict[str, Any], list[str]]:
    from schedproof.core.errors import SchedproofError

    try:
        why = program.why_infeasible(instance, seconds)
    except SchedproofError as error:
        return {}, [f"not explained: {error}"]
    return {"why_infeasible": why.to_json()}, why.lines()


@command("policy", "schedproof.core.results.run:Policy.run", "out plot")
def run(
    policy: str, instance: sp.Instance, *, plot: Path | None = None, option: Mapping[str, str], **words: Any
) -> Answer:
    """Run a policy on an instance and check its schedule.

    An interrupted offline policy returns its best schedule so far.

    time_limit: Seconds for each program that the policy solves, and for each search.
    """
    ran, early = best_of(lambda: sp.policy(policy, **option).run(instance, **words))
    remedies = () if ran.feasible or ran.seconds > EXPLAINED_IN else sp.policy(policy, **option).remedies(instance)
    fixes = [
        f"with --option {rule.name}={value} the policy's schedule is feasible: {rule.meaning_of(value)}"
        for rule, value in remedies
    ]
    outdated = [plot] if plot else []  # remove a picture of an earlier schedule
    write = partial(ran.schedule.write, instance=instance, outdated=outdated)
    return Answer(ran.to_json(), [*_lines(ran), *fixes], 0 if ran.feasible else 1, write, ran.plot, error=early)


def _lines(ran: sp.Run) -> list[str]:
    rules = ", ".join(f"{name}={value}" for name, value in ran.rules.items())
    return [
        f"{ran.policy}: {ran.instance.in_words(ran.objective)}, {ran.seconds:.2f} s",
        ran.judgement,
        *([f"judged by {rules}"] if rules else []),
        *([ran.timeline.sentence] if ran.timeline and ran.measures else []),
        *(f"  {v}" for v in ran.violations[:10]),
        *ran.remarks[:10],
    ]


@command()
def check(instance: sp.Instance, schedule: Path, *, option: Mapping[str, str]) -> Answer:
    """Check a schedule against its instance in exact arithmetic.

    The checker shares no code with models and policies.

    schedule: A schedule file.
    option: A rule to judge by, key=value, like speed=3/2.
    """
    rules = instance.card.rules_with(option)
    plan = sp.read_schedule(schedule, instance)
    violations, objective = plan.violations(instance, **rules), plan.objective(instance, **rules)
    contradiction = plan.contradiction(rules)
    result = {
        "feasible": not violations,
        "objective": float(objective),
        "judged_by": {name: str(value) for name, value in rules.items()},
        "contradiction": contradiction,
        "violations": [v.to_json() for v in violations],
    }
    lines = [
        f"{'NOT feasible' if violations else 'feasible'}: {instance.in_words(objective)}",
        *(
            f"judged by {rule.name}={rules[rule.name]}: {rule.meaning_of(rules[rule.name])}"
            for rule in instance.card.rules
        ),
        *([contradiction] if contradiction else []),
        *(f"  {v}" for v in violations),
    ]
    return Answer(result, lines, exit_code=1 if violations else 0)


@command("bound", "schedproof.core.certificates.bounds:bound", "certificate", multipliers=...)
def bound(
    program: str,
    instance: sp.Instance,
    *,
    drop: Sequence[str] = (),
    relaxed: bool = False,
    certificate: Path | None = None,
    option: Mapping[str, str],
    **words: Any,
) -> Answer:
    """Compute a certified bound on the optimum.

    --certificate writes the bound with its proof. If the family has no bound for the program, or --drop or --relaxed
    changes the program, the bound is proven from the program's rows. A file name with .vipr gives a VIPR file, which
    also states the linear program; other names give JSON. A note states the steps of a check that needs more than the
    default.

    certificate: The file to write the bound and its proof into.
    """
    from schedproof.core.base.numbers import shown
    from schedproof.core.cards import registry
    from schedproof.core.certificates import bounds, vipr
    from schedproof.core.runtime.context import Context

    as_vipr = certificate is not None and certificate.suffix == ".vipr"
    of: str | sp.Program = program
    if drop or relaxed:
        of = change(registry.find_for("program", program, instance.card)[0], option, drop, relaxed)
    listing = vipr.listing_of(of, instance, option) if as_vipr else None
    found, early = best_of(lambda: bounds.compute(of, instance, option, Context(**words)))
    head = (
        f"{found.program}: {found.kind} bound {instance.measure.amount(found.exact, found.kind)} = {shown(found.exact)}"
    )
    write = partial(_write_bound, bound=found, instance=instance)
    if as_vipr:
        write = partial(vipr.write_vipr, bound=found, listing=listing, instance=instance)
    return Answer(found.to_json, [head, found.statement, *report_lines(found.details)], write=write, error=early)


def _write_bound(file: Path, bound: sp.Bound, instance: sp.Instance) -> None:
    """Write a certificate; state its check's steps if they exceed the default."""
    from schedproof.check import bound as checker
    from schedproof.core.certificates.bounds import RELAXED, write_bound

    write_bound(file, bound)
    steps = checker.Steps(sys.maxsize)
    steps.count_values(instance.to_json())
    compared = instance.card.checker or bound.program.removesuffix(RELAXED) in checker.WRITERS
    needed = steps.most - steps.left + checker.needed(str(file)) * (COMPARED if compared else 1)
    if needed > checker.MOST_STEPS:
        say(
            f"note: the check of this certificate takes about {needed:,} steps, more than the default "
            f"{checker.MOST_STEPS:,}: schedproof check-bound INSTANCE {file} --steps {(needed // 10**6 + 1) * 10**6}",
            sys.stderr,
        )


@command("policy", "schedproof.core.results.run:Policy.run", "plot")
def ratio(
    policy: str,
    instance: sp.Instance,
    *,
    bound: str,
    option: Mapping[str, str],
    bound_option: Mapping[str, str],
    against: Sequence[Path] = (),
    **words: Any,
) -> Answer:
    """Measure a policy's certified competitive ratio.

    The output lists every premise of the policy's guarantee. If no bound is found in time, only the run is printed.
    --against encloses the true ratio between the ratio to the best known schedule and the ratio to the bound.

    bound: The bound to compare with, or its certificate's file, FILE.json.
    time_limit: Seconds for the bound, and for each program that the policy solves.
    bound_option: An option of the bound, key=value; see `schedproof show`.
    against: A schedule file, to enclose the true ratio; may be repeated.
    """
    from schedproof.core.certificates import bounds
    from schedproof.core.errors import NoSolution
    from schedproof.core.results.ratio import interval
    from schedproof.core.runtime.context import Context

    known = [sp.read_schedule(path, instance) for path in against]
    ran, early = best_of(lambda: sp.policy(policy, **option).run(instance, **words))
    if early:
        return Answer(ran.to_json(), _lines(ran), error=early)
    context = Context(progress=words["progress"], time_limit=words["time_limit"])
    try:
        other, early = best_of(partial(bounds.read_or_compute, bound, instance, bound_option, context))
    except (NoSolution, KeyboardInterrupt) as error:
        return Answer(ran.to_json(), _lines(ran), error=error)
    measured = ran.ratio(other)
    between = interval(measured, known) if known else None
    gap, why_not = measured.gap_or_why_not()
    lines = [
        measured.sentence,
        *([between.sentence] if between else []),
        measured.promise,
        *(f"  {answer:>12}: {premise}" for premise, answer in measured.premises.items()),
        *([why_not] if gap is None else gap.lines()),
    ]
    result = measured.to_json() | (between.to_json() if between else {})
    return Answer(result, lines, plot=partial(measured.plot, known=known), error=early)


@command("policy", "schedproof.core.results.run:Policy.run", "plot")
def regret(
    policy: str, instance: sp.Instance, *, points: int | None = None, option: Mapping[str, str], **words: Any
) -> Any:
    """Measure a policy's regret against the best fixed decision.

    The output includes the proven bound on the regret.

    points: Number of curve points.
    time_limit: Time limit in seconds; the output is the best result within it.
    """
    from schedproof.core.results import regret
    from schedproof.core.runtime.context import Context

    player, options = sp.policy(policy, **option), {} if points is None else {"points": points}

    def play(_: Context) -> sp.Run:
        return player.run(instance, words["seed"], progress=words["progress"])

    return regret.regret(instance.family, play, options, Context(**words))
