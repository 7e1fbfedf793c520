"""Lists the modules of TensorFlow 1.15's own tree and their names, for app/python/tests/module_names_test.py --write: python3.7 module_names.py API_NAMES FILE

Run by a Python that has TensorFlow 1.15. A line of FILE: module, name, public paths of the same object (or "-"), whether the object is the module's own."""

import importlib
import os
import sys
import types

import tensorflow as tf
import tensorflow_core


def modules():
    root = os.path.dirname(tensorflow_core.__file__)
    for top in ("python", "core", "contrib", "examples"):
        for folder, _, files in os.walk(os.path.join(root, top)):
            path = os.path.relpath(folder, root).replace(os.sep, ".")
            if "__init__.py" in files:
                yield path
                for f in files:
                    if f.endswith(".py") and not f.startswith("__") and not f.endswith("_test.py"):
                        yield path + "." + f[:-3]


def public(api_names):
    found = {}
    with open(api_names) as f:
        for line in f:
            if line.startswith("#"):
                continue
            path, what = line.split("\t")[0].strip(), tf
            for part in path.split("."):
                what = getattr(what, part)
            if not isinstance(what, (types.ModuleType, int, float, str, bool, tuple, type(None))):
                found.setdefault(id(what), []).append(path)
    return found


def main():
    paths = public(sys.argv[1])
    with open(sys.argv[2], "w") as out:
        for module in sorted(modules()):
            if ".api." in module or ".testdata" in module:
                continue
            try:
                what = importlib.import_module("tensorflow." + module)
            except Exception:
                continue  # of something that is not installed
            out.write("%s\n" % module)
            for name, value in sorted(vars(what).items()):
                home = getattr(value, "__module__", None) or ""
                ours = home.startswith("tensorflow") or id(value) in paths or module.startswith("core.")
                if name.startswith("__") or isinstance(value, types.ModuleType) or not ours:
                    continue
                out.write("%s\t%s\t%s\t%d\n" % (module, name, " ".join(paths.get(id(value), ["-"])), home.partition(".")[2] == module))


main()
