"""Where a statement stands: a paper, and a place in it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A paper.

    Attributes
    ----------
    short
        How the text refers to it: ``Wang et al. 2022``.
    doi
        Where its text says it.
    number
        Under which the README lists it: ``000``.
    """

    short: str
    authors: tuple[str, ...]
    title: str
    venue: str
    year: int
    doi: str = ""
    number: str = ""

    def at(self, place: str) -> Source:
        """A place in the paper, in its own numbers: ``section IV-E, Theorem 3``."""
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
        """The same place with a remark: ``repaired``."""
        return Source(self.paper, f"{self.place}, {words}")
