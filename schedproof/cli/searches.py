"""Commands for searches: worst instances, regrets, counterexamples, games, ratios."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import schedproof as sp
from schedproof.cli.command import Answer, Folder, command
from schedproof.cli.terminal import best_of, page_lines, resumable
from schedproof.cli.words import gathered

NOT_FOUND = 3  # the exit code of a search without a result in time


@command("policy", files="out plot", store=Path("worst.sqlite"), jobs=None)
def worst(
    policy: str,
    instance: sp.Instance | None = None,
    *,
    against: str,
    out: Folder | None = None,
    lift: int | None = None,
    **words: Any,
) -> Answer:
    """store: Keep the progress of the search in this SQLite file.
    out: A folder for the instance, the schedule, and the bound or better schedule.
    lift: Repeat items and enlarge numbers of the worst instance up to this size, and print the ratio's growth.
    plot: Draw the schedule into a file (.png, .pdf, .svg, .jpg).
    """
    from schedproof.core.runtime.context import Context

    words["instance"] = instance
    space, engine = (gathered(kind, words) for kind in (sp.Space, sp.Engine))
    limits = Context(time_limit=engine.time_limit)
    with resumable(engine.store):
        found = sp.worst(policy, against, space, engine, **words)
        lifted = [] if lift is None else found.lifts(lift, time_limit=limits.remaining)
    lifts = [one.sentence for one in lifted]
    result = found.to_json() | {"store": str(engine.store), "out": out and str(out), "lifts": lifts}
    lines = [*found.lines(), *lifts, *([f"written into {out}"] if out else [])]
    return Answer(result, lines, write=found.write, plot=found.plot)


@command(of="schedproof.core.results.regret:worst_regret", files="certificate")
def worst_regret(family: str, *, option: Mapping[str, str], **words: Any) -> Any:
    """Enclose the worst regret under a theorem's premises.

    Both bounds on the worst regret are rationals; the output includes the theorem's bound.

    family: A family with a theorem on regret, like multiserver.
    certificate: The file to write the proofs of both bounds into.
    option: An option, key=value; see `schedproof show FAMILY.worst_regret`.
    """
    from schedproof.core.results import regret
    from schedproof.core.runtime.context import Context

    return regret.worst(family, option, Context(**words))


@command(files="out")
def refute(claim: str, *, out: Path | None = None, **words: Any) -> Answer:
    """claim: A claim; `schedproof claims` lists them.
    out: Write the counterexample into this file, for `schedproof verify CLAIM --witness FILE`.
    """
    found, early = best_of(lambda: sp.refute(claim, **words))
    contradicted = found.written is not None
    written = str(out) if out and contradicted else None
    lines = [*found.lines(), *([f"written into {written}"] if written else [])]
    code = NOT_FOUND if not contradicted else 1 if found.against_proofs else 0
    return Answer(found.to_json() | {"out": written}, lines, code, found.write if written else None, error=early)


@command(files="out graph")
def game(name: str | None = None, *, option: Mapping[str, str], above: str = "0", **words: Any) -> Any:
    """Find a lower bound for all deterministic online algorithms.

    An adversary forces the bound in a game; --out writes the adversary's strategy.

    name: A game; without it all games are listed with their options.
    option: An option of the game, key=value.
    above: Search only for payoffs above this, like 9/7.
    out: The file to write the adversary's strategy into.
    """
    from schedproof.adversary.catalogue import games, play
    from schedproof.core.api.catalogue import Page, options
    from schedproof.core.data.options import number, read
    from schedproof.core.runtime.context import Context

    if name is None:
        pages = [Page("game", id, entry.sentence, options=options(entry)) for id, entry in games().items()]
        lines = [line for page in pages for line in page_lines(page)]
        return Answer({"games": [page.to_json() for page in pages]}, lines)
    return play(name, option, read("above", number(from_equal=True), above), Context(**words))


@command(files="certificate plot graph")
def prove(
    policy: str, *, option: Mapping[str, str], out: Folder | None = None, store: Path | None = None, **words: Any
) -> Any:
    """Prove a policy's competitive ratio.

    The ratio holds for sequences of any length with at most `present` jobs at a time, in the policy's and in the
    offline schedule. For a finite system the ratio holds for all sequences of its requests.

    policy: A policy with a rule, like srtf or srtf:chunks=floating, the file of a rule, RULE.py, or a system,
        FILE.py:NAME.
    option: machines, sizes, unit, present, speed, weights, chunks, far, delay, or an option of the rule or
        system, key=value.
    out: A folder for instances that repeat the cycle 1, 4, 16, 64 times, each with a better schedule.
    certificate: The file to write the proof into, for `schedproof check-ratio`.
    plot: Draw the worst cycle into a file (.png, .pdf, .svg, .jpg).
    store: Keep tried ratios in this SQLite file, from which the same command resumes.
    """
    from schedproof.adversary.exact_ratio.prove import proof
    from schedproof.adversary.exact_ratio.repeated import write
    from schedproof.adversary.systems.proof import SystemProof
    from schedproof.core.errors import InputError
    from schedproof.core.runtime.context import Context

    with nullcontext() if store is None else resumable(store):
        found = proof(policy, option, Context(**words), store)
    if out is None:
        return found
    if isinstance(found, SystemProof):
        raise InputError(f"--out: {policy} is a system, which has no instances to write; --certificate keeps its proof")
    family = [*write(found, out)]
    result = found.to_json() | {"out": str(out), "ratios": {one.times: str(one.ratio) for one in family}}
    lines = [*found.lines(), *(one.sentence for one in family), f"written into {out}"]
    return Answer(result, lines, write=found.write, plot=found.plot, write_graph=found.write_graph)


@command(files="certificate")
def best_ratio(
    game: str | None = None,
    *,
    option: Mapping[str, str],
    out: Path | None = None,
    store: Path | None = None,
    **words: Any,
) -> Any:
    """Prove the best competitive ratio of any online policy.

    It finds the policy and the adversary's strategy. For a finite game it finds the best randomised algorithm.

    game: A finite game, FILE.py:NAME; without it, jobs on machines.
    option: machines, sizes, unit, present, speed, or schedules (migrating, pinned, whole), or an option of the
        game's class, key=value.
    out: Write the policy into this file as a rule for `schedproof prove`, if it depends only on the jobs present.
    certificate: The file to write the proof into, for `schedproof check-best`, or for `schedproof check-ratio` of
        a game.
    store: Keep tried ratios in this SQLite file, from which the same command resumes.
    """
    from schedproof.adversary.exact_ratio.best import best
    from schedproof.adversary.systems.randomised import best_randomised_in
    from schedproof.core.errors import InputError
    from schedproof.core.runtime.context import Context

    if game is not None:
        if out or store:
            raise InputError(f"--{'out' if out else 'store'}: not for a game; --certificate keeps its proof")
        return best_randomised_in(game, option, Context(**words))
    with nullcontext() if store is None else resumable(store):
        found = best(option, Context(**words), store)
    if out is not None:
        found.write_rule(out)
    return found


@command("generator")
def doctor(family: str, **words: Any) -> Answer:
    """Test a family's parts against each other on random draws.

    The exit code is 1 if two parts disagree.

    family: A family, built in or of a plug-in.
    preset: Preset of the generator; the first one if not given.
    """
    found = sp.doctor(family, **words)
    return Answer(found.to_json(), found.lines(), exit_code=0 if found.sound else 1 if found.flaws else NOT_FOUND)
