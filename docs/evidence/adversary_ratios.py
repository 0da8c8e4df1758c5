"""Search the worst ratios of all policies, and compare them with proven bounds.

``python docs/evidence/adversary_ratios.py --store adversary.sqlite`` searches each policy's worst instance against the
family's exact program and writes adversary_ratios.md; it resumes from the store. The page also lists the nearest case
to a contradiction of each claim that holds. A share above 1 would refute the claim.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import inf
from pathlib import Path

from nearest import Nearest, nearest

from schedproof.adversary.objective import Score, as_words
from schedproof.adversary.worst import Worst
from schedproof.core.base.numbers import decimals, plural
from schedproof.core.claims import claims
from schedproof.core.errors import SchedproofError
from schedproof.core.runtime.files import write_bytes
from schedproof.core.runtime.supervision import supervise
from schedproof.experiments.worst import Engine, Space, worst


@dataclass(frozen=True)
class Line:
    """A search of the table.

    Attributes
    ----------
    options, against_options
        Options of the policy and of its comparison.
    setting
        The table's description of the instances.
    settings
        Of the generator, in addition to its preset ``tiny``.
    within, cases_of, only
        Of the search.
    """

    policy: str
    against: str
    options: dict[str, str] = field(default_factory=dict)
    setting: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    within: tuple[str, ...] = ()
    cases_of: str | None = None
    only: str = "all"
    against_options: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return " ".join([self.policy, *(f"{key}={value}" for key, value in self.options.items())])


def whole_slots(speed: int, chunks: int, delay: int) -> tuple[str, ...]:
    """Return jobs with integer chunk times at both speeds and without gradients."""
    times = f"jobs[*].minibatch_time={speed}..{6 * speed}:{speed}"
    nothing = [f"jobs[*].{name}=0" for name in ("gradient_size", "update_time")]
    once = [f"jobs[*].{name}=1" for name in ("epochs", "minibatches")]
    return (f"jobs[*].chunks={chunks}", times, *nothing, *once, f"jobs[*].upload_delay.*=0..{delay}", "horizon=300")


ENDS = {"points": "2"}  # the regret after the first slot and after the last
A_ONLINE, PD_ORS, IN_ORDER = "preemptive.a_online", "dmlrs.pd_ors", "preemptive.lemma2_repaired"
PROVED = (
    *(
        Line(
            A_ONLINE,
            "preemptive.minlp2",
            {"order": "residual", "speed": f"{speed}"},
            f"D = {chunks}, uploads of up to {delay} slots" if delay else f"D = {chunks}, no uploads",
            {"jobs": "6"},
            whole_slots(speed, chunks, delay),
            IN_ORDER,
            "guaranteed",
        )
        for speed, chunks, delay in (
            *((2, chunks, delay) for chunks in (1, 2, 4) for delay in (0, 6)),
            *((2, 1, 100), (3, 1, 6), (10, 1, 200)),
        )
    ),
    *(
        Line(
            PD_ORS,
            "dmlrs.exact",
            {"bounds": "repaired", "share": share},
            cases_of="dmlrs.theorem5_ratio_repaired",
            only="guaranteed",
        )
        for share in ("1/2", "1/3", "1/4")
    ),
    Line("multiserver.oga_sched", "multiserver.regret", {}, only="guaranteed", against_options=ENDS),
)
ANYWHERE = (
    *(
        Line(
            A_ONLINE,
            "preemptive.minlp2",
            {"order": order, "speed": "2"},
            f"D_max <= {chunks}",
            {"jobs": "6"},
            (f"jobs[*].chunks=1..{chunks}",),
        )
        for order in ("static", "residual")
        for chunks in (1, 2, 4)
    ),
    *(Line(f"preemptive.{name}", "preemptive.minlp2") for name in ("a_online", "srtf", "tiresias_l", "batch_sche")),
    *(
        Line(policy, f"{policy.partition('.')[0]}.exact", options, setting, only=only)
        for policy, options in (
            (PD_ORS, {}),
            (PD_ORS, {"bounds": "repaired"}),
            (PD_ORS, {"span": "12"}),
            *((f"dmlrs.{name}", {}) for name in ("oasis", "fifo", "drf", "dorm")),
            *((f"jrp.{name}", {}) for name in ("jrp_rounding", "greedy", "random")),
        )
        for setting, only in (("any", "all"), ("it earns something", "finite"))
    ),
    *(
        Line(PD_ORS, "dmlrs.exact", options, "cases against Theorem 5", cases_of="dmlrs.theorem5_ratio", only="finite")
        for options in ({}, {"bounds": "repaired"}, {"span": "12"})
    ),
    *(Line(f"placement.{name}", "placement.exact") for name in ("random", "minimum", "tiresias", "optimus", "table")),
    *(
        Line("multiserver.oga_sched", "multiserver.regret", {"step": step}, against_options=ENDS)
        for step in ("constant", "printed53", "anytime", "decayed")
    ),
)


def in_a_cell(score: Score) -> str:
    """Format a score for a table; a long one becomes empty."""
    words = as_words(score)
    return words if len(words) < 24 else ""


def row(line: Line, found: Worst) -> str:
    """Return a search as a row of its table."""
    sign = "at most" if found.kind == "bound" else "at least"
    ratio = "infinite"
    if found.exact != inf:
        ratio = f"{sign} {decimals(Fraction(found.exact), 4, up=found.kind == 'bound')}"
    cells = [line.name, line.setting, line.against, ratio, in_a_cell(found.exact)]
    if found.judged.guaranteed is not None:
        score, above = found.judged.score, " **exceeded**" if sign == "at least" and found.judged.score > 1 else ""
        share = "infinite" if score == inf else f"{sign} {decimals(Fraction(score), 4, up=found.kind == 'bound')}"
        promised = decimals(found.judged.guaranteed, 4, up=True)
        cells += [f"{promised}, {found.run.guarantee.source}", f"{share}{above}"]
    looked_at, unjudged = sum(found.looked_at), sum(found.unjudged.values())
    return f"| {' | '.join([*cells, plural(*found.instance.extent), str(looked_at), str(unjudged)])} |"


def searches(lines: Sequence[Line], given: argparse.Namespace) -> Iterator[str]:
    """Return the rows of some searches, with the reason if one has no result."""
    for line in lines:
        if given.only and line.policy not in given.only:
            continue
        try:
            yield row(line, searched(line, given))
        except SchedproofError as error:
            yield f"| {line.name} | {line.setting} | {line.against} | {error} |"


def searched(line: Line, given: argparse.Namespace) -> Worst:
    space = Space(settings=line.settings, within=line.within, cases_of=line.cases_of, only=line.only)
    engine = Engine(chains=given.chains, steps=given.steps, seed=given.seed, store=given.store)
    options, against_options = line.options, line.against_options
    return worst(line.policy, line.against, space, engine, options=options, against_options=against_options)


def of_claims(given: argparse.Namespace) -> Iterator[str]:
    """Return the nearest case of each reading of the claims."""
    for id in PROMISES:
        claim = claims.claim(id)
        for reading in claim.readings if not given.only or id in given.only else ():
            found = nearest(claim, reading, given.cases, given.seed)
            if found is not None:
                yield claim_row(id, reading.name, found)


def claim_row(id: str, reading: str, found: Nearest) -> str:
    finding, above = found.finding, " **exceeded**" if found.share > 1 else ""
    sides = (in_a_cell(finding.measured), in_a_cell(finding.claimed))
    share = f"{decimals(found.share, 4, up=False)}{above}"
    return f"| {' | '.join([id, reading, finding.where, *sides, share, str(found.compared)])} |"


@dataclass(frozen=True)
class Table:
    """Searches of one kind, and the source of their rows."""

    title: str
    about: str
    columns: tuple[str, ...]
    rows: Callable[[argparse.Namespace], Iterator[str]]

    def text(self, rows: Sequence[str]) -> str:
        head = [" | ".join(self.columns), " | ".join("---" for _ in self.columns)]
        return "\n".join([f"## {self.title}", "", self.about, "", *(f"| {one} |" for one in head), *rows, ""])


PROMISES = (
    *(f"preemptive.theorem3_{program}_repaired" for program in ("lp", "ilp_fluid", "minlp")),
    *(f"dmlrs.{name}" for name in ("theorem5_ratio_repaired", "theorem6_ratio_repaired", "better_price")),
    *(f"jrp.{name}" for name in ("theorem1_repaired", "theorem1_equal_sizes")),
    *(f"multiserver.theorem1_{step}" for step in ("constant", "step53_repaired", "anytime", "decayed_repaired")),
    *(f"multiserver.{name}" for name in ("worst_case_from_zero", "worst_case_from_centre", "gang_sublinear")),
    *(f"placement.{name}" for name in ("no_starvation", "terminates")),
)
HEAD = """# The worst ratios that the adversary finds

Generated by `python docs/evidence/adversary_ratios.py`.
Each policy is searched from draws of its family's preset `tiny`, in {chains} chains of {steps} instances, seed
{seed}, then the instance is shrunk to the same score; of each reading of a claim {cases} cases are drawn. Against an
exact program the ratio is at least what is told: the better schedule is checked. Of the instances looked at, those
without a score are outside of the premises, or no instances.
"""
FOUND = ("policy", "setting", "against", "ratio or regret", "exactly")
COMPARED = ("claim", "reading", "what is compared", "measured", "promised", "share", "cases compared")
LOOKED = ("instance", "looked at", "no score")
TABLES = (
    Table(
        "Where a theorem promises a ratio or a regret",
        """Only instances on which every premise of the theorem holds; those that Hypothesis draws of a claim about them
are starts, too. The search is for the largest share of what is promised on that instance: a share above 1 would
refute what is called proved.""",
        (*FOUND, "promised", "share", *LOOKED),
        partial(searches, PROVED),
    ),
    Table(
        "What the ledger's claims promise",
        """Cases of proved claims as Hypothesis draws them, steered to where the share of what is promised is largest. 1
says that what is promised is attained.""",
        COMPARED,
        of_claims,
    ),
    Table(
        "Where nothing is promised",
        """Any instance of the space. Where a policy may earn nothing, its ratio is infinite; a second search then keeps
to instances on which it earns something.""",
        (*FOUND, *LOOKED),
        partial(searches, ANYWHERE),
    ),
)


def page(rows: Mapping[str, Sequence[str]], given: argparse.Namespace) -> str:
    """Return the tables with the available rows."""
    return "\n".join([HEAD.format_map(vars(given)), *(table.text(rows.get(table.title, ())) for table in TABLES)])


def main(arguments: Sequence[str] | None = None) -> None:
    """Run all searches, and write the page after each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=Path, nargs="?", default=Path("adversary_ratios.md"))
    parser.add_argument("--store", type=Path, default=Path("adversary.sqlite"))
    parser.add_argument("--chains", type=int, default=4)
    parser.add_argument("--steps", type=int, default=250)
    parser.add_argument("--cases", type=int, default=500, help="of each reading of a claim")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="a policy or a claim")
    given = parser.parse_args(arguments)
    rows: dict[str, list[str]] = {}
    for table in TABLES:
        for found in table.rows(given):
            rows.setdefault(table.title, []).append(found)
            print(found, flush=True)
            write_bytes(given.page, page(rows, given).encode())


if __name__ == "__main__":
    supervise(main)
