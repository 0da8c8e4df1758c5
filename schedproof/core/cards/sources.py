"""Papers, and places in papers where statements are printed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A paper.

    Attributes
    ----------
    short
        Short citation, ``Wang et al. 2022``.
    doi
        DOI, if printed in the paper.
    number
        The paper's number in the names of its figures, ``000``.
    """

    short: str
    authors: tuple[str, ...]
    title: str
    venue: str
    year: int
    doi: str = ""
    number: str = ""

    def at(self, place: str) -> Source:
        """Return a place in the paper, in its numbering: ``section IV-E, Theorem 3``."""
        return Source(self, place)

    def __str__(self) -> str:
        doi = f", doi:{self.doi}" if self.doi else ""
        return f"{', '.join(self.authors)}: {self.title}. {self.venue}, {self.year}{doi}"


@dataclass(frozen=True)
class Source:
    """A place in a paper."""

    paper: Paper
    place: str

    def __str__(self) -> str:
        return f"{self.paper.short}, {self.place}"

    def but(self, words: str) -> Source:
        """Return the same place with a remark, for example ``repaired``."""
        return Source(self.paper, f"{self.place}, {words}")
