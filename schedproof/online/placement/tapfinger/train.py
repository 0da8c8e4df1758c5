"""Training into a file, with a checkpoint after every update.

Next to the weights ``name.safetensors``, training writes ``name.csv``, a row for each update, and ``name.state``, from
which the same command continues. The state has the weights, Adam's moments, random generators, environments and
counters. The state is removed at the end of training. If a time limit stops training, the current weights are written
and the state remains.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import msgspec

from schedproof.core.errors import InputError, UnknownName
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.runtime.files import writable, write_bytes
from schedproof.core.runtime.provenance import software
from schedproof.online.placement.dice import BITS
from schedproof.online.placement.tapfinger import tensors, weights
from schedproof.online.placement.tapfinger.presets import PRESETS, config_of

FORMAT = "schedproof.placement.tapfinger.state 2"


class Trained(NamedTuple):
    """A training's result.

    The fields are the preset, seed, options, updates, number of decisions, last mean JCT, and remaining updates.
    """

    preset: str
    seed: int
    modes: str
    turns: str
    updates: int
    steps: int
    mean_jct: float
    left: int

    def __str__(self) -> str:
        shown = " with listed modes, which reveal the tasks' durations," * (self.modes == "listed")
        more = f"; {self.left} updates remain, and the same command continues" * (self.left > 0)
        done = f"{self.updates} updates,{shown} {self.steps} decisions"
        return f"{done}, mean JCT {self.mean_jct:.3g} in the last update{more}"


def train(
    preset: str,
    out: str | Path,
    device: str = "cpu",
    *,
    updates: int | None = None,
    self_message: str = "on",
    graph: str = "on",
    pointer: str = "on",
    modes: str = "all",
    turns: str | None = None,
    context: Context = USUAL,
) -> Trained:
    """TapFinger's network, by MAPPO on environments of the generator.

    Raises
    ------
    MissingExtra
        Without PyTorch.
    InputError
        If the state file next to the weights is invalid or belongs to another training.
    """
    out = Path(out)
    writable(out)
    place, log = out.with_suffix(".state"), out.with_suffix(".csv")
    if out in (place, log):
        raise InputError(
            "expected another ending: .state and .csv are reserved for the training's own files", file=str(out)
        )
    for file in (place, log):
        writable(file)

    from schedproof.online.placement.tapfinger.torch_arrays import on
    from schedproof.online.placement.tapfinger.training import Training

    if context.seed > BITS:
        raise InputError("expected an integer below 2^32", path="seed", value=context.seed)
    if preset not in PRESETS:
        raise UnknownName("preset", preset, PRESETS)
    how = PRESETS[preset]
    how = how._replace(updates=how.updates if updates is None else updates, turns=turns or how.turns)
    switches = {"self_message": self_message == "on", "graph": graph == "on", "pointer": pointer == "on"}
    config = msgspec.structs.replace(config_of(how), modes=modes, **switches)
    with on(device):
        work = Training(how, config, context.seed, device)
        what = {
            "format": FORMAT,
            "preset": msgspec.json.encode(how._asdict()).decode(),
            "config": msgspec.json.encode(config).decode(),
            "seed": str(context.seed),
            "device": device,
        }
        if place.exists():
            arrays, text = tensors.read(place)
            if text != what:
                raise InputError("is the state of another training: choose another file, or remove it", file=str(place))
            work.restore(arrays, str(place))
        begun, first = perf_counter(), work.update
        for report in work.run():
            tensors.write(place, work.state_arrays(), what)
            write_bytes(log, work.csv())
            each = (perf_counter() - begun) / (report.update - first)
            seconds = each * (how.updates - report.update)
            context.progress(f"mean JCT {report.mean_jct:.2f}, {seconds:.0f} s left", report.update / how.updates)
            if context.shorter(each).over:  # not enough time for another update
                break
        write_bytes(log, work.csv())
        last = work.reports[-1]
        rest = how.updates - last.update
        facts = {"preset": preset, "seed": str(context.seed), "steps": str(last.steps), "versions": versions()}
        facts |= {"turns": how.turns, "modes": modes}
        weights.write(out, config, work.numbers(), **facts)
        if not rest:
            place.unlink(missing_ok=True)
    return Trained(preset, context.seed, modes, how.turns, last.update, last.steps, last.mean_jct, rest)


def versions() -> str:
    """Return the versions on which the weights depend."""
    from importlib.metadata import version

    return f"{software()} torch {version('torch')}"
