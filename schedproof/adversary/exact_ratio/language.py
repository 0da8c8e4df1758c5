"""The language of rules: a side-effect-free subset of Python.

A rule's function returns the same value whenever its arguments are the same. The language has no imports, no classes
and no unbounded loops. The only attributes are a list's methods; the only globals are functions and constants. The
checker (`schedproof.check.ratio`) implements the same language independently.
"""

from __future__ import annotations

import ast
import builtins
from typing import Any

from schedproof.core.errors import InputError

SYNTAX = """
Module FunctionDef arguments arg Return Assign AugAssign For If Expr Pass Break Continue keyword Name Constant
Tuple List ListComp GeneratorExp comprehension Subscript Slice Lambda IfExp Call Starred Attribute Load Store
BoolOp And Or UnaryOp Not USub BinOp Add Sub Mult FloorDiv Mod Compare Eq NotEq Lt LtE Gt GtE In NotIn
"""
FUNCTIONS = "abs all any bool divmod enumerate int len list max min range reversed sorted sum tuple zip"
METHODS = "append count extend index insert pop remove"  # of lists and tuples


def parse(text: str, name: str) -> dict[str, Any]:
    """Return the functions and constants of a rule.

    Raises
    ------
    InputError
        If the text is not in the language.
    """
    try:
        tree = ast.parse(text)
        tree.body = [statement for n, statement in enumerate(tree.body) if not _has_no_effect(statement, n)]
        for node in ast.walk(tree):  # annotations may use names outside the language
            if isinstance(node, ast.arg):
                node.annotation = None
            elif isinstance(node, ast.FunctionDef):
                node.returns = None
        outer = {*tree.body}
        for node in ast.walk(tree):
            if not _is_allowed(node, node in outer):
                where, what = getattr(node, "lineno", 1), type(node).__name__
                words = (
                    f"line {where}: rules are written in a subset of Python without {what}; a system is FILE.py:NAME"
                )
                raise InputError(f"no rule: {words}", file=name)
        found: dict[str, Any] = {"__builtins__": {word: getattr(builtins, word) for word in FUNCTIONS.split()}}
        exec(compile(tree, name, "exec", dont_inherit=True), found)
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"no rule: expected Python: {' '.join(str(error).split())[:80]}", file=name) from None
    return found


def _has_no_effect(statement: ast.stmt, n: int) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant()):
            return n == 0
        case ast.ImportFrom(module="__future__"):
            return True
    return False


def _is_allowed(node: ast.AST, outer: bool) -> bool:
    """Return whether a node is in the language; ``outer``: at module level."""
    match node:
        case ast.FunctionDef(name=name):
            return outer and not node.decorator_list and not name.startswith("__")
        case ast.Assign() if outer:
            return _is_constant(node.value) and all(isinstance(target, ast.Name) for target in node.targets)
        case ast.Attribute():
            return node.attr in METHODS.split() and isinstance(node.ctx, ast.Load)
        case ast.Constant():
            return node.value is None or isinstance(node.value, int | str)
        case ast.arguments():
            return all(_is_constant(default) for default in (*node.defaults, *node.kw_defaults) if default)
        case ast.Name(id=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
            return not name.startswith("__")
    return not outer and type(node).__name__ in SYNTAX.split()


def _is_constant(node: ast.expr) -> bool:
    match node:
        case ast.Tuple():
            return all(map(_is_constant, node.elts))
        case ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
            return True
    return False
