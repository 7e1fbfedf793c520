"""Runs one TensorFlow 1.x program unchanged for some steps and records the results of its session.

    PYTHON world_run.py OUT.json RUNS SCRIPT [ARGS…]        PYTHON: `weft py`, or a Python that has TensorFlow 1.15

The same file runs with both engines. Seeds are set before the program begins and for every graph that it creates; the program is stopped after RUNS calls of
Session.run by its main thread.
Environment: with WORLD_THREADS=1 each session has one thread for ops and one inside them, whatever the program requests; WORLD_GRAPH=FILE writes the graph of
the last session there.
The program's `set` iterates in insertion order: the order of Python's own set depends on hashes, which differ between the Python versions used.
OUT.json: {"runs": calls, "scalars": [[numbers fetched by one call], …], "seconds": …, "in_run": seconds inside Session.run, "ended": reason, "nodes": number
of nodes, "graph": a checksum of their names and ops}.
Modules that only draw or read pictures (matplotlib, PIL …) are replaced by one that accepts every call; waiting for a key in a window returns at once.
"""
import builtins
import importlib.abc
import importlib.machinery
import json
import os
import random
import sys
import threading
import time
import types
import zlib

import numpy as np

SEED = 17
DRAWING = ("matplotlib", "mpl_toolkits", "pylab", "tkinter", "cv2", "requests", "imageio", "nltk", "skimage", "seaborn", "pygame", "pyglet", "scipy.misc")
MISSED = ("scipy", "PIL")  # the real ones are used if installed


class Anything:
    """Accepts every call and attribute; yields two of itself when unpacked."""

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
    def __init__(self, names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if name.split(".")[0] in self.names or name in self.names else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        anything = Anything()
        module.__getattr__ = lambda name: anything if not name.startswith("__") else (_ for _ in ()).throw(AttributeError(name))


class EnoughSteps(BaseException):
    pass


class _AnySet(type):
    def __instancecheck__(cls, value):
        return isinstance(value, PlainSet)

    def __subclasscheck__(cls, kind):
        return issubclass(kind, PlainSet)


PlainSet = set


class OrderedSet(PlainSet, metaclass=_AnySet):
    """A set that remembers the order of its elements."""

    def __init__(self, elements=()):
        self._order = dict.fromkeys(elements)
        super().__init__(self._order)

    def __iter__(self):
        return iter(list(self._order))

    def __reduce__(self):
        return PlainSet, (list(self._order),)

    def __repr__(self):
        return "{%s}" % ", ".join(map(repr, self._order)) if self._order else "set()"

    def _kept(self):
        """Like the operation of set; new elements come last."""
        for gone in [e for e in self._order if e not in self]:
            del self._order[gone]
        if len(self) != len(self._order):
            self._order.update(dict.fromkeys(sorted(PlainSet.__iter__(self), key=lambda e: (e in self._order, str(e)))))

    def pop(self):
        first = next(iter(self._order), None)
        if not self._order:
            raise KeyError("pop from an empty set")
        self.remove(first)
        return first

    def copy(self):
        return OrderedSet(self)


def _changing(name):
    method = getattr(PlainSet, name)

    def changed(self, *others):
        if name in ("add", "remove", "discard"):
            result = method(self, *others)
            if name == "add":
                self._order.setdefault(others[0])
            else:
                self._order.pop(others[0], None)
            return result
        if name == "update":
            others = [list(other) for other in others]  # iterables that can be read only once, too
        if name in ("update", "__ior__"):
            for other in others:
                self._order.update(dict.fromkeys(other))
        result = method(self, *others)
        self._kept()
        return result
    return changed


def _combining(name):
    method = getattr(PlainSet, name)

    def combined(self, *others):
        if not name.startswith("__"):
            others = tuple(list(other) for other in others)
        result = method(self, *others)
        if result is NotImplemented:
            return result
        return OrderedSet([e for part in (self,) + others for e in part if e in result])
    return combined


for _name in ("add", "remove", "discard", "update", "clear", "difference_update", "intersection_update", "symmetric_difference_update", "__ior__", "__iand__", "__isub__", "__ixor__"):
    setattr(OrderedSet, _name, _changing(_name))
for _name in ("__or__", "__and__", "__sub__", "__xor__", "union", "intersection", "difference", "symmetric_difference"):
    setattr(OrderedSet, _name, _combining(_name))


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
    sys.meta_path.insert(0, Drawing(DRAWING))
    sys.meta_path.append(Drawing(MISSED))
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
                return method(self, *args, **kwargs)  # queue feeding runs as often as there is space
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
    sessions = []

    def few_threads(method):
        def init(self, target="", graph=None, config=None):
            if os.environ.get("WORLD_THREADS"):
                kept, config = config, tf.ConfigProto()
                if kept is not None:
                    config.CopyFrom(kept)
                config.inter_op_parallelism_threads = config.intra_op_parallelism_threads = int(os.environ["WORLD_THREADS"])
                del config.session_inter_op_thread_pool[:]
            method(self, target, graph, config)
            sessions[:] = [self]
        return init

    owner.__init__ = few_threads(owner.__init__)
    builtins.set = OrderedSet

    sys.argv = [script] + sys.argv[4:]
    sys.path.insert(0, os.path.dirname(script))
    sys.path.append(os.getcwd())  # for programs that import their own folder as a package
    try:  # its location when such programs were written
        import scipy.sparse.linalg
        sys.modules.setdefault("scipy.sparse.linalg.eigen.arpack", scipy.sparse.linalg)
    except ImportError:
        pass
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "stand_ins"))
    with open(script, encoding="utf-8") as f:
        source = f.read()
    names = {"__name__": "__main__", "__file__": script}
    if "\nfrom . import" in source:  # a module of a package: start it like `python -m`
        sys.path[0] = os.path.dirname(sys.path[0])
        names["__package__"] = os.path.basename(os.path.dirname(script))
        importlib.import_module(names["__package__"])
    try:  # TensorFlow's lazy `tensorflow.examples` does not list the contents of its folder
        import tensorflow.examples.tutorials.mnist
        sys.modules["tensorflow_core.examples"].tutorials = sys.modules["tensorflow.examples.tutorials"]
    except (ImportError, KeyError):
        pass
    module = types.ModuleType("__main__")
    module.__dict__.update(names)
    sys.modules["__main__"] = module  # tf.app.run and tf.test.main look for the program there
    begin = time.perf_counter()
    try:
        exec(compile(source, script, "exec"), module.__dict__)
    except EnoughSteps:
        record["ended"] = "after %d calls" % limit
    except SystemExit as e:
        record["ended"] = "exit %s" % (e.code,)
    except BaseException as e:  # reported in the output file
        import traceback
        traceback.print_exc()
        record["ended"] = "%s: %s" % (type(e).__name__, str(e).split("\n")[0][:300])
    record["seconds"] = time.perf_counter() - begin
    graph = sessions[0].graph if sessions else tf.get_default_graph()
    record["nodes"] = len(graph.get_operations())
    record["graph"] = zlib.crc32("\n".join(o.name + " " + o.type for o in graph.get_operations()).encode())
    if os.environ.get("WORLD_GRAPH") and sessions:
        with open(os.environ["WORLD_GRAPH"], "wb") as f:
            f.write(sessions[0].graph.as_graph_def().SerializeToString())
    with open(out, "w") as f:
        json.dump(record, f)
    sys.stdout.flush()
    os._exit(0)  # do not wait for threads of the program's queues


main()
