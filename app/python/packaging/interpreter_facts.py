"""interpreter_facts.py [PYBIND11_INCLUDE]: what CMake must know to build a module for this interpreter, as a CMake list: tag; suffix of modules; include folders; version of pybind11.

PYBIND11_INCLUDE is used if this interpreter has no pybind11 of its own. Exit status 1 with a sentence on standard error if there can be no module.
"""

import os
import re
import sys
import sysconfig

FIRST_PYTHON = (3, 8)
# The first pybind11 for a version of Python.
PYBIND11_FOR = {(3, 12): (2, 11), (3, 13): (2, 13), (3, 14): (3, 0)}


def fail(text):
    sys.stderr.write("%s: %s\n" % (sys.executable, text))
    sys.exit(1)


def pybind11_version(folder):
    with open(os.path.join(folder, "pybind11", "detail", "common.h")) as f:
        text = f.read()
    return tuple(int(re.search(r"#\s*define PYBIND11_VERSION_%s (\d+)" % part, text).group(1)) for part in ("MAJOR", "MINOR"))


def main():
    version = sys.version_info[:2]
    if sys.implementation.name != "cpython" or version < FIRST_PYTHON:
        fail("%s %d.%d, expected CPython %d.%d or newer" % ((sys.implementation.name,) + version + FIRST_PYTHON))
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    if "t-" in suffix.split(".")[1] or sysconfig.get_config_var("Py_GIL_DISABLED"):
        fail("a free-threaded build, expected one with the interpreter lock")
    headers = sysconfig.get_path("include")
    if not os.path.exists(os.path.join(headers, "Python.h")):
        fail("has no headers (%s/Python.h); install its development files" % headers)
    try:
        import pybind11

        folder = pybind11.get_include()
    except ImportError:
        folder = sys.argv[1] if len(sys.argv) > 1 else ""
    if not os.path.exists(os.path.join(folder, "pybind11", "pybind11.h")):
        fail("no pybind11 for it; `%s -m pip install pybind11` brings one" % sys.executable)
    found = pybind11_version(folder)
    needed = max((v for python, v in PYBIND11_FOR.items() if python <= version), default=(2, 9))
    if found < needed:
        fail("pybind11 is %d.%d, CPython %d.%d needs %d.%d or newer; `%s -m pip install pybind11` brings one" % (found + version + needed + (sys.executable,)))
    sys.stdout.write(";".join(["cp%d%d" % version, suffix, headers, folder, "%d.%d" % found]))


main()
