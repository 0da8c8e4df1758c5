from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.check import optimum as checker
from schedproof.check.optimum import Refused, Rows, Steps, check
from schedproof.core.data.arrays import write_object
from schedproof.core.programs.proof import with_proof
from schedproof.core.runtime.context import USUAL
from schedproof.core.runtime.files import encode, write_json
from schedproof.instances import from_json
from tests.command_line import Cli, written
from tests.support import size
from tests.tiny import dmlrs, jrp, placement, preemptive

EMBEDDED = {
    "placement.exact": ("clusters", "29"),
    "preemptive.minlp2": ("day", "31"),
    "jrp.exact": ("cells", "7"),
    "dmlrs.exact": ("cluster", "21419795849021/200000000000"),
}
SOLVERS = {"preemptive.minlp2": "highs", "placement.exact": "cpsat", "jrp.exact": "tangents", "dmlrs.exact": "cpsat"}
EXHAUSTIVE: dict[str, tuple[str, Callable[[int], Any]]] = {  # and small instances for it
    "placement.exact": ("brute", lambda seed: placement.tiny_instance(seed, tasks=2, horizon=12)),
    "preemptive.minlp2": ("brute", lambda seed: _two_jobs(seed)),
    "jrp.exact": ("brute", lambda seed: jrp.tiny_cells(seed, jobs=3)),
    "dmlrs.exact": ("packing", lambda seed: dmlrs.tiny_cluster(seed, jobs=3, most_workers=2)),
}
Row = dict[str, Any]


FLOATING = [{"chunks": "floating", "reading": "ceil_chunk"}, {"chunks": "floating", "reading": "ceil_job"}]


def _two_jobs(seed: int, cloud: bool = False) -> Any:
    rng = random.Random(seed)
    jobs = [
        preemptive.job(f"job-{n}", arrival=rng.randrange(3), chunks=rng.randrange(1, 4), epochs=rng.randrange(1, 3))
        for n in range(2)
    ]
    for row in rng.choice((jobs[1:], jobs)) if cloud else ():  # many places for a chunk that stays
        row |= {"minibatch_time": Decimal("1.3"), "upload_delay": {"e": rng.randrange(2), "sky": rng.randrange(1, 6)}}
    return preemptive.instance_of(*jobs, workers=rng.randrange(1, 3), ps=rng.randrange(1, 3))


def judged(instance: Any, row: Any, folder: Path, **limits: int) -> str:
    write_object(folder / "instance.json", instance)
    write_json(folder / "proof.json", row)
    try:
        return str(check(str(folder / "instance.json"), str(folder / "proof.json"), **limits)["value"])
    except Refused as refused:
        return f"refused: {refused}"


@cache
def honest(program: str) -> tuple[str, str]:
    instance = sp.embedded(EMBEDDED[program][0])
    solution = sp.program(program).solve(instance, SOLVERS[program], prove=True)
    assert solution.status == "optimal (proof)" and solution.proven and "check-optimum" in solution.rests_on
    return encode(instance.to_json()).decode(), encode(solution.proof).decode()


def files(program: str) -> tuple[Row, Row]:
    instance, proof = honest(program)
    return json.loads(instance), json.loads(proof)


@pytest.mark.parametrize("program", EMBEDDED)
def test_proven_results_are_accepted(program: str, tmp_path: Path) -> None:
    instance, proof = files(program)
    assert judged(instance, proof, tmp_path) == proof["value"] == EMBEDDED[program][1]
    assert judged(instance, proof, tmp_path, most_steps=100).startswith("refused: the check takes more than 100 steps")


@pytest.mark.parametrize(
    ("name", "options"),
    [*((name, {}) for name in EXHAUSTIVE), *(("preemptive.minlp2", options) for options in FLOATING)],
)
def test_the_rows_have_the_optimum_of_every_choice_tried(name: str, options: Row, tmp_path: Path) -> None:
    from solvers import alike  # where pytest alone looks; others import what is above

    (route, draw), program = EXHAUSTIVE[name], sp.program(name, **options)
    drawn = list[tuple[Any, Row]]()
    for seed in range(size(4, 6, 80)):
        instance = _two_jobs(seed // 2, cloud=True) if options else draw(seed // 2)
        if seed % 2:  # ties, and twins among the jobs
            instance = from_json(alike(instance.to_json()))
        tried = program.solve(instance, route)
        proven = with_proof(program, instance, tried, USUAL)
        assert proven.proof is not None and proven.status == f"{tried.ended} (proof)", (seed, proven.message)
        assert proven.proof["value"] == (None if tried.exact is None else str(tried.exact)), seed
        drawn.append((instance.to_json(), json.loads(encode(proven.proof))))
    said = [
        (judged(instance, other, tmp_path), str(own["value"])) for (instance, own), (_, other) in permutations(drawn, 2)
    ]
    assert all(words == value or words.startswith("refused: ") for words, value in said)
    assert any(words.startswith("refused: ") for words, _ in said)


# --- whatever may be changed ------------------------------------------------------------------------------------------


def another_value(rng: random.Random, row: Row) -> None:
    row["value"] = str(Fraction(row["value"]) + rng.choice((-1, 1)) * Fraction(1, rng.choice((1, 2, 10**6, 10**12))))


def another_point(rng: random.Random, row: Row) -> None:
    row["point"][rng.randrange(len(row["point"]))] += rng.choice((-1, 1))


def another_entry(rng: random.Random, row: Row) -> None:
    leaf = rng.choice([entry for entry in row["tree"] if isinstance(entry[0], list)])
    place = rng.choice(leaf)
    place[rng.randrange(2)] += rng.choice((-1, 1, -place[1]))


def another_branch(rng: random.Random, row: Row) -> None:
    branches = [entry for entry in row["tree"] if isinstance(entry[0], int)]
    if branches:
        rng.choice(branches)[rng.randrange(2)] += rng.choice((-1, 1))


def a_part_less(rng: random.Random, row: Row) -> None:
    del row["tree"][rng.randrange(len(row["tree"]))]


def a_leaf_for_a_branch(rng: random.Random, row: Row) -> None:
    tree = row["tree"]
    n = rng.randrange(len(tree))
    tree[n:] = [rng.choice([entry for entry in tree if isinstance(entry[0], list)])]


def parts_exchanged(rng: random.Random, row: Row) -> None:
    tree = row["tree"]
    n, k = rng.randrange(len(tree)), rng.randrange(len(tree))
    tree[n], tree[k] = tree[k], tree[n]


def a_row_less(rng: random.Random, row: Row) -> None:
    leaf = rng.choice([entry for entry in row["tree"] if isinstance(entry[0], list)])
    del leaf[rng.randrange(len(leaf))]


def another_side(rng: random.Random, row: Row) -> None:
    row["apart"] = not row["apart"]


def other_tangents(rng: random.Random, row: Row) -> None:
    if row["tangents"]:
        tangent = rng.choice(row["tangents"])
        tangent[rng.randrange(1, 3)] = rng.choice(("0", "1", "-1", "1/1000", "1000"))


FORGERIES = (
    another_value,
    another_point,
    another_entry,
    another_branch,
    a_part_less,
    a_leaf_for_a_branch,
    parts_exchanged,
    a_row_less,
    another_side,
    other_tangents,
)


@pytest.fixture
def written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the checker write equal rows once; most changed proofs need those of the honest proof."""
    write, kept = checker.rows_within, dict[str, Rows]()

    def rows(instance: Any, program: str, asked: Any, limit: Any, steps: Steps, *more: Any) -> Rows:
        key = repr((instance, program, asked, limit, more))
        kept[key] = kept.get(key) or write(instance, program, asked, limit, steps, *more)
        kept[key].steps = steps
        return kept[key]

    monkeypatch.setattr(checker, "rows_within", rows)


@pytest.mark.usefixtures("written_once")
@pytest.mark.parametrize("program", EMBEDDED)
def test_no_change_proves_another_optimum(program: str, tmp_path: Path) -> None:
    refused, count = 0, size(20, 60, 5000)
    near = Fraction(1, checker.FINEST) if program == "dmlrs.exact" else 0  # up to which a sigmoid's is proven
    for seed in range(count):
        rng = random.Random(seed)
        instance, row = files(program)
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            rng.choice(FORGERIES)(rng, row)
            if not row["tree"] or not all(row["tree"]):
                break
        said = judged(instance, row, tmp_path)
        assert said.startswith("refused: ") or abs(Fraction(said) - Fraction(EMBEDDED[program][1])) <= near, (
            seed,
            said,
        )
        refused += said.startswith("refused: ")
    print(f"{program}: {count} changed, {refused} refused, {count - refused} accepted and true")
    assert refused > 0


def _changed(row: Row, **fields: Any) -> Row:
    return copy.deepcopy(row) | fields


def test_hand_made_forgeries_are_rejected(tmp_path: Path) -> None:
    instance, row = files("placement.exact")
    leaf = next(entry for entry in row["tree"] if isinstance(entry[0], list))
    for field, value, why in (
        ("value", "28", "point: expected one number for each column"),
        ("value", "30", "point: expected one number for each column"),
        ("value", "59/2", "value: no schedule has this objective, as it is off the grid of objectives"),
        ("value", None, "point: expected null, as the value is null"),
        ("value", 29, "expected a rational like 7/3, found 29"),
        ("point", None, "point: expected one number for each column"),
        ("point", [0.0] * len(row["point"]), "point: expected integers within the ranges of their columns"),
        ("point", [True] * len(row["point"]), "point: expected integers within the ranges of their columns"),
        ("tree", [], "tree: expected a list of entries"),
        ("tree", [[]], "tree[0]: the multipliers of this leaf prove no contradiction"),
        ("tree", [leaf], "tree[0]: the multipliers of this leaf prove no contradiction"),
        ("tree", [[0, 0]], "tree: expected one leaf more than branches"),
        ("tree", [*row["tree"], leaf], "tree: expected one leaf more than branches"),
        ("tree", [[0, 7], leaf, leaf], "tree[0]: expected a column and a value inside its range"),
        ("tree", [[-1, 0], leaf, leaf], "tree[0]: expected a column and a value inside its range"),
        ("tree", [[[-1, 1]]], "tree[0]: expected numbers of rows, and integer multipliers"),
        ("tree", [[[0, 1.5]]], "tree[0]: expected numbers of rows, and integer multipliers"),
        ("tree", [[[0, 1 << 5000]]], "expected numbers of at most 4096 bits"),
        ("tree", [[["0", 1]]], "tree[0]: expected numbers of rows, and integer multipliers"),
        ("tangents", [[0, "1", "1"]], "tangents: expected numbers of servers, and multipliers >= 0"),
        ("parameters", {"each": "at_most"}, "expected the fields: none"),
        ("program", "placement.lp", f"program: expected one of {', '.join(checker.PROGRAMS)}"),
        ("program", "jrp.exact", "jrp.exact needs a jrp instance"),
        ("version", 2, "version: expected 1"),
        ("apart", 0, "apart: expected true or false"),
        ("extra", 0, "expected the fields: version program parameters value point apart tangents tree"),
    ):
        assert judged(instance, _changed(row, **{field: value}), tmp_path) == f"refused: {why}", (field, value)


# --- a proof of something else ----------------------------------------------------------------------------------------


def test_a_proof_of_another_program_is_refused(tmp_path: Path) -> None:
    for one, other in permutations(EMBEDDED, 2):
        instance, own = files(one)
        _, row = files(other)
        for forged in (
            row,
            row | {name: own[name] for name in ("program", "parameters")},
            own | {name: row[name] for name in ("program", "parameters")},
            own | {"tree": row["tree"]},
            own | {"point": row["point"]},
        ):
            assert judged(instance, forged, tmp_path).startswith("refused: "), (one, other)


def test_no_proof_counts_restarts(tmp_path: Path) -> None:
    instance, row = files("preemptive.minlp2")
    assert judged(instance, row, tmp_path) == row["value"]
    assert judged(instance | {"restart": 1}, row, tmp_path).startswith("refused: restart: expected none")


def test_a_proof_under_another_option_proves_no_falsehood(tmp_path: Path) -> None:
    # Of a minlp2 under each option, relabelled as under each other: refused, or that has the same optimum.
    asked = [{"chunks": "pinned", "reading": "ceil_chunk"}, *FLOATING]
    asked += [FLOATING[0] | change for change in ({"speed": "3/2"}, {"ps_release": "none"})]
    refused = 0
    for seed in range(size(2, 2, 30)):
        instance = _two_jobs(seed, cloud=True)
        drawn = []
        for options in asked:
            program = sp.program("preemptive.minlp2", **options)
            proof = with_proof(program, instance, program.solve(instance, "cpsat"), USUAL).proof
            assert proof is not None
            drawn.append(json.loads(encode(proof)))
        for own, other in permutations(drawn, 2):
            said = judged(instance.to_json(), other | {"parameters": own["parameters"]}, tmp_path)
            refused += said.startswith("refused: ")
            assert said.startswith("refused: ") or said == own["value"]
    assert refused > 0


def test_duplicate_entries_are_rejected(tmp_path: Path) -> None:
    for program, names in (
        ("placement.exact", "clusters tasks resources"),
        ("preemptive.minlp2", "servers jobs"),
        ("jrp.exact", "servers jobs"),
        ("dmlrs.exact", "machines jobs resources"),
    ):
        for name in names.split():
            instance, row = files(program)
            instance[name].append(instance[name][0])
            assert "each" in judged(instance, row, tmp_path) or "once" in judged(instance, row, tmp_path), (
                program,
                name,
            )


def test_a_tangent_is_valid_on_its_cone() -> None:
    rng = random.Random(1)
    for _ in range(size(20, 50, 2000)):
        parts = [(n, Fraction(rng.randrange(9), rng.randrange(1, 9)), Fraction(rng.randrange(9), 7)) for n in range(4)]
        rows = Rows(Steps(10**6))
        for _ in parts:
            rows.column()
        rows.cone(Fraction(rng.randrange(12)), Fraction(rng.randrange(12)), parts)
        for code in range(16):
            point = [code >> n & 1 for n in range(4)]
            rows.rows.clear()
            try:
                rows.require_met(point)
            except Refused:
                continue
            rows.tangent(0, Fraction(rng.randrange(20), 9), Fraction(rng.randrange(20), 7))
            rows.require_met(point)


def test_a_wrong_solver_is_found_out() -> None:
    instance, program = sp.embedded("clusters"), sp.program("placement.exact")
    true = program.solve(instance)
    for lie, why in ((28.0, "no schedule has the objective 28"), (30.0, "the optimum is 29")):
        doubted = with_proof(program, instance, replace(true, objective=lie), USUAL)
        assert doubted.status == "disputed" and why in doubted.message and not doubted.proven
    infeasible = with_proof(program, instance, replace(true, ended="infeasible"), USUAL)
    assert infeasible.status == "disputed" and "found a schedule" in infeasible.message


def test_a_modified_program_has_a_proof_by_branching(cli: Cli, tmp_path: Path) -> None:
    tasks, proof = written("clusters", tmp_path), tmp_path / "proof.json"
    code, out, _ = cli("solve", "placement.exact", tasks, "--certificate", proof, "--drop", "capacity")
    assert code == 0 and "for check-bound" in out
    assert cli("check-bound", tasks, proof)[0] == 0
    proof.unlink()
    assert cli("solve", "placement.exact", tasks, "--certificate", proof)[1].startswith(
        "placement.exact: optimal (proof) (cpsat, "
    )
    assert cli("check-optimum", tasks, proof) == (0, "proven: placement.exact: the optimum is 29\n", "")
    assert "this is an instance, expected the proof of an optimum" in cli("check-optimum", tasks, tasks)[2]
    assert checker.lines({"statement": "a\nb"}) == ["proven: a\\nb"]
