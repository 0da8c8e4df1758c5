from __future__ import annotations

import pytest

from schedproof.core.claims import claims
from schedproof.proofs_checks.typeset import html, latex


@pytest.mark.parametrize(
    ("text", "as_latex", "as_html"),
    [
        ("a row", "a row", "a row"),
        ("h <= T_max", r"$h$ $\le$ $T_{\mathrm{max}}$", "<i>h</i> ≤ <i>T</i><sub>max</sub>"),
        ("alpha_jd", r"$\alpha_{jd}$", "<i>α</i><sub><i>jd</i></sub>"),
        ("t - r", r"$t$ $-$ $r$", "<i>t</i> − <i>r</i>"),
        ("lambda^(t-1)", r"$\lambda^{t-1}$", "<i>λ</i><sup>t-1</sup>"),
        ("(x)^2", "($x$)$^{2}$", "(<i>x</i>)<sup>2</sup>"),
        ("sum_k y_k", r"$\sum_{k}$ $y_{k}$", "<i>∑</i><sub><i>k</i></sub> <i>y</i><sub><i>k</i></sub>"),
        ("left_l", r"$\mathit{left}_{l}$", "<i>left</i><sub><i>l</i></sub>"),
        ("100 % of `a_b`", r"100 \% of \texttt{a\_b}", "100 % of <code>a_b</code>"),
        ("lemma4_repaired & {its} job's", r"lemma4\_repaired \& \{its\} job's", "lemma4_repaired &amp; {its} job's"),
    ],
)  # fmt: skip
def test_a_text_and_its_typeset_form(text: str, as_latex: str, as_html: str) -> None:
    assert latex(text) == as_latex
    assert html(text) == as_html


def test_no_statement_loses_a_word() -> None:
    for statement in claims.statements().values():
        words = [word for word in statement.split() if word.isalpha() and len(word) > 7 and word.islower()]
        assert all(word in latex(statement) and word in html(statement) for word in words), statement
