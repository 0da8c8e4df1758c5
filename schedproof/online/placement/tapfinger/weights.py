"""A trained network in a file: its weights, configuration and training facts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np

from schedproof.core.errors import InputError
from schedproof.online.placement.tapfinger import tensors
from schedproof.online.placement.tapfinger.network import shapes
from schedproof.online.placement.tapfinger.observation import Config

FORMAT = "schedproof.placement.tapfinger 2"
PACKAGED = ("tiny", "synthetic3", "testbed3")
FOLDER = Path(__file__).with_name("trained")


def write(path: str | Path, config: Config, weights: Mapping[str, np.ndarray], **facts: str) -> None:
    """Write a network.

    Parameters
    ----------
    facts
        How the network was trained: preset, seed, steps, versions.
    """
    text = {"format": FORMAT, "config": msgspec.json.encode(config).decode(), **facts}
    tensors.write(path, weights, text)


def read(name: str | Path) -> tuple[Config, dict[str, np.ndarray]]:
    """Return the network of a file, or of a name in `PACKAGED`.

    Raises
    ------
    InputError
        If the file is not a network in this format.
    """
    path = FOLDER / f"{name}.safetensors" if str(name) in PACKAGED else Path(name)
    arrays, text = tensors.read(path)
    if text.get("format") != FORMAT:
        raise InputError(f"expected a TapFinger weights file of format {FORMAT!r}", file=str(path))
    try:
        config = msgspec.json.decode(text.get("config", ""), type=Config)
    except msgspec.MsgspecError as error:
        raise InputError(f"the network cannot be read: {error}", file=str(path)) from None
    if config.width % config.heads:
        raise InputError(f"width {config.width}: expected a multiple of heads {config.heads}", file=str(path))
    expected = shapes(config)
    if {name: array.shape for name, array in arrays.items()} != expected:
        raise InputError("the arrays do not match the configuration", file=str(path))
    for name, array in arrays.items():
        if array.dtype != np.float32 or not np.isfinite(array).all():
            raise InputError(f"array {name}: expected finite 32-bit numbers", file=str(path))
    return config, arrays
