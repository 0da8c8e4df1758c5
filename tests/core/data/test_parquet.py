"""Parquet tables beyond a limit are refused by their footer; unused columns are not read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.data import parquet as module
from schedproof.core.errors import InputError
from schedproof.experiments.plot import picture_of

pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
MAP = "arrival=at,gpus=n,duration=run"
HONEST = {"at": [1, 2], "n": [1, 1], "run": [60, 60]}


def written(folder: Path, columns: dict[str, Any], **options: Any) -> Path:
    file = folder / "jobs.parquet"
    parquet.write_table(pa.table(columns), file, **options)
    return file


def test_a_small_file_of_many_values_is_refused_in_little_memory(tmp_path: Path) -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 1000, pa.int32()), pa.array(["x" * 1000]))
    file = tmp_path / "jobs.parquet"
    table = pa.table(dict.fromkeys(("at", "n", "run"), pa.chunked_array([column] * 20_000)))
    parquet.write_table(table, file, row_group_size=10**7, store_schema=False)
    assert file.stat().st_size < 10**7  # of 60 GB of text
    words = (
        "import sys, resource, schedproof as sp\n"
        "resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n"
        f"sp.trace('table', [sys.argv[1]], map={MAP!r})"
    )
    done = subprocess.run([sys.executable, "-c", words, str(file)], capture_output=True, text=True, check=False)
    assert "expected at most 50000000 values of 1073741824 bytes, found 60000000 values" in done.stderr


@pytest.mark.parametrize(("limit", "value"), [("MOST_VALUES", 5), ("MOST_BYTES", 10)])
def test_a_limit_holds_for_logs_and_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    file = written(tmp_path, HONEST)
    monkeypatch.setattr(module, limit, value)
    with pytest.raises(InputError, match=r"jobs\.parquet: expected at most .* values of .* bytes, found 6 values"):
        sp.trace("table", [file], map=MAP)
    with pytest.raises(InputError, match=r"expected at most .* values"):
        picture_of([file])


def test_a_column_that_is_not_in_use_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path, HONEST | {"note": ["x" * 10**6, "y"], "at.more": [["a"], ["b"]]})
    monkeypatch.setattr(module, "MOST_BYTES", 10**4)
    assert [sorted(batch) for batch in module.batches(str(file), {0, 2})] == [[0, 2]]
    with pytest.raises(InputError, match="expected at most"):
        list(module.batches(str(file)))


@pytest.mark.parametrize("dictionary", [True, False])
def test_a_long_cell_or_a_nested_text_is_refused(tmp_path: Path, dictionary: bool) -> None:
    file = written(tmp_path, {"at": ["x" * (module.LONGEST_CELL + 1)]}, use_dictionary=dictionary)
    with pytest.raises(InputError, match="column at: expected at most 65536 bytes in a cell"):
        list(module.batches(str(file)))
    file = written(tmp_path, {"at": [["x"]]})
    with pytest.raises(InputError, match="column at: expected numbers, times or texts, found list"):
        list(module.batches(str(file)))
    wide = pa.array([b"x" * (module.LONGEST_CELL + 1)], pa.binary(module.LONGEST_CELL + 1))
    with pytest.raises(InputError, match="column at: expected at most 65536 bytes in a cell"):
        list(module.batches(str(written(tmp_path, {"at": wide}))))
