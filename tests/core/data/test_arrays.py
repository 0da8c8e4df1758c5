from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedproof.core.data.arrays import INLINE, MOST_ENTRIES, Blocks, with_arrays, write_object
from schedproof.core.data.reading import parse, read_text
from schedproof.core.errors import InputError
from schedproof.core.runtime.files import sha256
from tests.support import size

KEYS = ("a", "arrivals", "allocation")  # of what may lie beside a file
LARGE = np.arange(3 * INLINE, dtype=np.uint16).reshape(-1, 3)


def named(name: str, folder: Path) -> dict[str, str]:
    return {"file": name, "sha256": sha256((folder / name).read_bytes())}


def stored(file: Path, value: dict[str, Any]) -> dict[str, Any]:
    write_object(file, value)
    row: dict[str, Any] = parse(read_text(file))
    return row


def read_again(file: Path) -> Any:
    return with_arrays(parse(read_text(file)), file.parent, KEYS)


@pytest.mark.parametrize("dtype", ["u1", "<i8", ">i8", "<f8"])
def test_a_large_array_round_trips_in_a_separate_file(dtype: str, tmp_path: Path) -> None:
    file, array = tmp_path / "one.json", (LARGE % 200).astype(dtype)
    write_object(file, {"version": 1, "arrivals": array})
    assert parse(read_text(file)) == {"version": 1, "arrivals": named("one.arrivals.npy", tmp_path)}
    again = read_again(file)["arrivals"]
    assert again.dtype == array.dtype and np.array_equal(again, array)
    assert np.array_equal(np.load(tmp_path / "one.arrivals.npy"), array)


def test_a_small_array_is_stored_in_the_object(tmp_path: Path) -> None:
    value = stored(tmp_path / "one.json", {"arrivals": np.eye(2, dtype=np.uint8), "name": "x", "list": [1]})
    assert value == {"arrivals": [[1, 0], [0, 1]], "name": "x", "list": [1]}
    assert [p.name for p in tmp_path.iterdir()] == ["one.json"]


def test_arrays_are_read_as_read_only_maps(tmp_path: Path) -> None:
    write_object(tmp_path / "one.json", {"a": LARGE})
    array = read_again(tmp_path / "one.json")["a"]
    assert isinstance(array, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = 1


def test_only_objects_with_just_a_file_name_are_arrays(tmp_path: Path) -> None:
    for value in ([{"file": "x.npy"}], "x", {"a": {"file": "x.npy", "b": 1}}, {"a": {"b": {"file": "x.npy"}}}):
        assert with_arrays(value, tmp_path, KEYS) == value


def test_an_array_of_another_run_is_rejected(tmp_path: Path) -> None:
    file, array = tmp_path / "one.json", tmp_path / "one.a.npy"
    write_object(file, {"a": LARGE + 1})
    newer = array.read_bytes()
    write_object(file, {"a": LARGE})
    array.write_bytes(newer)
    with pytest.raises(InputError, match="the file's SHA-256 differs from the one in the JSON object"):
        read_again(file)
    file.write_text('{"a": {"file": "one.a.npy"}}')
    assert np.array_equal(read_again(file)["a"], LARGE + 1)


WRITER = """
import itertools, sys
import numpy as np
from schedproof.core.data.arrays import write_object
for n in itertools.count(int(sys.argv[2]), 2):
    write_object(sys.argv[1], {"n": n, "a": np.full(6000, n)})
"""


def test_concurrent_writers_give_a_consistent_pair_or_a_message(tmp_path: Path) -> None:
    file, whole = tmp_path / "one.json", 0
    write_object(file, {"n": 0, "a": np.full(6000, 0)})
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(file), str(n)]) for n in (1, 2)]
    try:
        seen = set[int]()
        while whole < size(100, 100, 20_000) or len({n % 2 for n in seen}) < 2:
            try:
                value = read_again(file)
            except InputError as error:
                assert "SHA-256 differs" in str(error)
            else:
                assert (value["a"] == value["n"]).all()
                seen.add(value["n"])
                whole += 1
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()
    write_object(file, {"n": 0, "a": np.full(6000, 0)})
    assert (read_again(file)["a"] == 0).all() and len([*tmp_path.iterdir()]) == 2


@pytest.mark.parametrize("told", [1, [], {}, "", "0" * 64])
def test_an_invalid_checksum_gives_one_message(told: Any, tmp_path: Path) -> None:
    (tmp_path / "x.npy").write_bytes(GOOD)
    with pytest.raises(InputError, match="the file's SHA-256 differs from the one in the JSON object"):
        with_arrays({"a": {"file": "x.npy", "sha256": told}}, tmp_path, KEYS)


def test_an_object_behind_a_link_has_its_arrays_next_to_it(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link.json").symlink_to(tmp_path / "there" / "one.json")
    write_object(tmp_path / "link.json", {"a": LARGE})
    assert sorted(p.name for p in (tmp_path / "there").iterdir()) == ["one.a.npy", "one.json"]


def test_blocks_are_written_in_constant_memory(tmp_path: Path) -> None:
    block = np.arange(1 << 17, dtype=np.float64).reshape(-1, 8)

    def blocks() -> Iterator[np.ndarray]:
        for n in range(100):
            yield block + n

    tracemalloc.start()
    value = stored(tmp_path / "run.json", {"allocation": Blocks((100 * len(block), 8), np.float64, blocks)})
    array = with_arrays(value, tmp_path, {"allocation"})["allocation"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8e6
    assert array.shape == (100 * len(block), 8) and array[-1, -1] == block[-1, -1] + 99
    assert np.array_equal(array[len(block) : 2 * len(block)], block + 1)


def test_a_file_is_written_completely_or_not_at_all(tmp_path: Path) -> None:
    write_object(tmp_path / "one.json", {"a": LARGE})
    before = (tmp_path / "one.a.npy").read_bytes()

    def blocks() -> Iterator[np.ndarray]:
        yield LARGE[:1000]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_object(tmp_path / "one.json", {"a": Blocks(LARGE.shape, LARGE.dtype, blocks)})
    assert (tmp_path / "one.a.npy").read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["one.a.npy", "one.json"]


def test_an_unwritable_array_gives_one_message(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected an existing folder"):
        write_object(tmp_path / "nowhere" / "one.json", {"a": LARGE})


# --- bad files --------------------------------------------------------------------------------------------------------


def npy(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def zipped() -> bytes:
    stream = io.BytesIO()
    np.savez(stream, a=LARGE)
    return stream.getvalue()


GOOD = npy(LARGE)
NOT_WHOLE = "the file is not a complete .npy array of numbers"
BAD: dict[str, bytes] = {
    "truncated": GOOD[:-1],
    "truncated in the header": GOOD[:40],
    "empty": b"",
    "pickled objects": npy(np.array([{}, None], dtype=object)),
    "a pickle": pickle.dumps([1, 2]),
    "an archive": zipped(),
    "text": b"1 2 3\n",
    "a header that does not end": GOOD.replace(b"}", b"(", 1),
    "a shape of text": GOOD.replace(b"(5000, 3)", b"('500',3)"),
    "more than there is": GOOD.replace(b"(5000, 3)", b"(9000, 3)"),
    "more than can be": GOOD.replace(b"(5000, 3)", b"(10**9,3)"),
}


def refused(folder: Path, name: Any) -> str:
    with pytest.raises(InputError) as caught:
        with_arrays({"arrivals": {"file": name}}, folder, KEYS)
    assert str(caught.value).isprintable()
    return str(caught.value)


@pytest.mark.parametrize("what", BAD)
def test_a_file_that_is_not_an_array_gives_one_message(what: str, tmp_path: Path) -> None:
    (tmp_path / "x.npy").write_bytes(BAD[what])
    assert refused(tmp_path, "x.npy") == f"arrivals.file = 'x.npy': expected an array: {NOT_WHOLE}"


def test_a_missing_file_gives_one_message(tmp_path: Path) -> None:
    assert refused(tmp_path, "x.npy") == "arrivals.file = 'x.npy': expected an array: the file does not exist"


def test_a_folder_gives_one_message(tmp_path: Path) -> None:
    (tmp_path / "x.npy").mkdir()
    assert "the file cannot be read: expected a file, found a folder" in refused(tmp_path, "x.npy")


@pytest.mark.parametrize("name", ["/etc/x.npy", "../x.npy", "a/x.npy", "x.json", "", "x", 3, None, ["x.npy"], {}])
def test_a_name_with_a_path_or_another_type_gives_one_message(name: Any, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    for place in (tmp_path, tmp_path / "a", tmp_path.parent):
        np.save(place / "x.npy", LARGE)
    assert "expected the name of an .npy file in the same folder" in refused(tmp_path, name)


@pytest.mark.parametrize("name", ["a\x00.npy", "x" * 5000 + ".npy", "\n.npy"])
def test_an_impossible_file_name_gives_one_message(name: str, tmp_path: Path) -> None:
    assert "expected an array: " in refused(tmp_path, name)


def changed(draw: Callable[..., Any]) -> bytes:
    content, signs = GOOD[:200], st.sampled_from(list(b"()[]{}',:- 0123456789<>|fiuOV\n\x00#\"\\xT"))
    for _ in range(draw(st.integers(1, 4))):
        at, out = draw(st.integers(0, 130)), draw(st.integers(0, 3))
        content = content[:at] + bytes(draw(st.lists(signs | st.integers(0, 255), max_size=3))) + content[at + out :]
    return content


@given(st.composite(changed)() | st.binary(max_size=100).map(lambda tail: GOOD[:8] + tail))
def test_any_bytes_are_read_or_rejected(tmp_path_factory: Any, content: bytes) -> None:
    folder = tmp_path_factory.getbasetemp()
    (folder / "fuzzed.npy").write_bytes(content)
    try:
        array = with_arrays({"a": {"file": "fuzzed.npy"}}, folder, KEYS)["a"]
    except InputError as error:
        assert str(error).isprintable()
    else:
        assert isinstance(array, np.ndarray) and not array.flags.writeable and not array.dtype.hasobject


def test_any_array_round_trips(tmp_path: Path) -> None:
    for seed in range(size(5, 12, 200)):
        rng = np.random.default_rng(seed)
        shape = tuple(rng.integers(1, 40, size=rng.integers(1, 4)).tolist())
        array = rng.standard_normal(shape)
        cuts = np.sort(rng.integers(0, shape[0] + 1, size=3)).tolist()
        pieces = [array[a:b] for a, b in zip([0, *cuts], [*cuts, shape[0]], strict=True)]

        write_object(tmp_path / f"{seed}.json", {"a": Blocks(shape, np.float64, partial(iter, pieces))})
        assert np.array_equal(read_again(tmp_path / f"{seed}.json")["a"], array)


def test_endless_files_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.npy")
    assert "the file cannot be read: expected a file, found a device or a pipe" in refused(tmp_path, "x.npy")
    (tmp_path / "zero.npy").symlink_to("/dev/zero")
    assert "the file cannot be read: expected a file, found a device or a pipe" in refused(tmp_path, "zero.npy")


def test_an_enormous_array_is_rejected_by_its_header(tmp_path: Path) -> None:
    shape = (MOST_ENTRIES // 4, 5)
    with (tmp_path / "x.npy").open("wb") as stream:
        np.lib.format.write_array_header_1_0(stream, {"descr": "|u1", "fortran_order": False, "shape": shape})
        stream.truncate(stream.tell() + shape[0] * shape[1])  # sparse: it takes no room
    assert f"the file has {5 * MOST_ENTRIES // 4} entries, more than {MOST_ENTRIES}" in refused(tmp_path, "x.npy")


def test_only_keys_of_the_format_may_have_separate_arrays(tmp_path: Path) -> None:
    value = {"overhead": {"file": "x.npy"}}
    assert with_arrays(value, tmp_path, KEYS) == value
