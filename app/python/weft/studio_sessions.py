"""Reports a program's sessions to the IDE: their graph, the line that created them, the number of runs, when they were closed.

    {"event": "session", "number": 1, "kind": "Session", "graph": 1, "nodes": 12, "place": [file, line], "target": "", "steps": 5, "default": true, "open": true}

`nodes` is the size of the graph when the session was created. Thread-safe: sessions are created and run on many threads.
"""

import _thread
import os
import sys
import threading
import time
import weakref

from . import defaults

_INTERVAL = 0.5  # seconds between two messages of a running session
_OWN = {os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.path.realpath(__file__))}  # in a build tree these files are symlinks


def _place():
    """The nearest line of the call stack outside Weft."""
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith("<") and not any(file.startswith(own + os.sep) for own in _OWN):
            return [os.path.abspath(file), frame.f_lineno]
        frame = frame.f_back
    return ["", 0]


class _Told:
    __slots__ = ("message", "time", "waits", "session")


class Sessions:
    def __init__(self, reporter):
        self._reporter = reporter
        self._told = {}  # id(session) -> _Told of open sessions
        self._count = 0
        self._over = False  # the program has ended: sessions closed now were not closed by the program
        self._lock = threading.RLock()

    def made(self, session):
        told = _Told()
        with self._lock:
            self._count += 1
            graph = session.graph
            told.message = {"event": "session", "number": self._count, "kind": type(session).__name__, "graph": self._reporter.number(graph), "nodes": graph._core.size(),
                            "place": _place(), "target": session.sess_str if isinstance(session.sess_str, str) else "", "steps": 0, "default": False, "open": True}
            told.time, told.waits, told.session = 0.0, False, weakref.ref(session)
            self._told[id(session)] = told
            self._tell(session, told)

    def runs(self, session):
        """Called before each step."""
        with self._lock:
            told = self._told.get(id(session))
            if told is None:
                return
            told.message["steps"] += 1
            if time.monotonic() - told.time >= _INTERVAL:
                self._tell(session, told)
            elif not told.waits:  # report the last of many quick steps, too
                told.waits = True
                _thread.start_new_thread(self._tell_later, (told,))

    def changed(self):
        """Called when the default session may have changed."""
        if threading.current_thread() is not threading.main_thread():
            return  # each thread has its own default; only the main thread's is reported
        with self._lock:
            default = defaults.get_default_session()
            for told in self._told.values():
                session = told.session()
                if session is not None and told.message["default"] != (session is default):
                    self._tell(session, told)

    def closed(self, session):
        with self._lock:
            told = self._told.pop(id(session), None)
            if told is not None and not self._over:
                told.message.update(open=False, default=False)
                self._reporter.send(told.message)

    def tell_all(self):
        """Reports the open sessions when the program ends."""
        with self._lock:
            self._over = True
            for told in self._told.values():
                self._reporter.send(told.message)

    def _tell(self, session, told):
        told.time, told.waits = time.monotonic(), False
        if threading.current_thread() is threading.main_thread():
            told.message["default"] = defaults.get_default_session() is session
        self._reporter.send(told.message)

    def _tell_later(self, told):
        time.sleep(_INTERVAL)
        with self._lock:
            if told.waits and told.message["open"]:
                told.time, told.waits = time.monotonic(), False
                self._reporter.send(told.message)
