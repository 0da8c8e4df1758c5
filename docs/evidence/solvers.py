"""What solvers call optimal, held against proofs: integer programs on tiny and degenerate draws.

``python docs/evidence/solvers.py --first 0 --seeds 4`` asks every solver and route of four programs about each draw,
looks for a proof of each *optimal* and *infeasible*, and writes solvers.md. A claim is contradicted where the proof has
another optimum; a row that only a tolerance meets is a claim like any other.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import schedproof as sp
from schedproof.check import optimum as checker
from schedproof.core.arrays import write_object
from schedproof.core.context import Context
from schedproof.core.errors import SchedproofError
from schedproof.core.files import encode, write_bytes, write_json
from schedproof.core.solution import Solution
from schedproof.core.solve import with_proof
from schedproof.instances import from_json

SOLVERS = {  # those that can answer; exhaustive search is no solver
    "placement.exact": ("cpsat", "highs", "scip"),
    "preemptive.minlp2": ("highs", "cpsat", "scip"),
    "jrp.exact": ("tangents", "scip"),
    "dmlrs.exact": ("cpsat", "highs", "scip"),
}
SIZES = {"placement": "tasks", "preemptive": "jobs", "jrp": "jobs", "dmlrs": "jobs"}
MORE: dict[str, dict[str, Any]] = {"preemptive": {"servers": 2}, "dmlrs": {"machines": 2, "horizon": 5}}
SECONDS = 10.0  # for a solver, and again for a proof


def alike(value: Any) -> Any:
    """The same instance with jobs that differ by their names alone: ties everywhere."""
    key = "tasks" if "tasks" in value else "jobs"
    return value | {key: [value[key][0] | {"name": row["name"]} for row in value[key]]}


def at_once(value: Any) -> Any:
    """The same, all arrivals in slot 0."""
    key = "tasks" if "tasks" in value else "jobs"
    return value | {key: [row | ({"arrival": 0} if "arrival" in row else {}) for row in value[key]]}


def unchanged(value: Any) -> Any:
    return value


KINDS = {"drawn": unchanged, "at once": at_once, "alike": alike}


def draws(counts: Sequence[int], seeds: Sequence[int]) -> Iterator[tuple[str, str, Any]]:
    """Program, what the draw is, and the instance."""
    for program, count, seed in product(SOLVERS, counts, seeds):
        family = program.partition(".")[0]
        settings = {key: str(value) for key, value in (MORE.get(family, {}) | {SIZES[family]: count}).items()}
        value = json.loads(encode(sp.generate(family, "tiny", seed, **settings).to_json()), parse_float=Decimal)
        for kind, change in KINDS.items():
            try:
                yield program, f"{SIZES[family]}={count}, seed {seed}, {kind}", from_json(change(value))
            except SchedproofError:
                continue  # jobs that are alike may not fit the horizon


@dataclass
class Line:
    """What came of a program's draws.

    Attributes
    ----------
    claims, contradicted
        Of each solver: how often it said optimal or infeasible; in words, what a proof says instead.
    unproven
        Draws with a claim and without a proof.
    seconds
        Of processor, to check a proof.
    """

    program: str
    draws: int = 0
    claimed: int = 0
    agreed: int = 0
    proven: int = 0
    claims: Counter[str] = field(default_factory=Counter)
    contradicted: list[str] = field(default_factory=list)
    unproven: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def row(self) -> str:
        """Its row of the table."""
        by = ", ".join(f"{solver} {count}" for solver, count in sorted(self.claims.items()))
        most = f"{max(self.seconds):.2f}" if self.seconds else "-"
        numbers = (self.draws, by, self.claimed, self.agreed, self.proven, len(self.contradicted), most)
        return f"| `{self.program}` | {' | '.join(map(str, numbers))} |"


def attack(line: Line, what: str, instance: Any) -> None:
    """Ask all solvers about a draw, and hold what they claim against a proof."""
    program, claims = sp.program(line.program), list[Solution]()
    for solver in SOLVERS[line.program]:
        try:
            solution = program.solve(instance, solver, SECONDS)
        except SchedproofError:
            continue
        if solution.ended in ("optimal", "infeasible"):
            claims.append(solution)
            line.claims[solver] += 1
    line.draws += 1
    if not claims:
        return
    line.claimed += 1
    line.agreed += len(claims) > 1 and len({round(claim.objective or -1.0, 6) for claim in claims}) == 1
    results = [with_proof(program, instance, claim, Context(time_limit=SECONDS)) for claim in claims]
    proofs = [result.proof for result in results if result.proof is not None]
    for result in results:
        if result.status == "disputed":
            line.contradicted.append(f"{line.program}, {what}: {result.message}")
    if proofs:
        line.proven += 1
        line.seconds.append(seconds(instance, proofs[0]))
    else:
        line.unproven.append(f"{line.program}, {what}: {results[0].message}")


def seconds(instance: Any, proof: Any) -> float:
    """Of processor, for the checker, which must accept."""
    with TemporaryDirectory() as folder:
        files = Path(folder, "instance.json"), Path(folder, "proof.json")
        write_object(files[0], instance.to_json())
        write_json(files[1], proof)
        started = process_time()
        checker.check(*map(str, files), most_steps=10**9)
        return process_time() - started


def main() -> None:
    """Attack, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, default=4, help="how many")
    parser.add_argument("--counts", type=int, nargs="+", default=[3, 6, 10], help="numbers of jobs")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    asked = parser.parse_args()
    lines = {program: Line(program) for program in SOLVERS}
    for program, what, instance in draws(asked.counts, range(asked.first, asked.first + asked.seeds)):
        attack(lines[program], what, instance)
        print(lines[program].row(), what, flush=True)
    write_bytes(asked.out, page([*lines.values()], asked.first, asked.seeds, asked.counts).encode())


def page(lines: Sequence[Line], first: int, seeds: int, counts: Sequence[int]) -> str:
    """The page's text."""
    contradicted = [words for line in lines for words in line.contradicted]
    unproven = [words for line in lines for words in line.unproven]
    claimed, agreed, proven = (sum(getattr(line, name) for line in lines) for name in ("claimed", "agreed", "proven"))
    return PAGE.format(
        rows="\n".join(line.row() for line in lines),
        seeds=f"{first} to {first + seeds - 1}",
        counts=", ".join(map(str, counts)),
        found="\n".join(f"- {words}" for words in contradicted) or "None is contradicted.",
        open="\n".join(f"- {words}" for words in unproven) or "None.",
        seconds=f"{SECONDS:g}",
        word=f"{(claimed - agreed) / max(1, claimed):.0%}",
        agreed=f"{agreed / max(1, claimed):.0%}",
        left=f"{(claimed - proven) / max(1, claimed):.0%}",
    )


PAGE = """# What solvers call optimal, held against proofs

`python docs/evidence/solvers.py` draws instances of the preset `tiny` with {counts} jobs, seeds {seeds}: as they are
drawn, with all jobs at once, and with jobs that differ by their names alone, so that ties are everywhere. Each solver
has {seconds} s, and so has the search for a proof, which knows nothing of a solver but the value that it claims.
`check-optimum` accepts each proof.

Of the draws for which some solver claims an optimum, or that there is no schedule, {word} rested on the word of one
solver and {agreed} on that of two or more that agree; with proofs, {left} rest on the word of solvers still.

| program | draws | claims | draws with a claim | solvers agree | proven | claims contradicted | s to check, at most |
|---|---|---|---|---|---|---|---|
{rows}

## What was found

{found}

Beside these, the first run ended in a traceback: SCIP's adapter has no word for a row without columns, which
`dmlrs.exact` had where no job needs a resource. It has none now.

## Without a proof

{open}
"""


if __name__ == "__main__":
    main()
