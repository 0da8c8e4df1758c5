"""All checks of a family on random instances, with the smallest that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

from schedproof.core.base.display import Tabled
from schedproof.core.base.untyped import Json, Value
from schedproof.core.cards import registry
from schedproof.core.errors import InputError, NoSolution, PolicyTimeout, SchedproofError, describe
from schedproof.core.runtime.context import Context, Progress, silent
from schedproof.experiments.doctor.examinations import EXAMINATIONS, POLICIES, Finding, NotDone
from schedproof.experiments.doctor.patient import Patient, drawn


@dataclass
class Row:
    """One part of a family in one examination.

    Attributes
    ----------
    check, part
        The examination and the examined part.
    draws
        Number of draws.
    flaw
        The flaw on the smallest failing draw; empty for none.
    skipped
        The reason why nothing was compared; empty after a comparison.
    seed, size
        Seed and size of the smallest failing draw.
    """

    check: str
    part: str
    draws: int = 0
    flaw: str = ""
    skipped: str = ""
    seed: int = 0
    size: int = 0

    def add(self, flaw: str, patient: Patient) -> None:
        """Count one more draw."""
        if isinstance(flaw, NotDone):
            self.skipped = "" if self.draws else str(flaw)
            return
        self.draws, self.skipped = self.draws + 1, ""
        if flaw and (not self.flaw or patient.size < self.size):
            self.flaw, self.seed, self.size = flaw, patient.seed, patient.size

    @property
    def verdict(self) -> str:
        """``wrong``, ``not done`` or ``ok``."""
        return "wrong" if self.flaw else "not done" if self.skipped else "ok"


@dataclass(frozen=True, repr=False)
class Health(Tabled):
    """The doctor's report on a family.

    Attributes
    ----------
    draws
        Number of examined draws of the generator's ``preset`` with its ``settings``.
    """

    family: str
    preset: str
    settings: Mapping[str, str]
    draws: int
    rows: tuple[Row, ...] = field(repr=False)

    @property
    def sound(self) -> bool:
        """Whether at least one comparison was made and no flaw was found."""
        return any(row.draws for row in self.rows) and not self.flaws

    @property
    def flaws(self) -> list[Row]:
        """The flaws found."""
        return [row for row in self.rows if row.flaw]

    def facts(self) -> dict[str, Value]:
        """A sentence with the number of checks, draws and flaws."""
        return {"family": self.family, "draws": self.draws, "checks": len(self.rows), "wrong": len(self.flaws)}

    def lines(self) -> list[str]:
        """One line per part, and the command that draws the smallest failing instance."""
        lines = []
        for row in self.rows:
            details = row.skipped or f"{row.draws} draws"
            lines.append(
                f"{row.verdict if row.verdict == 'ok' else row.verdict.upper():>8}  {row.check}: {row.part} ({details})"
            )
            if row.flaw:
                chosen = "".join(f" --set {name}={value}" for name, value in self.settings.items())
                again = f"generate {self.family} --preset {self.preset}{chosen} --seed {row.seed} --out FILE"
                lines += [f"          {row.flaw}", f"          on schedproof {again}"]
        done = sum(not row.skipped for row in self.rows)
        left = f"; {len(self.rows) - done} not done" if done < len(self.rows) else ""
        return [*lines, f"{self.family}: {len(self.flaws)} of {done} checks wrong on {self.draws} draws{left}"]

    def to_json(self) -> dict[str, Json]:
        """The result object of ``doctor --json``."""
        rows = [vars(row) | {"verdict": row.verdict} for row in self.rows]
        drawn = {"preset": self.preset, "settings": dict(self.settings), "draws": self.draws}
        return {"family": self.family} | drawn | {"sound": self.sound, "rows": rows}


def doctor(
    family: str,
    /,
    *,
    draws: int = 5,
    preset: str | None = None,
    settings: Mapping[str, Value] | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    progress: Progress = silent,
) -> Health:
    """Check a family's parts against each other on random draws.

    Parameters
    ----------
    family
        A family of the package, or your own family.
    draws
        Number of draws of the family's generator.
    preset
        A preset of the family's generator; by default the first preset.
    settings
        Settings of the generator.
    seed
        Seed of the first draw; further draws have the next seeds.
    time_limit
        Seconds; remaining examinations are skipped. A policy from outside this package that does not end is a flaw.

    Raises
    ------
    InputError
        If the family has no generator.
    """
    card = registry.family(family)
    if not card.generators:
        raise InputError(f"the family {family} has no generator, and `doctor` needs a generator to draw instances")
    chosen = preset or card.generators[0].presets[0]
    context = Context(seed, progress, time_limit)
    rows: dict[tuple[str, str], Row] = {}
    texts = {name: str(value) for name, value in (settings or {}).items()}
    count = 0
    with TemporaryDirectory() as folder:
        for number in range(draws):
            if context.over:
                break
            patient = drawn(card, chosen, seed + number, texts, Path(folder), context.until)
            for at, (check, examine) in enumerate(EXAMINATIONS.items()):
                if context.over:
                    break
                context.progress(f"draw {number + 1} of {draws}: {check}", (number + at / len(EXAMINATIONS)) / draws)
                for part, flaw in takewhile(lambda _: not context.over, _findings(examine, patient)):
                    rows.setdefault((check, part), Row(check, part)).add(flaw, patient)
            if context.over:
                for id, run in patient.played.items():
                    if isinstance(run, PolicyTimeout) and not rows.setdefault((POLICIES, id), Row(POLICIES, id)).flaw:
                        rows[POLICIES, id].add(str(run), patient)
            count += 1
    order = list(EXAMINATIONS)
    return Health(card.name, chosen, texts, count, tuple(sorted(rows.values(), key=lambda row: order.index(row.check))))


def _findings(examine: Callable[[Patient], Iterator[Finding]], patient: Patient) -> Iterator[Finding]:
    try:
        yield from examine(patient)
    except NoSolution as error:
        yield "all of it", NotDone(str(error))
    except SchedproofError as error:
        yield "all of it", str(error)
    except Exception as error:
        yield "all of it", f"stopped with {describe(error)}"
