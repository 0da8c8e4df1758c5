from __future__ import annotations

import re

import pytest

from schedproof.core.claims import claims
from schedproof.proofs_checks.formulas import markdown


@pytest.mark.parametrize(
    ("text", "set_as"),
    [
        ("a row", "a row"),
        ("a job of S, and a PS", "a job of $S$, and a PS"),
        ("alpha_jd <= (t - r_j)/D_j", r"$\alpha_{jd} \le (t - r_{j}) / D_{j}$"),
        ("L (U/L)^(rho/((1-x) C))", r"$L\, (U / L)^{\rho / ((1 - x)\, C)}$"),
        ("sum_(r in R_l) |g_r|^2", r"$\sum_{r \in R_{l}} |g_{r}|^{2}$"),
        ("ceil(V c_i/F) - a_i", r"$\lceil V\, c_{i} / F \rceil - a_{i}$"),
        ("x^/y^, y* = 1", r"$\hat{x} / \hat{y}$, $y^{*} = 1$"),
        ("delta in (0, 1/2]", r"$\delta$ in $(0, 1 / 2]$"),
        ("R-DMLRS, (8)-(9) and lines 6-31", "R-DMLRS, (8)-(9) and lines 6-31"),
        ("10 is at least 3", "10 is at least 3"),
        ("3 + 3 = 6", "$3 + 3 = 6$"),
        ("a cost <= b", r"a cost $\le$ $b$"),
        ("job j's", "job j's"),
        ("no point exists, Pr(x > 0, exists i)", r"no point exists, $\Pr (x > 0, \exists\, i)$"),
        ("z - a sorted, with a budget", "$z - a$ sorted, with a budget"),
        ("w_i = w^(2 (R -\ni)) of LP+\n- *t*", r"$w_{i} = w^{2\, (R - i)}$ of $\mathrm{LP}^{+}$" + "\n- *$t$*"),
        ("2^100 at 3 GFLOP/s, log2(2 n)", r"$2^{100}$ at 3 GFLOP/s, $\log_{2} (2\, n)$"),
        ("3-PARTITION, A(A - 1)/2", r"3-PARTITION, $A(A - 1) / 2$"),
        ("from t* on, *own k*, *k* per port*, t*.", "from $t^{*}$ on, *own $k$*, *$k^{*}$ per port*, $t^{*}$."),
        ("3 * 1, *`a`, x*, x", "$3 \\cdot 1$, *`a`, $x$*, $x$"),
        ("```coq\na_b\n```\na_b `c`", "```coq\na_b\n```\n$a_{b}$ `c`"),
        ("'sum in [T]', x' in Figs. 4e-4h", "'sum in $[T]$', $x'$ in Figs. 4e-4h"),
        ("-R_t and beta*^2 (f_k)'(0), E(N)^+", r"$-R_{t}$ and $\beta^{*2}\, (f_{k})' \text{(0)}$, $E(N)^{+}$"),
        ("at t0 the best y* is taken", r"at $t_{0}$ the best $y^{*}$ is taken"),
        ("- *Is it y, not y*? No.", "- *Is it $y$, not $y$*? No."),
        ("ceil(log2 |R|) + 2h", r"$\lceil \log_{2} |R| \rceil + 2 h$"),
        ("no schedule exists, exists i", r"no schedule exists, $\exists\, i$"),
        ("`a_b` and [x](y_z.md) and $x_1$", "`a_b` and [$x$](y_z.md) and $x_1$"),
    ],
)
def test_a_text_and_its_typeset_form(text: str, set_as: str) -> None:
    assert markdown(text) == set_as


def test_no_statement_loses_a_word_and_each_formula_is_complete() -> None:
    for id, statement in claims.statements().items():
        result = markdown(statement)
        words = [word for word in statement.split() if word.isalpha() and len(word) > 7 and word.islower()]
        assert all(word in result for word in words), id
        assert result.count("$") % 2 == 0, id
        for tex in re.findall(r"\$(.+?)\$", result):
            assert tex.count("{") == tex.count("}"), (id, tex)


def test_typesetting_is_idempotent() -> None:
    for statement in claims.statements().values():
        assert markdown(markdown(statement)) == markdown(statement)
