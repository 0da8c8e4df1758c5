"""Reader and writer of safetensors files: named arrays with text; no code is run.

The first eight bytes are the length of the header. The header is JSON, name -> dtype, shape and offsets. The numbers
follow, little endian and without gaps. Any other file is rejected with an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from schedproof.core.errors import InputError
from schedproof.core.runtime.files import regular, write_bytes

LARGEST = 2**28  # bytes of a file
LONGEST = 2**20  # bytes of a header
TEXT = "__metadata__"
TYPES: dict[str, np.dtype[np.generic]] = {
    "F32": np.dtype("<f4"),
    "F64": np.dtype("<f8"),
    "I64": np.dtype("<i8"),
    "U8": np.dtype("u1"),
    "BOOL": np.dtype("?"),
}
Count = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    dtype: str
    shape: tuple[Count, ...]
    data_offsets: tuple[Count, Count]


def write(path: str | Path, arrays: Mapping[str, np.ndarray], text: Mapping[str, str]) -> None:
    """Write a file atomically; equal arrays and text give equal bytes."""
    names = {dtype: name for name, dtype in TYPES.items()}
    header: dict[str, object] = {TEXT: dict(text)}
    parts, end = [], 0
    for name, array in arrays.items():
        parts.append(array.tobytes())
        begin, end = end, end + array.nbytes
        header[name] = {"dtype": names[array.dtype], "shape": array.shape, "data_offsets": (begin, end)}
    head = msgspec.json.encode(header)
    head += b" " * (-len(head) % 8)
    write_bytes(path, b"".join([len(head).to_bytes(8, "little"), head, *parts]))


def read(path: str | Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Return the arrays and the text of a file.

    Raises
    ------
    InputError
        If the file cannot be read, is too large, or has another form.
    """
    try:
        if regular(path).stat().st_size > LARGEST:
            raise OSError(f"expected at most {LARGEST} bytes")
        content = Path(path).read_bytes()
    except (OSError, ValueError) as error:  # for example an impossible file name
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {reason}", file=str(path)) from None
    try:
        return _parse(content)
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise InputError(f"cannot be read as a safetensors file: {error}", file=str(path)) from None


def _parse(content: bytes) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    length = int.from_bytes(content[:8], "little")
    if len(content) < 8 or length > min(LONGEST, len(content) - 8):
        raise ValueError("the file ends within its header")
    header = msgspec.json.decode(content[8 : 8 + length], type=dict[str, msgspec.Raw])
    text = msgspec.json.decode(header.pop(TEXT, msgspec.Raw(b"{}")), type=dict[str, str])
    arrays, end = {}, 8 + length
    rows = {name: msgspec.json.decode(row, type=_Row) for name, row in header.items()}
    for name, row in sorted(rows.items(), key=lambda item: item[1].data_offsets):
        if row.dtype not in TYPES:
            raise ValueError(f"the array {name} is of type {row.dtype}, expected one of {', '.join(TYPES)}")
        dtype, count = TYPES[row.dtype], prod(row.shape)
        begin, stop = (8 + length + offset for offset in row.data_offsets)
        if begin != end or stop - begin != count * dtype.itemsize or stop > len(content):
            raise ValueError(f"the size of array {name} does not match its offsets")
        end = stop
        if row.dtype == "BOOL" and content[begin:stop].strip(b"\0\1"):
            raise ValueError(f"array {name}: expected true and false only")
        arrays[name] = np.frombuffer(content, dtype, count, begin).reshape(row.shape)
    if end != len(content):
        raise ValueError("expected no bytes after the last array")
    return arrays, text
