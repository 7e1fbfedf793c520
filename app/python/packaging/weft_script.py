#!python
"""The program `weft` of the wheel, with this environment's Python for `weft py`."""

import importlib.util
import os
import sys

package = os.path.dirname(importlib.util.find_spec("weft").origin)
program = os.path.join(package, "bin", "weft")
if not os.path.exists(program):
    sys.exit("weft: %s is missing; the package `weft` there is not Weft's" % program)
os.environ.setdefault("WEFT_PYTHON", sys.executable)
os.execv(program, ["weft"] + sys.argv[1:])
