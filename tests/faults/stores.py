"""Damaged and forged stores, witnesses, ledgers and plans.

Each file is rejected in one sentence, or gives the answer of a valid file.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import tempfile
import tomllib
from collections.abc import Callable
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import schedproof as sp
from schedproof.adversary import doubt
from schedproof.adversary.space import of_preset
from schedproof.core.claims import claims
from schedproof.core.claims.claim import violates
from schedproof.core.runtime.files import sha256
from schedproof.experiments.plans import cases, choices, read_plan
from schedproof.proofs_checks import trials
from schedproof.proofs_checks.errata import write as write_errata
from tests.faults.guard import Attempt
from tests.faults.hostile import change, spoiled, text_of

Rng = random.Random
SMALL = {
    "generators": [{"name": "preemptive", "presets": "tiny", "seeds": 1, "settings": {"jobs": 2}}],
    "policies": ["srtf", "tiresias_l"],
    "bounds": ["preemptive.lp4"],
}
CLAIMS = ("preemptive.eq4e_redundant", "jrp.time23_iterations")
FEW = dict.fromkeys(trials.SIZES, 1)  # case of a claim: what is hostile here is not among them


# --- work that keeps a store, and its answer --------------------------------------------------------------------------


def _once(function: Callable[..., Any]) -> Callable[..., Any]:
    kept: list[Any] = []

    def ask(*given: Any, **more: Any) -> Any:
        if not kept:
            kept.append(function(*given, **more))
        return kept[0]

    return ask


DRAWN = {name: _once(getattr(doubt, name)) for name in ("of_preset", "_spaces", "_rests")}
SPACE = _once(of_preset)


def _sweep(store: Path) -> str:
    return str(
        sp.sweep(SMALL, store=store, jobs=1).drop(columns=["seconds", "bound_seconds"], errors="ignore").to_csv()
    )


def _worst(store: Path) -> str:
    engine = sp.Engine(seed=1, chains=1, steps=4, keep="9/10", store=store)
    with patch("schedproof.experiments.worst.of_preset", SPACE):
        found = sp.worst("srtf", "preemptive.lp4", engine=engine)
    return json.dumps({name: value for name, value in found.to_json().items() if "seconds" not in name}, default=str)


def _refute(store: Path) -> str:
    with patch.multiple(doubt, **DRAWN):
        found = sp.refute("preemptive.lemma1", cases=12, store=store)
    return json.dumps({name: value for name, value in found.to_json().items() if "seconds" not in name}, default=str)


def _claims(store: Path) -> str:
    with patch.dict(trials.SIZES, FEW):
        rows = [result.to_json() for result in sp.verify(CLAIMS, record=store)]
    return json.dumps([{name: value for name, value in row.items() if name != "seconds"} for row in rows])


def _prove(store: Path) -> str:
    return json.dumps(sp.prove("srtf", machines=2, sizes=2, store=store).to_json(), default=str)


def _best_ratio(store: Path) -> str:
    found = sp.best_ratio(machines=2, sizes=2, store=store)
    return f"{found.least} {found.most}"


WORK: dict[str, Callable[[Path], str]] = {
    "sweep": _sweep,
    "worst": _worst,
    "refute": _refute,
    "claims": _claims,
    "prove": _prove,
    "best-ratio": _best_ratio,
}


@cache
def _sound(name: str) -> tuple[bytes, str]:
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "sound.sqlite"
        answer = WORK[name](store)
        return store.read_bytes(), answer


# --- damage -----------------------------------------------------------------------------------------------------------


def _bytes(rng: Rng, store: Path) -> str:
    content = bytearray(store.read_bytes())
    kind = rng.randrange(4)
    if kind == 0:
        for _ in range(rng.choice([1, 3, 100])):
            content[rng.randrange(len(content))] = rng.randrange(256)
    elif kind == 1:
        del content[rng.randrange(len(content)) :]
    elif kind == 2:
        page = 4096 * rng.randrange(len(content) // 4096)
        content[page : page + 4096] = rng.choice([bytes(4096), rng.randbytes(4096), content[:4096]])
    else:
        content = bytearray(rng.choice([b"", b"{}", b"SQLite format 3\0", rng.randbytes(300), content[:16] * 200]))
    store.write_bytes(content)
    return f"bytes, way {kind}"


def _rows(rng: Rng, store: Path) -> str:
    with closing(sqlite3.connect(store)) as base:
        rows = base.execute("SELECT number, key, row FROM rows").fetchall()
        number, key, row = rng.choice(rows)
        other = rng.choice(rows)
        value = json.loads(row)
        change(rng, value)
        new: Any = rng.choice(
            ["{}", "null", "", "[" * 5000, "1", b"\0\1", text_of(value).decode("utf-8", "replace"), other[2]]
        )
        if new == row:
            new = "{}"
        what = rng.choice(["row", "key", "sum"])
        base.execute(f"UPDATE rows SET {what} = ? WHERE number = ?", (new if what != "key" else f"{key} ", number))
        base.commit()
    return f"{what} of row {number}: {new!r:.200}"


def _scheme(rng: Rng, store: Path) -> str:
    statements = [
        "DROP TABLE rows; CREATE VIEW rows AS WITH RECURSIVE r(number, key, row, sum) AS (SELECT 1, 'a', 'b', 'c' "
        "UNION ALL SELECT number + 1, key, row, sum FROM r) SELECT * FROM r",
        "DROP TABLE store; CREATE VIEW store AS WITH RECURSIVE r(what) AS (SELECT 'cells' UNION ALL SELECT what "
        "FROM r) SELECT what FROM r",
        "CREATE TRIGGER t AFTER INSERT ON rows BEGIN DELETE FROM rows; END",
        "UPDATE store SET what = 'others'",
        "INSERT INTO store VALUES ('cells')",
        "DELETE FROM store",
        "UPDATE store SET what = x'00'",
        "CREATE TABLE others (a)",
        "ALTER TABLE rows ADD COLUMN more",
        "ALTER TABLE rows DROP COLUMN sum",
        "DROP TABLE rows",
        "DROP TABLE store",
    ]
    chosen = rng.choice(statements)
    with closing(sqlite3.connect(store)) as base:
        base.executescript(chosen)
    return chosen


def _beside(rng: Rng, store: Path) -> str:
    part = store.with_name(store.name + rng.choice(["-wal", "-shm", "-journal"]))
    kind = rng.choice(
        ["pipe", "folder", "link to nothing", "circle", "bytes", "pipe beside", "link beside", "folder beside"]
    )
    if kind in ("pipe", "folder", "link to nothing", "circle"):
        store.unlink()
    match kind:
        case "pipe":
            os.mkfifo(store)
        case "folder":
            store.mkdir()
        case "link to nothing":
            store.symlink_to("nowhere/nothing")
        case "circle":
            store.symlink_to(store.name)
        case "bytes":
            part.write_bytes(rng.randbytes(rng.choice([3, 4096, 40000])))
        case "pipe beside":
            os.mkfifo(part)
        case "link beside":
            part.symlink_to("/dev/zero")
        case "folder beside":
            part.mkdir()
    return f"{kind} ({part.name})"


def _forged(rng: Rng, store: Path) -> str:
    with closing(sqlite3.connect(store)) as base:
        (what,) = base.execute("SELECT what FROM store").fetchone()
        number, key, row = rng.choice(base.execute("SELECT number, key, row FROM rows").fetchall())
        value = json.loads(row)
        change(rng, value)
        text = text_of(value).decode("utf-8", "replace")
        sum_ = sha256("\0".join((what, key, text)).encode("utf-8", "replace"))
        base.execute("UPDATE rows SET row = ?, sum = ? WHERE number = ?", (text, sum_, number))
        base.commit()
    return f"forged row {number}: {text!r:.500}"


WAYS = (_bytes, _rows, _scheme, _beside, _forged)


def store_case(name: str, seed: int, folder: Path) -> Attempt:
    rng = Rng(f"{name} {seed}")
    content, answer = _sound(name)
    store = folder / "store.sqlite"
    store.write_bytes(content)
    way = rng.choice(WAYS)
    what = way(rng, store)

    def attempt() -> str:
        found = WORK[name](store)
        if way is _forged and name not in ("prove", "best-ratio"):
            return "read, forged" if found != answer else "computed again"
        assert found == answer, f"believed: {found[:1500]}"
        return "computed again"

    return Attempt(f"{name} store, {what}", attempt)


# --- witnesses, ledgers and plans -------------------------------------------------------------------------------------


@cache
def _witnesses() -> list[Path]:
    folders = {
        filed.folder for family in ("jrp", "preemptive", "placement") for filed in claims.of_family(family).values()
    }
    return sorted(
        file for folder in folders for file in (folder / "witnesses").glob("*.json") if file.stat().st_size < 5000
    )


SEVERITY = {"holds": 0, "holds_under": 1, "refuted_as_printed": 2, "refuted": 3, "ill_posed": 4, "undecided": 5}


@cache
def _verdict(id: str) -> str:
    return str(claims.ledger(id.partition(".")[0])[id]["verdict"])


def ledger_case(seed: int, folder: Path) -> Attempt:
    """A changed ledger is rejected or shown unchanged; only `verify` replaces it."""
    rng = Rng(f"ledger {seed}")
    family = rng.choice(["jrp", "preemptive", "placement"])
    rows = [dict(row) for row in claims.ledger(family).values()]
    chosen = json.loads(json.dumps(rng.sample(rows, 3)))
    change(rng, chosen, [*SEVERITY, "violated", "x", f"{family}.x", "\x1b[31m", "<script>"])
    content = text_of({"profile": "ci", "claims": chosen})
    file = folder / "ledger.json"
    file.write_bytes(spoiled(rng, content) if rng.random() < 0.1 else content)

    def attempt() -> str:
        with patch.object(claims, "ledger_files", lambda _: []):  # this one alone
            return read()

    def read() -> str:
        listed = claims.ledger_rows(family, file=file)
        assert {row["verdict"] for row in listed.values()} <= {*SEVERITY, "not judged yet"}
        page = folder / "errata.html"
        write_errata(family, page, ledger=file)
        assert "<script" not in page.read_text()
        return "told"

    return Attempt(f"ledger {family}: {content!r:.2000}", attempt)


def witness_case(seed: int, folder: Path) -> Attempt:
    rng = Rng(f"witness {seed}")
    source = rng.choice(_witnesses())
    value = json.loads(source.read_text())
    change(rng, value, ["1/0", "1e999999999", value["claim"]])
    content = text_of(value)
    file = folder / f"{source.stem}.json"
    file.write_bytes(spoiled(rng, content) if rng.random() < 0.1 else content)

    def attempt() -> str:
        with patch.dict(trials.SIZES, FEW):
            (result,) = sp.verify(witnesses=[file], time_limit=5)
        if not result.judged:
            return "no time"
        assert SEVERITY[result.verdict] >= SEVERITY[_verdict(result.claim.id)], f"milder: {result.verdict}"
        for outcome in result.outcomes:
            reading = result.claim.read_as(outcome.reading)
            cases_ = [witness.case for witness in result.witnesses if reading.name in witness.expected]
            if outcome.state == "violated":
                assert any(violates(partial(result.claim.ask, reading), case) for case in cases_), "believed"
        return "judged"

    return Attempt(f"witness {source.stem}: {content!r:.2000}", attempt)


PLAN = """
policies = ["srtf", { name = "a_online", options = { order = ["static", "residual"], speed = [1, 2] } }]
bounds = ["preemptive.lp4"]
time_limit = 5

[[generators]]
name = "preemptive"
presets = ["tiny"]
seeds = 2
settings = { jobs = [2, 3] }

[[files]]
name = "nofile.json"
seeds = [1, 2]
"""


def plan_case(seed: int, folder: Path) -> Attempt:
    rng = Rng(f"plan {seed}")
    hostile = ["1000000000", "9" * 5000, "[" * 5000, '"\\u0000"', "-1", "1e400", "[]", "{}", '"x"', "[1,2]", "nan", "0"]
    text = PLAN if rng.random() < 0.3 else PLAN.partition("[[files]]")[0]
    given: Any = folder / "plan.toml"
    if rng.random() < 0.5:
        given = change(rng, tomllib.loads(text), ["srtf", "a_online", "jrp", "tiny", 2, [1, 2], "nofile.json"])
    else:
        words = [word for word in text.replace(",", " ").split() if word not in ("=", "{", "}")]
        for _ in range(rng.randrange(1, 4)):
            text = text.replace(rng.choice(words), rng.choice([*hostile, *words]), 1)
        content = text.encode()
        given.write_bytes(spoiled(rng, content) if rng.random() < 0.2 else content)

    def attempt() -> str:
        plan = read_plan(given)
        found = cases(plan)
        for family in {one.family for one in found}:
            choices("policy", plan.policies, family)
            choices("bound", plan.bounds, family)
        return "read"

    return Attempt(f"plan: {given if isinstance(given, dict) else content!r:.2000}"[:3000], attempt)
