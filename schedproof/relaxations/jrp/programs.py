"""LP_I (5)-(9), (14)-(17), and the split-free LP, made of JRP's groups."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program
from schedproof.formulations.jrp import groups
from schedproof.formulations.jrp.to_point import to_point
from schedproof.instances.jrp import Instance


@group("variables", "(14)", groups.admit.row(integer=False))
def admit(block: Any, instance: Instance) -> None:
    """A job may be accepted in part: y_k is from 0 to 1 (14)."""
    groups.admit.build(block, instance)


@group("variables", "(15)", groups.assign.row(integer=False))
def assign(block: Any, instance: Instance) -> None:
    """A data node may be split: 0 <= x_i^j <= 1 (15); D_j^k = sum of x_i^j d_i (1)."""
    groups.assign.build(block, instance)


@group("constraints", "(10) relaxed", r"b_k D_j^k \le r_{j,k}^{\mathrm{b}} \quad \forall b_k > 0")
def communication_alone(block: Any, instance: Instance, assign: Any, allocate: Any) -> Any:
    """Communication without computing meets the deadline: b D <= r^b, from (10)."""
    return groups.in_share(instance, "bandwidth", ALL_THE_TIME, assign, allocate)


@group("constraints", "(10) relaxed", r"a_k D_j^k \le r_{j,k}^{\mathrm{c}} \quad \forall a_k > 0")
def computing_alone(block: Any, instance: Instance, assign: Any, allocate: Any) -> Any:
    """Computing without communication meets the deadline: a D <= r^c, from (10)."""
    return groups.in_share(instance, "compute", ALL_THE_TIME, assign, allocate)


ALL_THE_TIME = Fraction(1)
VARIABLES = (admit, assign, groups.allocate)


def lp_i() -> Program:
    """Not a bound on `jrp.exact`, unlike `conic`.

    The optimum bounds schedules that split their time at ``communication_share``. Other schedules may accept more jobs.
    """
    times = groups.communication_time, groups.computing_time
    return _relaxation("jrp.lp_i", *groups.OFFLOADING, *groups.ALLOCATION, *times, *VARIABLES)


def split_free_lp() -> Program:
    times = communication_alone, computing_alone
    return _relaxation("jrp.split_free_lp", *groups.OFFLOADING, *groups.ALLOCATION, *times, *VARIABLES)


def _relaxation(id: str, *parts: Any) -> Program:
    return Program(
        id=id,
        sense="maximize",
        groups=parts,
        integer=False,
        to_point=to_point,
        require_solvable=groups.require_solvable,
    )
