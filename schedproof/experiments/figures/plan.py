"""Descriptions of figures: one TOML file per figure, in the family's folder.

A figure has one or more panels. A panel's instances are drawn from a preset of the family's generator or from a trace.
The panel runs the policies and bounds of its curves on these instances, and shows one quantity on the y axis. The
values of the x axis replace ``{x}`` in settings of the draws, and in options of policies and bounds.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from schedproof.core.cards import registry
from schedproof.core.errors import InputError, SchedproofError, UnknownName
from schedproof.core.runtime.files import regular
from schedproof.experiments.families import comparison

HERE = Path(__file__).parent
KINDS = ("lines", "bars", "over_time", "distribution")
MIDDLES = ("mean", "median")
X = "{x}"


@dataclass(frozen=True)
class Curve:
    """A curve of a panel: a line, or the bars of one colour.

    Attributes
    ----------
    label
        The name in the legend.
    policy, bound, computed
        Exactly one of: ``NAME`` or ``NAME:KEY=VALUE,...`` of a policy or a bound, or ``module:function`` of instance
        and x.
    quantity, relative_to
        Values that replace the panel's.
    """

    label: str
    policy: str = ""
    bound: str = ""
    computed: str = ""
    quantity: str = ""
    relative_to: str = ""

    def at(self, x: str) -> Curve:
        return replace(self, policy=self.policy.replace(X, x), bound=self.bound.replace(X, x))


@dataclass(frozen=True)
class Panel:
    """A panel of a figure: one pair of axes.

    Attributes
    ----------
    kind
        ``lines`` over the values of x, grouped ``bars``, ``over_time`` for a profile of slots, or ``distribution`` for
        the cumulative share of a profile's counts.
    preset, trace, settings
        The draws; for a trace, ``files`` names its files.
    x, values
        The label of the x axis, and the values that replace ``{x}``.
    quantity
        ``objective``, ``seconds``, or a measure or profile of `experiments.families`. A bound has only an objective.
    per
        A size of the instance by which the quantity is divided; not for a profile.
    relative_to
        The policy by whose quantity on the same draw the quantity is divided.
    ratio_to
        The bound of a certified ratio that is shown in place of a quantity.
    middle
        Summary of several draws: the ``mean`` with its 95 % interval, or the ``median`` with the range.
    until
        The last slot of curves over time.
    top
        The upper end of the y axis.
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
        The paper's caption.
    differs
        One sentence about the differences from the paper's picture, with the reasons.
    """

    family: str
    name: str
    caption: str
    differs: str
    panels: tuple[Panel, ...]

    @property
    def id(self) -> str:
        return f"{self.family}:{self.name}"

    @property
    def title(self) -> str:
        """The title ``Fig. 9`` or ``Table 3``; other names are unchanged."""
        kind, number = re.fullmatch(r"(fig|table)?(.*)", self.name).groups()  # type: ignore[union-attr]  # it fits
        return f"{'Fig.' if kind == 'fig' else 'Table'} {number}" if kind and number else self.name


def find(name: str) -> Figure:
    """Return the figure named like ``preemptive:fig9``, or ``000:fig9`` by number.

    Raises
    ------
    InputError
        For a name of another form, or an unreadable file.
    UnknownName
        For an unknown paper or figure.
    """
    paper, colon, figure = name.partition(":")
    if not colon:
        raise InputError("expected a paper and its figure, like preemptive:fig9 or 000:fig9", value=name)
    family = registry.by_paper(paper)
    known = files(family)
    if figure not in known:
        raise UnknownName("figure", name, [f"{family}:{other}" for other in known])
    return read(known[figure], family)


def files(family: str) -> dict[str, Path]:
    """Return the files of a family's figures by name, in the paper's order.

    Raises
    ------
    InputError
        If a file named by the card is missing.
    """
    own = [_beside(home) for home in registry.family(family).figures]
    every = {file.stem: file for file in (*(HERE / family).glob("*.toml"), *own) if file.stem != "printed"}
    return dict(
        sorted(every.items(), key=lambda row: [int(n) if n.isdigit() else n for n in re.split(r"(\d+)", row[0])])
    )


def _beside(home: str) -> Path:
    module, _, name = home.partition(":")
    spec = find_spec(module)
    path = Path(str(spec.origin)).parent / name if spec is not None and name else Path(home)
    if not path.is_file():
        raise InputError(
            "a card names this figure (module:fig1.toml), but the file does not exist: add it",
            file=str(path),
        )
    return path


def of_paper(paper: str) -> list[Figure]:
    """Return all figures of a paper, named by its family or its number.

    Raises
    ------
    SchedproofError
        If the paper has no figures.
    """
    family = registry.by_paper(paper)
    if not (known := of_family(family)):
        raise SchedproofError(f"the card of the family {family} names no figures")
    return known


def of_family(family: str) -> list[Figure]:
    return [read(path, family) for path in files(family).values()]


def all_figures() -> Iterator[Figure]:
    for family in registry.families():
        yield from of_family(family)


def read(path: Path, family: str = "") -> Figure:
    """Read the figure of a file; by default its family is the name of the folder.

    Raises
    ------
    InputError
        For an error in the file, with its place.
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
    return Figure(family or path.parent.name, path.stem, str(whole["caption"]), str(whole["differs"]), read_panels)


def table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(regular(path).read_text(encoding="utf-8"))
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
    if panel.kind in ("lines", "bars") and panel.values == ("",):
        raise InputError(f"expected the x values of {panel.kind}", path=f"{place}.values")
    return panel


def _curve(given: Mapping[str, Any], place: str) -> Curve:
    try:
        curve = Curve(**given)
    except TypeError as error:
        raise InputError(f"expected a curve: {error}", path=place) from None
    if sum(map(bool, (curve.policy, curve.bound, curve.computed))) != 1:
        raise InputError("expected exactly one of policy, bound and computed", path=place)
    return curve


def as_text(x: object) -> str:
    """Return a value of x as written in its panel; pandas may have converted it."""
    try:
        return f"{float(str(x)):g}"
    except ValueError:
        return str(x)


def check(figure: Figure) -> None:
    """Check that the family's card has all names in a figure.

    Raises
    ------
    SchedproofError
        For an unknown policy, bound, preset or quantity; the message lists the known names.
    """
    known, card = comparison(figure.family), registry.family(figure.family)
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
