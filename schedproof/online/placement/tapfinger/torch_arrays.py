"""The network's arrays in PyTorch, and their device."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from schedproof.core.base.lazy import torch
from schedproof.core.base.untyped import Tensor
from schedproof.core.errors import InputError
from schedproof.online.placement.tapfinger.network import Encoded
from schedproof.online.placement.tapfinger.observation import Observation

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # of malloc.h


class Torch:
    """`schedproof.online.placement.tapfinger.network.Arrays` of torch."""

    tanh: Tensor = staticmethod(torch.tanh)
    relu: Tensor = staticmethod(torch.relu)
    concatenate: Tensor = staticmethod(torch.cat)
    stack: Tensor = staticmethod(torch.stack)

    def leaky(self, x: Tensor) -> Tensor:
        return torch.nn.functional.leaky_relu(x, 0.2)

    def softmax(self, x: Tensor) -> Tensor:
        return torch.softmax(x, -1)

    def where(self, condition: Tensor, x: Tensor, y: float) -> Tensor:
        return torch.where(condition, x, y)

    def rows(self, x: Tensor, index: Tensor) -> Tensor:
        first = x.shape[1] * torch.arange(len(x), device=x.device).reshape(-1, *[1] * (index.ndim - 1))
        return torch.nn.functional.embedding(index + first, x.reshape(-1, x.shape[-1]))

    def normal(self, x: Tensor) -> Tensor:
        return torch.nn.functional.layer_norm(x, x.shape[-1:])


@contextmanager
def on(device: str) -> Iterator[None]:
    """Use a device in a ``with`` block; a CPU runs one thread for a fixed sum order.

    Raises
    ------
    InputError
        If the device is not available.
    """
    if device.partition(":")[0] not in ("cpu", "cuda"):
        raise InputError("expected cpu or cuda", path="device", value=device)
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise InputError(f"cannot be used: {str(error).splitlines()[0]}", path="device", value=device) from None
    _keep_memory()
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _keep_memory() -> None:
    """Make glibc keep freed memory.

    Otherwise glibc requests every large array from the kernel again, page by page.
    """
    with suppress(OSError, AttributeError):  # not glibc
        library = ctypes.CDLL(None)
        for parameter, size in ((TRIM_THRESHOLD, 2**30), (MMAP_THRESHOLD, 2**25)):
            library.mallopt(parameter, size)


def take_rows(x: Tensor, rows: Tensor) -> Tensor:
    """Return some rows of an array, or of an observation's arrays."""
    return Observation(*(y[rows] for y in x)) if isinstance(x, Observation) else x[rows]


def chosen_tasks(encoded: Encoded, choice: Tensor) -> Tensor:
    """Return h of the task that each cluster has chosen."""
    index = choice[..., None, None].expand(*choice.shape, 1, encoded.tasks.shape[-1])
    return encoded.tasks.gather(2, index).squeeze(2)


def log_chance(logits: Tensor, choice: Tensor) -> Tensor:
    """Return the log probability of a choice under the softmax."""
    return torch.log_softmax(logits, -1).gather(-1, choice[..., None]).squeeze(-1)


def entropy(logits: Tensor) -> Tensor:
    """Return the entropy of the softmax over the last axis."""
    logarithms = torch.log_softmax(logits, -1)
    return -(logarithms.exp() * logarithms).sum(-1)
