from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import schedproof as sp
from schedproof.core.certificates import vipr
from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.program_bound import ProgramBound
from schedproof.core.errors import NoSolution, ProgramError, SchedproofError
from schedproof.core.simulation.instance import Instance
from tests.certificates import honest, instance_of
from tests.linear_programs import program_of
from tests.relaxations.jrp.odd import FAR, ODD
from tests.support import size
from tests.vipr import Refused, accepts, needs_viprchk, proven

LINEAR = {"preemptive.lp4", "jrp.lp_i", "jrp.split_free_lp"}


def written(folder: Path, bound: Bound, instance: Instance) -> Path:
    file = folder / "bound.vipr"
    vipr.write_vipr(file, bound, vipr.listing_of(bound.program, instance, bound.parameters), instance)
    return file


def linear_bounds() -> Iterator[tuple[Bound, Instance]]:
    for family in ("preemptive", "jrp"):
        for _, instance, bound in honest(family, size(20, 20, 600)):
            if bound.program in LINEAR:
                yield bound, instance
    for name, (instance, _) in {**ODD, **FAR}.items():
        if name != "no jobs":
            yield from ((sp.bound(id, instance), instance) for id in ("jrp.lp_i", "jrp.split_free_lp"))


def forgeries(rng: random.Random, text: str) -> Iterator[tuple[str, str]]:
    lines = text.splitlines()
    start, end = (next(n for n, line in enumerate(lines) if line.startswith(word)) for word in ("CON ", "RTP "))
    head, bound, derived = lines[end].split(), lines[-2].split(), lines[-1].split()
    side = 2 if head[3] == "inf" else 3
    head[side] = bound[2] = str(proven(text)[2] + (1 if side == 2 else -1) * Fraction(1, 2**70))
    yield "bound", "\n".join([*lines[:end], " ".join(head), *lines[end + 1 : -2], " ".join(bound), lines[-1]])
    n = rng.randrange(3, len(derived) - 2, 2)
    row = start + 1 + int(derived[n])
    for what, place in (("sign", -1), ("multiplier", 2)):
        changed = list(derived)
        changed[n + 1] = str(Fraction(derived[n + 1]) * place)
        yield what, "\n".join([*lines[:-1], " ".join(changed)])
    words = lines[row].split()
    if len(words) > 5:
        at = rng.randrange(5, len(words), 2)
        words[at] = str(Fraction(words[at]) + 1)
        yield "coefficient", "\n".join([*lines[:row], " ".join(words), *lines[row + 1 :]])


def test_every_file_proves_its_bound_and_changed_files_do_not(tmp_path: Path) -> None:
    rng, seen = random.Random(1), Counter[str]()
    for bound, instance in linear_bounds():
        text = written(tmp_path, bound, instance).read_text()
        assert proven(text)[1] == bound.exact, bound.statement
        seen[bound.program] += 1
        for what, forged in forgeries(rng, text):
            with pytest.raises(Refused):
                proven(forged)
            seen[what] += 1
    assert seen.keys() == LINEAR | {"bound", "sign", "multiplier", "coefficient"}


@needs_viprchk
def test_the_authors_checker_agrees(tmp_path: Path) -> None:
    rng = random.Random(2)
    for bound, instance in linear_bounds():
        file = written(tmp_path, bound, instance)
        assert accepts(file), bound.statement
        for what, forged in forgeries(rng, file.read_text()):
            file.write_text(forged)
            assert not accepts(file), (bound.statement, what)


@pytest.mark.parametrize("id", ["placement.exact", "dmlrs.rdmlrs", "jrp.split", "preemptive.ilp4", "jrp.conic"])
def test_a_bound_from_a_programs_rows_has_a_file_unless_it_has_cones(id: str, tmp_path: Path) -> None:
    rng, file, files = random.Random(id), tmp_path / "any.vipr", 0
    for seed in range(size(4, 4, 100)):
        instance = instance_of(id.partition(".")[0], seed)
        try:
            bound = sp.bound(program_of(id, instance), instance)
        except NoSolution:
            continue
        assert isinstance(bound, ProgramBound)
        listing = bound.witness.listing
        if listing.cones:
            with pytest.raises(ProgramError, match="expected a linear program, but this program has cones"):
                vipr.write_vipr(file, bound, listing, instance)
            continue
        vipr.write_vipr(file, bound, listing, instance)
        text = file.read_text()
        assert text.startswith(f"% {bound.kind} bound on")
        assert proven(text)[1] == bound.exact - listing.constant
        files += 1
        for _, forged in forgeries(rng, text) if bound.witness.multipliers else ():
            with pytest.raises(Refused):
                proven(forged)
    assert files or id == "jrp.conic"


@pytest.mark.parametrize("id", ["jrp.conic", "dmlrs.rdmlrs_lp", "multiserver.stationary", "multiserver.slot_optimum"])
def test_other_bounds_report_that_they_have_no_vipr_file(id: str) -> None:
    with pytest.raises(
        ProgramError, match=f"^{re.escape(id)} has no VIPR file: expected a linear program whose columns"
    ):
        vipr.listing_of(id, instance_of(id.partition(".")[0], 1), {})


def test_too_large_or_empty_programs_state_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        ProgramError, match=r"^jrp.lp_i has 0 variables on this instance; expected 1 to 200000 for a VIPR file$"
    ):
        vipr.listing_of("jrp.lp_i", ODD["no jobs"][0], {})
    for id in LINEAR:
        instance = instance_of(id.partition(".")[0], 1)
        count = len(vipr.listing_of(id, instance, {}).columns)
        monkeypatch.setattr(vipr, "MOST_VARIABLES", count - 1)
        with pytest.raises(ProgramError, match=f"^{re.escape(id)} has {count} variables on this instance; "):
            vipr.listing_of(id, instance, {})
        monkeypatch.undo()


def test_an_interrupted_rule_for_multipliers_gives_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from schedproof.core.cards import registry

    day = sp.embedded("day")
    bound = sp.bound("preemptive.lp4", day)
    monkeypatch.setattr(registry, "load", lambda home: lambda listing, proof, instance: {}["class_work"])
    with pytest.raises(SchedproofError, match=r"the multipliers of preemptive\.lp4 .*KeyError: 'class_work'"):
        vipr.write_vipr(tmp_path / "bound.vipr", bound, vipr.listing_of("lp4", day, {}), day)
