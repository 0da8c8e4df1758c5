"""Encoding of instance files: utilities of single nodes, and arrivals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from schedproof.core.base.untyped import Scope
from schedproof.core.data.codecs import Codec
from schedproof.core.data.reading import Count, Name, Row
from schedproof.core.errors import InputError, expect
from schedproof.instances.multiserver.utility import Utility

MOST_JOBS = 10**9  # jobs of a port in a slot
NodeUtilities = Mapping[tuple[int, str], Utility]


class ArrayFile(Row, frozen=True):
    file: Name


def _by_place(rows: Mapping[str, Mapping[str, Utility]], path: str, row: Row, known: Scope) -> NodeUtilities:
    index = {node.name: node.index for node in known.nodes}
    for name in rows:
        expect(name in index, "expected the name of a node", path, name)
    return {(index[node], name): utility for node, own in rows.items() for name, utility in own.items()}


def _by_name(utilities: NodeUtilities, instance: Scope, scope: Scope) -> dict[str, dict[str, Utility]]:
    rows: dict[str, dict[str, Utility]] = {}
    for (node, name), utility in utilities.items():
        rows.setdefault(instance.nodes[node].name, {})[name] = utility
    return rows


def _arrivals(given: Any, path: str, row: Row, known: Scope) -> np.ndarray:
    ports = len(known.ports)
    if isinstance(given, ArrayFile):
        raise InputError(
            "expected the array of arrivals: read the instance from its file, not only from the file's text",
            path="arrivals",
        )
    if isinstance(given, list):
        for t, counts in enumerate(given):
            expect(len(counts) == ports, f"expected {ports} counts, one per port", f"{path}[{t}]", len(counts))
        given = np.array(given, dtype=np.int64).reshape(len(given), ports)
    wide = given.ndim == 2 and given.shape[1] == ports
    expect(wide, f"expected rows of {ports} counts, one per port", path, str(given.shape))
    expect(given.dtype.kind in "ui", "expected integers", path, str(given.dtype))
    expect(len(given) > 0, "expected at least one slot", path)
    least, limit = given.min(initial=0), given.max(initial=0)
    expect(least >= 0 and limit <= MOST_JOBS, f"expected counts from 0 to {MOST_JOBS}", path, int(least or limit))
    view: np.ndarray = given.view()
    view.setflags(write=False)
    return view


NODE_UTILITIES = Codec(dict[str, dict[str, Utility]], _by_place, _by_name, {})
ARRIVALS = Codec(list[list[Count]] | ArrayFile, _arrivals, lambda arrivals, instance, scope: arrivals.tolist())
