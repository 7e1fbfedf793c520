"""Lists the modules of TensorFlow 1.15's own tree and their names, for app/python/tests/module_names_test.py --write: python3.7 module_names.py API_NAMES FILE

Run it with a Python that has TensorFlow 1.15. A line of FILE: module, name, public paths of the same object (or "-"), whether the module defines the object,
and the value of a number or string. A name that stands for another of TensorFlow's modules: module, name, "@" and the path of that module."""

import ast
import importlib
import os
import sys
import types

import tensorflow as tf
import tensorflow_core


def modules():
    root = os.path.dirname(tensorflow_core.__file__)
    for top in ("python", "core", "contrib", "examples", "tools"):
        for folder, _, files in os.walk(os.path.join(root, top)):
            path = os.path.relpath(folder, root).replace(os.sep, ".")
            if "__init__.py" in files:
                yield path
                for f in files:
                    if f.endswith(".py") and not f.startswith("__") and not f.endswith("_test.py"):
                        yield path + "." + f[:-3]


_PLAIN = (int, float, str, bool, bytes, tuple)


def bound(module):
    """Names that a module defines at its top level, as opposed to imports."""
    file = getattr(module, "__file__", None)
    if not file or not file.endswith(".py"):
        return set()
    with open(file) as f:
        tree = ast.parse(f.read())
    found = set()
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            child.inside = getattr(node, "inside", False) or isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda))
    for node in ast.walk(tree):
        if getattr(node, "inside", False):
            continue
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


def public(api_names):
    """(id of an object -> its paths, (last part of a path, value) of numbers and strings -> paths)"""
    found, plain = {}, {}
    with open(api_names) as f:
        for line in f:
            if line.startswith("#"):
                continue
            path, what = line.split("\t")[0].strip(), tf
            for part in path.split("."):
                what = getattr(what, part)
            if isinstance(what, _PLAIN):
                plain.setdefault((path.rpartition(".")[2], repr(what)), []).append(path)
            elif not isinstance(what, (types.ModuleType, type(None))):
                found.setdefault(id(what), []).append(path)
    return found, plain


def imported(module, name, value):
    """The path of TensorFlow's module that a name of another module stands for, or None."""
    root, _, path = value.__name__.partition(".")
    return path if root in ("tensorflow", "tensorflow_core", "tensorflow_estimator") and path and path != module + "." + name else None


def main():
    paths, plain = public(sys.argv[1])
    with open(sys.argv[2], "w") as out:
        for module in sorted(modules()):
            if ".api." in module or ".testdata" in module:
                continue
            try:
                what = importlib.import_module("tensorflow." + module)
            except Exception:
                continue  # belongs to a package that is not installed
            out.write("%s\n" % module)
            own = bound(what)
            for name, value in sorted(vars(what).items()):
                if isinstance(value, types.ModuleType):
                    path = imported(module, name, value)
                    if path and not name.startswith("__"):
                        out.write("%s\t%s\t@%s\n" % (module, name, path))
                    continue
                home = getattr(value, "__module__", None) or ""
                ours = isinstance(home, str) and home.startswith("tensorflow") or id(value) in paths or module.startswith("core.") or name in own
                if name.startswith("__") or value is None or not ours:
                    continue
                same = plain.get((name, repr(value)), []) if isinstance(value, _PLAIN) else paths.get(id(value), [])
                shown = repr(value) if isinstance(value, _PLAIN) and len(repr(value)) < 200 and "\t" not in repr(value) else ""
                out.write("%s\t%s\t%s\t%d%s\n" % (module, name, " ".join(same) or "-", isinstance(home, str) and home.partition(".")[2] == module or name in own, "\t" + shown if shown else ""))


main()
