"""Repeated commands give equal bytes: other hash seeds, kernels, threads, times."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.commands import COMMANDS, end, inputs, start, undisturbed
from tests.support import PROFILE

KEPT = [name for name, command in COMMANDS.items() if not command.stores]
THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
WAYS: list[dict[str, str]] = [
    {"PYTHONHASHSEED": "17"},
    {"NUMBA_CACHE_DIR": "kernels"},
    dict.fromkeys(THREADS, "1"),
    dict.fromkeys(THREADS, "2"),
    {"TZ": "Asia/Kolkata", "SOURCE_DATE_EPOCH": "1"},
]
TOGETHER = WAYS[0] | WAYS[2] | WAYS[4]


@pytest.mark.parametrize("name", KEPT if PROFILE == "deep" else ["regret"])
def test_the_same_bytes(name: str, tmp_path: Path) -> None:
    for file in inputs().iterdir():
        if file.is_file():
            (tmp_path / file.name).symlink_to(file)
    for number, way in enumerate(WAYS if PROFILE == "deep" else [TOGETHER]):
        folder = tmp_path / str(number)
        folder.mkdir()
        if "NUMBA_CACHE_DIR" in way:
            way = {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
        ended = end(start(COMMANDS[name], folder, way))
        assert ended.code == 0, ended.error
        for file, content in undisturbed(name).files.items():
            assert (folder / file).read_bytes() == content, (way, file)
