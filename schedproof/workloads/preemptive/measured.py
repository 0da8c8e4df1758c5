"""Table II of Wang et al. 2022, and counts of the Philly trace."""

from __future__ import annotations

from typing import NamedTuple


class Model(NamedTuple):
    """A row of Table II: D_j data chunks of B_j mini-batches."""

    name: str
    dataset: str
    chunks: int
    minibatches: int


MODELS = (
    Model("ResNet-50", "CIFAR10", 27, 58),
    Model("ResNet-101", "CIFAR10", 27, 58),
    Model("GoogLeNet", "Caltech101", 115, 58),
    Model("LeNet", "Caltech101", 115, 58),
    Model("AlexNet", "ImageNet-12", 60, 58),
    Model("Inception-BN", "ImageNet-12", 60, 58),
)

# GPUs of a machine -> machines; the 13 machines without a GPU are left out.
MACHINE_SIZES = {8: 264, 4: 271, 3: 1, 2: 3}

# GPUs of a job -> jobs.
JOB_SIZES = {1: 76627, 2: 1818, 4: 1870, 8: 1643, 12: 7, 16: 199, 24: 7, 32: 67, 64: 6, 128: 3}

# Jobs by the local hour of their submission, midnight first.
JOBS_BY_HOUR = (
    *(4367, 3374, 3835, 3780, 2400, 3950, 5732, 7159, 3802, 3447, 3510, 2979),
    *(2567, 2415, 2185, 2224, 3021, 2289, 2744, 2496, 3483, 3142, 3885, 3461),
)

# A testbed machine has 12 cores and 16 GB. A GPU worker takes 3 GB, c CPU workers 3 cores and 2 GB each, p parameter
# servers 2 cores and 3 GB each. The paper does not give c and p: only 2 and 3 use every core and GB.
TESTBED_WORKERS = {"gpu": 1, "cpu": 2}
TESTBED_PARAMETER_SERVERS = 3
