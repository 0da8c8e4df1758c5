"""Arbitrary names in an instance: pictures and tables show or escape them."""

from __future__ import annotations

import random
import re
import warnings
from html import unescape
from pathlib import Path
from typing import Any

import schedproof as sp
from schedproof.core.simulation.pictures import caption, save
from schedproof.proofs_checks.typeset import as_latex
from tests.faults.guard import Attempt
from tests.faults.hostile import text_of
from tests.instances.broken import formats
from tests.support import FAMILIES

FORMATS = formats()
POLICIES = {"preemptive": "srtf", "dmlrs": "fifo", "multiserver": "drf", "jrp": "greedy", "placement": "minimum"}
BOUNDS = {
    "preemptive": "preemptive.lp4",
    "dmlrs": "dmlrs.rdmlrs_lp",
    "jrp": "jrp.split_free_lp",
    "placement": "placement.lp",
}
PIECES = [
    *("$", "$$", r"\$", r"$\frac", "$x^$", "a$b$c", r"\alpha", "_", "^", "{", "}", "%", "#", "&", "&amp;", "~", "\\"),
    *("<b>", "</text>", "<script>alert(1)</script>", '"', "'", "]]>", "<!--", "\x00", "\x07", "\x1b[31m", "\x7f"),
    *("\n", "\r", "\t", "\u2028", "\u202e", "\u200b", "\ufeff", "é", "日本", "שלום", "😀", "\ud800", "n" * 900, " "),
]


def case(seed: int, folder: Path) -> Attempt:
    """Append a hostile text to every name of a tiny instance; draw and print it."""
    rng = random.Random(f"name {seed}")
    family = FAMILIES[seed % len(FAMILIES)]
    tail = "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 4)))
    file = folder / "instance.json"
    file.write_bytes(text_of(_renamed(FORMATS[family].tiny(rng.randrange(20)), tail)))

    def attempt() -> str:
        run = sp.policy(POLICIES[family]).run(sp.read(file))
        shown = _texts(run.plot(), folder)
        if family in BOUNDS and run.feasible and rng.random() < 0.2:
            gap = run.ratio(sp.bound(BOUNDS[family], run.instance)).gap
            _texts(gap.plot(), folder)
            gap.by_job().to_string()
        run.to_frame().to_string()
        assert shown.isprintable()
        for job in run.instance.jobs if family in ("preemptive", "dmlrs", "jrp") else ():  # the legend has them
            assert caption(job.name).replace(r"\$", "$") in shown
            assert as_latex(job.name).count("$") == as_latex(job.name).count(r"\$")
        return "drawn"

    return Attempt(f"name {family}: {tail!r}", attempt)


def _renamed(given: Any, tail: str) -> Any:
    names = {value for value in _names(given) if value not in ("edge", "cloud")}

    def change(value: Any) -> Any:
        if isinstance(value, dict):
            return {key if key not in names else key + tail: change(each) for key, each in value.items()}
        if isinstance(value, list):
            return [change(each) for each in value]
        return value + tail if isinstance(value, str) and value in names else value

    return change(given)


def _names(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["name"]] if isinstance(value.get("name"), str) else []
        return own + [name for each in value.values() for name in _names(each)]
    return [name for each in value for name in _names(each)] if isinstance(value, list) else []


def _texts(ax: Any, folder: Path) -> str:
    from matplotlib import rc_context

    with warnings.catch_warnings(), rc_context({"svg.fonttype": "none"}):
        warnings.simplefilter("error")
        save(ax.figure, folder / "picture.svg")
        save(ax.figure, folder / "picture.png")
    return unescape(" ".join(re.findall(r"<text[^>]*>([^<]*)</text>", (folder / "picture.svg").read_text())))
