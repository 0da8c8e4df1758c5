"""Commands for claims and proofs: verify, errata, and the checkers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import schedproof as sp
from schedproof.cli.command import Answer, command
from schedproof.cli.terminal import best_of, say

if TYPE_CHECKING:
    from schedproof.core.runtime.context import Progress

MOST_READ = 1 << 20  # bytes of a rejected file that are read to find its kind


UNCHECKED = "under assumptions"  # the value of "proven" for a certificate whose listed program was not checked


@command(budget=60.0, witnesses=...)
def verify(claims: Sequence[str] = (), *, witness: Sequence[Path] = (), **words: Any) -> Answer:
    """Judge the papers' claims and print the verdicts.

    The command replays the witnesses and evaluates the coverage cases.

    claims: Claims; default: all claims.
    family: All claims of one family.
    budget: Seconds for the search.
    witness: Also judge this witness, a file of `schedproof refute`.
    """
    if not claims and not witness:
        _announce(words["family"], words["search"] and words["budget"])
    results, early = best_of(lambda: sp.verify(claims or None, witnesses=witness, **words))
    differing = [result.claim.id for result in results if result.differs]
    lines = [line for result in results for line in (result.lines() if claims or witness else result.lines()[:1])]
    lines += [f"{id}: the verdict differs from the ledger" for id in differing]
    code = 1 if differing else 0 if all(result.judged for result in results) else 3
    return Answer({"claims": [result.to_json() for result in results]}, lines, code, error=early)


def _announce(family: str | None, search: float | None) -> None:
    from schedproof.core.claims.claims import ledger_rows

    many = len(ledger_rows(family))
    more = f", then up to {search:g} s of search for each" if search else ""
    say(f"note: {many} claims need about a second each{more}; --record FILE stores finished claims", sys.stderr)


@command()
def errata(*, paper: str, out: Path = Path("errata.pdf"), store: Path | None = None, progress: Progress) -> Answer:
    """Write a report of a paper's false statements.

    The report contains each statement's readings, counterexample, repair and proof. Without LaTeX the report is an HTML
    page instead of a PDF.

    paper: The paper: its family, or its number in figure names, like 000.
    out: The report to write: .pdf (LaTeX), .html or .tex.
    store: A ledger written by `verify --store`, in place of the stored ledger.
    """
    from schedproof.core.cards import registry
    from schedproof.proofs_checks.errata import write

    family = registry.by_paper(paper)
    written = write(family, out, progress, store)
    no_pdf = f" ({out.suffix} needs pdflatex, which is not installed)" if written != out else ""
    return Answer({"file": str(written), "family": family}, [f"{written}{no_pdf}"])


@command()
def check_bound(
    file: Path,
    certificate: Path,
    *,
    steps: int | None = None,
    time_limit: float | None = None,
    verified: bool = False,
) -> Answer:
    """Check a bound's certificate against its instance.

    The checker shares no code with the prover. If a certificate lists its program, the rows are written anew by the
    checker or by the family's checker. If neither supports the program, the bound is proven for the program as listed,
    and the output states this assumption.

    file: An instance file (JSON).
    certificate: A bound's certificate.
    steps: Most steps of the check, of about a microsecond each; two million by default. A step needs at most 100 bytes
        of memory.
    time_limit: Time limit in seconds, in place of two million steps; exit code 3 if it passes.
    verified: Also run the checker that is proven sound in Coq; the certificate must list its program.
    """
    from tempfile import TemporaryDirectory

    from schedproof.check import bound
    from schedproof.core.data.file_kinds import CERTIFICATE, INSTANCE

    files = (file, INSTANCE), (certificate, CERTIFICATE)
    most = _steps(time_limit).get("most_steps", bound.MOST_STEPS) if steps is None else steps
    with TemporaryDirectory() as folder:

        def words() -> list[Path]:
            return [file, certificate, *_rows(file, certificate, Path(folder) / "rows.json", most, time_limit)]

        answer = _check(bound, time_limit, words, *files, most_steps=most)
    return (
        _verified(answer, "program", time_limit, certificate.resolve()) if verified and not answer.exit_code else answer
    )


@command()
def check_optimum(file: Path, certificate: Path, *, time_limit: float | None = None) -> Answer:
    """Check the proof of an integer optimum.

    The checker shares no code with the prover.

    file: An instance file (JSON).
    certificate: The proof, as `schedproof solve --certificate` writes it.
    time_limit: Time limit in seconds, in place of two million steps; exit code 3 if it passes.
    """
    from schedproof.check import optimum
    from schedproof.core.data.file_kinds import INSTANCE, OPTIMUM

    files = (file, INSTANCE), (certificate, OPTIMUM)
    return _check(optimum, time_limit, lambda: [file, certificate], *files, **_steps(time_limit))


@command()
def check_regret(certificate: Path, *, time_limit: float | None = None) -> Answer:
    """Check a worst regret's certificate.

    The checker shares no code with the prover.

    certificate: A worst regret's certificate.
    time_limit: Time limit in seconds; exit code 3 if it passes.
    """
    from schedproof.check import regret
    from schedproof.core.data.file_kinds import REGRET

    return _check(regret, time_limit, lambda: [certificate], (certificate, REGRET))


@command()
def check_ratio(policy: str, certificate: Path, *, time_limit: float | None = None, verified: bool = False) -> Answer:
    """Check the proof of a policy's competitive ratio.

    The checker shares no code with the prover.

    policy: A policy with a rule, the file of a rule, RULE.py, or a system or game, FILE.py:NAME.
    certificate: The proof, as `schedproof prove` writes it, or `schedproof best-ratio` for a game.
    time_limit: Time limit in seconds, in place of a limit on steps; exit code 3 if it passes.
    verified: Also ask the checker that Coq proves sound, on the states that the first checker lists.
    """
    from tempfile import TemporaryDirectory

    from schedproof.adversary.exact_ratio.prove import rule_file
    from schedproof.adversary.systems.source import is_in_file
    from schedproof.check import ratio
    from schedproof.core.data.file_kinds import RATIO
    from schedproof.core.runtime.files import write_json

    def files() -> list[str | Path]:
        return [policy if is_in_file(policy) else rule_file(policy), certificate]

    answer = _check(ratio, time_limit, files, (certificate, RATIO), **_steps(time_limit))
    if not verified or answer.exit_code:
        return answer
    try:
        listing = ratio.listing(str(files()[0]), str(certificate), **_steps(time_limit))
    except ratio.Refused as refused:
        return _refused(refused)
    with TemporaryDirectory() as folder:
        write_json(system := Path(folder, "system.json"), listing)
        return _verified(answer, "system", time_limit, "--system", system, certificate.resolve())


@command()
def check_best(certificate: Path, *, time_limit: float | None = None) -> Answer:
    """Check the proof of the best competitive ratio.

    The checker shares no code with the prover.

    certificate: The proof, as `schedproof best-ratio` writes it.
    time_limit: Time limit in seconds, in place of two million steps; exit code 3 if it passes.
    """
    from schedproof.check import ratio
    from schedproof.core.data.file_kinds import BEST

    return _check(ratio, time_limit, lambda: [certificate], (certificate, BEST), **_steps(time_limit))


@command()
def check_game(file: Path, *, time_limit: float | None = None) -> Answer:
    """Check an adversary's strategy.

    The checker shares no code with the search.

    file: An adversary's strategy, as `schedproof game` writes it.
    time_limit: Time limit in seconds; exit code 3 if it passes.
    """
    from schedproof.check import game
    from schedproof.core.cards import own_checker, registry
    from schedproof.core.data.file_kinds import STRATEGY

    try:
        name = game.read(str(file)).get("game")
    except game.Refused as refused:
        return _refused(refused, (file, STRATEGY))
    card = registry.families().get(str(name).partition(".")[0])
    script = own_checker.script(card) if card is not None and name not in game.GAMES else None
    if script is None:
        return _check(game, time_limit, lambda: [file], (file, STRATEGY))
    code, words = own_checker.run(script, "game", str(file), time_limit=time_limit)
    if code:
        return _refused(words)
    statement = f"{words.strip()} (as {script.name} checks it)"
    return Answer({"proven": True, "statement": statement, "game": name}, [f"proven: {statement}"])


def _rows(file: Path, certificate: Path, target: Path, steps: int, time_limit: float | None) -> list[Path]:
    import json

    from schedproof.check import bound
    from schedproof.core.cards import own_checker, registry

    most = bound.Steps(steps).most_bytes()
    given, family = bound.certificate(str(certificate), most), bound.read(str(file), most).get("family")
    card = registry.families().get(family) if isinstance(family, str) else None
    script = own_checker.script(card) if card is not None and given.get("version") in (2, 3) else None
    if script is None:
        return []
    words = (str(file), str(given.get("program")), json.dumps(given.get("parameters"), default=str))
    code, printed = own_checker.run(script, "rows", *words, time_limit=time_limit)
    if code == own_checker.UNKNOWN:
        return []
    if code:
        raise bound.Refused(f"{script.name} wrote no rows: {printed}")
    target.write_text(printed)
    return [target]


def _verified(answer: Answer, what: str, time_limit: float | None, *words: str | Path) -> Answer:
    from schedproof.core.certificates.verified import judged

    proven, line = judged(*words, time_limit=time_limit)
    lines = [*answer.lines, f"the checker verified in Coq, on the listed {what}: {line}"]
    found = dict(answer.result() if callable(answer.result) else answer.result, verified=proven)
    return Answer(found if proven else found | {"proven": False, "reason": line}, lines, exit_code=0 if proven else 1)


def _refused(reason: object, *files: tuple[Path, str]) -> Answer:
    from schedproof.core.data.file_kinds import require_kind
    from schedproof.core.data.reading import parse, read_text
    from schedproof.core.errors import InputError, WrongFile

    for file, kind in files:
        try:
            require_kind(parse(read_text(file, most=MOST_READ)), kind, str(file))
        except WrongFile:
            raise
        except InputError:
            continue
    return Answer({"proven": False, "reason": str(reason)}, [f"NOT proven: {reason}"], exit_code=1)


def _steps(time_limit: float | None) -> dict[str, int]:
    return {} if time_limit is None else {"most_steps": sys.maxsize}


def _check(
    checker: Any,
    time_limit: float | None,
    words: Callable[[], Sequence[str | Path]],
    *files: tuple[Path, str],
    **limits: int,
) -> Answer:
    from schedproof.core.runtime.context import Context
    from schedproof.core.runtime.deadline import best_within

    def check(_: Context) -> Answer:
        try:
            result = checker.check(*map(str, words()), **limits)
        except checker.Refused as refused:
            return _refused(refused, *files)
        return Answer({"proven": UNCHECKED if result.get("assumptions") else True} | result, checker.lines(result))

    late = f"the check did not end within {time_limit:g} s" if time_limit is not None else "the check did not end"
    undecided = Answer({"proven": None, "reason": late}, [late], exit_code=3)
    return best_within(Context(time_limit=time_limit), check) or undecided
