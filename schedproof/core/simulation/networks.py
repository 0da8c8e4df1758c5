"""Graphs of instances: users, providers, and an edge if a user may use a provider."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from math import sqrt

import numpy as np

from schedproof.core.base.lazy import networkx
from schedproof.core.base.numbers import plural
from schedproof.core.base.untyped import Axes, Network, Value
from schedproof.core.simulation.pictures import COLOURS, axes, caption

Node = Value  # a name, or a pair of names
Attributes = Mapping[str, Value]
NO_NUMBERS: Attributes = {}  # attributes of an edge without numbers
MOST_EDGES = 40  # drawn as lines; more become a matrix
MOST_NAMED = 40  # most rows or columns of a matrix with names
MOST_CELLS = 61  # most cells of a map with text
FAINT = "#f4f4f4"
RADIUS = 0.95 / sqrt(3)  # radius of a drawn hexagon, centre to corner; cells are 1 wide


def bipartite(
    users: tuple[str, Mapping[Node, Attributes]],
    providers: tuple[str, Mapping[Node, Attributes]],
    edges: Iterable[tuple[Node, Node, Attributes]],
    label: str = "",
    words: str = "",
) -> Network:
    """Return an undirected graph between two kinds of named nodes.

    Parameters
    ----------
    users, providers
        The kind, and the attributes of each node by name. A name used on both sides becomes the pair (kind, name).
    edges
        A user's name, a provider's name, and the edge's attributes.
    label, words
        The edge attribute shown in a drawing, and its explanation.
    """
    shared = users[1].keys() & providers[1].keys()
    graph = networkx.Graph(label=label, words=words)
    keys = [{name: (kind, name) if name in shared else name for name in rows} for kind, rows in (users, providers)]
    for side, (kind, rows) in enumerate((users, providers)):
        for name, attributes in rows.items():
            graph.add_node(keys[side][name], kind=kind, bipartite=side, **attributes)
    graph.add_edges_from((keys[0][user], keys[1][provider], attributes) for user, provider, attributes in edges)
    return graph


def draw(graph: Network, ax: Axes = None) -> Axes:
    """Draw a `bipartite` graph as a map, in columns, or as a matrix.

    Providers with a ``centre`` make a map; a dense graph becomes a matrix. Users with equal demands and edges are drawn
    as one node with their number.
    """
    providers = [node for node, side in graph.nodes(data="bipartite") if side]
    if all("centre" in graph.nodes[node] for node in providers):
        return _draw_map(graph, providers, ax)
    rank = {node: n for n, node in enumerate(providers)}
    groups = sorted(_groups(graph), key=lambda group: _mean([rank[other] for other in graph.adj[group[0]]]))
    sparse = sum(graph.degree(group[0]) for group in groups) <= MOST_EDGES
    return (_draw_columns if sparse else _draw_matrix)(graph, groups, providers, ax)


def _groups(graph: Network) -> list[list[Node]]:
    groups: dict[Hashable, list[Node]] = {}
    for node, attributes in graph.nodes(data=True):
        if not attributes["bipartite"]:
            edges = frozenset((other, repr(edge)) for other, edge in graph.adj[node].items())
            groups.setdefault((edges, repr(attributes.get("demand"))), []).append(node)
    return [*groups.values()]


def _draw_columns(graph: Network, groups: list[list[Node]], providers: list[Node], ax: Axes) -> Axes:
    label = graph.graph["label"]
    ax = axes(ax, (9, max(2.4, 1 + 0.3 * max(len(groups), len(providers)))))
    heights = [[(n + 0.5) / len(column) for n in range(len(column))] for column in (groups, providers)]
    at = dict(zip(providers, heights[1], strict=True))
    for n, (group, y) in enumerate(zip(groups, heights[0], strict=True)):
        for place, (other, edge) in enumerate(graph.adj[group[0]].items()):
            ax.plot([0, 1], [y, at[other]], color=COLOURS[n % len(COLOURS)], linewidth=1.2, zorder=1)
            if label:
                part = 0.1 + 0.07 * (place % 6)
                style = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
                ax.text(part, y + part * (at[other] - y), edge[label], fontsize=7, ha="center", va="center", bbox=style)
    for x, nodes, marker, align in ((0, groups, "o", "right"), (1, [[p] for p in providers], "s", "left")):
        ax.scatter([x] * len(nodes), heights[x], marker=marker, s=30, color="#444444", zorder=2)
        for group, y in zip(nodes, heights[x], strict=True):
            ax.text(x + (0.03 if x else -0.03), y, _words(graph, group), ha=align, va="center", fontsize=8)
    ax.set_xlim(-0.6, 1.6)
    ax.set_ylim(1.05, -0.05)
    ax.set_axis_off()
    ax.set_title(_title(graph, label and f"numbers: {graph.graph['words']}"), fontsize=9)
    return ax


def _draw_matrix(graph: Network, groups: list[list[Node]], providers: list[Node], ax: Axes) -> Axes:
    from matplotlib.ticker import MaxNLocator

    label = graph.graph["label"]
    values = np.full((len(groups), len(providers)), np.nan)
    rank = {node: n for n, node in enumerate(providers)}
    for row, group in enumerate(groups):
        for other, edge in graph.adj[group[0]].items():
            number = edge[label] if label else 1
            values[row, rank[other]] = np.nan if number is None else number
    ax = axes(ax, (9, min(9.0, 2.5 + 0.2 * len(groups))))
    image = ax.imshow(values, cmap="viridis_r", aspect="auto", interpolation="nearest")
    if label:
        scale = ax.figure.colorbar(image, ax=ax, label=graph.graph["words"])
        scale.ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    for axis, nodes in ((ax.yaxis, groups), (ax.xaxis, [[p] for p in providers])):
        if len(nodes) <= MOST_NAMED:
            axis.set_ticks(range(len(nodes)), [_words(graph, group) for group in nodes], fontsize=7)
    ax.tick_params(axis="x", rotation=90 if len(providers) <= MOST_NAMED else 0)
    ax.set_title(_title(graph), fontsize=9)
    return ax


def _draw_map(graph: Network, providers: list[Node], ax: Axes) -> Axes:
    from matplotlib.patches import RegularPolygon

    places = {node: graph.nodes[node]["centre"] for node in providers}
    wide = max(abs(x) for x, _ in places.values()) + 1
    ax = axes(ax, (min(9.0, 2.2 * wide), min(9.0, 2.2 * wide)))
    common = networkx.bipartite.weighted_projected_graph(graph, providers)
    most = max((number for *_, number in common.edges(data="weight")), default=1)
    for one, other, number in common.edges(data="weight"):
        style = {"color": COLOURS[0], "linewidth": 5 * number / most, "alpha": 0.5, "zorder": 1}
        ax.plot(*zip(places[one], places[other], strict=True), **style)
    for node, (x, y) in places.items():
        ax.add_patch(RegularPolygon((x, y), 6, radius=RADIUS, facecolor=FAINT, edgecolor="#bbbbbb", zorder=0))
        if len(places) <= MOST_CELLS:
            box = {"facecolor": "white", "edgecolor": "#888888", "boxstyle": "round"}
            words = f"{_name([node])}\n{graph.degree(node)}"
            ax.text(x, y, words, ha="center", va="center", fontsize=8, bbox=box, zorder=2)
    ax.set_aspect("equal")
    ax.set_xlim(min(x for x, _ in places.values()) - 0.6, max(x for x, _ in places.values()) + 0.6)
    ax.set_ylim(min(y for _, y in places.values()) - 0.7, max(y for _, y in places.values()) + 0.7)
    ax.set_axis_off()
    ax.set_title(_title(graph, graph.graph["words"]), fontsize=9)
    return ax


def _title(graph: Network, words: str = "") -> str:
    kinds = Counter(kind for _, kind in graph.nodes(data="kind"))
    return "\n".join(filter(None, [", ".join(plural(count, kind) for kind, count in kinds.items()), words]))


def _words(graph: Network, group: list[Node]) -> str:
    amounts = graph.nodes[group[0]].get("capacity" if graph.nodes[group[0]]["bipartite"] else "demand") or {}
    words = ", ".join(f"{caption(name)} {float(value):.4g}" for name, value in amounts.items())
    return f"{_name(group)}: {words}" if words else _name(group)


def _name(group: list[Node]) -> str:
    words = caption("/".join(map(str, group[0])) if isinstance(group[0], tuple) else str(group[0]))
    return words if len(group) == 1 else f"{words} and {len(group) - 1} alike"


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
