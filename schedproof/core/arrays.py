"""Large arrays beside a JSON object: ``{"file": "name.npy"}`` in the object, a memory-mapped array in Python."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from schedproof.core.errors import InputError
from schedproof.core.files import atomic, write_json
from schedproof.core.untyped import Json

MOST_ENTRIES = 10**9  # of an array that is read
INLINE = 5_000  # entries of an array that stands in the JSON object itself


@dataclass(frozen=True)
class Blocks:
    """An array that is made block by block along its first axis, so that it need never be in memory as a whole."""

    shape: tuple[int, ...]
    dtype: type
    blocks: Callable[[], Iterator[np.ndarray]]

    def store(self, path: Path) -> None:
        """Write it as an ``.npy`` file, whole or not at all."""
        header = {"descr": np.dtype(self.dtype).str, "fortran_order": False, "shape": self.shape}
        with atomic(path) as part, part.open("wb") as stream:
            np.lib.format.write_array_header_1_0(stream, header)
            for block in self.blocks():
                stream.write(np.ascontiguousarray(block, dtype=self.dtype).data)


def write_object(path: str | Path, value: dict[str, Json]) -> None:
    """Write a JSON object, its large arrays first, each file whole or not at all."""
    write_json(path, beside(path, value))


def beside(path: str | Path, value: dict[str, Json]) -> dict[str, Json]:
    """Write the large arrays of an object beside the file that will hold it; returns the object with their names."""
    row = {}
    for key, entry in value.items():
        if isinstance(entry, np.ndarray) and entry.size <= INLINE:
            entry = entry.tolist()
        elif isinstance(entry, np.ndarray):
            entry = Blocks(entry.shape, entry.dtype, partial(iter, [entry]))
        if isinstance(entry, Blocks):
            file = _sibling(Path(path), key)
            entry.store(file)
            entry = {"file": file.name}
        row[key] = entry
    return row


def with_arrays(value: Json, folder: Path, keys: Collection[str]) -> Json:
    """A parsed object in which a ``{"file": ...}`` under one of these keys is the array, mapped read-only.

    Raises
    ------
    InputError
        When the file is missing, is no ``.npy`` array of numbers, is cut short, or lies elsewhere than in the folder.
    """
    if not isinstance(value, dict):
        return value
    named = {key: entry for key, entry in value.items() if key in keys and _named(entry)}
    return value | {key: _loaded(key, entry, folder) for key, entry in named.items()}


def _named(entry: Json) -> bool:
    return isinstance(entry, dict) and set(entry) == {"file"}


def _loaded(key: str, entry: dict[str, Json], folder: Path) -> np.ndarray:
    name = entry["file"]
    if not isinstance(name, str) or not name.endswith(".npy") or Path(name).name != name:
        raise InputError("expected the name of an .npy file in the same folder", path=f"{key}.file", value=repr(name))
    try:
        if not (folder / name).is_file() and (folder / name).exists():  # a pipe or a device, say, which may never end
            raise OSError("it is no regular file")
        array: np.ndarray = np.lib.format.open_memmap(folder / name, mode="r")
        if array.size <= MOST_ENTRIES:
            return array
        wrong = f"the file has {array.size} entries, more than the {MOST_ENTRIES} that are read"
    except FileNotFoundError:
        wrong = "the file is not there"
    except OSError as error:
        wrong = f"the file cannot be read: {error.strerror or error}"
    except Exception:  # of a broken header, whatever Python's own tokenizer says
        wrong = "the file is not a whole .npy array of numbers"
    raise InputError(f"expected an array: {wrong}", path=f"{key}.file", value=name)


def _sibling(path: Path, key: str) -> Path:
    return path.with_name(f"{path.stem}.{key}.npy")
