from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch, of the extra rl, is not installed")

import torch

from schedproof.cli import main
from schedproof.core.errors import InputError, SchedproofError, UnknownName
from schedproof.core.runtime.context import Context
from schedproof.online.placement.tapfinger import network, rollout, tensors, train, weights
from schedproof.online.placement.tapfinger.observation import Observation
from schedproof.online.placement.tapfinger.policy import TapFinger
from schedproof.online.placement.tapfinger.presets import PRESETS, config_of
from schedproof.online.placement.tapfinger.torch_arrays import on
from schedproof.online.placement.tapfinger.training import Training

TINY = PRESETS["tiny"]
SMALL = TINY._replace(environments=8, slots=3, updates=3)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PRESETS, "tiny", SMALL)


def play(work: Training) -> tuple[rollout.Rollout, list[float]]:
    return work.player.play(work.weights())


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"layers": 2, "encoder_layers": 1},
        {"self_message": False},
        {"graph": False},
        {"pointer": False},
        {"layers": 3, "encoder_layers": 2, "heads": 2, "width": 8, "window": 4},
    ],
    ids=str,
)
def test_numpys_network_is_torchs(changes: dict[str, Any]) -> None:
    work = Training(SMALL, msgspec.structs.replace(config_of(SMALL), **changes), 1)
    with torch.no_grad():
        work.theta += 0.1 * torch.randn(work.theta.shape, generator=work.player.random)
        played, _ = play(work)
        w = work.weights()
        there = network.encode(work.player.xp, work.config, w, played.seen)
        here = network.encode(
            network.Numpy(), work.config, work.numbers(), Observation(*(x.numpy() for x in played.seen))
        )
        for name in ("tasks", "scores", "pooled"):
            np.testing.assert_allclose(getattr(here, name), getattr(there, name).numpy(), rtol=1e-5, atol=1e-5)
        allowed = played.allowed[:, :, None].expand(-1, -1, work.config.window, -1)
        logits = network.allocate(work.player.xp, w, there.tasks, allowed).numpy()
        found = network.allocate(network.Numpy(), work.numbers(), here.tasks, allowed.numpy())
        np.testing.assert_allclose(found, logits, rtol=1e-5, atol=1e-5)
        value = network.value(work.player.xp, w, there, played.to_come).numpy()
        found = network.value(network.Numpy(), work.numbers(), here, played.to_come.numpy())
        np.testing.assert_allclose(found, value, rtol=1e-5, atol=1e-5)


def test_masked_actions_are_never_played_and_have_no_gradient() -> None:
    work = Training(SMALL, config_of(SMALL), 2)
    played, _ = play(work)
    some = played.seen.can.any(-1)
    assert some.any() and not some.all()
    chosen = played.seen.can.gather(-1, played.choice[..., None])[..., 0]
    assert bool((chosen | ~some).all())
    assert bool(played.allowed.gather(-1, played.allocation[..., None]).all())
    assert not bool((played.granted & ~some).any())
    loss, _ = work._loss(played)
    (gradient,) = torch.autograd.grad(loss, work.theta)
    parts = gradient.split([part.numel() for part in work.weights().values()])
    bias = dict(zip(work.weights(), parts, strict=True))["allocation.second.bias"]
    never = ~played.allowed[played.granted].any(0)
    assert never.any() and not bias[never].any() and bias[~never].any()


@pytest.mark.parametrize("turns", ["in_order", "together"])
def test_in_sequence_no_cluster_loses_a_chosen_task(turns: str) -> None:
    work = Training(TINY._replace(environments=64, turns=turns), config_of(TINY), 3)
    denied = twice = 0
    for _ in range(3):
        played, _ = play(work)
        deciding = played.seen.can.any(-1)
        denied += int((deciding & ~played.granted).sum())
        node = played.seen.place.gather(-1, played.choice[..., None])[..., 0]
        starts = deciding & (played.allocation > 0)
        twice += int((starts.all(-1) & (node[:, 0] == node[:, 1])).sum())
        never = ~deciding & (played.logarithm != 0)
        assert not bool(never.any())
        entropy, _ = work._learn(played)
        assert entropy > 0
    assert bool(denied) == bool(twice) == (turns == "together")


def test_with_listed_modes_no_dominated_mode_is_played() -> None:
    config = msgspec.structs.replace(config_of(TINY), modes="listed")
    played, _ = play(Training(TINY, config, 3))
    sizes = tuple(most + 1 for most in config.most)
    cpus, gpus = np.unravel_index(played.allocation[played.granted & (played.allocation > 0)].numpy(), sizes)
    assert set(cpus.tolist()) == {2} and set(gpus.tolist()) == {1, 2, 3, 4}


def test_advantages_stop_at_an_end() -> None:
    rewards = [torch.tensor([-1.0]), torch.tensor([-2.0]), torch.tensor([-4.0])]
    ends = [torch.tensor([False]), torch.tensor([True]), torch.tensor([False])]
    values = [torch.tensor([x]) for x in (1.0, 2.0, 3.0, 5.0)]
    found = [float(x) for x in rollout.advantages(0.5, rewards, ends, values)]
    assert found == [(-1 + 2 - 1) + 0.5 * (-2 - 2), -2 - 2, -4 + 5 - 3]


def files(folder: Path) -> list[bytes]:
    assert sorted(file.name for file in folder.iterdir()) == ["w.csv", "w.safetensors"]
    return [(folder / f"w.{ending}").read_bytes() for ending in ("safetensors", "csv")]


def trained(folder: Path, **changes: Any) -> list[bytes]:
    folder.mkdir(exist_ok=True)
    train.train("tiny", folder / "w.safetensors", context=Context(seed=1, **changes))
    return files(folder)


class Stop:
    """Interrupts after a number of reports."""

    def __init__(self, reports: int) -> None:
        self.left = reports

    def __call__(self, message: str, done: float | None = None) -> None:
        assert message.startswith("mean JCT") and done
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


@pytest.mark.usefixtures("small")
def test_the_same_seed_the_same_bytes_also_after_an_interrupt(tmp_path: Path) -> None:
    whole = trained(tmp_path / "whole")
    assert trained(tmp_path / "again") == whole
    assert trained(tmp_path / "again") == whole  # from the beginning
    for reports in (1, 2):
        folder = tmp_path / f"stopped{reports}"
        with pytest.raises(KeyboardInterrupt):
            trained(folder, progress=Stop(reports))
        assert not (folder / "w.safetensors").exists() and (folder / "w.state").exists()
        assert trained(folder) == whole
    config, _ = weights.read(tmp_path / "whole" / "w.safetensors")
    assert config == config_of(SMALL)
    assert whole[1].decode().splitlines()[0] == "update,steps,mean_jct,entropy,critic_loss"
    assert len(whole[1].decode().splitlines()) == 1 + SMALL.updates


@pytest.mark.usefixtures("small")
def test_at_the_time_limit_weights_are_written_and_the_command_resumes(tmp_path: Path) -> None:
    whole, short = trained(tmp_path / "whole"), tmp_path / "short"
    short.mkdir()
    for left in reversed(range(SMALL.updates)):
        found = train.train("tiny", short / "w.safetensors", context=Context(seed=1, time_limit=0.0))
        assert (found.updates, found.left) == (SMALL.updates - left, left)
        assert ("goes on" in str(found)) == (short / "w.state").exists() == bool(left)
        assert weights.read(short / "w.safetensors")[0] == config_of(SMALL)
    assert files(short) == whole


@pytest.mark.usefixtures("small")
def test_after_a_kill_the_command_resumes(tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    killed.mkdir()

    def copy(message: str, done: float | None = None) -> None:
        if done != 1:  # the files in the middle of the last update
            (killed / "w.state").write_bytes((tmp_path / "whole" / "w.state").read_bytes())

    whole = trained(tmp_path / "whole", progress=copy)
    assert len(tensors.read(killed / "w.state")[0]["reports"]) == SMALL.updates - 1
    assert trained(killed) == whole


def stopped(folder: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    with pytest.raises(KeyboardInterrupt):
        trained(folder, progress=Stop(2))
    return tensors.read(folder / "w.state")


@pytest.mark.usefixtures("small")
def test_the_state_of_another_training_is_rejected(tmp_path: Path) -> None:
    stopped(tmp_path)
    other = ({"graph": "off"}, {"updates": 2}, {"modes": "listed"}, {"turns": "together"})
    for seed, changes in ((2, {}), *((1, changes) for changes in other)):
        with pytest.raises(InputError, match="is the state of another training"):
            train.train("tiny", tmp_path / "w.safetensors", context=Context(seed=seed), **changes)
    (tmp_path / "w.state").write_bytes(b"12345678901")
    with pytest.raises(InputError, match="cannot be read as a safetensors file"):
        trained(tmp_path)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("theta", 3, np.nan),
        ("second", 3, -1.0),
        ("reports", (1, 0), 3.0),
        ("reports", (0, 1), np.nan),
        ("random", slice(8, None), 255),
        ("state.slot", 2, 10**6),
        ("state.start", (0, 9), 10**9),
        ("state.cluster", (0, slice(None)), 10**9),
        ("state.allocation", (0, slice(None)), -(10**9)),
        ("state.key", 1, 5),
    ],
)
def test_a_state_that_cannot_be_is_refused(name: str, place: Any, value: float, tmp_path: Path) -> None:
    arrays, text = stopped(tmp_path)
    arrays[name] = arrays[name].copy()
    arrays[name][place] = value
    tensors.write(tmp_path / "w.state", arrays, text)
    with pytest.raises(InputError, match=r"w\.state: is no state of this training: remove it"):
        trained(tmp_path)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("change", [lambda a: a.reshape(-1), lambda a: a[:, :3], lambda a: a[0, 0]])
def test_reports_of_another_shape_are_rejected(change: Any, tmp_path: Path) -> None:
    arrays, text = stopped(tmp_path)
    tensors.write(tmp_path / "w.state", arrays | {"reports": np.ascontiguousarray(change(arrays["reports"]))}, text)
    with pytest.raises(InputError, match="is no state"):
        trained(tmp_path)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("size", [1e20, 1e38])
def test_diverging_weights_give_one_message(size: float, tmp_path: Path) -> None:
    arrays, text = stopped(tmp_path)
    arrays["theta"] = np.where(arrays["theta"] > 0, size, -size).astype(np.float32)
    tensors.write(tmp_path / "w.state", arrays, text)
    with pytest.raises(SchedproofError, match="the training has diverged: its weights are too large"):
        trained(tmp_path)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("w.state", r"expected another ending: \.state and \.csv are reserved for the training's own files"),
        ("w.csv", "expected another ending"),
        ("none/w.safetensors", "expected an existing folder"),
        (".", "found a folder"),
    ],
)
def test_an_unwritable_place_is_reported_before_the_training(name: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        train.train("tiny", tmp_path / name)


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="unknown preset 'huge'"):
        train.train("huge", tmp_path / "w.safetensors")
    with pytest.raises(InputError, match="device = 'nowhere': expected cpu or cuda"):
        train.train("tiny", tmp_path / "w.safetensors", "nowhere")
    with pytest.raises(InputError, match="device = 'cuda:99': cannot be used: "):
        train.train("tiny", tmp_path / "w.safetensors", "cuda:99")
    with pytest.raises(InputError, match=r"seed = 4294967296: expected an integer below 2\^32"):
        train.train("tiny", tmp_path / "w.safetensors", context=Context(seed=2**32))


def test_the_reward_increases_with_training(tmp_path: Path) -> None:
    work = Training(TINY._replace(environments=64, updates=20), config_of(TINY), 1)
    with on("cpu"):
        reports = [*work.run()]
    first, last = (np.mean([r.mean_jct for r in some]) for some in (reports[2:7], reports[-5:]))
    assert last < 0.9 * first


@pytest.mark.usefixtures("small")
def test_the_command_trains_and_the_policy_reads_the_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "w.safetensors"
    words = ["train", "placement", "--preset", "tiny", "--seed", "1", "--out", str(file), "--option", "updates=2"]
    monkeypatch.setattr(sys, "argv", ["schedproof", *words, "--json"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    told = json.loads(capsys.readouterr().out)
    assert told["updates"] == 2 and told["steps"] == 2 * SMALL.environments * SMALL.slots and told["seed"] == 1
    assert TapFinger(weights=str(file)).config == config_of(SMALL)
    for name, array in weights.read(file)[1].items():
        assert array.shape == network.shapes(config_of(SMALL))[name]
