"""Hostile files of a learner: its weights, and the state of a training."""

from __future__ import annotations

import io
import json
import os
import pickle
import random
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.runtime.context import Context
from schedproof.instances import from_json
from schedproof.online.placement.tapfinger import tensors, weights
from schedproof.online.placement.tapfinger.network import initial, shapes
from schedproof.online.placement.tapfinger.observation import Config
from tests.faults.files import _array, _put
from tests.faults.guard import Attempt
from tests.faults.hostile import alike, change, spoiled, text_of

Rng = random.Random
Header = dict[str, Any]
RAN = Path("unpickled")  # relative: each case has a folder of its own


class Canary:
    """An object that creates a file when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(RAN),)


@cache
def _instances() -> list[sp.Instance]:
    return [from_json(registry.generate("placement", "tiny", seed, {"tasks": "4"})) for seed in range(4)]


def _parts(content: bytes) -> tuple[Header, bytes]:
    length = int.from_bytes(content[:8], "little")
    return json.loads(content[8 : 8 + length]), content[8 + length :]


def _whole(head: bytes, data: bytes) -> bytes:
    return len(head).to_bytes(8, "little") + head + data


# --- what may stand where a file of arrays is expected ----------------------------------------------------------------


def _foreign(rng: Rng, content: bytes) -> bytes:
    packed = pickle.dumps({"a": Canary(), "b": np.zeros(3)}, protocol=rng.randrange(6))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as parts:
        parts.writestr("archive/data.pkl", packed)
        parts.writestr("archive/data/0", bytes(100))
        parts.writestr("archive/version", "3\n")
    arrays, array = io.BytesIO(), io.BytesIO()
    np.savez(arrays, a=np.zeros(3))
    np.save(array, np.array([Canary()], dtype=object), allow_pickle=True)
    others = [packed, archive.getvalue(), arrays.getvalue(), array.getvalue(), b"", b"{}", b"null", rng.randbytes(300)]
    others += [b"version https://git-lfs.github.com/spec/v1\n", b"\x1f\x8b" + content[:100], text_of({"theta": [1, 2]})]
    return rng.choice([*others, *(_whole(other, b"") for other in others), *(content + other for other in others)])


def _lengths(rng: Rng, content: bytes) -> bytes:
    length = int.from_bytes(content[:8], "little")
    others = [0, 1, 2, length - 1, length + 1, length + 8, len(content), len(content) - 8, 2**20, 2**20 + 1]
    said = rng.choice([*others, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1, rng.randrange(2 * length)])
    return said.to_bytes(8, "little") + content[8:]


def _places(rng: Rng, content: bytes) -> bytes:
    head, data = _parts(content)
    names = [name for name in head if name != tensors.TEXT]
    huge = [[2**28], [2**28, 2**28], [2**28 + 1], [0], [0, 2**28], [-1, -4], [1] * 40, [1] * 5000, [2**64], [1.5]]
    for _ in range(rng.randrange(1, 4)):
        name, at = rng.sample([name for name in head if name != tensors.TEXT], 2)
        row, other = head[name], head[at]
        places = [other["data_offsets"], [0, 0], row["data_offsets"][::-1], [-8, 0], [0, 2**28], [2**63, 2**64], [0]]
        places += [[place + rng.choice([-4, 0, 4]) for place in row["data_offsets"]]]
        kind = rng.randrange(4)
        if kind == 0:
            row["data_offsets"] = rng.choice(places)
        elif kind == 1:
            row["shape"] = rng.choice([*huge, other["shape"], row["shape"][::-1], [1, *row["shape"]]])
        elif kind == 2:
            row["dtype"] = rng.choice(["F64", "I64", "U8", "BOOL", "F16", "BF16", "C64", "", "F32 ", None, 7])
        else:
            head[rng.choice([name + "x", at])] = head.pop(name)
    encoded = json.dumps(head).encode()
    if rng.random() < 0.2:  # a name twice
        row_text = json.dumps({names[0]: head.get(names[0])})[1:-1]
        encoded = encoded[:-1] + b", " + row_text.encode() + b"}"
    return _whole(encoded, data)


def _nested(rng: Rng, content: bytes) -> bytes:
    deep = rng.choice([100, 1000, 10_000, 100_000, 500_000, 2**20])
    opening = rng.choice(["[", '{"a":', '{"__metadata__":', '{"a":{"shape":['])
    text = (opening * (deep // len(opening) + 1)).encode()
    head, data = _parts(content)
    if rng.random() < 0.5:
        head[tensors.TEXT]["config"] = text.decode()
        text = json.dumps(head).encode()
    return _whole(text, data)


def _header(rng: Rng, content: bytes) -> bytes:
    head, data = _parts(content)
    return _whole(text_of(change(rng, head, [tensors.TEXT, "F32", "U8", "BOOL"])), data)


def _cut(rng: Rng, content: bytes) -> bytes:
    return rng.choice([content[: rng.randrange(len(content))], content + bytes(rng.randrange(1, 99)), content * 2])


SPOILED: list[Callable[[Rng, bytes], bytes]] = [
    *(_foreign, _lengths, _places, _nested, _header, _cut),
    spoiled,
]


def _stored(rng: Rng, file: Path, content: bytes) -> str:
    if rng.random() < 0.05:
        beside = file.with_suffix(".npy")
        word = _put(rng, beside, np.arange(6).reshape(2, 3))
        if beside.exists() or beside.is_symlink():
            beside.rename(file)
        return word
    if rng.random() < 0.03:
        with file.open("wb") as stream:
            stream.write(content)
            stream.truncate(tensors.LARGEST + rng.choice([0, 1, 2**30]))  # sparse: no block is written
        return "too large"
    how = rng.choice(SPOILED)
    file.write_bytes(how(rng, content))
    return how.__name__.strip("_")


# --- weights ----------------------------------------------------------------------------------------------------------

TINY = {"most": (8, 4), "kinds": ("insensitive", "sensitive"), "width": 8, "heads": 2, "hidden": 8}
SMALL = [
    TINY,
    TINY | {"layers": 0, "encoder_layers": 2, "window": 2},
    TINY | {"graph": False},
    TINY | {"pointer": False, "self_message": False},
]


def _other(rng: Rng, c: Config) -> Header:
    row: Header = json.loads(msgspec.json.encode(c))
    for name in rng.sample(list(row), rng.randrange(1, 3)):
        sizes = [0, 1, 2, 3, 16, 64, 65, 256, 1000, 4096, 4097, 10**9]
        row[name] = rng.choice(sizes) if isinstance(row[name], int) and rng.random() < 0.8 else alike(rng, row[name])
    if rng.random() < 0.3:
        row["most"] = rng.choice([[], [4], [4, 4, 4], [4096, 4096], [4096] * 50, [1, 1], [4096, 1]])
    if rng.random() < 0.3:
        row["kinds"] = rng.choice([[], ["x"], ["sensitive"] * 2, ["sensitive", "insensitive", "\x00\n"], ["a"] * 5000])
    return row


def _network(rng: Rng) -> tuple[Config, dict[str, np.ndarray]]:
    c = Config(**rng.choice(SMALL))
    if rng.random() < 0.5:
        row = json.loads(text_of(_other(rng, c)))
        try:
            c = msgspec.convert(row, Config)
            size = sum(int(np.prod(shape, dtype=object)) for shape in shapes(c).values())
        except (msgspec.ValidationError, MemoryError):
            size = 2**40
        if size > 2**25:
            c = Config(**rng.choice(SMALL))
    numbers = initial(c, np.random.default_rng(rng.randrange(2**32)))
    if rng.random() < 0.5:
        scale = rng.choice([0.0, 1e-30, 1.0, 3.0, 10.0, 1e3, 1e9, 1e19, 1e38])
        numbers = {name: (np.float32(scale) * array).clip(-3e38, 3e38) for name, array in numbers.items()}
    for name in rng.sample(list(numbers), rng.choice([0, 0, 0, 1, 2])):
        if numbers[name].size and rng.random() < 0.7:
            worst = rng.choice([np.nan, np.inf, -np.inf, 3.4e38, -3.4e38, 1e-45])
            numbers[name].flat[rng.randrange(numbers[name].size)] = worst
        else:
            changed = _array(rng, numbers[name])
            numbers[name] = changed if changed.dtype in tensors.TYPES.values() else numbers[name].T
    return c, {name: np.ascontiguousarray(array) for name, array in numbers.items()}


def weights_case(seed: int, folder: Path) -> Attempt:
    rng, file = Rng(f"weights {seed}"), folder / "w.safetensors"
    word = "network"
    if rng.random() < 0.4:
        c, numbers = _network(rng)
        weights.write(file, c, numbers)
        if rng.random() < 0.3:  # its words are another network's
            head, data = _parts(file.read_bytes())
            head[tensors.TEXT]["config"] = text_of(_other(rng, c)).decode()
            file.write_bytes(_whole(json.dumps(head).encode(), data))
    else:
        c = Config(**rng.choice(SMALL))
        weights.write(file, c, initial(c, np.random.default_rng(seed)), preset="tiny")
        content = file.read_bytes()
        file.unlink()
        word = _stored(rng, file, content)
    instance, decode = rng.choice(_instances()), rng.choice(["sampled", "sequential"])

    def attempt() -> str:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                ended = sp.policy("placement.tapfinger", weights=str(file), decode=decode).run(instance, seed=seed)
        finally:
            assert not RAN.exists() and "torch" not in sys.modules
        return "played" if ended.feasible else "started too little"

    return Attempt(f"weights {word} {decode}", attempt)


# --- the state of a training ------------------------------------------------------------------------------------------


@cache
def _trained() -> bytes:
    from schedproof.online.placement.tapfinger import presets, train

    presets.PRESETS["tiny"] = presets.PRESETS["tiny"]._replace(environments=3, slots=2, updates=2)

    def stop(message: str, done: float | None = None) -> None:
        raise KeyboardInterrupt

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "w.safetensors"
        with suppress(KeyboardInterrupt):
            train.train("tiny", file, context=Context(progress=stop))
        content = file.with_suffix(".state").read_bytes()
        train.train("tiny", file, context=Context())  # goes on, and everything is compiled
        return content


def training_case(seed: int, folder: Path) -> Attempt:
    from schedproof.online.placement.tapfinger import train

    rng, file = Rng(f"training {seed}"), folder / "w.state"
    content = _trained()
    if rng.random() < 0.5:
        file.write_bytes(content)
        arrays, text = tensors.read(file)
        for name in rng.sample(list(arrays), rng.choice([1, 1, 2, 5])):
            changed = _array(rng, arrays[name])
            if changed.dtype in tensors.TYPES.values():
                arrays[name] = np.ascontiguousarray(changed)
        tensors.write(file, arrays, text)
        word = "arrays"
    else:
        word = _stored(rng, file, content)

    def attempt() -> str:
        try:
            train.train("tiny", folder / "w.safetensors", context=Context())
        finally:
            assert not RAN.exists()
        weights.read(folder / "w.safetensors")
        return "trained"

    return Attempt(f"training {word}", attempt)
