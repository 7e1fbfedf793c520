"""Reports from a program to the IDE that runs it: its graphs as they grow, the lines that made their nodes, its event file folders.

The IDE passes a socket in WEFT_STUDIO_SOCKET and a folder in WEFT_STUDIO_FOLDER. A message is one line of JSON; graphs are files in the folder. bootstrap.py
calls attach() if both are set. Otherwise this module is never loaded.

    {"event": "graph", "number": 1, "file": "graph-1.meta", "lines": "graph-1.json", "nodes": 120}
    {"event": "events", "folder": "/…/logs"}
    {"event": "session", "number": 1, …}                                          studio_sessions.py
    {"event": "notes", "file": "notes.json"}                                     studio_notes.py
    {"event": "doctor", "graph": 1, "finding": {…}}                              what `weft py --doctor` found
    {"event": "run", "graph": 1, "state": {…}}                                    a debugged step has paused, resumed or ended
    {"event": "line", "why": "breakpoint", "stack": [[file, line, function], …], "names": [[name, type, text], …]}     the program has paused before a line

The IDE sends breakpoints and orders on the same socket:

    {"do": "start", "points": {"1": […]}, "lines": {file: […]}}                 the program waits 15 s for this message; "build": end before the first step
    {"do": "points", "graph": 1, "list": […]}, {"do": "lines", "files": {…}}     breakpoints of a graph, of source lines
    {"do": "break"}, {"do": "line", "how": "go|over|into|out"}, {"do": "let-go", "graph": 1, "run": 7}
"""

import _thread
import atexit
import functools
import json
import os
import socket
import threading
import time
import weakref

_INTERVAL = 0.5  # seconds between two reports of a growing graph
_PATIENCE = 15.0  # seconds that the program waits for the IDE's first message
_COLLECTIONS = ("variables", "trainable_variables", "local_variables", "model_variables", "global_step", "train_op", "summaries", "losses", "update_ops",
                "regularization_losses", "queue_runners")


def _replace(path, data):
    """Replaces a file atomically: readers see the old contents or the new ones."""
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
        self._sending = threading.Lock()

    def send_text(self, text):
        try:
            with self._sending:
                self._socket.sendall(text.encode("utf-8", "replace") + b"\n")
        except OSError:  # the IDE is gone; the program continues
            pass

    def send(self, message):
        self.send_text(json.dumps(message))

    def listen(self, hear, left):
        """Calls hear(message) for each message of the IDE, and left() when the IDE is gone, on a thread that is not in threading.enumerate()."""

        def loop():
            with self._socket.makefile("rb") as stream:
                for line in stream:
                    try:
                        hear(json.loads(line))
                    except Exception as e:  # a bad message must not end the connection
                        self.send({"event": "log", "text": "%s: %s" % (type(e).__name__, e)})
            left()

        _thread.start_new_thread(loop, ())

    def write(self, name, data):
        """Writes a file in the folder shared with the IDE."""
        _replace(os.path.join(self._folder, name), data)

    def graphs(self):
        with self._lock:
            return list(self._graphs)

    def know(self, graph):
        with self._lock:
            self._graphs.setdefault(graph, _Told(0))

    def number(self, graph):
        with self._lock:
            told = self._graphs.setdefault(graph, _Told(0))
            if told.number == 0:
                told.number = 1 + max((t.number for t in self._graphs.values()), default=0)
            return told.number

    def tell(self, graph, at_once=False):
        """Sends the graph if it has grown since the last time."""
        with self._lock:
            told = self._graphs.setdefault(graph, _Told(0))
            size = graph._core.size()
            now = time.monotonic()
            if size == told.size or (told.size and not at_once and now - told.time < _INTERVAL):
                return
            self.number(graph)
            name = "graph-%d" % told.number
            _replace(os.path.join(self._folder, name + ".meta"), self.graph_bytes(graph))
            _replace(os.path.join(self._folder, name + ".json"), json.dumps(self._lines(graph)).encode())
            told.size, told.time = size, time.monotonic()
            self.send({"event": "graph", "number": told.number, "file": name + ".meta", "lines": name + ".json", "nodes": size})

    def tell_all(self):
        for graph in list(self._graphs):
            self.tell(graph, at_once=True)

    def tell_events(self, folder):
        self.send({"event": "events", "folder": os.path.abspath(folder)})

    @staticmethod
    def graph_bytes(graph):
        """A serialized MetaGraphDef with the graph and its collections."""
        from .protos import MetaGraphDef
        from .training.meta_graph import add_collection_def
        from .wire import field

        meta = MetaGraphDef()
        for key in _COLLECTIONS:
            if graph.get_collection(key):
                add_collection_def(meta, key, graph=graph)
        plain = graph._core.serialize("graph") if not graph._core.has_functions() else graph.as_graph_def().SerializeToString()
        # Concatenated messages merge when parsed, so the graph (field 2) can be appended without decoding it.
        return meta.SerializeToString() + field(2, plain)

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


def _attach_debugger(reporter, folder, notes):
    """Attaches op and line breakpoints; returns the function to call before each step."""
    from .debug.line_stops import LineStops
    from .debug.remote_runs import RemoteRuns

    runs, lines = RemoteRuns(reporter, folder), LineStops(reporter.send)
    lines.stopped = runs.cancel_stop
    runs.stopping = lines.cancel_stop
    started = threading.Event()

    def start(m):
        for number, points in m.get("points", {}).items():
            runs.set_points(int(number), points)
        start.lines = m.get("lines", {})
        if m.get("break"):
            start.at_once = True
        notes.build_only = bool(m.get("build"))
        started.set()

    start.lines, start.at_once = {}, False

    def stop_soon(m):
        if not runs.stop_soon() and not lines.is_standing():
            lines.stop_soon()

    def left():
        runs.let_all_go()
        lines.cancel_stop()
        lines.set_points({})
        if lines.is_standing():
            lines.order("go")

    orders = {
        "start": start,
        "points": lambda m: runs.set_points(m["graph"], m["list"]),
        "lines": lambda m: lines.set_points(m["files"]),
        "break": stop_soon,
        "line": lambda m: lines.order(m["how"]),
        "let-go": lambda m: runs.detach(m["graph"], m.get("run", 0)),
    }
    reporter.listen(lambda m: orders[m["do"]](m), left)
    reporter.send({"event": "hello", "pid": os.getpid(), "socket": "debug.sock"})
    if started.wait(_PATIENCE):
        if start.lines:
            lines.set_points(start.lines)
        if start.at_once:
            lines.stop_soon()

    def before(session, *unused_args, **unused_kwargs):
        graph = session.graph
        reporter.tell(graph, at_once=runs.prepare(graph, reporter.number(graph)))

    return before


def attach():
    """Starts reporting to the IDE."""
    from . import ops, session
    from .studio_notes import Notes
    from .studio_sessions import Sessions
    from .summaries import writer

    folder = os.environ["WEFT_STUDIO_FOLDER"]
    reporter = Reporter(os.environ["WEFT_STUDIO_SOCKET"], folder)
    # Child processes of the program must not report to the IDE.
    del os.environ["WEFT_STUDIO_SOCKET"], os.environ["WEFT_STUDIO_FOLDER"]
    reporter.know(ops.get_default_graph())
    sessions, notes = Sessions(reporter), Notes(reporter)
    stops = _attach_debugger(reporter, folder, notes)

    def before(session, *args, **kwargs):
        sessions.runs(session)
        stops(session, *args, **kwargs)

    if session.watch_training is not None:
        from . import doctor

        doctor.attached.tell = lambda finding, graph: reporter.send({"event": "doctor", "graph": reporter.number(graph), "finding": finding})
    ops.Graph.__init__ = _after(ops.Graph.__init__, lambda graph, *a, **k: reporter.know(graph))
    session.BaseSession.run = _before(session.BaseSession.run, before)
    notes.attach(session)
    # After the whole constructor: only then is an interactive session the default one.
    for kind in (session.Session, session.InteractiveSession):
        kind.__init__ = _after(kind.__init__, lambda s, *a, **k: sessions.made(s))
    for method in ("__enter__", "__exit__"):
        setattr(session.Session, method, _after(getattr(session.Session, method), lambda *a, **k: sessions.changed()))
    session.BaseSession.close = _before(session.BaseSession.close, lambda s: sessions.closed(s))
    writer.FileWriter.__init__ = _after(writer.FileWriter.__init__, lambda w, logdir, *a, **k: reporter.tell_events(logdir))
    atexit.register(sessions.tell_all)
    atexit.register(notes.tell)
    atexit.register(reporter.tell_all)
