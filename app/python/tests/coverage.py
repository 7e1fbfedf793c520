"""Counts how many of TensorFlow 1.15's public names exist: weft py coverage.py [--write | --check]

Looks up every name of ../api_names.txt and tabulates the results by module. --write writes ../COVERAGE.md; --check exits with 1 if that file is out of
date."""

import collections
import os
import sys

import tensorflow as tf

_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def there(path):
    what = tf
    for part in path.split("."):
        try:
            what = getattr(what, part)
        except AttributeError:
            return False
    return True


def rows():
    """(path, whether the requirements name it, whether it exists)"""
    with open(os.path.join(_FOLDER, "api_names.txt"), encoding="utf-8") as f:
        for line in f:
            if not line.startswith("#"):
                words = line.rstrip("\n").split("\t")
                yield words[0], len(words) > 2, there(words[0])


def share(have, of):
    return "%d of %d (%d %%)" % (have, of, 100 * have // of)


def table():
    modules = collections.OrderedDict()
    named, all_named, missing = 0, 0, collections.OrderedDict()
    total = [0, 0]
    for path, required, present in rows():
        folder = path.rpartition(".")[0]
        if required:
            all_named += 1
            named += present
        if folder.startswith(("contrib", "raw_ops")) or required and folder[:1].isupper():
            continue
        top = ".".join(folder.split(".")[:2]) if folder.startswith("keras") else folder.split(".")[0]
        cell = modules.setdefault(top, [0, 0])
        for c in (cell, total):
            c[1] += 1
            c[0] += present
        if not present:
            missing.setdefault(folder, []).append(path.rpartition(".")[2])
    lines = ["# Which public names of TensorFlow 1.15 there are", "",
             "Made by `weft py app/python/tests/coverage.py --write` from `api_names.txt`; a test compares it. A name counts when a program that asks for it gets it; one that is missing",
             "raises AttributeError.", "",
             "| | there |", "|---|---|",
             "| named by the requirements (with members of classes and tf.contrib) | %s |" % share(named, all_named),
             "| all of tf without contrib and raw_ops (one name for each operation) | %s |" % share(*total), "",
             "| module | there |", "|---|---|"]
    for top in sorted(modules):
        lines.append("| tf%s | %s |" % ("." + top if top else "", share(*modules[top])))
    if missing:
        lines += ["", "## What is missing", ""]
        for folder in sorted(missing):
            lines.append("- tf%s: %s" % ("." + folder if folder else "", ", ".join(missing[folder])))
    return "\n".join(lines) + "\n"


def main():
    text = table()
    kept = os.path.join(_FOLDER, "COVERAGE.md")
    if "--write" in sys.argv:
        with open(kept, "w", encoding="utf-8") as f:
            f.write(text)
    elif "--check" in sys.argv:
        with open(kept, encoding="utf-8") as f:
            old = f.read()
        if old != text:
            import difflib

            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), text.splitlines(True), "COVERAGE.md", "what there is"))
            return 1
    else:
        sys.stdout.write(text)
    return 0


sys.exit(main())
