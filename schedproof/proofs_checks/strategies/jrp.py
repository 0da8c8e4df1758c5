"""Hypothesis strategies for tiny jrp instances, scarce in one resource or none.

Every drawn object is a valid instance file (`from_json` reads it): up to three jobs, two servers, two data nodes a
job.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from schedproof.core.claims.cases import Amount
from schedproof.core.errors import expect
from schedproof.instances.jrp import Instance, from_json

SIZES = (1, 1, 2, 2, 3, Decimal("0.5"))
ODD = (0, *SIZES)
STORAGES = (1, 2, 3, 3, 4, 6)
AMPLE = 100
AMOUNTS = (1, 2, 3, 4, 6, Decimal("2.5"))
RATES = (1, 1, 2, 3, Decimal("0.5"), Decimal("0.9"))
SHARES = tuple(Decimal(n) / 10 for n in (1, 2, 5, 5, 8, 9))


Prices = tuple[tuple[Amount, Amount, Amount], ...]  # of each server's storage, compute and bandwidth
Rows = Sequence[tuple[int, int, Sequence[tuple[Any, Sequence[int]]]]]  # a, b, and (size, servers) of each data node


@dataclass(frozen=True)
class OfInstance:
    instance: Instance


@dataclass(frozen=True)
class Priced(OfInstance):
    """An instance with prices (sigma, p, q) of each server's resources.

    The resources are storage, compute and bandwidth.
    """

    prices: Prices

    def __post_init__(self) -> None:
        rows = len(self.instance.servers)
        expect(len(self.prices) == rows, f"expected prices of {rows} servers", "prices", len(self.prices))


def build(jobs: Rows, servers: Sequence[tuple[Any, Any, Any]], share: Any = Decimal("0.5")) -> Instance:
    """An instance of jobs with given rates and of (storage, compute, bandwidth).

    A job has no deadline if both rates are 0. Jobs have one epoch and minibatches of 1 GB, so a and b are g/tau and
    h/tau.
    """
    return from_json(
        {
            "version": 1,
            "family": "jrp",
            "communication_share": share,
            "servers": [
                {"name": f"s{j}", "storage": s, "compute": c, "bandwidth": b} for j, (s, c, b) in enumerate(servers)
            ],
            "jobs": [
                {
                    "name": f"k{k}",
                    "epochs": 1,
                    "minibatch_size": 1,
                    "minibatch_work": a,
                    "parameter_size": b,
                    "sync_period": 1,
                    "data_nodes": [
                        {"name": f"d{i}", "size": size, "servers": [f"s{j}" for j in places]}
                        for i, (size, places) in enumerate(nodes)
                    ],
                }
                | ({"deadline": 1} if a or b else {})
                for k, (a, b, nodes) in enumerate(jobs)
            ],
        }
    )


@st.composite
def objects(
    draw: Any,
    *,
    jobs: int = 3,
    servers: int = 2,
    nodes: int = 2,
    deadlines: bool | None = None,
    stored: bool | None = None,
    odd: bool = True,
) -> dict[str, Any]:
    """A tiny instance as a JSON object.

    Parameters
    ----------
    jobs, servers, nodes
        The largest numbers of jobs and servers, and of data nodes per job.
    deadlines
        Whether every job has a deadline (so that compute and bandwidth matter), or no job has; drawn for each job if
        None.
    stored
        Whether storage is scarce, or ample; drawn if None.
    odd
        Whether degenerate parts may occur: data nodes of size 0 or without servers; jobs without data nodes, work or
        parameters; servers without bandwidth or compute.
    """
    places = [f"s{j}" for j in range(_up_to(draw, servers))]
    scarce = draw(st.booleans()) if stored is None else stored
    boxes = [
        {
            "name": name,
            "storage": draw(st.sampled_from(STORAGES)) if scarce else AMPLE,
            "compute": draw(st.sampled_from((*AMOUNTS, *((0,) if odd else ())))),
            "bandwidth": draw(st.sampled_from((*AMOUNTS, *((0,) if odd else ())))),
        }
        for name in places
    ]
    rows = [_job(draw, k, places, nodes, deadlines, odd) for k in range(_up_to(draw, jobs))]
    return {
        "version": 1,
        "family": "jrp",
        "communication_share": draw(st.sampled_from(SHARES)),
        "servers": boxes,
        "jobs": rows,
    }


def _job(draw: Any, k: int, places: list[str], nodes: int, deadlines: bool | None, odd: bool) -> dict[str, Any]:
    """One job; a = g/tau, b = h/(lambda tau) per GB, as in `build`."""
    count = draw(st.sampled_from([0, *range(1, nodes + 1)] if odd and not draw(st.integers(0, 3)) else [1, nodes]))
    reach = st.lists(st.sampled_from(places), min_size=0 if odd else 1, unique=True)
    reaches = st.one_of(st.just(places), reach)
    row = {
        "name": f"k{k}",
        "epochs": draw(st.sampled_from([1, 1, 2])),
        "minibatch_size": draw(st.sampled_from([1, 1, Decimal("0.5")])),
        "minibatch_work": draw(st.sampled_from((*RATES, *((0,) if odd else ())))),
        "parameter_size": draw(st.sampled_from((*RATES, *((0,) if odd else ())))),
        "sync_period": draw(st.sampled_from([1, 1, 2])),
        "data_nodes": [
            {"name": f"d{i}", "size": draw(st.sampled_from(ODD if odd else SIZES)), "servers": draw(reaches)}
            for i in range(count)
        ],
    }
    timed = draw(st.integers(0, 3)) > 0 if deadlines is None else deadlines
    return row | ({"deadline": draw(st.sampled_from([1, 2, 4, 4]))} if timed else {})


def _up_to(draw: Any, most: int) -> int:
    return int(draw(st.sampled_from([1, *2 * list(range(2, most + 1))])))


def instances(**settings: Any) -> Any:
    return objects(**settings).map(from_json)


def storage_instances(**settings: Any) -> Any:
    return instances(deadlines=False, stored=True, **settings)


def deadline_instances(**settings: Any) -> Any:
    return instances(deadlines=True, stored=False, **settings)


NEEDS = ((1, 1, 1), (1, 4, 2), (4, 1, 2), (2, 2, 2), (0, 3, 0), (3, 0, 0))  # a, b and sqrt(a b)


@st.composite
def just_enough(draw: Any) -> tuple[Instance, Fraction]:
    """One server that all jobs fill exactly under (8)-(10), and the slope theta.

    Jobs have 1 GB each. Above the sums of a and of b the server has compute u = K/theta and bandwidth v = K theta, K =
    sum sqrt(a b).
    """
    theta = draw(st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2)]))
    kinds = draw(st.lists(st.sampled_from(NEEDS), min_size=1, max_size=3))
    a, b, roots = (sum(column) for column in zip(*kinds, strict=True))
    share = draw(st.sampled_from(SHARES))
    jobs = [(g, h, [(1, (0,))]) for g, h, _ in kinds]
    return build(jobs, [(AMPLE, a + roots / theta, b + roots * theta)], share), theta
