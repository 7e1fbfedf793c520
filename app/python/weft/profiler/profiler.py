"""tf.profiler: profiles of graphs and of traced runs."""

import copy
import os
import sys

from .. import errors, ops, protos, settings
from ..exports import export
from ..platform import gfile
from ..session import Session
from . import advice as advise_module
from . import facts, pprof, report, serialized, views
from .options import ProfileOptionBuilder
from .timeline import Timeline, nested

ALL_ADVICE = {name: {} for name in advise_module.CHECKERS}
_DEFAULT = object()


@export("profiler.Profiler")
class Profiler:
    """Collects the traces of several steps of a graph."""

    def __init__(self, graph=None, op_log=None):
        self._graph = graph or ops.get_default_graph()
        self._op_log, self._nodes = op_log, facts.nodes_of(self._graph, op_log)
        self._steps = {}

    def add_step(self, step, run_meta):
        """Adds the RunMetadata of a step."""
        if len(self._graph.get_operations()) > len(self._nodes):  # the graph has grown; keep the data of older nodes
            for name, node in facts.nodes_of(self._graph, self._op_log).items():
                self._nodes.setdefault(name, node)
        self._steps[step] = run_meta
        shapes = facts.shapes_of(run_meta)
        for name, execution in facts.executions_of(run_meta).items():
            if name in self._nodes:
                self._nodes[name].ran(step, execution, shapes)

    def _view(self, cmd, options):
        options = self._checked(options)
        rows_of = {"scope": views.scope_rows, "graph": views.graph_rows, "op": views.op_rows, "code": views.code_rows}
        many = cmd in ("op", "code")
        if cmd == "code" and options.get("account_displayed_op_only"):
            settings.no_effect("account_displayed_op_only of the code view", "lines that are not shown count in those that called them")
            options["account_displayed_op_only"] = False
        view = views.View(options)
        rows = rows_of[cmd](self._nodes, options.get("step", -1), view)
        root = view.chain(rows) if cmd == "op" else view.tree(rows)
        self._write(root, cmd, options)
        return views.to_message(root, many)

    def _checked(self, options):
        """A copy of the options. Invalid options are errors, unused ones are reported."""
        options = dict(options)
        step = options.get("step", -1)
        if step >= 0 and step not in self._steps:
            raise errors.InvalidArgumentError(None, None, "Options -step=%d not found.\nAvailable steps: %s" % (step, " ".join(map(str, sorted(self._steps)))))
        for name in set(options) - report.OPTIONS:
            settings.no_effect("profiler option %s" % name, "there is no such option")
        for name in set(options.get("select", [])) - report.SELECTABLE:
            settings.no_effect("%r in the profiler option select" % name, "there is no such column; there are %s" % ", ".join(sorted(report.SELECTABLE)))
        if "tensor_value" in options.get("select", []):
            settings.no_effect("'tensor_value' in the profiler option select", "profiles hold no values")
        if options.get("order_by", "name") not in views.ORDERS:
            settings.no_effect("profiler option order_by=%r" % options["order_by"], "rows are ordered by name; there are %s" % ", ".join(sorted(views.ORDERS)))
        kind, _, rest = options.get("output", "stdout").partition(":")
        if kind not in ("file", "none", "pprof", "stdout", "timeline"):
            raise errors.InvalidArgumentError(None, None, "E.g. Unknown output type: %s, Valid types: file,none,pprof,stdout,timeline" % kind)
        given = dict(p.partition("=")[::2] for p in rest.split(",") if p)
        for name in set(given) - {"outfile"}:
            raise errors.InvalidArgumentError(None, None, "Unrecognized options %s for output_type: %s" % (name, kind))
        if kind in ("file", "pprof", "timeline") and not given.get("outfile"):
            raise errors.InvalidArgumentError(None, None, "Missing required output_options for %s\nE.g. -output %s:outfile=..." % (kind, kind))
        return options

    def _write(self, root, cmd, options):
        kind, _, rest = options.get("output", "stdout").partition(":")
        path = rest.partition("=")[2]
        if kind == "stdout":
            print("\n=========================Options=============================\n%s\n==================Model Analysis Report======================\n%s\n"
                  "======================End of Report==========================" % (report.options_text(options), report.reported(root, options, cmd)))
        elif kind == "file":
            gfile.write_string_to_file(path, report.reported(root, options, cmd))
        elif kind == "timeline":
            self._write_timelines(root, cmd, options.get("step", -1), path)
        elif kind == "pprof":
            self._write_pprof(root, cmd, options, path)

    def _write_timelines(self, root, cmd, step, path):
        """Graph view: a timeline of the executions, one file per step. Scope and code views: nested durations, in one file."""
        if cmd == "op":
            raise errors.InvalidArgumentError(None, None, "op view doesn't support timeline. Consider graph/scope/code view.")
        if cmd == "graph":
            for s in [step] if step >= 0 else sorted(self._steps):
                self._wrote(Timeline(self._steps[s].step_stats).generate_chrome_trace_format(), "%s_%d" % (path, s))
        else:
            self._wrote(nested(root), "%s_%d" % (path, step))

    def _wrote(self, text, path):
        stars = "*" * 54
        gfile.write_string_to_file(path, text)
        print("\n%s\nTimeline file is written to %s.\nOpen a Chrome browser, enter URL chrome://tracing and load the timeline file.\n%s" % (stars, path, stars))

    def _write_pprof(self, root, cmd, options, path):
        select = list(options.get("select", []))
        if cmd != "code":
            raise errors.InvalidArgumentError(None, None, "Only 'code' view supports pprof output, but this is the %s view." % cmd)
        if len(select) != 1 or select[0] not in views.ORDERS or select[0] in ("name", "occurrence"):
            raise errors.InvalidArgumentError(None, None, "Can only select 1 attribute for pprof output, which is a number; select is %s" % select)
        field = views.ORDERS[select[0]]
        unit = "microseconds" if "micros" in field else "bytes" if "bytes" in field else "count"
        with gfile.GFile(path, "wb") as f:
            f.write(pprof.profile(root, field, unit))
        print("\nRun pprof -png --nodecount=100 --sample_index=1 <%s>" % path)

    def profile_graph(self, options):
        """The graph view, as GraphNodeProto."""
        return self._view("graph", options)

    def profile_name_scope(self, options):
        """The name scope view, as GraphNodeProto."""
        return self._view("scope", options)

    def profile_operations(self, options):
        """The op view, as MultiGraphNodeProto."""
        return self._view("op", options)

    def profile_python(self, options):
        """The code view, as MultiGraphNodeProto."""
        return self._view("code", options)

    def advise(self, options):
        """An AdviceProto with an entry for each checker that ran; also prints the reports."""
        advice = advise_module.reports(self._nodes, ALL_ADVICE if options is None else options)
        for name, checker in sorted(advice.checkers.items()):
            print("\n%s:%s" % (name, "".join("\n" + r for r in checker.reports)))
        return advice

    def serialize_to_string(self):
        """The profile as ProfileProto."""
        return serialized.profile(self._nodes, sorted(self._steps)).SerializeToString()

    def _write_profile(self, filename):
        with gfile.GFile(filename, "wb") as f:
            f.write(self.serialize_to_string())


@export("profiler.profile")
def profile(graph=None, run_meta=None, op_log=None, cmd="scope", options=_DEFAULT):
    """A profile of a graph, with the times of one run if given."""
    if cmd not in ("code", "op", "graph", "scope"):
        raise errors.InvalidArgumentError(None, None, "unknown cmd: %s\n" % cmd)
    options = ProfileOptionBuilder.trainable_variables_parameter() if options is _DEFAULT else options
    profiler = Profiler(graph, op_log)
    if run_meta is not None:
        profiler.add_step(0, run_meta)
    options = dict(copy.copy(options), step=-1)  # there is only one run, whatever its number
    return profiler._view(cmd, options)


@export("profiler.advise")
def advise(graph=None, run_meta=None, options=_DEFAULT):
    """Advice on how to speed up a run."""
    profiler = Profiler(graph)
    if run_meta is not None:
        profiler.add_step(0, run_meta)
    return profiler.advise(None if options is _DEFAULT else options)


@export("profiler.write_op_log")
def write_op_log(graph, log_dir, op_log=None, run_meta=None, add_trace=True):
    """Writes LOG_DIR/tfprof_log: floating point operations and source lines of each node."""
    graph = graph or ops.get_default_graph()
    log = protos.OpLogProto()
    strings = serialized.Strings()
    shapes = facts.shapes_of(run_meta)
    if run_meta is not None and not shapes:
        settings.no_effect("run_meta of tf.profiler.write_op_log", "its step_stats are empty: the run was not traced")
    given = {e.name: e for e in op_log.log_entries} if op_log is not None else {}
    for name, node in facts.nodes_of(graph, op_log).items():
        entry = log.log_entries.add(name=name, float_ops=node.flops or facts.flops_of(node.op, shapes))
        entry.types.extend(["_trainable_variables"] if node.trainable else [])
        entry.types.extend(given[name].types if name in given else [])
        if add_trace:
            serialized.trace_of(node.op, entry.code_def, strings)
    strings.write(log.id_to_string)
    gfile.MakeDirs(log_dir)
    with gfile.GFile(os.path.join(log_dir, "tfprof_log"), "wb") as f:
        f.write(log.SerializeToString())


def _message(name):
    return protos.message(name)


for _name in ("AdviceProto", "GraphNodeProto", "MultiGraphNodeProto", "OpLogProto"):
    _class = _message(_name)
    if _class is not None:
        export("profiler." + _name)(_class)


@export("contrib.tfprof.ProfileContext")
class ProfileContext:
    """Context manager that traces the runs of selected steps: PROFILE_DIR/profile_STEP."""

    def __init__(self, profile_dir, trace_steps=None, dump_steps=None, enabled=True, debug=False):
        self._dir, self._enabled = profile_dir, enabled
        self._trace = set(trace_steps) if trace_steps is not None else set(list(range(10)) + [100 * i for i in range(1, 10)])
        self._dump = set(dump_steps) if dump_steps is not None else set()
        self._step, self._profilers, self._views, self._debug = 0, {}, [], debug

    def _say(self, text, *values):
        if self._debug:
            sys.stderr.write("debug: " + text % values + "\n")

    @property
    def profiler(self):
        """The Profiler of the graph that has run last."""
        return next(reversed(list(self._profilers.values())), None)

    def add_auto_profiling(self, cmd, options, profile_steps):
        """Shows a view after each of the given steps."""
        self._views.append((cmd, options, set(profile_steps)))

    def _runs(self, session, run, fetches, feed_dict, options, run_metadata):
        step = self._step
        self._step += 1
        due = step in self._trace or step in self._dump or any(step in v[2] for v in self._views)
        if not due:
            return run(fetches, feed_dict, options, run_metadata)
        options = options or protos.RunOptions()
        options.trace_level = protos.RunOptions.FULL_TRACE
        run_metadata = protos.RunMetadata() if run_metadata is None else run_metadata
        self._say("trace step: %d", step)
        result = run(fetches, feed_dict, options, run_metadata)
        profiler = self._profilers.setdefault(session.graph, None) or Profiler(session.graph)
        self._profilers[session.graph] = profiler
        profiler.add_step(step, run_metadata)
        if step in self._dump:
            self._say("dumping file at step: %d", step)
            gfile.MakeDirs(self._dir)
            profiler._write_profile(os.path.join(self._dir, "profile_%d" % step))
        for cmd, view_options, steps in self._views:
            if step in steps:
                self._say("profiling %s step: %d", cmd, step)
                profiler._view(cmd, view_options)
        return result

    def __enter__(self):
        if not self._enabled:
            return self
        context, original = self, Session.run
        inside = [False]

        def run(session, fetches, feed_dict=None, options=None, run_metadata=None):
            def plain(fetches, feeds, options, metadata):
                return original(session, fetches, feeds, options, metadata)

            if inside[0]:
                return plain(fetches, feed_dict, options, run_metadata)
            inside[0] = True
            try:
                return context._runs(session, plain, fetches, feed_dict, options, run_metadata)
            finally:
                inside[0] = False

        self._original = original
        Session.run = run
        return self

    def __exit__(self, *unused):
        if self._enabled:
            Session.run = self._original
