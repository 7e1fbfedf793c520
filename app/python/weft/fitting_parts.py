"""Imported before all other modules: refuses, in one sentence, what cannot work together: a module of Weft for another Python, a NumPy that it does not know."""

import importlib
import os
import sys


def _module():
    try:
        return importlib.import_module("weft._weft")
    except ModuleNotFoundError as e:
        if e.name != "weft._weft":
            raise
    folder = os.path.dirname(os.path.abspath(__file__))
    built = sorted(name for name in os.listdir(folder) if name.startswith("_weft."))
    raise ImportError("weft: %s has no module for Python %d.%d, only %s: install Weft's wheel for this Python"
                      % ((folder,) + sys.version_info[:2] + (", ".join(built) or "none",)))


def _check():
    below = _module().numpy_below
    import numpy

    if int(numpy.__version__.split(".")[0]) >= below:
        raise ImportError('weft: NumPy is %s, but this Weft was built for versions below %d: `pip install "numpy<%d"`' % (numpy.__version__, below, below))


_check()
