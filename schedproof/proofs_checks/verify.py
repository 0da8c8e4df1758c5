"""Verify claims: replay stored witnesses, run cases, and derive each verdict.

No verdict is written in the code. A verdict follows from the readings' outcomes
(`schedproof.core.claims.verdict.decide`) and is compared with the shipped ledger.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from schedproof.core.base.loader import load
from schedproof.core.cards import registry
from schedproof.core.cards.digests import outside_code
from schedproof.core.claims import claims
from schedproof.core.claims.claim import Claim
from schedproof.core.claims.claims import Filed
from schedproof.core.claims.verdict import STANDING
from schedproof.core.claims.witness import Witness
from schedproof.core.data.file_kinds import WITNESS, require_kind
from schedproof.core.data.reading import parse, read_text
from schedproof.core.data.store import Row, Store
from schedproof.core.errors import InputError, SchedproofError, short
from schedproof.core.runtime.context import Context, Progress, silent
from schedproof.core.runtime.deadline import Interrupted, best_within
from schedproof.core.runtime.files import sha256_of_file
from schedproof.core.runtime.provenance import code, software
from schedproof.proofs_checks.judge import judge, look_for_witnesses
from schedproof.proofs_checks.ledger import store_ledger
from schedproof.proofs_checks.result import Result
from schedproof.proofs_checks.trials import OutOfTime, profile

TIGHTEN = "schedproof.adversary.tightest:tighten"  # this module is in a higher layer and is loaded only for a search


def verify(
    claims: Iterable[str | Claim[Any]] | str | Claim[Any] | None = None,
    *more: str | Claim[Any],
    family: str | None = None,
    search: bool = False,
    budget: float | None = None,
    seed: int = 0,
    progress: Progress = silent,
    record: str | Path | None = None,
    time_limit: float | None = None,
    witnesses: Iterable[str | Path] = (),
    store: str | Path | None = None,
) -> list[Result]:
    """Judge claims by their ids, a family's claims, all claims, or your own.

    Parameters
    ----------
    claims, more
        Ids, or any `Claim`. A claim outside the package has no stored witnesses: it is always searched, and the
        counterexamples found become its witnesses.
    search
        Whether to search for new and smaller witnesses after all claims are judged. ``found`` of a result has the
        smallest case for each violated reading. For a claim about a ratio, half of the time goes to the adversary's
        search of `worst`, and the result shows the largest ratio found next to the bound.
    budget
        Seconds for the search of one claim (10 by default).
    progress
        Callback for progress messages.
    record
        A store of finished results (`schedproof.core.data.store`). A stored result with the same claim, seed, budget,
        profile, code and libraries is reused. Each new result is stored at once.
    time_limit
        Seconds for the whole call. Claims that are not judged within the limit are ``undecided``, with this reason.
        The time left after judging is shared among the searches.
    witnesses
        Files of witnesses, as written by `schedproof refute`, that are judged together with the stored witnesses. If
        no claim is named, only the claims of these witnesses are judged.
    store
        A ledger: the file for the results, which `errata` and `claims` can read. By default they read ``ledger.json``
        next to the claims. Rows of claims that were not judged are kept.

    Raises
    ------
    Interrupted
        On a user interrupt (Ctrl-C); the exception's ``best`` has the results so far.
    """
    context = Context(seed, progress, time_limit)
    named = [claims] if isinstance(claims, str | Claim) or not isinstance(claims, Iterable) else claims
    chosen = _choose([name for name in (*named, *more) if name is not None], family, _of_witnesses(witnesses))
    known: dict[str, Result] = {}
    if store is not None:
        store_ledger((), Path(store))  # a store that cannot be written is refused before any claim is judged

    def judge_all(inner: Context) -> None:
        with nullcontext() if record is None else Store("claims", record) as finished:
            _judge_all(known, chosen, search, budget or 10.0, inner, finished)

    try:
        best_within(context, judge_all)
    except KeyboardInterrupt:
        raise Interrupted([known[one.id] for one in map(_claim, chosen) if one.id in known]) from None
    finally:
        if store is not None:
            store_ledger(known.values(), Path(store))
    return [known.get(one.id) or Result.unjudged(one, seed) for one in map(_claim, chosen)]


def _claim(one: Filed | Claim[Any]) -> Claim[Any]:
    return one if isinstance(one, Claim) else one.claim


def _of_witnesses(files: Iterable[str | Path]) -> dict[str, tuple[Path, ...]]:
    result: dict[str, tuple[Path, ...]] = {}
    for file in map(Path, files):
        row = parse(read_text(file))
        require_kind(row, WITNESS, str(file))
        id = row.get("claim") if isinstance(row, dict) else None
        if not isinstance(id, str):
            raise InputError("expected a witness, as `schedproof refute` writes it", file=str(file))
        result[claims.find(id).claim.id] = (*result.get(id, ()), file)
    return result


def _choose(
    named: list[str | Claim[Any]], family: str | None, more: dict[str, tuple[Path, ...]]
) -> list[Filed | Claim[Any]]:
    for name in named:
        if not isinstance(name, str | Claim):
            raise SchedproofError(f"expected a Claim, or a claim's name, found {short(name)}")
        if isinstance(name, Claim):
            name.require_reading()
    result: list[Filed | Claim[Any]]
    if named or (more and not family):
        result = [name if isinstance(name, Claim) else claims.find(name, family) for name in named or more]
    else:
        names = [family] if family else list(registry.families())
        result = [filed for name in names for filed in claims.of_family(name).values()]
    if not result:
        raise SchedproofError(f"the family '{family}' has no claims")
    for id in more.keys() - {one.claim.id for one in result if isinstance(one, Filed)}:
        raise InputError(f"expected a witness of a judged claim, found a witness of {id}", file=str(more[id][0]))
    return [replace(one, more=more.get(one.claim.id, ())) if isinstance(one, Filed) else one for one in result]


def _judge_all(
    known: dict[str, Result],
    chosen: list[Filed | Claim[Any]],
    search: bool,
    budget: float,
    context: Context,
    finished: Store | None,
) -> None:
    """Judge all claims, then search; the results so far are always available."""
    for number, one in enumerate(chosen):
        context.progress(_claim(one).id, number / len(chosen))
        try:
            if isinstance(one, Claim):
                known[one.id] = judge(one, seed=context.seed, context=context)
            else:
                _judge_into(known, one, context, finished)
        except OutOfTime:
            return
    wanted = [one for one in chosen if search or isinstance(one, Claim)]
    for number, one in enumerate(wanted):
        if context.over:
            return
        rest = context.remaining
        seconds = budget if rest is None else min(budget, rest / (len(wanted) - number))
        first = known[_claim(one).id]
        known[first.claim.id] = _search_result(first, one, seconds, context, finished)


def _judge_into(known: dict[str, Result], filed: Filed, context: Context, finished: Store | None) -> None:
    claim = filed.claim
    if claim.id in known:
        return
    repair_holds = False
    if claim.repaired is not None and claim.repaired.small:
        _judge_into(known, claims.find(claim.repaired_by), context, finished)
        repair_holds = known[claim.repaired_by].verdict in STANDING
    expected = claims.ledger(claim.family).get(claim.id, {}).get("verdict")

    def work() -> Result:
        return judge(claim, filed.witnesses(), filed.cases(), context.seed, repair_holds, expected, context)

    known[claim.id] = _judge_or_load(finished, filed, context.seed, 0.0, work)


def _search_result(
    first: Result, one: Filed | Claim[Any], seconds: float, context: Context, finished: Store | None
) -> Result:
    """Add the findings of a search, which are a claim's witnesses outside the package."""

    relative = any(finding.relative for finding in first.tally.worst.values())  # the claim is about a ratio

    def work() -> Result:
        more = look_for_witnesses(first, seconds / (1 + relative), context.seed, context.progress)
        return load(TIGHTEN)(more, seconds / 2, context) if relative else more

    if not isinstance(one, Claim):
        return _judge_or_load(finished, one, context.seed, seconds, work)
    more = work()
    witnesses = [Witness.of(name, one, "found by the search", case, [name]) for name, case in more.found.items()]
    return replace(judge(one, witnesses, seed=context.seed), found=more.found) if witnesses else more


def _judge_or_load(
    finished: Store | None, filed: Filed, seed: int, seconds: float, work: Callable[[], Result]
) -> Result:
    if finished is None:
        return work()
    key = _key(filed, seed, seconds)
    try:
        return Result.from_row(finished.get_or_compute(key, lambda: work().to_row()), filed)
    except InputError as error:
        logging.getLogger("schedproof").warning("%s; the claim is judged again", error)
        finished.forget([key])
        return Result.from_row(finished.add(key, work().to_row()), filed)


def _key(filed: Filed, seed: int, budget: float) -> Row:
    more = {"witnesses": [*map(sha256_of_file, filed.more)]} if filed.more else {}
    return computed_by(filed.claim) | {"seed": seed, "search": budget, "profile": profile()} | more


def computed_by(claim: Claim[Any]) -> Row:
    outside = outside_code(claim.family, *registry.family(claim.family).claims)
    return {"claim": claim.id, "code": {"schedproof": code("schedproof")} | outside, "software": software()}
