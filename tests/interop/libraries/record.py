"""What a program of this folder reports to ../libraries.py: losses, one for each step, and named results. Written as one line of JSON on its standard output."""

import json
import time

import numpy as np

_started = time.time()
_losses, _results = [], {}


def loss(value):
    """The loss of the next step."""
    _losses.append(float(value))


def result(name, value):
    """Anything that NumPy makes an array of: predictions, restored variables."""
    _results[name] = np.asarray(value, dtype=np.float64).ravel().tolist()


def done(version):
    """REQUIRES: losses and at least one result. `version`: the library's."""
    assert len(_losses) > 1 and _results
    print("RESULT " + json.dumps({"version": version, "losses": _losses, "results": _results, "seconds": time.time() - _started}))


def same(name, before, after):
    """Reports what a restored model computes, which must be what the saved one did."""
    before, after = np.asarray(before), np.asarray(after)
    assert before.shape == after.shape and np.allclose(before, after, rtol=1e-5, atol=1e-6), (name, before, after)
    result(name, after)
