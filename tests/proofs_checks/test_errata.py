from __future__ import annotations

import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

import pytest

from schedproof.core.cards import registry
from schedproof.core.claims import claims
from schedproof.core.claims.claim import Claim
from schedproof.core.claims.witness import Witness
from schedproof.core.errors import InputError, SchedproofError, UnknownName
from schedproof.proofs_checks import errata


def test_every_statement_that_is_false_as_printed_is_listed_once() -> None:
    found = list(errata.errata("placement"))
    assert sorted(erratum.id for erratum in found) == sorted(
        id for id, row in claims.ledger("placement").items() if row["verdict"] not in ("holds", "undecided")
    )
    assert [erratum.section for erratum in found] == sorted(
        (erratum.section for erratum in found), key=[*errata.SECTIONS].index
    )
    for erratum in found:
        row = claims.ledger("placement")[erratum.id]
        said = [text for heading, text in erratum.said if heading == "Counterexample"]
        assert len(said) == len(row["witnesses"])
        assert all(
            "violated" in text and note in text for text, note in zip(said, row["witnesses"].values(), strict=True)
        )


def test_a_counterexample_with_other_numbers_is_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = Witness.load_all

    def changed(claim: Claim[object], folder: Path) -> list[Witness]:
        wrong = (Fraction(1), Fraction(0))
        return [replace(witness, expected=dict.fromkeys(witness.expected, wrong)) for witness in stored(claim, folder)]

    monkeypatch.setattr(Witness, "load_all", changed)
    with pytest.raises(SchedproofError, match=r"gives .*, but its file has"):
        list(errata.errata("placement"))


def test_the_kinds_of_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [id for id, row in claims.ledger("placement").items() if row["severity"]]
    page = errata.write("placement", tmp_path / "errata.html").read_text()
    source = errata.write("placement", tmp_path / "errata.tex").read_text()
    assert ids and all(f"<code>{id}</code>" in page and id.replace("_", "\\_") in source for id in ids)
    assert str(registry.family("placement").paper) in page
    monkeypatch.setattr(errata, "which", lambda name: None)
    assert errata.write("placement", tmp_path / "paper.pdf") == tmp_path / "paper.html"
    assert (tmp_path / "paper.html").read_text() == page


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX is installed")
def test_latex_compiles_it(tmp_path: Path) -> None:
    assert errata.write("placement", tmp_path / "errata.pdf").read_bytes().startswith(b"%PDF")


def test_a_report_that_latex_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pdflatex").write_text("#!/bin/sh\necho '! Missing $ inserted.'\nexit 1\n")
    (tmp_path / "pdflatex").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(SchedproofError, match=r"LaTeX could not set .*Missing \$ inserted.*as .html or .tex"):
        errata.write("placement", tmp_path / "errata.pdf")
    assert not (tmp_path / "errata.pdf").exists()


def test_bad_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"expected a file that ends in .pdf, .tex, .html, found errata.doc"):
        errata.write("placement", tmp_path / "errata.doc")
    with pytest.raises(UnknownName, match="unknown family 'placment'"):
        errata.write("placment", tmp_path / "errata.html")
    monkeypatch.setattr(claims, "ledger", lambda *_: MappingProxyType({}))
    with pytest.raises(SchedproofError, match="not judged yet; judge them with: schedproof verify --family placement"):
        errata.write("placement", tmp_path / "errata.html")


def test_a_paper_is_named_by_its_family_or_its_number() -> None:
    assert registry.by_paper("000") == registry.by_paper("preemptive") == "preemptive"
    with pytest.raises(UnknownName, match="unknown family '007'"):
        registry.by_paper("007")
