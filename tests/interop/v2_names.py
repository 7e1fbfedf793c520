"""Makes app/python/weft/v2/names.tsv: the names of tf.compat.v2 in TensorFlow 1.15.5 and what they stand for. Run by a Python with TensorFlow 1.15.5: v2_names.py > FILE

A row is a folder below tf.compat.v2 and its names: NAME has the same object as tf.FOLDER.NAME, NAME=PATH that of tf.PATH, NAME! an object of its own."""

import types

import tensorflow as tf

_LEFT_OUT = {"contrib", "python", "core", "tools", "v1", "compat.v1", "compat.v2"}


def names(module, path, found, depth=0):
    for name in sorted(set(dir(module))):
        below = path + "." + name if path else name
        if name.startswith("_") or below in _LEFT_OUT:
            continue
        what = getattr(module, name)
        if not isinstance(what, types.ModuleType):
            found[below] = what
        elif "tensorflow" in what.__name__ and depth < 4:
            found[below + "."] = what
            names(what, below, found, depth + 1)
    return found


def equal(one, other):
    """Whether two names have the same object, or constants of the same value."""
    return one is other or not callable(one) and type(one) is type(other) and isinstance(one, (int, float, str, bytes)) and one == other


def main():
    first, second = names(tf, "", {}), names(tf.compat.v2, "", {})
    paths = {}
    for path, what in first.items():
        if callable(what):
            paths.setdefault(id(what), []).append(path)
    rows = {}
    for path, what in second.items():
        folder, _, leaf = path.rstrip(".").rpartition(".")
        words = rows.setdefault(folder, [])
        if path.endswith("."):
            rows.setdefault(path[:-1], [])
        elif path in first and equal(what, first[path]):
            words.append(leaf)
        elif id(what) in paths:
            words.append("%s=%s" % (leaf, min(paths[id(what)], key=lambda p: (p.count("."), len(p), p))))
        else:
            words.append(leaf + "!")
    print("# folder below tf.compat.v2\tits names; NAME=PATH: the object of tf.PATH; NAME!: one of its own. tests/interop/v2_names.py writes this file.")
    for folder in sorted(rows):
        print("%s\t%s" % (folder, " ".join(sorted(rows[folder]))))


main()
