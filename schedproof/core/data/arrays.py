"""Large arrays in separate files, memory-mapped.

The JSON object has ``{"file": "name.npy", "sha256": ...}`` instead of the array. The SHA-256 detects a mixture of old
and new files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from schedproof.core.base.untyped import Json
from schedproof.core.errors import InputError
from schedproof.core.runtime.files import as_json, regular, result_files, writable

MOST_ENTRIES = 10**9  # largest size of an array to read
INLINE = 5_000  # largest size of an array written into the JSON object itself


@dataclass(frozen=True)
class Blocks:
    """An array produced in blocks along its first axis, never whole in memory."""

    shape: tuple[int, ...]
    dtype: type
    blocks: Callable[[], Iterator[np.ndarray]]

    def store(self, part: Path) -> str:
        """Write the array as an ``.npy`` file and return its SHA-256."""
        header = {"descr": np.dtype(self.dtype).str, "fortran_order": False, "shape": self.shape}
        with part.open("wb") as stream:
            np.lib.format.write_array_header_1_0(stream, header)
            for block in self.blocks():
                stream.write(np.ascontiguousarray(block, dtype=self.dtype).data)
        return _digest(part)


def write_object(path: str | Path, value: dict[str, Json], outdated: Iterable[Path] = ()) -> None:
    """Write a JSON object and its large arrays, and replace the old files together.

    Parameters
    ----------
    outdated
        Files derived from the previous content; they are removed (`result_files`).
    """
    file = writable(path)
    with result_files(outdated) as part_of:
        row = write_arrays(file, value, part_of)
        part_of(file).write_bytes(as_json(row))


def write_arrays(path: Path, value: dict[str, Json], part_of: Callable[[Path], Path]) -> dict[str, Json]:
    """Write large arrays to part files; return the object with their names."""
    row = {}
    for key, entry in value.items():
        if isinstance(entry, np.ndarray) and entry.size <= INLINE:
            entry = entry.tolist()
        elif isinstance(entry, np.ndarray):
            entry = Blocks(entry.shape, entry.dtype, partial(iter, [entry]))
        if isinstance(entry, Blocks):
            file = _sibling(path, key)
            entry = {"file": file.name, "sha256": entry.store(part_of(file))}
        row[key] = entry
    return row


def with_arrays(value: Json, folder: Path, keys: Collection[str]) -> Json:
    """Replace each ``{"file": ...}`` under one of the keys by the memory-mapped array.

    Raises
    ------
    InputError
        If the file is missing, truncated, in another folder, no ``.npy`` array of numbers, or has another SHA-256.
    """
    if not isinstance(value, dict):
        return value
    named = {key: entry for key, entry in value.items() if key in keys and _is_reference(entry)}
    return value | {key: _load(key, entry, folder) for key, entry in named.items()}


def _is_reference(entry: Json) -> bool:
    return isinstance(entry, dict) and set(entry) in ({"file"}, {"file", "sha256"})


def _load(key: str, entry: dict[str, Json], folder: Path) -> np.ndarray:
    name = entry["file"]
    if not isinstance(name, str) or not name.endswith(".npy") or Path(name).name != name:
        raise InputError("expected the name of an .npy file in the same folder", path=f"{key}.file", value=repr(name))
    try:
        array: np.ndarray = np.lib.format.open_memmap(regular(folder / name), mode="r")
        if array.size > MOST_ENTRIES:
            wrong = f"the file has {array.size} entries, more than {MOST_ENTRIES}"
        elif "sha256" in entry and entry["sha256"] != _digest(folder / name):
            wrong = "the file's SHA-256 differs from the one in the JSON object"
        else:
            return array
    except FileNotFoundError:
        wrong = "the file does not exist"
    except OSError as error:
        wrong = f"the file cannot be read: {error.strerror or error}"
    except Exception:  # a broken header raises errors of Python's tokenizer
        wrong = "the file is not a complete .npy array of numbers"
    raise InputError(f"expected an array: {wrong}", path=f"{key}.file", value=name)


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _sibling(path: Path, key: str) -> Path:
    return path.with_name(f"{path.stem}.{key}.npy")
