"""Line breakpoints and single-stepping of a Python program for the IDE.

Without breakpoints nothing is traced, at no cost. With breakpoints only functions that contain one are traced line by line.
Orders arrive on the thread that listens to the IDE; the paused program thread carries them out.
"""

import os
import queue
import sys
import sysconfig
import threading

from .. import _weft

_MOST_NAMES = 200
_LONGEST = 160


def _foreign_folders():
    folders = set()
    for here in (os.path.abspath(__file__), os.path.realpath(__file__)):  # in a build tree these files are symlinks
        folders.add(os.path.dirname(os.path.dirname(os.path.dirname(here))))
    for key in ("stdlib", "platstdlib", "purelib", "platlib"):
        folders.add(os.path.abspath(sysconfig.get_path(key)))
    folders.update(p for p in sys.path if p.endswith(("site-packages", "dist-packages")))
    return tuple(f + os.sep for f in folders)


def short_text(value):
    """A value as one line of text."""
    try:
        shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
        if type(value).__module__ == "numpy" and shape is not None and value.size > 8:
            return "array of %s %s" % (dtype, tuple(shape))
        text = " ".join(repr(value).split())
    except Exception as e:  # the object's own code may raise anything
        text = "<%s: %s>" % (type(e).__name__, e)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def names_of(frame):
    """The variables visible in a frame: [name, type, text]."""
    out = []
    top = frame.f_locals is frame.f_globals
    for name, value in list(frame.f_locals.items()):
        if name.startswith("__") or (top and (isinstance(value, type(os)) or isinstance(value, type) or callable(value) and hasattr(value, "__code__"))):
            continue
        out.append([name, type(value).__name__, short_text(value)])
        if len(out) == _MOST_NAMES:
            break
    return out


class LineStops:
    def __init__(self, send):
        self._send = send
        self._points = {}      # absolute path -> {line: condition}
        self._how = None       # how the program continues: "break", "into", "over", "out"
        self._frame = None     # the frame in which it continued
        self._thread = None
        self._orders = queue.SimpleQueue()
        self._standing = threading.Lock()
        self._codes = {}       # code object -> {line: condition}, or None for code outside the program
        self._foreign = _foreign_folders()
        self.stopped = lambda: None  # called when the program pauses

    # Called on the listening thread.

    def set_points(self, files):
        """{path: [{"line": 3, "condition": "i > 4"}]}"""
        self._points = {os.path.realpath(path): {p["line"]: p.get("condition", "") for p in points} for path, points in files.items() if points}
        self._codes = {}
        self.follow()

    def stop_soon(self):
        """Pauses before the next line of the program's own code."""
        self._how, self._frame, self._thread = "break", None, threading.main_thread().ident
        self.follow()

    def cancel_stop(self):
        if self._how == "break":
            self._how = None

    def order(self, what):
        """"go", "over", "into", "out", or a function of the frame that the paused thread calls."""
        self._orders.put(what)

    def is_standing(self):
        return self._standing.locked()

    def follow(self):
        """Starts or stops tracing; called on the main thread."""
        if threading.get_ident() == threading.main_thread().ident:
            self._trace_from(sys._getframe(1))
        else:
            _weft.call_in_main_thread(lambda: self._trace_from(sys._getframe(1)))

    # Called on the program's threads.

    def _trace_from(self, frame):
        wanted = bool(self._points) or self._how is not None
        sys.settrace(self._called if wanted else None)
        threading.settrace(self._called if wanted else None)
        while frame is not None:
            if self._lines_of(frame.f_code) is not None:
                frame.f_trace = self._at if wanted else None
            frame = frame.f_back

    def _lines_of(self, code):
        """The breakpoints in a code object; None for code outside the program."""
        try:
            return self._codes[code]
        except KeyError:
            path = code.co_filename
            known = None
            if not path.startswith("<"):
                path = os.path.realpath(path)
                if not path.startswith(self._foreign):
                    points = self._points.get(path, {})
                    lines = {line for _, _, line in code.co_lines() if line is not None} if points else ()
                    known = {line: c for line, c in points.items() if line in lines}
            self._codes[code] = known
            return known

    def _called(self, frame, event, arg):
        lines = self._lines_of(frame.f_code)
        if lines is None:
            return None
        return self._at if lines or self._how in ("break", "into") else None

    def _at(self, frame, event, arg):
        try:
            if event == "line":
                why = self._why(frame)
                if why is not None:
                    self._stand(frame, why)
            elif event == "return" and frame is self._frame and self._how in ("over", "out", "into"):
                # Continue to the caller's next line.
                caller = frame.f_back
                while caller is not None and self._lines_of(caller.f_code) is None:
                    caller = caller.f_back
                self._frame = caller
                if self._how == "out":
                    self._how = "over" if caller is not None else None
        except Exception as e:  # an error here must not silently end tracing
            self._send({"event": "log", "text": "line breakpoints: %s: %s" % (type(e).__name__, e)})
        return self._at

    def _why(self, frame):
        """The reason to pause before this line, or None."""
        how = self._how
        if how is not None and self._thread == threading.get_ident():
            if how in ("break", "into") or (how == "over" and frame is self._frame):
                return "step" if how != "break" else "break"
        lines = self._lines_of(frame.f_code)
        condition = lines.get(frame.f_lineno) if lines else None
        if condition is None:
            return None
        if condition:
            try:
                if not eval(condition, frame.f_globals, frame.f_locals):
                    return None
            except Exception as e:
                return "%s: %s: %s" % (condition, type(e).__name__, e)
        return "breakpoint"

    def _place(self, frame):
        stack, f = [], frame
        while f is not None:
            if self._lines_of(f.f_code) is not None:
                stack.append([os.path.realpath(f.f_code.co_filename), f.f_lineno, f.f_code.co_name])
            f = f.f_back
        return stack

    def _stand(self, frame, why):
        with self._standing:
            while not self._orders.empty():
                self._orders.get()
            self._how = self._frame = None
            self.stopped()
            self._send({"event": "line", "why": why, "stack": self._place(frame), "names": names_of(frame)})
            while True:
                order = self._orders.get()
                if callable(order):
                    order(frame)
                    continue
                break
            if order != "go":
                self._how, self._frame, self._thread = order, frame, threading.get_ident()
            self._trace_from(frame)
            self._send({"event": "line", "stack": []})
