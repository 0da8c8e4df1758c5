"""What a figure is made of: a TOML for each, in the folder of its family, read here and checked against the cards.

A figure is one panel or several. A panel draws instances, each from a preset of the family's generator or from a trace,
runs the policies and bounds of its curves on them, and has one quantity on its y axis. Wherever ``{x}`` stands, in a
setting of the draws or in an option of a policy or a bound, the values of the x axis are put in one after the other.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from schedproof.core import registry
from schedproof.core.errors import InputError, UnknownName
from schedproof.experiments.families import COMPARISONS

HERE = Path(__file__).parent
KINDS = ("lines", "bars", "over_time", "distribution")
MIDDLES = ("mean", "median")
X = "{x}"


@dataclass(frozen=True)
class Curve:
    """A line, or the bars of one colour.

    Attributes
    ----------
    label
        In the legend.
    policy, bound, computed
        What is run, ``NAME`` or ``NAME:KEY=VALUE,...``, or ``module:function`` of instance and x; one of the three.
    quantity, relative_to
        In place of the panel's.
    """

    label: str
    policy: str = ""
    bound: str = ""
    computed: str = ""
    quantity: str = ""
    relative_to: str = ""

    def at(self, x: str) -> Curve:
        """The curve with a value of the x axis put in."""
        return replace(self, policy=self.policy.replace(X, x), bound=self.bound.replace(X, x))


@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    Attributes
    ----------
    kind
        ``lines`` against the values of x, ``bars`` beside each other, ``over_time`` for a profile slot by slot, or
        ``distribution`` for the part of a profile's counts up to each slot.
    preset, trace, settings
        What is drawn; of a trace, ``files`` says which of its files.
    x, values
        The label of the x axis, and what is put in for ``{x}``.
    quantity
        ``objective``, ``seconds``, or a measure or a profile of `COMPARISONS`; a bound has an objective alone.
    per
        A size of the instance by which the quantity is divided; a profile is not.
    relative_to
        The policy whose quantity on the same draw it is divided by.
    ratio_to
        The bound to which the certified ratio is shown, in place of a quantity.
    middle
        What is drawn of several draws: the ``mean`` with its interval, or the ``median`` with their range.
    until
        The last slot that is drawn over time.
    top
        Where the y axis ends, if it is not to hold everything.
    """

    title: str = ""
    kind: str = "lines"
    preset: str = ""
    trace: str = ""
    files: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    x: str = ""
    y: str = ""
    values: tuple[str, ...] = ("",)
    quantity: str = "objective"
    per: str = ""
    relative_to: str = ""
    ratio_to: str = ""
    scale_x: str = "linear"
    scale_y: str = "linear"
    middle: str = "mean"
    until: int = 0
    top: float = 0.0
    seeds: int = 5
    curves: tuple[Curve, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A figure or a table of a paper.

    Attributes
    ----------
    name
        ``fig9`` or ``table3``.
    caption
        The paper's.
    differs
        One sentence: what differs from the paper's picture, and why.
    """

    family: str
    name: str
    caption: str
    differs: str
    panels: tuple[Panel, ...]

    @property
    def id(self) -> str:
        """``preemptive:fig9``."""
        return f"{self.family}:{self.name}"

    @property
    def title(self) -> str:
        """``Fig. 9`` or ``Table 3``."""
        kind, number = ("Fig.", self.name[3:]) if self.name.startswith("fig") else ("Table", self.name[5:])
        return f"{kind} {number}"


def find(name: str) -> Figure:
    """The figure of a name like ``preemptive:fig9`` or, by the paper's number, ``000:fig9``.

    Raises
    ------
    InputError
        For a name of another form, or a file that cannot be read as a figure.
    UnknownName
        For a paper or a figure that is not there.
    """
    paper, colon, figure = name.partition(":")
    if not colon:
        raise InputError("expected a paper and its figure, like preemptive:fig9 or 000:fig9", value=name)
    family = registry.by_paper(paper)
    if figure not in names(family):
        raise UnknownName("figure", name, [f"{family}:{known}" for known in names(family)])
    return read(HERE / family / f"{figure}.toml")


def names(family: str) -> list[str]:
    """The figures of a family in the paper's order, its tables last."""
    known = [file.stem for file in (HERE / family).glob("*.toml") if file.stem != "printed"]
    return sorted(known, key=lambda name: (name.rstrip("0123456789"), int(name.strip("abcdefghijklmnopqrstuvwxyz"))))


def of_paper(paper: str) -> list[Figure]:
    """All figures of a paper, which is named by its family or by its number."""
    family = registry.by_paper(paper)
    return [read(HERE / family / f"{name}.toml") for name in names(family)]


def all_figures() -> Iterator[Figure]:
    """Every figure of every family."""
    for family in registry.families():
        yield from of_paper(family)


def read(path: Path) -> Figure:
    """The figure of a file; its family is the name of the folder.

    Raises
    ------
    InputError
        For whatever is wrong with it, with its place.
    """
    content = table(path)
    panels = content.pop("panels", [{}])
    whole = {key: content.pop(key, None) for key in ("caption", "differs")}
    for key, text in whole.items():
        if not isinstance(text, str) or not text:
            raise InputError("expected a sentence", path=key, file=str(path))
    try:
        read_panels = tuple(_panel({**content, **panel}, f"panels[{n}]") for n, panel in enumerate(panels))
    except InputError as error:
        raise error.in_file(str(path)) from None
    return Figure(path.parent.name, path.stem, str(whole["caption"]), str(whole["differs"]), read_panels)


def table(path: Path) -> dict[str, Any]:
    """What a TOML file says."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", file=str(path)) from None


def _panel(given: Mapping[str, Any], place: str) -> Panel:
    known = {f.name for f in fields(Panel)}
    for key in given:
        if key not in known:
            raise InputError(f"expected one of {', '.join(sorted(known))}", path=f"{place}.{key}")
    curves = given.get("curves", [])
    if not curves:
        raise InputError("expected a curve", path=f"{place}.curves")
    texts = {
        "curves": tuple(_curve(curve, f"{place}.curves[{n}]") for n, curve in enumerate(curves)),
        "values": tuple(str(value) for value in given.get("values", ("",))),
        "files": tuple(given.get("files", ())),
        "settings": {key: str(value) for key, value in given.get("settings", {}).items()},
    }
    panel = Panel(**{**given, **texts})
    for key, kinds in (("kind", KINDS), ("middle", MIDDLES)):
        if getattr(panel, key) not in kinds:
            raise InputError(f"expected one of {', '.join(kinds)}", path=f"{place}.{key}", value=getattr(panel, key))
    return panel


def _curve(given: Mapping[str, Any], place: str) -> Curve:
    try:
        curve = Curve(**given)
    except TypeError as error:
        raise InputError(f"expected a curve: {error}", path=place) from None
    if sum(map(bool, (curve.policy, curve.bound, curve.computed))) != 1:
        raise InputError("expected a policy, a bound or a function, and one of them", path=place)
    return curve


def as_text(x: object) -> str:
    """A value of the x axis as its panel has it, also where a frame made a number of it."""
    try:
        return f"{float(str(x)):g}"
    except ValueError:
        return str(x)


def check(figure: Figure) -> None:
    """Refuse what the family's card does not know: a policy, a bound, a preset, a quantity.

    Raises
    ------
    SchedproofError
        With the name and what there is.
    """
    known, card = COMPARISONS[figure.family], registry.family(figure.family)
    quantities = ("objective", "seconds", *known.measures, *known.profiles)
    for panel in figure.panels:
        if panel.trace:
            registry.find("trace", panel.trace)
        else:
            for preset in {panel.preset.replace(X, x) for x in panel.values} - {*card.generators[0].presets}:
                raise UnknownName("preset", preset, card.generators[0].presets)
        if panel.per and panel.per not in known.sizes:
            raise UnknownName("size", panel.per, known.sizes)
        for name in (panel.relative_to, *(curve.relative_to for curve in panel.curves)):
            if name:
                registry.find("policy", name.partition(":")[0], figure.family)
        if panel.ratio_to:
            registry.find("bound", panel.ratio_to.partition(":")[0], figure.family)
        for curve in panel.curves:
            if curve.computed:
                registry.load(curve.computed)
                continue
            kind = "policy" if curve.policy else "bound"
            registry.find(kind, (curve.policy or curve.bound).partition(":")[0], figure.family)
            if (curve.quantity or panel.quantity) not in quantities:
                raise UnknownName("quantity", curve.quantity or panel.quantity, quantities)
