"""The registry: ids, short names, options, and entry points that do not hold what they promise."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core import registry
from schedproof.core.errors import SchedproofError, UnknownName
from tests.tiny.preemptive import tiny_instance


class Entry:
    """An entry point whose object is at hand."""

    def __init__(self, name: str, rows: Any) -> None:
        self.name, self.value, self._rows = name, f"elsewhere:{name}", rows

    def load(self) -> Any:
        return self._rows() if callable(self._rows) else self._rows


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make entry points out of given objects; the registry is as before afterwards."""

    def use(**rows: Any) -> None:
        entries = [Entry(name, value) for name, value in rows.items()]
        monkeypatch.setattr(registry, "entry_points", lambda group: entries)
        registry.table.cache_clear()

    yield use
    registry.table.cache_clear()


def test_every_kind_has_entries_and_every_entry_loads() -> None:
    """schedproof's own families are registered just as another package registers its own."""
    for kind in registry.KINDS:
        assert registry.table(kind), kind
        assert {e.group for e in entry_points(group=f"schedproof.{kind}")} == {f"schedproof.{kind}"}


def test_ids_are_family_and_name() -> None:
    for kind in ("programs", "policies", "bounds", "claims"):
        for name in registry.table(kind):
            family, _, rest = name.partition(".")
            assert family in registry.table("instances") and rest.replace("_", "").isalnum(), name


def test_every_entry_has_a_description_for_the_lists() -> None:
    for kind in ("programs", "policies"):
        for name, factory in registry.table(kind).items():
            assert (factory.__doc__ or "").strip(), name
    for name, claim in registry.table("claims").items():
        assert claim.id == name and claim.statement


def test_the_programs_and_policies_that_the_design_names_are_there() -> None:
    assert {f"preemptive.{p}" for p in ["minlp2", "ilp4", "lp4", "dual6", "minlp7", "ilp8", "dual9", "dual11"]} <= set(
        registry.table("programs")
    )
    assert {f"preemptive.{p}" for p in ["a_online", "a_online_edge", "srtf", "tiresias_l", "batch_sche"]} <= set(
        registry.table("policies")
    )


def test_a_short_name_is_resolved_by_the_family_or_when_it_is_the_only_one(register: Any) -> None:
    register(one={"a.greedy": 1, "a.lazy": 2}, two={"b.greedy": 3})
    assert registry.look_up("policies", "a.greedy") == ("a.greedy", 1)
    assert registry.look_up("policies", "greedy", "b") == ("b.greedy", 3)
    assert registry.look_up("policies", "lazy") == ("a.lazy", 2)
    for name, family in (("greedy", None), ("lazy", "b"), ("eager", None)):
        with pytest.raises(UnknownName, match=f"there is no policy '{name}'; there is: a.greedy, a.lazy, b.greedy"):
            registry.look_up("policies", name, family)


def test_two_packages_cannot_register_the_same_id(register: Any) -> None:
    register(one={"a.x": 1, "a.y": 1}, two={"a.y": 2})
    with pytest.raises(SchedproofError, match=r"two packages register the programs \['a\.y'\]"):
        registry.table("programs")


def explodes() -> None:
    raise RuntimeError("out of\norder")


def exits() -> None:
    raise SystemExit("not me")


@pytest.mark.parametrize("rows", [explodes, exits, lambda: None, lambda: ["a.x"], lambda: {1: 2}])
def test_a_broken_plug_in_is_one_sentence_that_names_it(register: Any, rows: Callable[[], Any]) -> None:
    register(broken=rows)
    with pytest.raises(
        SchedproofError, match=r"the plug-in 'broken' \(elsewhere:broken\) cannot be loaded: "
    ) as caught:
        registry.table("programs")
    assert "\n" not in str(caught.value) and caught.value.exit_code == 2


def test_a_program_that_is_none_is_one_sentence(register: Any) -> None:
    register(odd={"a.x": lambda: "not a program"})
    with pytest.raises(SchedproofError, match=r"a\.x: expected a Program from its factory, got str"):
        sp.program("a.x")


def test_an_option_that_a_factory_does_not_have_is_one_sentence() -> None:
    with pytest.raises(
        UnknownName, match=r"there is no option of preemptive\.minlp2 'chunk'; there is: chunks, reading, speed"
    ):
        sp.program("preemptive.minlp2", chunk="pinned")
    with pytest.raises(UnknownName, match=r"there is no program 'preemptive\.minlp3'; there is: "):
        sp.program("preemptive.minlp3")
    with pytest.raises(UnknownName, match=r"there is no policy 'best'; there is: "):
        sp.policy("best").run(tiny_instance(0))


def test_an_option_that_a_factory_needs_and_does_not_get_is_one_sentence() -> None:
    with pytest.raises(SchedproofError, match=r"preemptive\.dual11 needs the option eps"):
        sp.program("preemptive.dual11")


def test_options_are_words_or_numbers() -> None:
    program = sp.program("preemptive.dual11", eps="1/2")
    assert program.parameters == sp.program("preemptive.dual11", eps=0.5).parameters
    for speed in ("0", "-1", "fast", "nan"):
        with pytest.raises(SchedproofError, match=f"speed={speed}: expected a number > 0"):
            sp.program("preemptive.minlp2", speed=speed)


def test_the_public_names_are_there_and_no_others() -> None:
    for name in sp.__all__:
        assert callable(getattr(sp, name))
    assert dir(sp) == sp.__all__
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        sp.nothing  # noqa: B018


def test_a_package_without_its_entry_points_still_says_what_there_is(tmp_path: Path) -> None:
    """A broken plug-in of one kind does not take the other kinds with it."""
    (tmp_path / "odd-1.dist-info").mkdir()
    (tmp_path / "odd-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1\n")
    (tmp_path / "odd-1.dist-info" / "entry_points.txt").write_text("[schedproof.claims]\nodd = nowhere:CLAIMS\n")
    environment = dict(os.environ, PYTHONPATH=str(tmp_path))

    def ended(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "schedproof", *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert ended("programs").returncode == 0
    claims = ended("claims")
    assert (claims.returncode, claims.stdout) == (2, "")
    assert (
        claims.stderr == "schedproof: the plug-in 'odd' (nowhere:CLAIMS) cannot be loaded: No module named 'nowhere'\n"
    )
