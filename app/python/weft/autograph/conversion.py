"""Converted functions: found by their code, made once for each code object and set of features."""

import ast
import copy
import functools
import inspect
import linecache
import os
import sysconfig
import types
import unittest

from . import operators, rewriter

_converted = {}  # (code, features) -> code of the converted function; None: it stays as it is
_trees = {}      # file -> (its lines, the tree, what lies at each line)
_STAY = ("tensorflow", "weft", "numpy", "tensorflow_probability", "tensorflow_datasets.core", "mock", "ipdb", "six", "absl", "pybind11")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_LIBRARY = os.path.realpath(sysconfig.get_path("stdlib")) + os.sep


class Unconvertible(ValueError):
    """A function that cannot be converted."""


class _Index(ast.NodeVisitor):
    """The functions of a file by line, each with the class around it."""

    def __init__(self):
        self.found, self._class = {}, None

    def _add(self, node, line):
        self.found.setdefault(line, []).append((node, self._class))

    def visit_FunctionDef(self, node):
        for line in {node.lineno} | {d.lineno for d in node.decorator_list}:
            self._add(node, line)
        self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self._add(node, node.lineno)
        self.generic_visit(node)

    def visit_ClassDef(self, node):
        outer, self._class = self._class, node.name
        self.generic_visit(node)
        self._class = outer


def _index(file, module_globals):
    linecache.checkcache(file)
    lines = linecache.getlines(file, module_globals)
    known = _trees.get(file)
    if known is None or known[0] != lines:
        if not lines:
            raise OSError("could not get source code")
        index = _Index()
        index.visit(ast.parse("".join(lines)))
        known = _trees[file] = lines, index.found
    return known[1]


def source_of(function):
    """(a copy of the function's syntax tree, the name of the class around it)."""
    code = function.__code__
    wanted = ast.Lambda if code.co_name == "<lambda>" else (ast.FunctionDef, ast.AsyncFunctionDef)
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    found = []
    for node, owner in _index(code.co_filename, function.__globals__).get(code.co_firstlineno, ()):
        a = node.args
        given = tuple(x.arg for x in getattr(a, "posonlyargs", []) + a.args + a.kwonlyargs)
        if isinstance(node, wanted) and (wanted is ast.Lambda or node.name == code.co_name) and tuple(_mangled(n, owner) for n in given) == names:
            found.append((node, owner))
    if len(found) > 1:
        found = [f for f in found if _same_code(f[0], code)][:1] if len({ast.dump(f[0]) for f in found}) > 1 else found[:1]
    if not found:
        raise Unconvertible("Unable to locate the source code of %s." % (function,))
    return found[0]


def _same_code(node, code):
    """Whether the instructions of a lambda lie in this one; where Python does not say: whether it compiles to the same."""
    if hasattr(code, "co_positions"):
        places = [(line, column) for line, _, column, _ in code.co_positions() if line is not None and column is not None][1:]
        return all((node.body.lineno, node.body.col_offset) <= p <= (node.body.end_lineno, node.body.end_col_offset) for p in places)
    made = next((c for c in compile(ast.Expression(body=node), code.co_filename, "eval").co_consts if isinstance(c, types.CodeType)), None)
    plain = lambda c: tuple(x.co_name if isinstance(x, types.CodeType) else x for x in c.co_consts)
    return made is not None and len(made.co_code) == len(code.co_code) and plain(made) == plain(code) and \
        {*made.co_names, *made.co_freevars} == {*code.co_names, *code.co_freevars}


def _mangled(name, owner):
    if owner is None or not name.startswith("__") or name.endswith("__"):
        return name
    return "_%s%s" % (owner.lstrip("_"), name) if owner.strip("_") else name


class _Mangle(ast.NodeTransformer):
    """Private names of a class, as its body spells them, become what they stand for."""

    def __init__(self, owner):
        self._owner = owner

    def visit_Attribute(self, node):
        self.generic_visit(node)
        node.attr = _mangled(node.attr, self._owner)
        return node

    def visit_Name(self, node):
        node.id = _mangled(node.id, self._owner)
        return node

    def visit_arg(self, node):
        node.arg = _mangled(node.arg, self._owner)
        return node

    def visit_ClassDef(self, node):
        return node


def _copied(node):
    made = copy.deepcopy(node)
    for n in ast.walk(made):
        n.placed = True
    return made


def tree_of(function, features):
    """The converted function's syntax tree, under a name."""
    node, owner = source_of(function)
    node = _copied(node)
    if owner is not None:
        node = _Mangle(owner).visit(node)
    if isinstance(node, ast.Lambda):
        made = ast.parse("def ag__lambda():\n    return 0").body[0]
        made.args, made.body[0].value = node.args, node.body
        ast.copy_location(made.body[0], node)
        ast.copy_location(made, node)
        made.placed = made.body[0].placed = True
        node = made
    if isinstance(node, ast.AsyncFunctionDef) or rewriter._is_generator(node):
        raise Unconvertible("%s is a generator or coroutine; it is not converted." % (function,))
    node.decorator_list, node.returns = [], None
    none = lambda: ast.copy_location(ast.Constant(value=None), node)
    node.args.defaults, node.args.kw_defaults = [none() for _ in node.args.defaults], [d and none() for d in node.args.kw_defaults]
    for a in ast.walk(node.args):
        if isinstance(a, ast.arg):
            a.annotation = None
    node = rewriter.Rewriter(features).function(node)
    rewriter.place(node, node)
    return node


def _code(function, features):
    key = function.__code__, features
    if key not in _converted:
        node = tree_of(function, features)
        # Inside of a function that has the free variables, they are free again; the new function then gets the cells of the old one.
        free = ("ag__", "ag__features") + function.__code__.co_freevars
        outer = ast.parse("def ag__outer(%s):\n    pass\n    return %s" % (", ".join(free), node.name)).body[0]
        outer.body[0:1] = [node]
        module = ast.fix_missing_locations(ast.Module(body=[outer], type_ignores=[]))
        scope = {}
        exec(compile(module, function.__code__.co_filename, "exec"), scope)
        _converted[key] = scope["ag__outer"](*[None] * len(free)).__code__
    return _converted[key]


def converted(function, features=frozenset()):
    """A plain Python function with its ifs, loops and calls rewritten. Unconvertible, OSError, SyntaxError … if that is not possible."""
    code = _code(function, features)
    own = function.__code__
    cells = dict(zip(own.co_freevars, function.__closure__ or ()), ag__=types.CellType(operators), ag__features=types.CellType(features))
    made = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, tuple(cells[n] for n in code.co_freevars))
    made.__kwdefaults__ = function.__kwdefaults__
    made.__module__, made.__qualname__, made.__doc__ = function.__module__, function.__qualname__, function.__doc__
    made.ag__original = function
    made.__dict__.update({k: v for k, v in function.__dict__.items() if k not in made.__dict__ and k != "__wrapped__"})
    return made


def stays(function):
    """Whether a function is called as it is: one of a library that needs no conversion, a generator, a method of a test case."""
    plain = getattr(function, "__func__", function)
    if isinstance(plain, functools.partial):
        return stays(plain.func)
    if not inspect.isfunction(plain) or getattr(plain, "ag__done", False) or hasattr(plain, "ag__original"):
        return True
    module = plain.__globals__.get("__name__") or plain.__module__ or ""
    if any(module == m or module.startswith(m + ".") for m in _STAY):
        return True
    file = plain.__code__.co_filename
    if file.startswith(_PACKAGE) or file.startswith("<") and not linecache.getlines(file):
        return True
    if os.path.realpath(file).startswith(_LIBRARY) and "site-packages" not in file and "dist-packages" not in file:
        return True
    if inspect.isgeneratorfunction(plain) or inspect.iscoroutinefunction(plain) or inspect.isasyncgenfunction(plain):
        return True
    owner = getattr(function, "__self__", None)
    if isinstance(owner, unittest.TestCase):
        return True
    return isinstance(owner, tuple) and hasattr(type(owner), "_fields")
