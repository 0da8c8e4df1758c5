from __future__ import annotations

from pathlib import Path

import pytest

import schedproof as sp
from schedproof.core.errors import InputError
from schedproof.experiments import tour

DOCS = Path(__file__).parents[2] / "docs"


def test_it_describes_the_main_job_and_draws_three_pictures(tmp_path: Path) -> None:
    lines: list[str] = []
    pictures = tour.take(tmp_path / "new" / "folder", lines.append)
    text = "\n".join(lines)
    assert 12 <= len(lines) <= 22
    assert max(len(line) for line in lines if str(tmp_path) not in line) <= 130
    assert text.count("31 slots, optimal") == 2  # by two routes
    assert f"they prove {sp.bound('preemptive.lp4', sp.embedded('day')).exact} exactly" in text
    assert "feasible" in text and "certified ratio <= 1.1644" in text and "34 / 31 = 1.0968" in text
    assert "3 <= 0 (violated" in text  # Lemma 2's witness
    for picture in pictures:
        assert picture.read_bytes().startswith(b"\x89PNG")
    for picture in pictures[:2]:  # the tutorial shows them
        assert picture.read_bytes() == (DOCS / "pictures" / picture.name).read_bytes()
    assert sorted(p.name for p in (tmp_path / "new" / "folder").iterdir()) == ["gantt.png", "lemma2.png", "ratio.png"]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a policy's schedule take the place of the optimum."""
    monkeypatch.setattr(tour, "_solve_exactly", lambda instance, say: sp.policy("srtf").run(instance).schedule)


@pytest.mark.usefixtures("quick")
def test_a_second_tour_replaces_the_pictures(tmp_path: Path) -> None:
    (tmp_path / "gantt.png").write_text("old")
    tour.take(tmp_path, lambda line: None)
    assert (tmp_path / "gantt.png").read_bytes().startswith(b"\x89PNG")


def test_an_impossible_folder_gives_one_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot create the folder"):
        tour.take(tmp_path / "file", lambda line: None)


@pytest.mark.usefixtures("quick")
def test_a_bound_with_a_false_certificate_stops_the_tour(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("schedproof.core.certificates.bound.Bound.verify", lambda self, instance: False)
    with pytest.raises(tour.Disagreement):
        tour.take(tmp_path, lambda line: None)
    assert list(tmp_path.iterdir()) == []
