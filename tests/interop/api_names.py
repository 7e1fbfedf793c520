"""Lists the public names of TensorFlow 1.15's API: PYTHON_WITH_TENSORFLOW api_names.py [TEXT…] > app/python/api_names.txt

One name per line: the dotted path below tf, its kind (class, function, value), and a star if one of the TEXT files mentions it. Names in tf.contrib and
members of classes are listed only if TEXT mentions them. compat.v1 and compat.v2 are left out, because they repeat the rest."""

import re
import sys
import types

import tensorflow as tf

_OWN_MODULES = re.compile(r"_api|\.api\.|^tensorflow_estimator|platform\.flags$|^tensorflow\.contrib|^tensorflow_core\.contrib")


def kind_of(what):
    return "class" if isinstance(what, type) else "function" if callable(what) else "value"


def walk(module, path, found):
    for name in sorted(dir(module)):
        below = path + "." + name if path else name
        if name.startswith("_") or below == "contrib" or below in ("compat.v1", "compat.v2"):
            continue
        try:
            what = getattr(module, name)
        except Exception:  # this build cannot provide the name
            continue
        if isinstance(what, types.ModuleType):
            if _OWN_MODULES.search(what.__name__):
                walk(what, below, found)
        elif not below.endswith((".absolute_import", ".division", ".print_function")):
            found[below] = kind_of(what)


def resolve(path):
    what = tf
    for part in path.split("."):
        if part.startswith("_"):
            return None
        try:
            what = getattr(what, part)
        except Exception:
            return None
    return None if isinstance(what, types.ModuleType) else what


def named_in(text):
    """The paths in a text: tf.a.b, Class.member, and alternatives after a slash (tf.a.b / c / d)."""
    named = set()
    for match in re.finditer(r"(?<![\w./])(?:tf\.)?([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|(?<=tf\.)\w+)((?:\(\))?(?: ?[/,] ?(?!tf\.)[a-zA-Z_]\w*)*)", text):
        path = match.group(1)[3:] if match.group(1).startswith("tf.") else match.group(1)
        named.add(path)
        folder = path.rpartition(".")[0]
        for word in re.findall(r"[A-Za-z_]\w*", match.group(2)):
            named.add((folder + "." if folder else "") + word)
    return named


def main():
    found, stars = {}, set()
    walk(tf, "", found)
    for file in sys.argv[1:]:
        with open(file, encoding="utf-8") as f:
            for path in named_in(f.read()):
                what = resolve(path)
                if what is not None or path in found:
                    found.setdefault(path, kind_of(what))
                    stars.add(path)
    print("# The public names of TensorFlow 1.15's API (made by tests/interop/api_names.py); *: Weft's requirements name it.")
    for path in sorted(found):
        print("%s\t%s%s" % (path, found[path], "\t*" if path in stars else ""))


main()
