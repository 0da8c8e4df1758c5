"""GraphML files, the format of graphs that networkx, Gephi, yEd and Cytoscape read."""

from __future__ import annotations

from pathlib import Path

from schedproof.core.base.lazy import networkx
from schedproof.core.base.untyped import Network
from schedproof.core.runtime.files import atomic


def write_graphml(path: str | Path, graph: Network) -> None:
    """Write a networkx graph into a GraphML file, atomically; its attributes are numbers, words or truth values."""
    with atomic(path) as part:
        networkx.write_graphml_xml(graph, part)  # by the standard library: the same bytes with or without lxml
