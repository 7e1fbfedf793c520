"""What a program tells the IDE that runs it: its graphs as they grow, the lines that made their nodes, its folders of event files.

The IDE gives a socket in WEFT_STUDIO_SOCKET and a folder in WEFT_STUDIO_FOLDER; a message is one line of JSON, graphs lie in files of the folder. bootstrap.py
calls attach() where both are set; elsewhere this module is never loaded, and nothing here costs anything.

    {"event": "graph", "number": 1, "file": "graph-1.meta", "lines": "graph-1.json", "nodes": 120}
    {"event": "events", "folder": "/…/logs"}
"""

import atexit
import functools
import json
import os
import socket
import threading
import time
import weakref

_INTERVAL = 0.5  # seconds between two pictures of a graph that grows
_COLLECTIONS = ("variables", "trainable_variables", "local_variables", "model_variables", "global_step", "train_op", "summaries", "losses", "update_ops",
                "regularization_losses", "queue_runners")


def _length(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def _replace(path, data):
    """Whoever reads the file sees the old contents or the new ones."""
    with open(path + ".new", "wb") as f:
        f.write(data)
    os.replace(path + ".new", path)


class _Told:
    def __init__(self, number):
        self.number, self.size, self.time = number, 0, 0.0


class Reporter:
    """One connection to the IDE. Thread-safe: sessions run on many threads."""

    def __init__(self, address, folder):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(address)
        self._folder = folder
        self._graphs = weakref.WeakKeyDictionary()
        self._lock = threading.RLock()

    def _send(self, message):
        try:
            self._socket.sendall(json.dumps(message).encode() + b"\n")
        except OSError:  # the IDE has gone; the program goes on
            pass

    def know(self, graph):
        with self._lock:
            self._graphs.setdefault(graph, _Told(0))

    def tell(self, graph, at_once=False):
        """Sends the graph if it has grown since it was sent last."""
        with self._lock:
            told = self._graphs.setdefault(graph, _Told(0))
            size = graph._core.size()
            now = time.monotonic()
            if size == told.size or (told.size and not at_once and now - told.time < _INTERVAL):
                return
            if told.number == 0:
                told.number = 1 + max((t.number for t in self._graphs.values()), default=0)
            name = "graph-%d" % told.number
            _replace(os.path.join(self._folder, name + ".meta"), self._bytes(graph))
            _replace(os.path.join(self._folder, name + ".json"), json.dumps(self._lines(graph)).encode())
            told.size, told.time = size, time.monotonic()
            self._send({"event": "graph", "number": told.number, "file": name + ".meta", "lines": name + ".json", "nodes": size})

    def tell_all(self):
        for graph in list(self._graphs):
            self.tell(graph, at_once=True)

    def tell_events(self, folder):
        self._send({"event": "events", "folder": os.path.abspath(folder)})

    @staticmethod
    def _bytes(graph):
        from .protos import MetaGraphDef
        from .training.meta_graph import add_collection_def

        meta = MetaGraphDef()
        for key in _COLLECTIONS:
            if graph.get_collection(key):
                add_collection_def(meta, key, graph=graph)
        plain = graph._core.serialize("graph") if not graph._core.has_functions() else graph.as_graph_def().SerializeToString()
        # Messages one after another are one message: the graph, field 2, is not decoded to be written.
        return meta.SerializeToString() + b"\x12" + _length(len(plain)) + plain

    @staticmethod
    def _lines(graph):
        """{"files": [...], "nodes": {name: [file, line]}}"""
        files, nodes = {}, {}
        for i in range(graph._core.size()):
            line = graph._core.line(i)
            if line:
                nodes[graph._core.name(i)] = [files.setdefault(os.path.abspath(line[0]), len(files)), line[1]]
        return {"files": list(files), "nodes": nodes}


def _before(method, what):
    @functools.wraps(method)
    def wrapped(self, *args, **kwargs):
        what(self, *args, **kwargs)
        return method(self, *args, **kwargs)

    return wrapped


def _after(method, what):
    @functools.wraps(method)
    def wrapped(self, *args, **kwargs):
        result = method(self, *args, **kwargs)
        what(self, *args, **kwargs)
        return result

    return wrapped


def attach():
    """Tells the IDE from now on."""
    from . import ops, session
    from .summaries import writer

    reporter = Reporter(os.environ["WEFT_STUDIO_SOCKET"], os.environ["WEFT_STUDIO_FOLDER"])
    ops.Graph.__init__ = _after(ops.Graph.__init__, lambda graph, *a, **k: reporter.know(graph))
    session.BaseSession.run = _before(session.BaseSession.run, lambda s, *a, **k: reporter.tell(s.graph))
    writer.FileWriter.__init__ = _after(writer.FileWriter.__init__, lambda w, logdir, *a, **k: reporter.tell_events(logdir))
    reporter.know(ops.get_default_graph())
    atexit.register(reporter.tell_all)
