"""Hostile files: instances, schedules, their arrays, and certificates."""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import schedproof as sp
from schedproof.check.bound import Refused, check
from schedproof.core.certificates.bounds import read_bound
from schedproof.core.data.arrays import write_object
from schedproof.core.runtime.files import encode
from tests.certificates import FORGERIES, honest, instance_of
from tests.faults.guard import Attempt
from tests.faults.hostile import change, file_of, spoiled, text_of
from tests.faults.options import run
from tests.instances.broken import formats
from tests.instances.schedules import schedules
from tests.support import FAMILIES
from tests.tiny.multiserver import tiny_multiserver

FORMATS, SCHEDULES = formats(), schedules()
Rng = random.Random


# --- instances and schedules ----------------------------------------------------------------------------------------


def instance_case(seed: int, folder: Path) -> Attempt:
    rng = Rng(f"instance {seed}")
    family = FAMILIES[seed % len(FAMILIES)]
    form = FORMATS[family]
    valid = form.value() if rng.random() < 0.5 else form.tiny(rng.randrange(20))
    file = folder / "instance.json"
    content = file_of(rng, valid, form.words)
    file.write_bytes(content)

    def attempt() -> str:
        instance = sp.read(file)
        form.ask(instance)
        again = folder / "again.json"
        write_object(again, instance.to_json())
        assert sp.read(again).sha256 == instance.sha256
        return "read"

    return Attempt(f"instance {family}: {content!r:.2000}", attempt)


@cache
def _plan(family: str, seed: int) -> tuple[Any, Any]:
    plan: tuple[Any, Any] = SCHEDULES[family].drawn(seed)
    return plan


def schedule_case(seed: int, folder: Path) -> Attempt:
    rng = Rng(f"schedule {seed}")
    family = FAMILIES[seed % len(FAMILIES)]
    instance, schedule = _plan(family, rng.randrange(12))
    file, of = folder / "plan.json", folder / "instance.json"
    write_object(file, schedule.to_json(instance))
    content = file_of(
        rng,
        json.loads(file.read_bytes()),
        [*FORMATS[family].words, "1/3", "-7/2", "9" * 4000 + "/7", "1/" + "7" * 4000, "1/" + "9" * 3999],
    )
    file.write_bytes(content)
    words = f"schedule {family}: {content!r:.2000}"
    if rng.random() < 0.3:
        write_object(of, instance.to_json())
        more = ["--json"] if rng.random() < 0.5 else []
        return Attempt(words, lambda: run("check", str(of), str(file), *more))

    def attempt() -> str:
        plan = sp.read_schedule(file, instance)
        found = plan.violations(instance)
        plan.objective(instance)
        assert all(str(row).isprintable() for row in found)
        encode([row.to_json() for row in found])
        write_object(folder / "again.json", plan.to_json(instance))
        again = sp.read_schedule(folder / "again.json", instance)
        assert again.violations(instance) == found
        return "infeasible" if found else "feasible"

    return Attempt(words, attempt)


# --- arrays beside them ---------------------------------------------------------------------------------------------


def _array(rng: Rng, good: np.ndarray) -> np.ndarray:
    kind = rng.randrange(12)
    if kind < 6:
        types = [
            "<i1",
            "<u8",
            ">i8",
            "<f8",
            ">f8",
            "<f4",
            "<c16",
            "?",
            "S3",
            "U5",
            "M8[s]",
            "m8[D]",
            "f2",
            "V8",
            "<f8,<i4",
        ]
        with np.errstate(all="ignore"):
            return good.astype(np.float64).astype(rng.choice(types)) if kind else good.astype(rng.choice(types[:5]))
    changed = good.copy()
    if kind < 9 and changed.size:
        numbers = [-1, 2, 10**9, 10**9 + 1, 2**62, -(2**62)]
        worse = [float("nan"), float("inf"), -float("inf"), 1e308, -1e-300, 5e-324]
        for _ in range(rng.randrange(1, 4)):
            number = rng.choice(numbers if changed.dtype.kind in "iu" else worse)
            changed.flat[rng.randrange(changed.size)] = np.array(number).astype(changed.dtype)
        return changed
    shapes = [(), (0,), (1,), (0, 3), (3, 0), (0, 0, 0), (1, 1, 1, 1, 1), (2, 2), (*good.shape, 1), good.shape[::-1]]
    if kind == 9:
        return np.zeros(rng.choice(shapes), good.dtype)
    return np.asfortranarray(good) if kind == 10 else good[::-1][: rng.randrange(3)]


def _header(rng: Rng, good: np.ndarray) -> bytes:
    descr = rng.choice([good.dtype.str, "|O", "<f8", "<i8", "<U1000000000", "|V0", "nonsense", "<i8'", [("a", "<i8")]])
    shape = rng.choice(
        [good.shape, (10**9, 3), (10**18,), (2**62, 4), (-1, 3), (0, 10**18), (1,) * 40, "()", (3.5,), (True, 3), None]
    )
    head: Any = {"descr": descr, "fortran_order": rng.choice([False, True, 1, None]), "shape": shape}
    if rng.random() < 0.2:
        del head[rng.choice(list(head))]
    text = rng.choice(
        [repr(head), repr(head) * 2, "[" * 500, "{" * 9000, "__import__('os').abort()", "1+" * 4000 + "1"]
    )
    text = repr(head) if rng.random() < 0.7 else text
    version = rng.choice([1, 1, 2, 3, 0, 9])
    encoded = text.encode() + b" " * rng.randrange(64) + b"\n"
    said = rng.choice([len(encoded), len(encoded), 0, 1, 60000])
    return (
        b"\x93NUMPY"
        + bytes([version, rng.choice([0, 0, 7])])
        + said.to_bytes(2 if version == 1 else 4, "little")
        + encoded
    )


def _put(rng: Rng, path: Path, good: np.ndarray) -> str:
    kind = rng.randrange(10)
    if kind < 4:
        array = _array(rng, good)
        np.save(path, array)
        return f"{array.dtype} {array.shape}"
    if kind == 4:
        np.save(path, np.array([None, object, {"a": 1}], dtype=object), allow_pickle=True)
        return "pickled objects"
    if kind in (5, 6):
        head = _header(rng, good)
        with path.open("wb") as stream:
            stream.write(head + np.ascontiguousarray(good).tobytes())
            if rng.random() < 0.3:
                stream.truncate(rng.choice([1, 10**6, 1 << 40, 1 << 33]))  # sparse: no block is written
        return f"header {head!r:.300}"
    if kind == 7:
        special: dict[str, Callable[[], object]] = {
            "a FIFO": lambda: os.mkfifo(path),
            "a folder": path.mkdir,
            "a link to a device": lambda: path.symlink_to(rng.choice(["/dev/zero", "/dev/full", "/dev/tty"])),
            "a link to itself": lambda: path.symlink_to(path),
            "a link to nothing": lambda: path.symlink_to(path.parent / "none"),
            "nothing": lambda: None,
        }
        word = rng.choice(list(special))
        special[word]()
        return word
    if kind == 8:
        version = rng.choice([(1, 0), (2, 0), (3, 0)])
        with path.open("wb") as stream:
            np.lib.format.write_array(stream, good, version=version)
        return f"version {version}"
    content = _saved(path, good)
    cut = rng.randrange(len(content) + 1)
    path.write_bytes(
        rng.choice([content[:cut], content + b"\0" * 8, b"", rng.randbytes(200), content[:6] + content[cut:]])
    )
    return f"cut at {cut}"


def _saved(path: Path, array: np.ndarray) -> bytes:
    np.save(path, array)
    return path.read_bytes()


def sidecar_case(seed: int, folder: Path) -> Attempt:
    rng = Rng(f"sidecar {seed}")
    file, plan_file, beside = folder / "instance.json", folder / "plan.json", folder / "x.npy"
    if rng.random() < 0.3:  # any key of any format says that it lies beside
        family = rng.choice(FAMILIES)
        value = json.loads(encode(FORMATS[family].value()))
        key = rng.choice([*value, "beyond"])
        value[key] = {"file": rng.choice(["x.npy", "x.npy", "x.npy", "../x.npy", str(beside), "./x.npy", "x.npz", 7])}
        word = _put(rng, beside, np.arange(6).reshape(2, 3))
        file.write_bytes(text_of(value))
        return Attempt(f"sidecar {family} {key}: {word}", lambda: _read(file, family))
    value = tiny_multiserver(rng.randrange(8))
    instance, schedule = _plan("multiserver", rng.randrange(6))
    if rng.random() < 0.5:
        word = _put(rng, beside, np.array(value["arrivals"], dtype=np.int64))
        file.write_bytes(encode(value | {"arrivals": {"file": "x.npy"}}))
        return Attempt(f"sidecar arrivals: {word}", lambda: _read(file, "multiserver"))
    row = schedule.to_json(instance)
    blocks = row["allocation"]
    allocation = np.concatenate([*blocks.blocks(), np.zeros((0, *blocks.shape[1:]))])
    key = rng.choice(["allocation", "allocation", "allocation", *row])
    word = _put(rng, beside, allocation)
    write_object(plan_file, row | {key: {"file": "x.npy"}})

    def attempt() -> str:
        plan = sp.read_schedule(plan_file, instance)
        found = plan.violations(instance)
        plan.objective(instance)
        return "infeasible" if found else "feasible"

    return Attempt(f"sidecar {key} of a schedule: {word}", attempt)


def _read(file: Path, family: str) -> str:
    FORMATS[family].ask(sp.read(file))
    return "read"


# --- certificates ---------------------------------------------------------------------------------------------------


@cache
def _bounds(family: str) -> list[tuple[Any, Any]]:
    return [(instance, bound.to_file()) for _, instance, bound in islice(honest(family, 24), 24)]


def certificate_case(seed: int, folder: Path) -> Attempt:
    rng = Rng(f"certificate {seed}")
    family = FAMILIES[seed % len(FAMILIES)]
    instance, row = rng.choice(_bounds(family))
    of, file = folder / "instance.json", folder / "bound.json"
    write_object(of, instance.to_json())
    value = json.loads(encode(row))
    kind = rng.random()
    words = ["1/3", "9" * 4000 + "/7", "1/" + "3" * 4000, "9" * 10**5, 10**300, -1, 10**18]
    if kind < 0.4:
        rng.choice(FORGERIES)(rng, value, instance)
        content = encode(value)
    elif kind < 0.7:  # within the proof itself
        change(rng, value["multipliers"], words)
        content = text_of(value)
    else:
        content = file_of(rng, value, words)
    if rng.random() < 0.05:
        content = content.replace(b"1", rng.choice([b"9" * 10**6, b"1e999999999", b"NaN", b"[" * 10**5]), 1)
    file.write_bytes(content)
    if rng.random() < 0.1:
        of.write_bytes(file_of(rng, json.loads(of.read_bytes()), FORMATS[family].words))

    def attempt() -> str:
        try:
            check(str(of), str(file))
            first = "proven"
        except Refused as refused:
            assert str(refused).isprintable(), repr(str(refused))
            first = "refused"
        read_bound(file, sp.read(of)).check(instance)
        return f"{first}, proven"

    return Attempt(f"certificate {row['program']}: {content!r:.2000}", attempt)


# --- the state of a bound -------------------------------------------------------------------------------------------


@cache
def _state() -> tuple[Any, dict[str, np.ndarray]]:
    with tempfile.TemporaryDirectory() as folder:
        instance, state = instance_of("dmlrs", 0), Path(folder) / "state.npz"
        sp.bound("dmlrs.rdmlrs_lp", instance, resume=state)
        with np.load(state) as parts:
            return instance, dict(parts)


def state_case(seed: int, folder: Path) -> Attempt:
    rng, file = Rng(f"state {seed}"), folder / "state.npz"
    instance, parts = _state()
    name = rng.choice(list(parts))
    changed = parts | {name: _array(rng, parts[name])} if parts[name].dtype.kind != "U" else parts
    np.savez_compressed(file, **changed)
    if rng.random() < 0.4:
        file.write_bytes(spoiled(rng, file.read_bytes()))
    word = name
    if rng.random() < 0.2:
        file.unlink()
        word = _put(rng, file.with_suffix(".npy"), parts["rows"])
        if file.with_suffix(".npy").exists():
            file.with_suffix(".npy").rename(file)

    def attempt() -> str:
        sp.bound("dmlrs.rdmlrs_lp", instance, resume=file)
        return "proven"

    return Attempt(f"state {word}", attempt)
