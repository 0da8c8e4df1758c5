"""What the test (21) lets through: claim storage_test_feasible."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.jrp.groups import takes
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.jrp.literal import Fits, Node, accepted, all_three, kept, storage
from schedproof.proofs_checks.jrp.model import ONE, ZERO, Held, Row, Rule, cone, data, needs, split
from schedproof.proofs_checks.jrp.rounds import ROUNDS, SPREAD, Round, of_round, read
from schedproof.proofs_checks.strategies import jrp_rounds as draw
from schedproof.proofs_checks.writing import at, table

Choice = Callable[[Round, dict[Node, int]], list[Row]]


def all_kept(found: Round, drawn: dict[Node, int], fits: Fits = storage) -> list[Row]:
    """Lines 9-15: every data node that its server keeps."""
    return [(k, i, j, ONE) for (k, i), j in kept(found.instance, drawn, found.y, fits=fits).items()]


def all_accepted(found: Round, drawn: dict[Node, int], fits: Fits = storage) -> list[Row]:
    """Line 17: of these, those of the jobs that are accepted."""
    rows = all_kept(found, drawn, fits)
    live = set(accepted(found.instance, {(k, i): j for k, i, j, _ in rows}))
    return [row for row in rows if row[0] in live]


def passed(found: Round, drawn: dict[Node, int]) -> list[Row]:
    """What servers keep that test storage, compute and bandwidth."""
    return all_kept(found, drawn, all_three)


def _preliminary(found: Round, drawn: dict[Node, int]) -> list[Row]:
    return [(k, i, j, ONE) for (k, i), j in drawn.items()]


def served(case: Case, choice: Choice, rule: Rule) -> Finding | None:
    """With probability 0 some server cannot serve by a rule what it is given."""
    found = read(case)
    if found is None:
        return None
    instance = found.instance

    def fails(drawn: dict[Node, int]) -> bool:
        held = data(instance, choice(found, drawn))
        return not all(takes(instance, j, here, rule) for j, here in enumerate(held))

    return Finding(found.chance(fails), ZERO, "at most", "Pr(a server cannot serve what it is given)")


def _overbooked(found: Round) -> bool:
    held = data(found.instance, _preliminary(found, {(k, i): j for k, i, j, _ in found.rows}))
    return any(sum(here.values()) > server.storage for here, server in zip(held, found.instance.servers, strict=True))


def _late(found: Round) -> bool:
    shares = data(found.instance, found.rows)
    return any(
        sum(c for c, _ in needs(found.instance, here)) == (1 - found.instance.communication_share) * server.compute > 0
        for here, server in zip(shares, found.instance.servers, strict=True)
    )


def _by_server(found: Round) -> Iterable[Held]:
    timed = {job.index for job in found.instance.jobs if job.deadline is not None}
    return data(found.instance, [row for row in found.rows if row[0] in timed])


REGIMES = (
    *ROUNDS,
    SPREAD,
    of_round("more may be drawn than there is storage for", _overbooked),
    of_round("compute binds in LP_I", _late),
    of_round(
        "two jobs with deadlines on a server", lambda r: any(len(needs(r.instance, h)) > 1 for h in _by_server(r))
    ),
)


STORAGE_TEST = Claim(
    id="jrp.storage_test_feasible",
    source="paper 003, section IV-B, (21): 'in order to get a feasible assignment'",
    statement="The assignment of the data nodes that (21) keeps satisfies (8)-(10) with some resources.",
    readings=(
        Reading("all that is kept, split", "With (16), (17) for (10).", at(served, choice=all_kept, rule=split)),
        Reading("all that is kept", "With any resources.", at(served, choice=all_kept, rule=cone)),
        Reading(
            "accepted jobs, split",
            "Of accepted jobs alone, with (16), (17).",
            at(served, choice=all_accepted, rule=split),
        ),
        Reading(
            "accepted jobs", "Of accepted jobs alone, with any resources.", at(served, choice=all_accepted, rule=cone)
        ),
    ),
    regimes=REGIMES,
    strategy=draw.rounds(),
    planted=(Planted("without the test", at(served, choice=_preliminary, rule=cone)),),
    witnesses=WITNESSES,
    repaired_by="jrp.storage_test_feasible_repaired",
)


def served_repaired(case: Case, rule: Rule) -> Finding | None:
    """Of the longest prefix by priority that passes (21), (16) and (17), everything is served.

    Proof
    -----
    The prefix passes: on server j, sum d <= r_j^s, sum_k a_k D <= (1 - eps) r_j^c and sum_k b_k D <= eps r_j^b. Let
    r^c = a_k D/(1 - eps) and r^b = b_k D/eps. Then (8) and (9) are the last two sums, (16) and (17) hold with equality,
    and (10) as a D/r^c + b D/r^b = (1 - eps) + eps. The accepted jobs hold a part of it, and less data need less.
    """
    return served(case, passed, rule)


STORAGE_TEST_REPAIRED = Claim(
    id="jrp.storage_test_feasible_repaired",
    source="paper 003, section IV-B, (21), repaired",
    statement="What the longest prefix keeps that passes (21), (16) and (17) together satisfies (7)-(10).",
    readings=(
        Reading("split time", "With (16) and (17) for (10).", at(served_repaired, rule=split)),
        Reading("deadlines", "(7)-(10).", at(served_repaired, rule=cone)),
    ),
    regimes=REGIMES,
    strategy=draw.rounds(),
    planted=(Planted("with (21) alone", at(served, choice=all_kept, rule=cone)),),
)

CLAIMS = table(STORAGE_TEST, STORAGE_TEST_REPAIRED)
