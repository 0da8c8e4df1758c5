"""Where the jrp claims' witnesses lie."""

from pathlib import Path

WITNESSES = Path(__file__).parent / "witnesses"
