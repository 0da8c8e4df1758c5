"""Commands for instances and training: generate, trace, train."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schedproof.cli.command import Answer, command
from schedproof.cli.terminal import report_lines

if TYPE_CHECKING:
    from schedproof.core.runtime.context import Progress

INSTANCE = Path("instance.json")


@command("generator", "schedproof.workloads:generate", "out")
def generate(family: str, *, settings: Mapping[str, str], out: Path = INSTANCE, **words: Any) -> Answer:
    """Draw a random instance of a family.

    The distributions are those of the family's paper.

    out: The instance file to write.
    """
    from schedproof.core.cards import registry

    return _write(registry.generate(family, settings=settings, preset=words["preset"], seed=words["seed"]), out, {})


@command("trace", files="out")
def trace(
    format: str,
    files: Sequence[Path],
    *,
    map: str = "",
    family: str = "preemptive",
    out: Path = INSTANCE,
    seed: int = 0,
    slot: str | None = None,
    option: Mapping[str, str],
) -> Answer:
    """Convert a real trace to an instance.

    The report lists every dirty row and every randomly drawn field.

    files: The trace's files.
    map: For a log: the column of each field, by name or number, like arrival=submit,gpus=n,duration=4:h.
    family: For a log: the family of the instance.
    slot: Length of a slot in seconds, or auto; replaces --option slot_seconds.
    out: The instance file to write.
    """
    from schedproof.workloads import recognise

    named = {"map": map or None, "slot_seconds": slot}
    options = {**option, **{name: word for name, word in named.items() if word is not None}}
    value, report = recognise.load(format, files, seed, options, family)
    return _write(value, out, report)


def _write(value: dict[str, Any], out: Path, report: dict[str, Any]) -> Answer:
    from schedproof.core.base.numbers import plural
    from schedproof.core.cards import registry
    from schedproof.core.data.arrays import write_object

    family = value["family"]
    rows, unit = registry.family(family).own.size
    before = out.read_bytes() if out.is_file() else None

    def lines() -> Iterator[str]:
        other = before is not None and out.read_bytes() != before
        yield f"{out}: {plural(len(value[rows]), unit)}, family {family}" + ", replacing another file" * other
        yield from report_lines(report)

    result = {"file": str(out), "family": family, f"{unit}s": len(value[rows]), "report": report}
    return Answer(result, lines(), write=partial(write_object, value=value))


@command()
def train(
    family: str,
    *,
    preset: str = "tiny",
    seed: int = 0,
    out: Path = Path("weights.safetensors"),
    device: str = "cpu",
    time_limit: float | None = None,
    option: Mapping[str, str],
    progress: Progress,
) -> Answer:
    """Train a family's network.

    The same command resumes an interrupted training. The training table is stored next to the weights (.csv). A .state
    file stays there until the training ends.

    family: A family with a network, like placement.
    out: The file of weights to write.
    device: The device to compute on: cpu or cuda.
    """
    from schedproof.core.cards import registry
    from schedproof.core.runtime.context import Context

    result = registry.train(family, preset, out, device, option, Context(seed, progress, time_limit))._asdict()
    return Answer({"file": str(out), **result}, [f"{out}:", *report_lines(result)])
