"""GraphML files, readable by networkx, Gephi, yEd and Cytoscape."""

from __future__ import annotations

from pathlib import Path

from schedproof.core.base.lazy import networkx
from schedproof.core.base.untyped import Network
from schedproof.core.runtime.files import atomic


def write_graphml(path: str | Path, graph: Network) -> None:
    """Write a networkx graph to a GraphML file, atomically.

    Attributes must be numbers, strings or booleans.
    """
    with atomic(path) as part:
        networkx.write_graphml_xml(graph, part)  # standard library: the same bytes with or without lxml
