"""Runs one TensorFlow 1.x program unchanged for some steps and writes down what its session gave.

    PYTHON world_run.py OUT.json RUNS SCRIPT [ARGS…]        PYTHON: `weft py`, or a Python that has TensorFlow 1.15

The same file runs in both. Seeds are set before the program begins, and for every graph that it makes; after RUNS calls of Session.run by its main thread it is ended.
OUT.json: {"runs": calls, "scalars": [[numbers that one call fetched], …], "seconds": …, "in_run": seconds inside of Session.run, "ended": why}.
Modules that only draw or read pictures (matplotlib, PIL …) are stood in for by one that takes every call; a program that waits for a window's key does not wait.
"""
import importlib.abc
import importlib.machinery
import json
import os
import random
import sys
import threading
import time
import types

import numpy as np

SEED = 17
DRAWING = ("matplotlib", "mpl_toolkits", "pylab", "scipy", "tkinter", "cv2", "PIL", "requests", "imageio", "nltk", "skimage", "seaborn", "pygame", "pyglet")


class Anything:
    """Takes every call and every attribute; two of it where somebody unpacks."""

    def __call__(self, *args, **kwargs):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key):
        return self

    def __setitem__(self, key, value):
        pass

    def __iter__(self):
        return iter((self, self))


class Drawing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if name.split(".")[0] in DRAWING else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        anything = Anything()
        module.__getattr__ = lambda name: anything if not name.startswith("__") else (_ for _ in ()).throw(AttributeError(name))


class EnoughSteps(BaseException):
    pass


def scalars(value, out):
    if isinstance(value, dict):
        for key in sorted(value, key=str):
            scalars(value[key], out)
    elif isinstance(value, (list, tuple)):
        for item in value:
            scalars(item, out)
    elif isinstance(value, (float, int, np.number, np.ndarray)) and np.size(value) == 1 and np.asarray(value).dtype.kind in "fiu":
        out.append(float(np.asarray(value).reshape(())))


def main():
    out, limit, script = sys.argv[1], int(sys.argv[2]), os.path.abspath(sys.argv[3])
    out = os.path.abspath(out)
    sys.meta_path.insert(0, Drawing())
    import tensorflow as tf

    record = {"runs": 0, "scalars": [], "in_run": 0.0, "ended": "by itself"}

    def seeded(method):
        def init(self, *args, **kwargs):
            method(self, *args, **kwargs)
            self.seed = SEED
        return init

    tf.Graph.__init__ = seeded(tf.Graph.__init__)
    tf.reset_default_graph()
    random.seed(SEED)
    np.random.seed(SEED)

    def counted(method):
        def run(self, *args, **kwargs):
            if threading.current_thread() is not threading.main_thread():
                return method(self, *args, **kwargs)  # what feeds a queue runs as often as it finds room
            begin = time.perf_counter()
            result = method(self, *args, **kwargs)
            record["in_run"] += time.perf_counter() - begin
            found = []
            scalars(result, found)
            record["scalars"].append(found)
            record["runs"] += 1
            if record["runs"] >= limit:
                raise EnoughSteps()
            return result
        return run

    owner = next(c for c in tf.Session.__mro__ if "run" in vars(c))
    owner.run = counted(owner.run)

    sys.argv = [script] + sys.argv[4:]
    sys.path.insert(0, os.path.dirname(script))
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "stand_ins"))
    with open(script, encoding="utf-8") as f:
        source = f.read()
    names = {"__name__": "__main__", "__file__": script}
    if "\nfrom . import" in source:  # a module of a package: as `python -m` starts it
        sys.path[0] = os.path.dirname(sys.path[0])
        names["__package__"] = os.path.basename(os.path.dirname(script))
        importlib.import_module(names["__package__"])
    try:  # TensorFlow's lazy `tensorflow.examples` does not know what its own folder holds
        import tensorflow.examples.tutorials.mnist
        sys.modules["tensorflow_core.examples"].tutorials = sys.modules["tensorflow.examples.tutorials"]
    except (ImportError, KeyError):
        pass
    module = types.ModuleType("__main__")
    module.__dict__.update(names)
    sys.modules["__main__"] = module  # tf.app.run and tf.test.main look for their program there
    begin = time.perf_counter()
    try:
        exec(compile(source, script, "exec"), module.__dict__)
    except EnoughSteps:
        record["ended"] = "after %d calls" % limit
    except SystemExit as e:
        record["ended"] = "exit %s" % (e.code,)
    except BaseException as e:  # the report says it; nothing is hidden
        import traceback
        traceback.print_exc()
        record["ended"] = "%s: %s" % (type(e).__name__, str(e).split("\n")[0][:300])
    record["seconds"] = time.perf_counter() - begin
    with open(out, "w") as f:
        json.dump(record, f)
    sys.stdout.flush()
    os._exit(0)  # threads of the program's queues do not hold us


main()
