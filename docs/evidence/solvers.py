"""Compare solvers' claims of optimality and infeasibility with proofs.

``python docs/evidence/solvers.py --first 0 --seeds 4 --programs placement.exact jrp.lp_i`` runs every solver and route
on each draw and searches a proof of each *optimal* and *infeasible*. Results are lines of ``--store``, which is resumed
and from which solvers.md is written. A claim is contradicted if a proof has another optimum; rows that hold only within
a tolerance count as claims.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import schedproof as sp
from schedproof.check import optimum as checker
from schedproof.core.data.arrays import write_object
from schedproof.core.errors import SchedproofError
from schedproof.core.programs.program import Program
from schedproof.core.programs.proof import with_proof
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.files import encode, write_bytes, write_json
from schedproof.core.solvers.solution import Solution
from schedproof.instances import from_json

SOLVERS = {  # those that can answer; exhaustive search is no solver
    "placement.exact": ("cpsat", "highs", "scip"),
    "preemptive.minlp2": ("highs", "cpsat", "scip"),
    "jrp.exact": ("tangents", "scip"),
    "dmlrs.exact": ("cpsat", "highs", "scip"),
    "preemptive.lp4": ("highs", "scip", "matrix", "flow", "network_simplex"),
    "placement.lp": ("highs", "scip"),
    "dmlrs.rdmlrs_lp": ("highs", "scip"),
    "jrp.lp_i": ("highs", "scip"),
    "jrp.split_free_lp": ("highs", "scip"),
    "jrp.conic": ("clarabel", "scs"),
    "multiserver.slot_optimum": ("clarabel", "scs"),
    "multiserver.stationary": ("clarabel", "scs"),
}
OPTIONS = {"multiserver.slot_optimum": {"slot": "0"}}
SIZES = {"placement": "tasks", "preemptive": "jobs", "jrp": "jobs", "dmlrs": "jobs", "multiserver": "ports"}
ROOM = {
    "placement": ("clusters", "capacity"),
    "jrp": ("servers", "storage"),
    "dmlrs": ("machines", "capacity"),
    "multiserver": ("nodes", "capacity"),
}
MORE: dict[str, dict[str, Any]] = {"preemptive": {"servers": 2}, "dmlrs": {"machines": 2, "horizon": 5}}
AGREEMENT = 2e-6  # relative: how far a claim may lie from a proven bound
Row = dict[str, Any]


def alike(value: Any) -> Any:
    """Return the instance with jobs that differ only by name: ties everywhere."""
    key = SIZES[value["family"]]
    return value | {key: [value[key][0] | {"name": row["name"]} for row in value[key]]}


def at_once(value: Any) -> Any:
    """Return the instance with all arrivals in slot 0."""
    key = SIZES[value["family"]]
    return value | {key: [row | ({"arrival": 0} if "arrival" in row else {}) for row in value[key]]}


def a_hair_less(value: Any) -> Any:
    """Return the instance with slightly smaller capacities."""
    if value["family"] not in ROOM:
        return value
    places, room = ROOM[value["family"]]
    return value | {places: [row | {room: _less(row[room])} for row in value[places]]}


def _less(room: Any) -> Any:
    if isinstance(room, dict):
        return {name: _less(amount) for name, amount in room.items()}
    return Decimal(room) * (1 - Decimal("1e-8"))


def unchanged(value: Any) -> Any:
    return value


KINDS = {"drawn": unchanged, "at once": at_once, "alike": alike, "a hair less": a_hair_less}


def draws(programs: Sequence[str], counts: Sequence[int], seeds: Sequence[int]) -> Iterator[tuple[str, str, Any]]:
    """Yield program, kind of draw, and instance, except for unchanged instances."""
    for program, count, seed in product(programs, counts, seeds):
        family = program.partition(".")[0]
        settings = {key: str(value) for key, value in (MORE.get(family, {}) | {SIZES[family]: count}).items()}
        value = json.loads(encode(sp.generate(family, "tiny", seed, **settings).to_json()), parse_float=Decimal)
        for kind, change in KINDS.items():
            if kind != "drawn" and change(value) == value:
                continue
            try:
                yield program, f"{SIZES[family]}={count}, seed {seed}, {kind}", from_json(change(value))
            except SchedproofError:
                continue  # jobs that are alike may not fit the horizon


def attack(name: str, what: str, instance: Any, limit: float = 10.0) -> Row:
    """Return all solvers' claims about a draw, and the result of a proof.

    Fields: solvers that claim optimal or infeasible, whether they agree, whether a proof exists, contradictions, the
    reason for a missing proof, and the checker's processor time.
    """
    program, claims = sp.program(name, **OPTIONS.get(name, {})), list[Solution]()
    for solver in SOLVERS[name]:
        try:
            solution = program.solve(instance, solver, limit)
        except SchedproofError:
            continue
        if solution.ended in ("optimal", "infeasible"):
            claims.append(solution)
    first = claims[0].objective or 0.0 if claims else 0.0
    same = all(
        claim.ended == claims[0].ended and abs((claim.objective or 0.0) - first) <= AGREEMENT * max(1.0, abs(first))
        for claim in claims
    )
    said: Row = {}
    if claims:
        provable = program.provable
        said = against_proof(program, instance, claims, limit) if provable else against_bound(program, instance, claims)
    return {
        "program": name,
        "what": what,
        "claims": [claim.solver for claim in claims],
        "agreed": len(claims) > 1 and same,
        "seconds": None,
        "contradicted": [],
        "open": "",
    } | said


def against_proof(program: Program, instance: Any, claims: Sequence[Solution], limit: float) -> Row:
    """Compare claims on an integer program with a tree that check-optimum accepts."""
    results = [with_proof(program, instance, claim, Context(time_limit=limit)) for claim in claims]
    proofs = [result.proof for result in results if result.proof is not None]
    return {
        "contradicted": [result.message for result in results if result.status == "disputed"],
        "open": "" if proofs else results[0].message,
        "seconds": seconds(instance, proofs[0]) if proofs else None,
    }


def against_bound(program: Program, instance: Any, claims: Sequence[Solution]) -> Row:
    """Compare claims on a linear or conic program with an exact bound.

    A claim beyond the bound is contradicted; one that falls short of it has no proof.
    """
    try:
        bound = sp.bound(program, instance)
    except SchedproofError as error:
        return {"open": f"no bound: {error}"}
    started = process_time()
    bound.check(instance)
    took = process_time() - started
    exact, sign = bound.exact, 1 if program.sense == "minimize" else -1
    beyond, short = list[str](), list[str]()
    for claim in claims:
        if claim.objective is None:
            beyond.append(f"{claim.solver} says {claim.words}, but there is a bound of {float(exact):.10g}")
            continue
        ahead = sign * (exact - Fraction(claim.objective)) / max(Fraction(1), abs(exact))
        words = f"{claim.solver} says {claim.words}, the bound is {float(exact):.10g}"
        (beyond if ahead > AGREEMENT else short if ahead < -AGREEMENT else []).append(words)
    return {"contradicted": beyond, "open": "; ".join(short), "seconds": took}


def seconds(instance: Any, proof: Any) -> float:
    """Return the processor time of the checker, which must accept."""
    with TemporaryDirectory() as folder:
        files = Path(folder, "instance.json"), Path(folder, "proof.json")
        write_object(files[0], instance.to_json())
        write_json(files[1], proof)
        started = process_time()
        checker.check(*map(str, files), most_steps=10**9)
        return process_time() - started


def main() -> None:
    """Run the solvers, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, default=4, help="how many")
    parser.add_argument("--counts", type=int, nargs="+", default=[3, 6, 10], help="numbers of jobs")
    parser.add_argument("--seconds", type=float, default=10.0, help="for a solver, and again for a proof")
    parser.add_argument("--programs", nargs="+", default=[*SOLVERS], choices=[*SOLVERS])
    parser.add_argument("--store", type=Path, default=Path("solvers.jsonl"), help="what came of each draw, a line each")
    parser.add_argument("--out", type=Path, default=Path("solvers.md"))
    asked = parser.parse_args()
    lines = asked.store.read_text().splitlines() if asked.store.exists() else []
    rows: list[Row] = [json.loads(line) for line in lines]
    known = {(row["program"], row["what"]) for row in rows}
    with asked.store.open("a") as store:
        for program, what, instance in draws(
            asked.programs, asked.counts, range(asked.first, asked.first + asked.seeds)
        ):
            if (program, what) not in known:
                rows.append(attack(program, what, instance, asked.seconds))
                store.write(json.dumps(rows[-1]) + "\n")
                store.flush()
                print(program, what, "open" if rows[-1]["open"] else "", *rows[-1]["contradicted"], flush=True)
    write_bytes(asked.out, page(rows, asked.seconds).encode())


def line_of(program: str, rows: Sequence[Row]) -> str:
    mine = [row for row in rows if row["program"] == program]
    claimed = [row for row in mine if row["claims"]]
    by = ", ".join(f"{name} {n}" for name, n in sorted(Counter(name for row in mine for name in row["claims"]).items()))
    took = [row["seconds"] for row in mine if row["seconds"] is not None]
    numbers = (
        len(mine),
        by,
        len(claimed),
        sum(row["agreed"] for row in claimed),
        sum(row["seconds"] is not None and not row["open"] for row in claimed),
        sum(len(row["contradicted"]) for row in mine),
        f"{max(took):.2f}" if took else "-",
    )
    return f"| `{program}` | {' | '.join(map(str, numbers))} |"


def page(rows: Sequence[Row], limit: float = 10.0) -> str:
    claimed = [row for row in rows if row["claims"]]
    contradicted = [f"- {row['program']}, {row['what']}: {words}" for row in rows for words in row["contradicted"]]
    unproven = [f"- {row['program']}, {row['what']}: {row['open']}" for row in claimed if row["open"]]
    agreed = sum(row["agreed"] for row in claimed) / max(1, len(claimed))
    numbers = re.findall(r"=([0-9]+), seed ([0-9]+)", " ".join(row["what"] for row in rows))
    return PAGE.format(
        rows="\n".join(line_of(program, rows) for program in SOLVERS if any(row["program"] == program for row in rows)),
        draws=len(rows),
        sizes=", ".join(map(str, sorted({int(size) for size, _ in numbers}))),
        seeds=max((int(seed) for _, seed in numbers), default=0),
        load=os.getloadavg()[0],
        cores=os.cpu_count(),
        found="\n".join(contradicted) or "None is contradicted.",
        open="\n".join(unproven) or "None.",
        seconds=f"{limit:g}",
        agreement=AGREEMENT,
        word=f"{1 - agreed:.0%}",
        agreed=f"{agreed:.0%}",
        left=f"{len(unproven) / max(1, len(claimed)):.1%}",
    )


PAGE = """# What solvers call optimal, held against proofs

`python docs/evidence/solvers.py` draws instances of the preset `tiny`, {draws} here with {sizes} jobs, tasks or
ports, seeds 0 to {seeds}: as they are drawn, with all jobs at once, with jobs that differ by their names alone, so that
ties are everywhere, and with 10^-8 less room, so that what filled a machine fits within a tolerance alone. Each solver
has {seconds} s, at a load of {load:.0f} on {cores} cores.
For an integer program a proof is searched for as long, of which nothing is known of a solver but the value that it
claims, and `check-optimum` accepts it. For a linear or conic program there are multipliers, whose bound is computed
again in rationals (`Bound.check`): a claim is proven within {agreement:.0e} of it, and contradicted further beyond.

Of the draws for which some solver claims an optimum, or that there is no schedule, {word} rested on the word of one
solver and {agreed} on that of two or more that agree; with proofs, {left} rest on the word of solvers still.

| program | draws | claims | draws with a claim | solvers agree | proven | claims contradicted | s to check, at most |
|---|---|---|---|---|---|---|---|
{rows}

## What was found

{found}

## Without a proof

{open}
"""


if __name__ == "__main__":
    main()
