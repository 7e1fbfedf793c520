"""Notes beside the lines in the IDE's editor: tensors created by a line, scopes entered, values fetched, text printed.

    {"event": "notes", "file": "notes.json"}

The file holds {"files": {path: {line: note}}, "values": {graph: {tensor: value}}, "scopes": {graph: {scope: [file, line]}}} with

    note   "made": [[tensor, dims, dtype, is variable]], "more": number of omitted tensors, "nodes": number of nodes, "gradients": whether it made gradients,
           "scopes": name scopes of those nodes, "enters": [variable scope, name scope], "ran": fetched [[graph, tensor]], "printed": texts, "prints": how many
    value  "dtype", "shape", "run": number of the run of its graph, "text" if small, else "min", "max", "mean", "bad" (number of NaN or infinite elements)

Only lines of the program's own files count, not those of Weft or of installed packages. Thread-safe.
"""

import builtins
import json
import os
import sys
import threading
import time

import numpy as np

from . import dtypes, ops, variable_scope
from .debug.line_stops import _foreign_folders
from .graph_scopes import _NameScope

_INTERVAL = 0.5   # seconds between two messages
_SHARE = 20       # notes take at most one part in _SHARE of the time
_SHOWN = 3        # tensors per line
_SCOPES = 4       # scopes per line
_TEXTS = 20       # printed texts kept per line
_LONGEST = 200    # characters kept of a printed text
_SMALL = 8        # elements of a value that is shown in full
_QUIET = {"Assign", "AssignVariableOp", "NoOp", "ReadVariableOp", "Identity", "VarIsInitializedOp", "IsVariableInitialized", "Const"}
_VARIABLES = {"VariableV2", "Variable", "VarHandleOp"}


class BuildOnly(SystemExit):
    """Ends a program that was started only to build its graphs, before it runs the first step."""


def _describe(value, run):
    """A value in the form that the IDE shows."""
    array = np.asarray(value)
    out = {"dtype": str(array.dtype) if array.dtype != object else "string", "shape": list(array.shape), "run": run}
    if array.size <= _SMALL or array.dtype.kind not in "fiub":
        out["text"] = " ".join(np.array2string(array, precision=4, threshold=_SMALL, edgeitems=2).split())[:_LONGEST]
        return out
    good = array[np.isfinite(array)] if array.dtype.kind == "f" else array
    out["bad"] = int(array.size - good.size)
    if good.size:
        out.update(min=float(good.min()), max=float(good.max()), mean=float(good.mean(dtype=np.float64)))
    return out


class _Line:
    __slots__ = ("nodes", "candidates", "read", "scopes", "enters", "ran", "printed", "prints", "gradients")

    def __init__(self):
        self.nodes, self.candidates, self.read, self.scopes = 0, {}, set(), {}
        self.enters, self.ran, self.printed, self.prints, self.gradients = None, {}, [], 0, False

    def note(self):
        out = {}
        made = [c for name, c in self.candidates.items() if name not in self.read or c[3]]
        if self.gradients:
            out["gradients"] = True
        elif made:
            made.sort(key=lambda c: c[3])  # computed tensors first, then variables
            out["made"], out["more"] = made[:_SHOWN], max(0, len(made) - _SHOWN)
        if self.nodes:
            out["nodes"] = self.nodes
        if self.scopes:
            out["scopes"] = list(self.scopes)[:_SCOPES]
        if self.enters:
            out["enters"] = self.enters
        if self.ran:
            out["ran"] = list(self.ran)[:_SHOWN]
        if self.prints:
            out["printed"], out["prints"] = self.printed, self.prints
        return out


class Notes:
    def __init__(self, reporter):
        self._reporter, self.build_only = reporter, False
        self._lock = threading.RLock()
        self._foreign = _foreign_folders()
        self._own = {}       # file of a frame -> its absolute path, or None if it is not the program's
        self._files = {}     # path -> {line: _Line}
        self._seen = {}      # number of a graph -> number of nodes processed
        self._values = {}    # number of a graph -> {tensor: value}
        self._fresh = {}     # (number of a graph, tensor) -> (value, run): small values, described only when reported
        self._scopes = {}    # number of a graph -> {name scope: [file, line]}
        self._runs = {}      # number of a graph -> number of runs
        self._patience = {}  # (graph, tensor) -> earliest time to describe its next large value
        self._next = 0.0

    def attach(self, session):
        real_print = builtins.print

        def noted_print(*args, sep=" ", end="\n", file=None, flush=False):
            if file is not None and file is not sys.stdout:
                return real_print(*args, sep=sep, end=end, file=file, flush=flush)
            text = (" " if sep is None else sep).join([str(a) for a in args])
            self._printed(sys._getframe(1), text)
            return real_print(text, end=end, file=file, flush=flush)

        builtins.print = noted_print
        real_run = session.BaseSession.run

        def noted_run(s, fetches, *args, **kwargs):
            if self.build_only:
                raise BuildOnly(0)
            values = real_run(s, fetches, *args, **kwargs)
            self._ran(s.graph, fetches, values, sys._getframe(1))
            return values

        noted_run.__doc__ = real_run.__doc__
        session.BaseSession.run = noted_run
        for kind in (_NameScope, ops.name_scope):
            self._after_enter(kind, self._entered_names)
        self._after_enter(variable_scope.variable_scope, self._entered_variables)

    @staticmethod
    def _after_enter(kind, note):
        real = kind.__enter__

        def enter(scope):
            result = real(scope)
            note(result, sys._getframe(1))
            return result

        kind.__enter__ = enter

    def _path(self, file):
        """The absolute path of a file of the program, or None."""
        if file not in self._own:
            path = None if file.startswith("<") else os.path.abspath(file)
            foreign = path is None or path.startswith(self._foreign) or os.path.realpath(path).startswith(self._foreign)
            self._own[file] = None if foreign else path
        return self._own[file]

    def _place(self, frame):
        while frame is not None:
            path = self._path(frame.f_code.co_filename)
            if path:
                return path, frame.f_lineno
            frame = frame.f_back
        return None

    def _line(self, path, line):
        return self._files.setdefault(path, {}).setdefault(line, _Line())

    def _printed(self, frame, text):
        path = self._path(frame.f_code.co_filename)
        if not path:
            return
        with self._lock:
            line = self._line(path, frame.f_lineno)
            line.prints += 1
            if len(line.printed) == _TEXTS:
                line.printed.pop()  # keep the first ones and the last one
            line.printed.append(text[:_LONGEST])

    def _entered_names(self, scope, frame):
        self._entered("", scope, frame)

    def _entered_variables(self, scope, frame):
        self._entered(scope.name, ops.get_default_graph().get_name_scope(), frame)

    def _entered(self, variables, names, frame):
        """Records scopes that the program itself enters; layers and functions enter further ones, which are not shown."""
        path = self._path(frame.f_code.co_filename)
        if not path:
            return
        with self._lock:
            self._line(path, frame.f_lineno).enters = [variables, names]
            if names:
                scope = names if names.endswith("/") else names + "/"
                self._scopes.setdefault(self._reporter.number(ops.get_default_graph()), {})[scope] = [path, frame.f_lineno]

    def _ran(self, graph, fetches, values, frame):
        place = self._place(frame)
        with self._lock:
            number = self._reporter.number(graph)
            self._runs[number] = self._runs.get(number, 0) + 1
            self._take(number, fetches, values, place)
        if time.monotonic() >= self._next:
            self.tell()

    def _take(self, number, fetch, value, place):
        if isinstance(fetch, (list, tuple)):
            if isinstance(value, (list, tuple)) and len(value) == len(fetch):
                for f, v in zip(fetch, value):
                    self._take(number, f, v, place)
            return
        if isinstance(fetch, dict):
            for key, f in fetch.items():
                if isinstance(value, dict) and key in value:
                    self._take(number, f, value[key], place)
            return
        if value is None or not (np.isscalar(value) or isinstance(value, (np.ndarray, np.generic, bytes))):
            return
        name = fetch if isinstance(fetch, str) else getattr(fetch, "name", None)
        if not isinstance(name, str) or ":" not in name or name.startswith("save"):  # fetches of a Saver are not shown
            return
        if place and len(self._line(*place).ran) < _SHOWN:
            self._line(*place).ran[(number, name)] = True
        if getattr(value, "size", 1) <= 4096:
            self._fresh[(number, name)] = (value.copy() if isinstance(value, np.ndarray) else value, self._runs[number])
            return
        begin = time.monotonic()  # large values are described only now and then
        if begin < self._patience.get((number, name), 0):
            return
        self._values.setdefault(number, {})[name] = _describe(value, self._runs[number])
        now = time.monotonic()
        self._patience[(number, name)] = now + _SHARE * (now - begin)

    def _look(self, number, graph):
        """Processes the nodes added since the last call; returns whether there were any."""
        core = graph._core
        begin, size = self._seen.get(number, 0), core.size()
        for i in range(begin, size):
            place = core.line(i)
            path = self._path(place[0]) if place else None
            if not path:
                continue
            line = self._line(path, place[1])
            line.nodes += 1
            name = core.name(i)
            if "/" in name and len(line.scopes) < _SCOPES:
                line.scopes[name[:name.rindex("/") + 1]] = True
            line.gradients = line.gradients or name.startswith("gradients/")
            op = core.operation(i)
            own = self._files[path]
            for x in op.inputs:
                made = core.line(x.op._node)
                if made and self._path(made[0]) == path and made[1] == place[1]:
                    own[made[1]].read.add(x.name)
            kind = op.type
            if kind in _VARIABLES:
                shape = op.get_attr("shape")
                dims = None if shape.unknown_rank else [d.size if d.size >= 0 else None for d in shape.dim]
                line.candidates[op.name + ":0"] = [op.name + ":0", dims, dtypes.as_dtype(op.get_attr("dtype")).base_dtype.name, 1]
            elif (kind not in _QUIET or (kind == "Const" and line.nodes == 1)) and op.outputs and not name.startswith("save/") and "/Initializer/" not in name:
                t = op.outputs[0]
                if "_ref" not in t.dtype.name and t.dtype.name != "resource":
                    dims = None if t.shape.ndims is None else [d.value for d in t.shape.dims]
                    line.candidates[t.name] = [t.name, dims, t.dtype.name, 0]
        self._seen[number] = size
        return size > begin

    def tell(self):
        """Sends all notes."""
        begin = time.monotonic()
        try:
            with self._lock:
                for graph in list(self._reporter.graphs()):
                    self._look(self._reporter.number(graph), graph)
                for (number, name), (value, run) in self._fresh.items():
                    self._values.setdefault(number, {})[name] = _describe(value, run)
                self._fresh = {}
                files = {path: {str(n): note for n, line in lines.items() for note in [line.note()] if note} for path, lines in self._files.items()}
                data = {"files": files, "values": self._values, "scopes": self._scopes}
            self._reporter.write("notes.json", json.dumps(data).encode())
            self._reporter.send({"event": "notes", "file": "notes.json"})
        except Exception as e:  # notes are optional: the program continues without them, and the log says why
            self._reporter.send({"event": "log", "text": "notes: %s: %s" % (type(e).__name__, e)})
        now = time.monotonic()
        self._next = now + max(_INTERVAL, _SHARE * (now - begin))
