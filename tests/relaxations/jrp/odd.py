"""Extreme instances, and small ones by hand."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from schedproof.core.programs.generation.loop import generate
from schedproof.core.runtime.context import USUAL, Context
from schedproof.instances.jrp import Instance
from schedproof.relaxations.jrp.dual import Relaxation
from schedproof.relaxations.jrp.tangents import Optimum, Outer
from tests.tiny.jrp import written

Nodes = Sequence[tuple[str, Sequence[int]]]  # (GB, servers)


def job(nodes: Nodes, compute_rate: str = "1", bandwidth_rate: str = "1") -> tuple[str, str, Nodes]:
    """A job by its data nodes and its needs per GB."""
    return compute_rate, bandwidth_rate, nodes


def instance_of(servers: Sequence[tuple[str, str, str]], *jobs: tuple[str, str, Nodes], share: str = "1/2") -> Instance:
    return written(servers, jobs, share)


ONE, PLENTY = ("1", "1", "1"), ("99", "99", "99")
ODD = {  # name -> instance, and how many jobs the conic relaxation accepts
    "no jobs": (instance_of([ONE]), 0),
    "no data nodes": (instance_of([ONE], job([]), job([])), 2),
    "no edges": (instance_of([PLENTY], job([("1", [])]), job([])), 1),
    "one node without servers": (instance_of([PLENTY], job([("1", [0]), ("1", [])]), job([("1", [0])])), 1),
    "size 0": (instance_of([("0", "0", "0")], job([("0", [0])])), 1),
    "size 0 without servers": (instance_of([PLENTY], job([("0", [])])), 0),
    "no storage": (instance_of([("0", "99", "99")], job([("1", [0])])), 0),
    "no compute": (instance_of([("99", "0", "99")], job([("1", [0])]), job([("1", [0])], "0")), 1),
    "no bandwidth": (instance_of([("99", "99", "0")], job([("1", [0])]), job([("1", [0])], "1", "0")), 1),
    "nothing of anything": (instance_of([("0", "0", "0"), PLENTY], job([("1", [0])]), job([("1", [0, 1])])), 1),
    "no needs": (instance_of([("2", "0", "0")], job([("1", [0])], "0", "0"), job([("1", [0])], "0", "0")), 2),
    "no needs, half of the storage": (instance_of([("1", "0", "0")], job([("2", [0])], "0", "0")), Fraction(1, 2)),
    "room for one": (instance_of([("99", "4", "4")], job([("2", [0])]), job([("2", [0])])), 1),
    "room for half": (instance_of([("99", "2", "2")], job([("2", [0])])), Fraction(1, 2)),
}
FAR = {  # the same, with numbers that no solver computes with as they are
    "numbers of 1e16": (instance_of([("9e16", "2e16", "2e16")], job([("1e16", [0])])), 1),
    "numbers of 1e-16": (instance_of([("9e-16", "2e-16", "2e-16")], job([("2e-16", [0])])), Fraction(1, 2)),
    "far too much data": (instance_of([PLENTY], job([("1e16", [0])], "2"), job([("1", [0])])), 1),
    "next to no compute": (instance_of([("99", "1e-18", "99")], job([("1", [0])]), job([("1", [0])], "0")), 1),
}


def outer_optimum(
    instance: Instance, relaxation: Relaxation, rounds: int = 60, context: Context = USUAL
) -> Optimum | None:
    outer = Outer(instance, relaxation, np.ones(len(instance.servers)), rounds)
    generate(outer, lambda: None, context, gap=1e-9)
    return outer.best
