"""Plans of sweeps: limits before a file is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from schedproof.core.errors import InputError
from schedproof.experiments.plans import MOST_BYTES, MOST_PARTS, read_plan


@pytest.mark.parametrize("dot", [".", " . ", '"."'])
def test_a_key_of_many_parts_is_refused_before_it_is_read(tmp_path: Path, dot: str) -> None:
    (tmp_path / "plan.toml").write_text(dot.join(["a"] * 200_000) + " = 1")
    with pytest.raises(InputError, match=f"expected keys of at most {MOST_PARTS} parts"):
        read_plan(tmp_path / "plan.toml")


def test_numbers_have_as_many_points_as_there_are(tmp_path: Path) -> None:
    values = ", ".join(["0.25"] * 2 * MOST_PARTS)
    policies = f'policies = [{{ name = "a_online", options = {{ speed = [{values}] }} }}]\n'
    (tmp_path / "plan.toml").write_text(f'{policies}[[generators]]\nname = "preemptive"\n')
    assert read_plan(tmp_path / "plan.toml").policies


def test_a_large_plan_is_refused(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text("#" * (MOST_BYTES + 1))
    with pytest.raises(InputError, match="at most 1 MiB"):
        read_plan(tmp_path / "plan.toml")
