"""What a program tells the IDE that runs it: its graphs as they grow, the lines that made their nodes, its folders of event files.

The IDE gives a socket in WEFT_STUDIO_SOCKET and a folder in WEFT_STUDIO_FOLDER; a message is one line of JSON, graphs lie in files of the folder. bootstrap.py
calls attach() where both are set; elsewhere this module is never loaded, and nothing here costs anything.

    {"event": "graph", "number": 1, "file": "graph-1.meta", "lines": "graph-1.json", "nodes": 120}
    {"event": "events", "folder": "/…/logs"}
    {"event": "session", "number": 1, …}                                          studio_sessions.py
    {"event": "notes", "file": "notes.json"}                                     studio_notes.py
    {"event": "run", "graph": 1, "state": {…}}                                    a step under the debugger stands still, goes on, has ended
    {"event": "line", "why": "breakpoint", "stack": [[file, line, function], …], "names": [[name, type, text], …]}     the program stands before a line

The IDE tells on the same socket where to stop:

    {"do": "start", "points": {"1": […]}, "lines": {file: […]}}                 first of all: the program begins when it came; "build": it ends before its first step
    {"do": "points", "graph": 1, "list": […]}, {"do": "lines", "files": {…}}     breakpoints of a graph, of the program's text
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

_INTERVAL = 0.5  # seconds between two pictures of a graph that grows
_PATIENCE = 15.0  # seconds that the program waits for the IDE's first words
_COLLECTIONS = ("variables", "trainable_variables", "local_variables", "model_variables", "global_step", "train_op", "summaries", "losses", "update_ops",
                "regularization_losses", "queue_runners")


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
        self._sending = threading.Lock()

    def send_text(self, text):
        try:
            with self._sending:
                self._socket.sendall(text.encode("utf-8", "replace") + b"\n")
        except OSError:  # the IDE has gone; the program goes on
            pass

    def send(self, message):
        self.send_text(json.dumps(message))

    def listen(self, hear, left):
        """Calls hear(message) for each message of the IDE, on a thread that `threading` does not count among the program's, and left() when it is gone."""

        def loop():
            with self._socket.makefile("rb") as stream:
                for line in stream:
                    try:
                        hear(json.loads(line))
                    except Exception as e:  # one message that cannot be obeyed
                        self.send({"event": "log", "text": "%s: %s" % (type(e).__name__, e)})
            left()

        _thread.start_new_thread(loop, ())

    def write(self, name, data):
        """A file of the folder that is shared with the IDE."""
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
        """Sends the graph if it has grown since it was sent last."""
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
        """A meta graph: the graph with its collections."""
        from .protos import MetaGraphDef
        from .training.meta_graph import add_collection_def
        from .wire import field

        meta = MetaGraphDef()
        for key in _COLLECTIONS:
            if graph.get_collection(key):
                add_collection_def(meta, key, graph=graph)
        plain = graph._core.serialize("graph") if not graph._core.has_functions() else graph.as_graph_def().SerializeToString()
        # Messages one after another are one message: the graph, field 2, is not decoded to be written.
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
    """Both kinds of stops; returns what is to be called before a step."""
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
    """Tells the IDE from now on."""
    from . import ops, session
    from .studio_notes import Notes
    from .studio_sessions import Sessions
    from .summaries import writer

    folder = os.environ["WEFT_STUDIO_FOLDER"]
    reporter = Reporter(os.environ["WEFT_STUDIO_SOCKET"], folder)
    # What the program starts is no program of the IDE's.
    del os.environ["WEFT_STUDIO_SOCKET"], os.environ["WEFT_STUDIO_FOLDER"]
    reporter.know(ops.get_default_graph())
    sessions, notes = Sessions(reporter), Notes(reporter)
    stops = _attach_debugger(reporter, folder, notes)

    def before(session, *args, **kwargs):
        sessions.runs(session)
        stops(session, *args, **kwargs)

    ops.Graph.__init__ = _after(ops.Graph.__init__, lambda graph, *a, **k: reporter.know(graph))
    session.BaseSession.run = _before(session.BaseSession.run, before)
    notes.attach(session)
    # When the class at hand has done its part: an interactive session is the default one by then.
    for kind in (session.Session, session.InteractiveSession):
        kind.__init__ = _after(kind.__init__, lambda s, *a, **k: sessions.made(s))
    for method in ("__enter__", "__exit__"):
        setattr(session.Session, method, _after(getattr(session.Session, method), lambda *a, **k: sessions.changed()))
    session.BaseSession.close = _before(session.BaseSession.close, lambda s: sessions.closed(s))
    writer.FileWriter.__init__ = _after(writer.FileWriter.__init__, lambda w, logdir, *a, **k: reporter.tell_events(logdir))
    atexit.register(sessions.tell_all)
    atexit.register(notes.tell)
    atexit.register(reporter.tell_all)
