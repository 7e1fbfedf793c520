"""The interactive Python of the IDE's console dock: runs statements on a document's graph and session, in a separate process.

`graph` is the document's graph and the default graph, `session` the default session with the document's variable values; `tf`, `np` and `weft` are imported.
Printed text and all other messages go to the IDE over one socket, which keeps their order. Orders arrive on the same socket, one JSON object per line:

    {"do": "open", "graph": "document.meta", "values": "values.json", "title": …}    the first order; the files are in the IDE's folder
    {"do": "run", "text": …}            answered by {"event": "started"} and {"event": "ready"}, or by {"event": "more"} if the statement is incomplete
    {"do": "complete", "text": …}       completions for the end of the text
    {"do": "describe", "text": …, "cursor": n}   help for the name at the cursor
    {"do": "graph"}                     writes the graph for the IDE; {"do": "taken"}: the document has it
"""

import _thread
import ast
import builtins
import codeop
import io
import json
import linecache
import os
import queue
import sys
import time
import traceback

from .console_words import Words

_INTERVAL = 0.04      # seconds between two pieces of printed text
_MOST_WAITING = 1 << 19   # characters; text beyond this is counted and dropped


class _Printed(io.TextIOBase):
    """Printed text of stdout and stderr, merged in order and sent in pieces."""

    encoding, errors = "utf-8", "replace"

    def __init__(self, output, kind):
        self._output, self._kind = output, kind

    def write(self, text):
        self._output.add(self._kind, text)
        return len(text)

    def flush(self):
        self._output.flush()

    def writable(self):
        return True

    def isatty(self):
        return False


class _Output:
    def __init__(self, send):
        self._send = send
        self._lock = _thread.allocate_lock()
        self._pieces, self._size, self._dropped = [], 0, 0
        _thread.start_new_thread(self._loop, ())

    def add(self, kind, text):
        with self._lock:
            if self._size > _MOST_WAITING:
                self._dropped += len(text)
                return
            self._size += len(text)
            if self._pieces and self._pieces[-1][0] == kind:
                self._pieces[-1][1].append(text)
            else:
                self._pieces.append((kind, [text]))

    def flush(self):
        with self._lock:
            pieces, self._pieces, self._size = self._pieces, [], 0
            dropped, self._dropped = self._dropped, 0
            for kind, texts in pieces:
                self._send({"event": "out", "kind": kind, "text": "".join(texts)})
            if dropped:
                self._send({"event": "out", "kind": "note", "text": "… %d characters left out …\n" % dropped})

    def _loop(self):
        while True:
            time.sleep(_INTERVAL)
            if self._pieces:
                self.flush()


class Console:
    def __init__(self, reporter, folder):
        self._reporter, self._folder = reporter, folder
        self._output = _Output(reporter.send)
        sys.stdout, sys.stderr = _Printed(self._output, "out"), _Printed(self._output, "error")
        sys.displayhook = self._show
        self._orders = queue.SimpleQueue()
        self._names = {"__name__": "__console__", "__doc__": None, "__builtins__": builtins}
        self._words = Words(self._names)
        self._count = 0
        self._base = self._told = 0    # nodes of the document, nodes already reported as added
        self._graph = None

    # Called on the listening thread.

    def hear(self, m):
        if m["do"] == "complete":
            start, words = self._words.complete(m["text"])
            self._reporter.send({"event": "completions", "from": start, "words": words})
        elif m["do"] == "describe":
            self._reporter.send({"event": "help", "text": self._words.describe(m["text"], m["cursor"])})
        else:
            self._orders.put(m)

    # Called on the main thread.

    def loop(self):
        while True:
            try:
                m = self._orders.get()
                getattr(self, "_do_" + m["do"])(m)
            except KeyboardInterrupt:  # arrived while nothing was running
                sys.stderr.write("KeyboardInterrupt\n")
                self._ready()

    def _ready(self):
        self._output.flush()
        if self._graph is not None:
            added = self._graph._core.size() - self._base
            if added != self._told:
                self._told = added
                self._reporter.send({"event": "changed", "added": added})
        self._reporter.send({"event": "ready"})

    def _note(self, text):
        self._output.add("note", text + "\n")

    def _show(self, value):
        if value is None:
            return
        builtins._ = value
        sys.stdout.write(repr(value) + "\n")

    def _do_open(self, m):
        from .ops import Graph
        from .session import Session

        exec("import numpy as np\nimport tensorflow as tf", self._names)  # what is typed goes on from there
        graph = Graph()
        session = Session(graph=graph)
        self._contexts = [graph.as_default(), session.as_default()]
        for context in self._contexts:
            context.__enter__()
        try:
            if m.get("graph"):
                self._fill(graph, session, m)
            else:
                self._note("An empty graph. graph, session, tf and np are there.")
        except Exception:
            self._complain()
        self._graph, self._base, self._told = graph, graph._core.size(), 0
        self._names.update(graph=graph, session=session)
        self._ready()

    def _fill(self, graph, session, m):
        from . import _weft
        from .training.saver import import_meta_graph
        from .variables import global_variables, local_variables

        import_meta_graph(os.path.join(self._folder, m["graph"]))
        with open(os.path.join(self._folder, m["values"]), encoding="utf-8") as f:
            files = json.load(f)
        variables = {v.op.name: v for v in global_variables() + local_variables()}
        known = 0
        for name, file in files.items():
            path = os.path.join(self._folder, os.path.basename(file))
            if name in variables:
                try:
                    variables[name].load(_weft.read_tensor_file(path), session)
                    known += 1
                except Exception as e:
                    self._note("%s: %s" % (name, e))
            os.remove(path)
        what = "%s: %d nodes" % (m.get("title", ""), len(graph.get_operations()))
        if known:
            self._note("%s, %d variables with the values of its training. graph, session, tf and np are there." % (what, known))
            return
        missing = []
        if variables:
            try:
                session.run([v.initializer for v in variables.values()])
            except Exception as e:
                missing.append(str(e).partition("\n")[0])
        self._note("%s%s. graph, session, tf and np are there." % (what, ", %d variables, initialised" % len(variables) if variables and not missing else ""))
        for text in missing:
            self._note("The variables could not be initialised: " + text)

    def _complain(self):
        """Prints the traceback of the current exception without this module's frames."""
        kind, value, tb = sys.exc_info()
        while tb is not None and tb.tb_frame.f_code.co_filename == __file__:
            tb = tb.tb_next
        sys.stderr.write("".join(traceback.format_exception(kind, value, tb)))

    def _do_run(self, m):
        text = m["text"]
        self._count += 1
        name = "<console %d>" % self._count
        try:
            if codeop.compile_command(text + "\n", name, "single") is None and not text.endswith("\n"):
                self._reporter.send({"event": "more", "text": text})
                self._reporter.send({"event": "ready"})
                return
        except (SyntaxError, ValueError, OverflowError):
            pass  # several statements, or an error that compiling them one after another tells
        self._reporter.send({"event": "started", "text": text.rstrip("\n")})
        linecache.cache[name] = (len(text), None, [line + "\n" for line in text.split("\n")], name)
        try:
            for statement in ast.parse(text, name).body:
                exec(compile(ast.Interactive([statement]), name, "single"), self._names)
        except SystemExit:
            self._note("The console goes on: close it to end it.")
        except SyntaxError as e:
            if e.filename == name:
                sys.stderr.write("".join(traceback.format_exception_only(type(e), e)))
            else:
                self._complain()
        except BaseException:
            self._complain()
        self._ready()

    def _do_graph(self, m):
        self._reporter.number(self._graph)
        with open(os.path.join(self._folder, "console.meta"), "wb") as f:
            f.write(self._reporter.graph_bytes(self._graph))
        self._reporter.send({"event": "graph-file", "file": "console.meta"})

    def _do_taken(self, m):
        self._base = self._graph._core.size()
        self._told = 0


def main():
    from .studio import Reporter

    folder = os.environ["WEFT_STUDIO_FOLDER"]
    reporter = Reporter(os.environ["WEFT_STUDIO_SOCKET"], folder)
    del os.environ["WEFT_STUDIO_SOCKET"], os.environ["WEFT_STUDIO_FOLDER"]
    sys.argv = [""]
    sys.path.insert(1, os.getcwd())
    console = Console(reporter, folder)
    reporter.listen(console.hear, lambda: os._exit(0))
    reporter.send({"event": "console"})
    console.loop()
    return 0
