"""tf_debug: session wrappers for inspecting runs in the terminal."""

import sys

import numpy as np

from .. import dtypes, ops
from ..exports import export
from ..ops import Operation, Tensor
from ..session import Session
from ..training.run_hook import SessionRunArgs, SessionRunHook
from ..util import nest
from .debug_data import has_inf_or_nan

_HELP = """Commands:
  run, r               the run goes on to its end; its tensors can be looked at then
  run -n, r -n         without looking; run -f FILTER: on until a tensor passes the filter; run -t N: N runs
  lt [-f FILTER]       list tensors: time is the order of nodes, then size, type of op, name
  pt NAME[:K]          print a tensor
  ni NODE              node: type, device, inputs, who reads it, attributes
  li NODE, lo NODE     list inputs, list who reads it
  ls                   list the program's files that made nodes
  pf                   print feeds
  exit, quit           ends the program
"""


class Datum:
    """A tensor of a run: its node and output."""

    def __init__(self, tensor, value):
        self.node_name, self.output_slot, self.value = tensor.op.name, int(tensor.name.rpartition(":")[2]), value
        self.tensor_name, self.op_type = tensor.name, tensor.op.type

    def get_tensor(self):
        return self.value


def _watched(fetches, feeds):
    """The intermediate tensors of a step that can be fetched as well."""
    fed = {f.name if hasattr(f, "name") else str(f) for f in feeds or ()}
    graph = ops.get_default_graph()
    todo, seen, found = [], set(), []
    for f in nest.flatten(fetches):
        if isinstance(f, str):
            f = graph.as_graph_element(f)
        elif not isinstance(f, (Tensor, Operation)) and hasattr(f, "op"):
            f = f.op
        todo.append(f.op if isinstance(f, Tensor) else f)
    framed = {"Enter", "RefEnter", "Exit", "NextIteration", "LoopCond", "Switch", "RefSwitch", "Merge"}
    while todo:
        op = todo.pop()
        if not isinstance(op, Operation) or op.name in seen:
            continue
        seen.add(op.name)
        for t in op.outputs:
            ref = t.dtype != t.dtype.base_dtype
            if t.name not in fed and not ref and t.dtype not in (dtypes.resource, dtypes.variant) and op.type not in framed:
                found.append(t)
        todo.extend(x.op for x in op.inputs if x.name not in fed)
        todo.extend(op.control_inputs)
    loops = any(graph.get_operation_by_name(n).type in ("Enter", "RefEnter", "Switch", "RefSwitch") for n in seen)
    if loops:
        # Tensors in branches and loops have no value or several, so these and the tensors that depend on them are left out.
        inside = set()
        for op in graph.get_operations():
            if op.type in framed or any(x.op.name in inside for x in op.inputs):
                inside.add(op.name)
        found = [t for t in found if t.op.name not in inside]
    return found[::-1]


class BaseDebugWrapperSession:
    """Wraps a session, so that its runs can be inspected."""

    def __init__(self, sess, thread_name_filter=None, pass_through_operrors=False):
        self._sess = sess
        self._filters = {"has_inf_or_nan": has_inf_or_nan}
        self.run_call_count = 0

    graph = property(lambda self: self._sess.graph)
    graph_def = property(lambda self: self._sess.graph_def)
    sess_str = property(lambda self: self._sess.sess_str)
    session = property(lambda self: self._sess)

    def add_tensor_filter(self, filter_name, tensor_filter):
        """Registers tensor_filter(datum, value) under a name for commands."""
        self._filters[filter_name] = tensor_filter

    def close(self):
        self._sess.close()

    def as_default(self):
        return Session.as_default(self) if not hasattr(self._sess, "as_default") else self._sess.as_default()

    def partial_run_setup(self, *args, **kwargs):
        return self._sess.partial_run_setup(*args, **kwargs)

    def partial_run(self, *args, **kwargs):
        return self._sess.partial_run(*args, **kwargs)

    def make_callable(self, fetches, feed_list=None, accept_options=False):
        return lambda *values: self.run(fetches, dict(zip(feed_list or (), values)))

    def list_devices(self, *args, **kwargs):
        return self._sess.list_devices(*args, **kwargs)

    def __getattr__(self, name):
        if name == "_sess":
            raise AttributeError(name)
        return getattr(self._sess, name)

    def __enter__(self):
        self._sess.__enter__()
        return self

    def __exit__(self, *error):
        return self._sess.__exit__(*error)

    def _traced(self, fetches, feed_dict, options, run_metadata):
        """Runs and returns the result and the intermediate tensors."""
        with self.graph.as_default():
            watched = _watched(fetches, feed_dict)
        result, values = self._sess.run((fetches, watched), feed_dict, options, run_metadata)
        return result, [Datum(t, v) for t, v in zip(watched, values)]

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None, **unused):
        raise NotImplementedError


# Other code recognises sessions by their class name.
SessionInterface = BaseDebugWrapperSession


@export("python.debug.LocalCLIDebugWrapperSession")
class LocalCLIDebugWrapperSession(BaseDebugWrapperSession):
    """Stops before and after each run and reads commands from the terminal; without a terminal it just runs."""

    def __init__(self, sess, dump_root=None, log_usage=True, ui_type="curses", thread_name_filter=None, config_file_path=None):
        super().__init__(sess, thread_name_filter)
        self._skip, self._until = 0, None
        self._data, self._feeds = [], {}

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None, **unused):
        self.run_call_count += 1
        self._feeds = feed_dict or {}
        look = True
        if self._skip > 0:
            self._skip -= 1
            look = False
        elif self._until is None:
            look = self._before(fetches)
        if not look and self._until is None:
            return self._sess.run(fetches, feed_dict, options, run_metadata)
        result, self._data = self._traced(fetches, feed_dict, options, run_metadata)
        if self._until is not None:
            hits = [d for d in self._data if self._filters[self._until](d, d.value)]
            if not hits:
                return result
            self._say("run #%d: %d tensor(s) pass the filter %s" % (self.run_call_count, len(hits), self._until))
            self._until = None
        self._after()
        return result

    # The terminal.

    def _say(self, text):
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    def _ask(self):
        try:
            return input("tfdbg> ").split()
        except EOFError:
            return None

    def _before(self, fetches):
        names = [f if isinstance(f, str) else getattr(f, "name", str(f)) for f in nest.flatten(fetches)]
        self._say("run #%d: %s" % (self.run_call_count, ", ".join(names)))
        while True:
            words = self._ask()
            if words is None:
                self._skip = sys.maxsize  # no terminal
                return False
            if not words:
                continue
            if words[0] not in ("run", "r"):
                self._command(words)
                continue
            if "-n" in words:
                return False
            if "-t" in words:
                self._skip = max(0, int(words[words.index("-t") + 1]) - 1)
                return False
            if "-f" in words:
                name = words[words.index("-f") + 1]
                if name not in self._filters:
                    self._say("There is no filter %s; there are: %s" % (name, ", ".join(sorted(self._filters))))
                    continue
                self._until = name
            return True

    def _after(self):
        self._say("run #%d has ended: %d tensors; `lt` lists them, `run` goes on" % (self.run_call_count, len(self._data)))
        while True:
            words = self._ask()
            if words is None:
                self._skip = sys.maxsize
                return
            if words and words[0] in ("run", "r"):
                if "-f" in words and words[words.index("-f") + 1] in self._filters:
                    self._until = words[words.index("-f") + 1]
                return
            if words:
                self._command(words)

    def _command(self, words):
        name, rest = words[0], words[1:]
        try:
            if name in ("exit", "quit"):
                sys.exit(1)
            elif name in ("lt", "list_tensors"):
                chosen = self._data
                if "-f" in rest:
                    chosen = [d for d in chosen if self._filters[rest[rest.index("-f") + 1]](d, d.value)]
                for i, d in enumerate(chosen):
                    self._say("%6d %10d  %-18s %s" % (i, np.asarray(d.value).nbytes, d.op_type, d.tensor_name))
            elif name in ("pt", "print_tensor"):
                full = rest[0] if ":" in rest[0] else rest[0] + ":0"
                datum = next((d for d in self._data if d.tensor_name == full), None)
                self._say("%s\n%s" % (full, np.asarray(datum.value)) if datum else "The run has no value of " + full)
            elif name in ("ni", "node_info", "li", "list_inputs", "lo", "list_outputs"):
                self._node(name, rest[0])
            elif name in ("pf", "print_feed"):
                for key, value in self._feeds.items():
                    self._say("%s = %s" % (getattr(key, "name", key), value))
            elif name in ("ls", "list_source"):
                files = {}
                for op in self.graph.get_operations():
                    for line in (op.traceback or [])[-1:]:
                        files[line[0]] = files.get(line[0], 0) + 1
                for file, count in sorted(files.items()):
                    self._say("%6d  %s" % (count, file))
            elif name in ("help", "h", "?"):
                self._say(_HELP)
            else:
                self._say("There is no command %s; `help` lists them" % name)
        except (IndexError, KeyError, ValueError) as e:
            self._say("That did not work: %s" % e)

    def _node(self, command, name):
        op = self.graph.get_operation_by_name(name.partition(":")[0])
        readers = sorted({c.name for t in op.outputs for c in t.consumers()})
        if command in ("ni", "node_info"):
            self._say("%s: %s%s" % (op.name, op.type, ", on " + op.device if op.device else ""))
            self._say("  attributes: " + ", ".join(sorted(op.node_def.attr)))
        if command not in ("lo", "list_outputs"):
            self._say("  inputs: " + (", ".join([x.name for x in op.inputs] + ["^" + c.name for c in op.control_inputs]) or "none"))
        if command not in ("li", "list_inputs"):
            self._say("  read by: " + (", ".join(readers) or "nobody"))


@export("python.debug.LocalCLIDebugHook")
class LocalCLIDebugHook(SessionRunHook):
    """The debugger for monitored sessions: shows the tensors of each run after it."""

    def __init__(self, ui_type="curses", dump_root=None, thread_name_filter=None):
        self._filters = {}

    def add_tensor_filter(self, filter_name, tensor_filter):
        self._filters[filter_name] = tensor_filter

    def after_create_session(self, session, coord):
        self._debugger = LocalCLIDebugWrapperSession(session)
        self._debugger._filters.update(self._filters)

    def before_run(self, run_context):
        debugger = self._debugger
        debugger.run_call_count += 1
        args = run_context.original_args
        self._look = debugger._skip <= 0 and debugger._before(args.fetches)
        if debugger._skip > 0:
            debugger._skip -= 1
        if not self._look:
            return None
        with debugger.graph.as_default():
            self._watched = _watched(args.fetches, args.feed_dict)
        return SessionRunArgs(self._watched)

    def after_run(self, run_context, run_values):
        if self._look:
            self._debugger._data = [Datum(t, v) for t, v in zip(self._watched, run_values.results)]
            self._debugger._after()
