"""Mistakes of trainings that a program's source shows and its graph does not. doctor.py reports them once the program trains."""

import ast
import collections

Found = collections.namedtuple("Found", "code words line loop")  # loop: a range of lines that run when it matters

_RATES = ("learning_rate", "lr")


def _called(call):
    """The last name of what is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""


def _scopes(tree):
    """The module and its functions."""
    return [tree] + [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]


def _own(scope):
    """The nodes of a scope without those of functions in it."""
    queue = list(scope.body)
    while queue:
        node = queue.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            queue.extend(ast.iter_child_nodes(node))


def _names(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _rate(call):
    """The name that is an optimizer's learning rate; None: another expression."""
    if not _called(call).endswith("Optimizer"):
        return None
    given = [k.value for k in call.keywords if k.arg in _RATES] or call.args[:1]
    return given[0].id if given and isinstance(given[0], ast.Name) else None


def _assigned(node, name):
    if isinstance(node, ast.Assign):
        return any(isinstance(t, ast.Name) and t.id == name for t in node.targets)
    return isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name


def _uses(scope, name, line):
    """Whether anything after a line uses a name but to change, compare or print it."""
    harmless = set()
    for node in ast.walk(scope):
        if _assigned(node, name) or isinstance(node, (ast.Compare, ast.JoinedStr)) or (isinstance(node, ast.Call) and _called(node) in ("print", "format", "info", "write")):
            harmless.update(ast.walk(node))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
            harmless.update(ast.walk(node))
    return any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load) and n.lineno > line and n not in harmless for n in ast.walk(scope))


def find(source):
    """A list of Found."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # the program says so itself
        return []
    out = []
    for scope in _scopes(tree):
        own = list(_own(scope))
        for call in (n for n in own if isinstance(n, ast.Call)):
            name = _rate(call)
            if name is None:
                continue
            loops = [n for n in own if isinstance(n, (ast.For, ast.While)) and n.lineno > call.lineno]
            if _uses(scope, name, call.end_lineno):
                continue
            for loop in loops:
                changes = [n.lineno for n in ast.walk(loop) if _assigned(n, name) and (isinstance(n, ast.AugAssign) or name in _names(n.value))]
                if changes:
                    out.append(Found("rate-not-fed", [name, str(call.lineno)], min(changes), range(loop.lineno, loop.end_lineno + 1)))
                    break
    return out
