from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schedproof.core.errors import InputError
from schedproof.online.placement.tapfinger import tensors

ARRAYS = {
    "a": np.arange(6, dtype=np.float32).reshape(2, 3),
    "none": np.zeros((0, 4), dtype=np.int64),
    "b": np.array([True, False]),
    "c": np.arange(3, dtype=np.uint8),
    "d": np.array(1.5),
}


def test_written_tensors_are_read_back(tmp_path: Path) -> None:
    tensors.write(tmp_path / "x", ARRAYS, {"what": "ä"})
    found, text = tensors.read(tmp_path / "x")
    assert text == {"what": "ä"} and found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype and found[name].shape == array.shape
        np.testing.assert_array_equal(found[name], array)


def test_the_safetensors_library_reads_the_file(tmp_path: Path) -> None:
    library = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed")
    tensors.write(tmp_path / "x", ARRAYS, {"what": "x"})
    found = library.load_file(tmp_path / "x")
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found[name], array)


def file(header: Any, data: bytes) -> bytes:
    head = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(head).to_bytes(8, "little") + head + data


def row(dtype: str = "U8", shape: Any = (2,), place: Any = (0, 2), **more: Any) -> dict[str, Any]:
    return {"a": {"dtype": dtype, "shape": shape, "data_offsets": place, **more}}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "ends within its header"),
        (b"1234567", "ends within its header"),
        ((2**60).to_bytes(8, "little") + b"{}", "ends within its header"),
        (file(b"\x80\x04pickle", b""), "malformed"),
        (file([], b""), "Expected `object`"),
        (file({"__metadata__": {"a": 1}}, b""), "Expected `str`"),
        (file(row(), b"1"), "the size of array a does not match its offsets"),
        (file(row(), b"123"), "expected no bytes after the last array"),
        (file(row(shape=(3,)), b"12"), "does not match its offsets"),
        (file(row(place=(1, 3)), b"123"), "does not match its offsets"),
        (file(row(shape=(-1, -2)), b"12"), "Expected `int` >= 0"),
        (file(row(dtype="F16"), b"12"), "of type F16"),
        (file(row(dtype="BOOL"), b"\0\2"), "expected true and false only"),
        (file(row(more=1), b"12"), "unknown field"),
        (file(b"[" * 100_000, b""), "cannot be read as a safetensors file"),
    ],
)
def test_other_values_give_one_message(content: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(InputError, match=words):
        tensors.read(tmp_path / "x")


def test_a_missing_or_too_large_file_gives_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("x", "pipe", "a" * 300, "a\0b", "."):
        with pytest.raises(InputError, match="cannot be read"):
            tensors.read(tmp_path / name)
    tensors.write(tmp_path / "x", ARRAYS, {})
    monkeypatch.setattr(tensors, "LARGEST", 100)
    with pytest.raises(InputError, match="expected at most 100 bytes"):
        tensors.read(tmp_path / "x")
