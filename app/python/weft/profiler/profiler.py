"""tf.profiler: profiles of graphs and of traced runs."""

import copy
import os

import tensorflow as tf

from .. import errors, protos
from ..exports import export
from ..platform import gfile
from . import facts, views
from .options import ProfileOptionBuilder

_CHECKERS = ("ExpensiveOperationChecker", "AcceleratorUtilizationChecker", "JobChecker", "OperationChecker")
ALL_ADVICE = {name: {} for name in _CHECKERS}
_DEFAULT = object()


@export("profiler.Profiler")
class Profiler:
    """Collects the traces of several steps of a graph."""

    def __init__(self, graph=None, op_log=None):
        self._graph = graph or tf.get_default_graph()
        self._nodes = facts.nodes_of(self._graph, op_log)
        self._steps = {}

    def add_step(self, step, run_meta):
        """Takes the RunMetadata of a step in."""
        for name in set(op.name for op in self._graph.get_operations()) - set(self._nodes):
            self._nodes.update(facts.nodes_of(self._graph))  # the graph has grown
            break
        self._steps[step] = run_meta
        for name, execution in facts.executions_of(run_meta).items():
            if name in self._nodes:
                self._nodes[name].steps[step] = execution

    def _view(self, cmd, options):
        rows_of = {"scope": views.scope_rows, "graph": views.graph_rows, "op": views.op_rows, "code": views.code_rows}
        step = options.get("step", -1)
        view = views.View(options)
        rows = rows_of[cmd](self._nodes, step)
        root = view.chain(rows) if cmd == "op" else view.tree(rows)
        many = cmd in ("op", "code")
        self._write(root, cmd, options, many, step)
        return views.to_message(root, many)

    def _write(self, root, cmd, options, many, step):
        kind, _, rest = options.get("output", "stdout").partition(":")
        path = dict(p.split("=", 1) for p in rest.split(",") if "=" in p).get("outfile", "")
        text = views.to_text(root, options, cmd == "op")
        if kind == "stdout":
            print("\n=========================Options=============================\n" + "".join(
                "-%-25s %s\n" % (k, ",".join(str(x) for x in v) if isinstance(v, list) else v) for k, v in sorted(options.items()))
                + "\n==================Model Analysis Report======================\n" + text + "\n======================End of Report==========================")
        elif kind == "file":
            gfile.write_string_to_file(path, text)
        elif kind == "timeline":
            from .timeline import Timeline

            steps = [step] if step in self._steps else list(self._steps)
            if cmd == "graph" and len(steps) > 1:
                for s in steps:
                    gfile.write_string_to_file("%s_%d" % (path, s), Timeline(self._steps[s].step_stats).generate_chrome_trace_format())
            elif steps:
                gfile.write_string_to_file("%s" % path, Timeline(self._steps[steps[-1]].step_stats).generate_chrome_trace_format())
            else:
                gfile.write_string_to_file(path, Timeline(protos.StepStats()).generate_chrome_trace_format())

    def profile_graph(self, options):
        """By inputs: a GraphNodeProto."""
        return self._view("graph", options)

    def profile_name_scope(self, options):
        """By scopes of names: a GraphNodeProto."""
        return self._view("scope", options)

    def profile_operations(self, options):
        """By types of ops: a MultiGraphNodeProto."""
        return self._view("op", options)

    def profile_python(self, options):
        """By lines of the program: a MultiGraphNodeProto."""
        return self._view("code", options)

    def advise(self, options=None):
        """An AdviceProto with an entry for each checker that has run."""
        wanted = ALL_ADVICE if options is None else options
        advice = protos.AdviceProto()
        executed = [(n, n.execution(-1)) for n in self._nodes.values() if n.steps]
        for name, check in (("AcceleratorUtilizationChecker", _utilization), ("ExpensiveOperationChecker", _expensive), ("OperationChecker", _formats)):
            if name in wanted:
                advice.checkers[name].reports.extend(check(executed))
        return advice

    def serialize_to_string(self):
        """The profile as ProfileProto."""
        profile = protos.ProfileProto(has_trace=True)
        ids = {}
        for i, (name, node) in enumerate(self._nodes.items()):
            ids[name] = i
            made = profile.nodes[i]
            made.name, made.op, made.id, made.float_ops = name, node.op.type, i, node.flops
            made.canonical_device = node.op.device
            for step, e in node.steps.items():
                execution = made.execs[step]
                execution.run_count = e.runs
                execution.all_start_micros = min((s[1] for s in e.spans), default=0)
                execution.latest_end_micros = max((s[2] for s in e.spans), default=0)
                execution.devices.extend(e.devices)
        for name, node in self._nodes.items():
            for i, source in enumerate(node.inputs):
                profile.nodes[ids[name]].inputs[i] = ids[source]
        profile.steps.extend(sorted(self._steps))
        return profile.SerializeToString()

    def _write_profile(self, filename):
        with gfile.GFile(filename, "wb") as f:
            f.write(self.serialize_to_string())


def _utilization(executed):
    spans = {}
    for _, e in executed:
        for device, start, end in e.spans:
            if "gpu" in device.lower() and "stream" not in device:
                spans.setdefault(device, []).append((start, end))
    reports = []
    for device, times in spans.items():
        whole = max(e for _, e in times) - min(s for s, _ in times)
        busy = sum(e - s for s, e in times)
        if whole and busy < 0.5 * whole:
            reports.append("device: %s low utilization: %.2f" % (device, busy / whole))
    return reports


def _expensive(executed):
    total = sum(e.micros for _, e in executed)
    kinds = {}
    for node, e in executed:
        cpu, accelerator = kinds.get(node.op.type, (0, 0))
        kinds[node.op.type] = (cpu + e.cpu, accelerator + e.accelerator)
    best = sorted(kinds.items(), key=lambda k: -sum(k[1]))[:3]
    if not total:
        return []
    return ["\n".join("top %d operation type: %s, cpu: %dus, accelerator: %dus, total: %dus (%.2f%%)" % (i + 1, kind, c, a, c + a, 100.0 * (c + a) / total)
                      for i, (kind, (c, a)) in enumerate(best))]


def _formats(executed):
    for node, e in executed:
        if e.accelerator and node.op.type.startswith("Conv") and node.op.node_def.attr["data_format"].s == b"NHWC":
            return ["%s: Found operation using NHWC data_format on GPU. Maybe NCHW is faster." % node.name]
    return []


@export("profiler.profile")
def profile(graph=None, run_meta=None, op_log=None, cmd="scope", options=_DEFAULT):
    """A profile of a graph, with the times of one run if they are given."""
    if cmd not in ("code", "op", "graph", "scope"):
        raise errors.InvalidArgumentError(None, None, "unknown cmd: %s\n" % cmd)
    options = ProfileOptionBuilder.trainable_variables_parameter() if options is _DEFAULT else options
    profiler = Profiler(graph, op_log)
    if run_meta is not None:
        profiler.add_step(0, run_meta)
    options = copy.copy(options)
    options["step"] = -1 if options.get("step", -1) not in profiler._steps else options["step"]
    return profiler._view(cmd, options)


@export("profiler.advise")
def advise(graph=None, run_meta=None, options=_DEFAULT):
    """What could be better about a run."""
    profiler = Profiler(graph)
    if run_meta is not None:
        profiler.add_step(0, run_meta)
    return profiler.advise(None if options is _DEFAULT else options)


@export("profiler.write_op_log")
def write_op_log(graph, log_dir, op_log=None, run_meta=None, add_trace=True):
    """Writes LOG_DIR/tfprof_log: floating point operations and lines of the program, by node."""
    graph = graph or tf.get_default_graph()
    log = protos.OpLogProto()
    strings = {}
    given = {e.name: e for e in op_log.log_entries} if op_log is not None else {}
    for name, node in facts.nodes_of(graph, op_log).items():
        entry = log.log_entries.add(name=name, float_ops=node.flops)
        entry.types.extend(["_trainable_variables"] if "_trainable_variables" in node.types else [])
        entry.types.extend(given[name].types if name in given else [])
        for frame in (getattr(node.op, "traceback", None) or []) if add_trace else []:
            trace = entry.code_def.traces.add(lineno=frame[1])
            for field, text in (("file_id", frame[0]), ("function_id", frame[2]), ("line_id", frame[3] or "")):
                setattr(trace, field, strings.setdefault(text, len(strings) + 1))
    for text, number in strings.items():
        log.id_to_string[number] = text
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
    """A block in which the runs of chosen steps are traced: PROFILE_DIR/profile_STEP."""

    def __init__(self, profile_dir, trace_steps=None, dump_steps=None, enabled=True, debug=False):
        self._dir, self._enabled = profile_dir, enabled
        self._trace = set(trace_steps) if trace_steps is not None else set(list(range(10)) + [100 * i for i in range(1, 10)])
        self._dump = set(dump_steps) if dump_steps is not None else set()
        self._step, self._profilers, self._views = 0, {}, []

    @property
    def profiler(self):
        """The Profiler of the graph that ran last."""
        return next(reversed(list(self._profilers.values())), None)

    def add_auto_profiling(self, cmd, options, profile_steps):
        """Shows a view after each of these steps."""
        self._views.append((cmd, options, set(profile_steps)))

    def _runs(self, session, run, fetches, feed_dict, options, run_metadata):
        step = self._step
        self._step += 1
        due = step in self._trace or step in self._dump or any(step in v[2] for v in self._views)
        if not due:
            return run(fetches, feed_dict, options, run_metadata)
        options = options or tf.RunOptions()
        options.trace_level = tf.RunOptions.FULL_TRACE
        run_metadata = run_metadata or tf.RunMetadata()
        result = run(fetches, feed_dict, options, run_metadata)
        profiler = self._profilers.setdefault(session.graph, None) or Profiler(session.graph)
        self._profilers[session.graph] = profiler
        profiler.add_step(step, run_metadata)
        if step in self._dump:
            gfile.MakeDirs(self._dir)
            profiler._write_profile(os.path.join(self._dir, "profile_%d" % step))
        for cmd, view_options, steps in self._views:
            if step in steps:
                profiler._view(cmd, view_options)
        return result

    def __enter__(self):
        if not self._enabled:
            return self
        context, original = self, tf.Session.run
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
        tf.Session.run = run
        return self

    def __exit__(self, *unused):
        if self._enabled:
            tf.Session.run = self._original
