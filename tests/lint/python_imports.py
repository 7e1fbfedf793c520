#!/usr/bin/env python3
"""Checks the imports between the Python modules of app/python/weft, including imports within functions:

1. No module imports `tensorflow`, which is built from them, nor its builders (weft.namespace, names of the package weft that are not modules).
2. There are no import cycles.
3. The modules of CORE, which implement graphs, sessions and variables, import only each other. context.py is at the bottom and imports none.

weft/__init__.py, which builds `tensorflow`, is exempt; module_list.py and deep_modules.py name modules as strings, to load them for programs. Run in the
source tree; prints each import that breaks a rule, and the modules of each cycle."""

import ast
import os
import sys

FOLDER = "app/python/weft"
CORE = set("""attr_values auto_control_deps basics build_errors collection_protos config constant_values constants context control_flow control_flow_util conversion data.session_tensors defaults device device_lib
    dispatchable dtypes engine errors exports flow_values gradients graph_access graph_elements graph_keys graph_object graph_scopes initializers loops op_calls operators ops
    partition_graphs partitioned_variable placement_notes platform.tf_logging protos public_names records ref_variable resource_variable row_functions safe_initial_value session settings sparse_tensor
    targets tensor_array tensor_shape tensor_util training.names training.tracking.base util.nest util.object_identity util.tf_contextlib util.tf_decorator variable_base variable_scope variable_store variables""".split())
BOTTOM = "context"
FACADE = "tensorflow"
MAKES_FACADE = "namespace"
EXTENSION = "_weft"
GENERATED = "messages.proto"  # made by the build from engine/proto


def modules():
    """Dotted name below weft -> file; that of the package itself is ""."""
    found = {}
    for folder, _, files in os.walk(FOLDER):
        for name in files:
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                parts = os.path.relpath(path, FOLDER)[:-3].split(os.sep)
                found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(module, path, there):
    """(line, dotted name below weft, or what was written where that is refused) of each import in a file that is of weft or of the facade."""
    with open(path, encoding="utf-8") as f:
        tree = ast.parse(f.read(), path)
    package = module.split(".") if module else []
    if not path.endswith("__init__.py"):
        package = package[:-1]
    for node in ast.walk(tree):
        names = []  # (dotted path from the top, whether its last part may be a name in a module)
        if isinstance(node, ast.Import):
            names = [(a.name, False) for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ["weft"] + package[:len(package) - node.level + 1] if node.level else []
            base = ".".join(base + (node.module.split(".") if node.module else []))
            names = [(base + "." + a.name, True) for a in node.names]
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            names = [(node.args[0].value, False)] if called in ("import_module", "__import__") and not node.args[0].value.startswith(".") else []
        for name, may_be_inside in names:
            top, _, below = name.partition(".")
            if top == FACADE:
                yield node.lineno, FACADE
            elif top == "weft" and below:
                if below not in there and may_be_inside and "." in below:
                    below = below.rpartition(".")[0]
                if below in there or "." in below or not may_be_inside:
                    yield node.lineno, below
                elif below != EXTENSION and not os.path.isdir(os.path.join(FOLDER, below)):
                    yield node.lineno, "weft." + below


def circles(imports):
    """Groups of modules that import each other; one that imports itself is one, too."""
    number, low, stack, open_, found = {}, {}, [], set(), []

    def visit(module):
        number[module] = low[module] = len(number)
        stack.append(module)
        open_.add(module)
        for other in imports[module]:
            if other not in number:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in open_:
                low[module] = min(low[module], number[other])
        if low[module] == number[module]:
            group = []
            while not group or group[-1] != module:
                group.append(stack.pop())
                open_.discard(group[-1])
            if len(group) > 1 or module in imports[module]:
                found.append(group)

    for module in imports:
        if module not in number:
            visit(module)
    return found


def shortest(group, imports):
    """A shortest cycle through the alphabetically first module of a group."""
    start = min(group)
    ways, todo = {}, [start]
    for module in todo:
        for other in sorted(imports[module] & set(group)):
            if other == start:
                way = [module]
                while way[-1] != start:
                    way.append(ways[way[-1]])
                return way[::-1] + [start]
            if other not in ways:
                ways[other] = module
                todo.append(other)
    return []


def main():
    sys.setrecursionlimit(10000)
    there, bad, imports, lines = modules(), [], {}, {}
    for module, path in sorted(there.items()):
        if not module:
            continue
        imports[module] = set()
        for line, name in imported(module, path, there):
            at = "%s:%d:" % (path, line)
            if name == FACADE or name.startswith("weft."):
                bad.append("%s imports %s, which is made of these modules" % (at, name))
            elif name == MAKES_FACADE or name.startswith(MAKES_FACADE + "."):
                bad.append("%s imports weft.%s, which makes %s" % (at, name, FACADE))
            elif not name.startswith(GENERATED):
                if name in there:
                    imports[module].add(name)
                    lines.setdefault((module, name), at)
                if module == BOTTOM:
                    bad.append("%s %s.py is below all others, but imports weft.%s" % (at, BOTTOM, name))
                elif module in CORE and name not in CORE:
                    bad.append("%s weft.%s is of the core, weft.%s is not" % (at, module, name))
    for group in circles(imports):
        way = shortest(group, imports)
        bad.append("circle of %d modules: %s" % (len(group), " -> ".join(way)))
        bad += ["   %s weft.%s imports weft.%s" % (lines[pair], *pair) for pair in zip(way, way[1:])]
    if BOTTOM in there:
        bad += ["CORE names %s, which is not there" % module for module in sorted(CORE - set(there))]
    for line in bad:
        print(line)
    print("%d modules, %d of the core, %d findings" % (len(there), len(CORE & set(there)), len(bad)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
