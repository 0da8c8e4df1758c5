"""Numbers in figures that are computed from an instance and x alone."""

from __future__ import annotations

from fractions import Fraction
from math import exp
from typing import Any

import numpy as np

from schedproof.core.errors import ProgramError
from schedproof.relaxations.jrp.matrix import linear_program
from schedproof.rounding.gains import printed_below


def vertex_of_lp_i(instance: Any) -> tuple[float, np.ndarray]:
    """Return LP_I's optimum and vertex: the accepted share of each edge, (E,).

    Of several optimal vertices, the solver finds one.

    Raises
    ------
    ProgramError
        If the solver fails.
    """
    edges, share = instance.edges, float(instance.communication_share)
    program = linear_program(instance, (1 - share) * edges.compute, share * edges.bandwidth)
    outcome = program.solve()
    if outcome.objective is None:
        raise ProgramError(
            f"LP_I: expected an optimum, but the solver ended with {outcome.status} {outcome.message}".rstrip()
        )
    return -outcome.objective, program.point[: len(edges.node)]


def storage_of_lp_i(instance: Any, x: str) -> float:
    """Return the utilisation of storage (section V-A) at an optimal vertex of LP_I."""
    edges, (_, accepted) = instance.edges, vertex_of_lp_i(instance)
    stored = np.bincount(edges.server, edges.size[edges.node] * accepted, len(edges.storage))
    used = np.divide(stored, edges.storage, out=np.zeros_like(stored), where=edges.storage > 0)
    return float(used.mean())


def right_hand_side(cover: int, x: str, rows: int = 401, packing: int = 15) -> float:
    """Return RHS of the feasibility study of Yu et al. 2022.

    RHS is 3m/e^(G_delta W_a/2) with m = 1 and G_delta of (29).

    Parameters
    ----------
    cover, packing
        W_a and W_b.
    x
        delta.
    rows
        r, the number of packing rows.
    """
    gain = float(printed_below(Fraction(packing), rows, Fraction(x)))
    return 3 * exp(-gain * cover / 2)


def left_hand_side(instance: Any, x: str) -> float:
    """Return LHS of the feasibility study of Yu et al. 2022: delta."""
    return float(x)


def rhs_30(instance: Any, x: str) -> float:
    return right_hand_side(30, x)


def rhs_35(instance: Any, x: str) -> float:
    return right_hand_side(35, x)


def rhs_40(instance: Any, x: str) -> float:
    return right_hand_side(40, x)
