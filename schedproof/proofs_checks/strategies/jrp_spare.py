"""The cases about rounding with spare room (jrp), and their strategies."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

import msgspec
from hypothesis import strategies as st

from schedproof.core.claims.cases import PositiveShare, Share
from schedproof.core.data.reading import Positive
from schedproof.core.errors import expect

ONE = Fraction(1)


@dataclass(frozen=True)
class Kind:
    """A number of equal jobs: y, the sizes of their data nodes, and their servers.

    Attributes
    ----------
    shares
        x_i^j/y of each data node, by server.
    """

    jobs: Positive
    y: PositiveShare
    sizes: tuple[Positive, ...]
    shares: tuple[Share, ...]

    def __post_init__(self) -> None:
        expect(sum(self.shares) == 1, "expected shares that sum to 1", "shares", self.shares)


@dataclass(frozen=True)
class Spare:
    """A point of LP_I with storage only, and the rounding with reduced probabilities.

    Attributes
    ----------
    aside
        d: a job of y is accepted with probability (1 - d) y.
    odds
        p.
    storage
        r_j^s of each server.
    """

    kinds: tuple[Kind, ...]
    aside: Annotated[Fraction, msgspec.Meta(gt=0, le=0.5)]
    odds: Positive
    storage: tuple[Positive, ...]

    def __post_init__(self) -> None:
        fit = bool(self.kinds) and all(len(kind.shares) == len(self.storage) for kind in self.kinds)
        expect(fit, "expected kinds of jobs, each with a share for every server", "kinds")


@st.composite
def spares(draw: Any) -> Spare:
    odds, servers = draw(st.sampled_from((1, 2, 4))), draw(st.integers(1, 2))
    shares = (ONE,) if servers == 1 else draw(st.sampled_from(((ONE / 2, ONE / 2), (ONE / 3, 2 * ONE / 3))))
    sizes = draw(st.sampled_from(((1,), (1, 1), (2, 1))))
    kinds = [Kind(draw(st.sampled_from((90, 120))), draw(st.sampled_from((ONE / 2, ONE))), sizes, shares)]
    if draw(st.booleans()):
        kinds.append(Kind(draw(st.integers(1, 6)), ONE / 3, sizes, shares))
    filled = [sum(k.jobs * k.y * sum(k.sizes) * k.shares[j] for k in kinds) for j in range(servers)]
    needed = draw(st.sampled_from((0, 0, 40 * sum(sizes))))  # more than the statement asks for, or what is filled
    return Spare(tuple(kinds), ONE / 2, odds, tuple(max(needed, -(-f.numerator // f.denominator)) for f in filled))
