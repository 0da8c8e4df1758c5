from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
ROWS = {"Constraint", "ConstraintList", "SOSConstraint", "LogicalConstraint", "Disjunction", "Objective"}
COMPONENTS = ROWS | {"Var", "VarList", "Expression", "Param", "Set", "Block", "Disjunct"}
EXCEPTIONS = {  # and why
    # The rows stand in Pyomo.GDP's disjuncts, which are components themselves.
    "formulations/dmlrs/exact.py, internal_if_on_one_machine: makes a Constraint",
    "formulations/dmlrs/exact.py, internal_if_on_one_machine: makes a Disjunct",
    "formulations/dmlrs/exact.py, internal_if_on_one_machine: makes a Disjunction",
    # The cone's variables u, v and w exist only together with its rows.
    "formulations/jrp/groups.py, completion: makes a Var",
}
OLD_STYLE = """
@group("objective", "(1)", "...", needs=("amounts",))
def total(block, instance):
    block.term = sum(block.model().amounts.x.values())

@sp.group("constraints", "(2)", "...")
def limit(block, instance, amounts):
    block.most = pyo.Var()
    _within(block, amounts)

def _within(block, amounts):
    block.row = pyo.Constraint(list(amounts.x), rule=lambda _, i: amounts.x[i] <= 1)
"""


def breaches(text: str) -> Iterator[str]:
    tree = ast.parse(text if "group(" in text else "")  # parsing every module takes seconds
    outermost = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if not any(map(decorator, outermost)):
        return
    for function in outermost:
        group = decorator(function)
        constraints = group is not None and ast.unparse(group.args[0]) == "'constraints'"
        cvxpy = function.args.args and function.args.args[0].arg == "parts"
        needs = group is not None and any(word.arg == "needs" for word in group.keywords)
        if needs and not cvxpy and not function.args.defaults:  # which only alternatives have
            yield f"{function.name}: names its blocks in needs"
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr in ("row", "term"):
                yield f"{function.name}: sets a {node.attr}"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr == "model" and not node.args:
                    yield f"{function.name}: calls model()"
                if node.func.attr in (COMPONENTS if constraints else ROWS):
                    yield f"{function.name}: makes a {node.func.attr}"


def decorator(function: ast.FunctionDef) -> ast.Call | None:
    calls = (call for call in function.decorator_list if isinstance(call, ast.Call))
    return next((call for call in calls if ast.unparse(call.func) in ("group", "sp.group")), None)


def test_every_group_is_written_in_one_style() -> None:
    product = ROOT / "schedproof"
    found = {
        f"{path.relative_to(product)}, {line}" for path in product.rglob("*.py") for line in breaches(path.read_text())
    }
    assert found == EXCEPTIONS


def test_the_old_style_is_found() -> None:
    assert set(breaches(OLD_STYLE)) == {
        "total: names its blocks in needs",
        "total: sets a term",
        "total: calls model()",
        "limit: makes a Var",
        "_within: sets a row",
        "_within: makes a Constraint",
    }


def test_the_example_of_the_page_is_in_the_package() -> None:
    section = (ROOT / "docs" / "contributing.md").read_text().partition("## How a group is written\n")[2]
    example = re.search(r"```python\n# (\S+)\n(.*?)```", section, re.DOTALL)
    assert example and example[2] in (ROOT / example[1]).read_text() and not list(breaches(example[2]))
