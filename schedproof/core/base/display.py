"""How values are shown: one line at a prompt, a small table in a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from schedproof.core.base.untyped import Value
from schedproof.core.errors import printable

LONGEST = 119  # characters of a line at a prompt


class OneLine:
    """Mixin: show an object as its class and facts in one line."""

    def facts(self) -> Mapping[str, Value]:
        """Return the main facts by name; None and empty texts are not shown."""
        raise NotImplementedError

    def __repr__(self) -> str:
        words = ", ".join(f"{name}={value}" for name, value in _facts_as_text(self).items())
        line = f"{type(self).__name__}({words})"
        return line if len(line) <= LONGEST else f"{line[: LONGEST - 4]}...)"


class Tabled(OneLine):
    """Mixin: `OneLine`, and in a notebook a table with one row per fact."""

    def _repr_html_(self) -> str:
        rows = (
            f'<tr><th style="text-align: left">{escape(name)}</th><td style="text-align: left">{escape(text)}</td></tr>'
            for name, text in _facts_as_text(self).items()
        )
        caption = f'<caption style="text-align: left"><b>{escape(type(self).__name__)}</b></caption>'
        return f"<table>{caption}<tbody>{''.join(rows)}</tbody></table>"


def _facts_as_text(shown: OneLine) -> dict[str, str]:
    texts = {name: _text(value) for name, value in shown.facts().items() if value is not None}
    return {name: text for name, text in texts.items() if text}


def _text(value: Value) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={_text(one)}" for name, one in value.items())
    return printable(str(value))
