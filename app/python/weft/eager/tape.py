"""tf.GradientTape: records what is computed from watched tensors, and differentiates it."""

import threading

from .. import _weft, basics, context, engine, ops, settings
from ..exports import export
from ..gradients import gradients, UnconnectedGradients
from ..ops import IndexedSlices, Tensor
from ..platform import tf_logging
from ..util import nest
from .tensor import EagerTensor

_READS = ("ReadVariableOp", "VariableV2", "ResourceGather", "ResourceGatherNd")
_variables = {}  # number of a handle -> weak reference to the variable (eager/variables.py)


def _handle_or_self(x):
    return x.handle if getattr(x, "_is_variable", False) and getattr(x, "_resource", False) else x


def _is_zero(unconnected):
    word = str(getattr(unconnected, "value", unconnected))
    if word not in ("none", "zero"):
        raise ValueError("Unknown value for unconnected_gradients: %r" % (unconnected,))
    return word == "zero"


for_all = None  # pfor; parallel_for/loops.py sets this


@export("GradientTape")
class GradientTape:
    """Context manager: records operations on watched tensors and trainable variables, for gradient()."""

    def __init__(self, persistent=False, watch_accessed_variables=True):
        self._persistent = persistent
        self._watch_accessed_variables = watch_accessed_variables
        self._tape = None        # True once the tape has recorded, False after its last gradient
        self._recording = False
        self._core = None        # the engine's graph with the recorded operations
        self._graph = None       # a graph that does not run at once, if the tape records one: of several the last
        self._watched = {}       # number of a watched tensor -> it (eager) or id -> it (in a graph)
        self._seen_variables = []
        self._created_eagerly = ops.executing_eagerly()

    def __enter__(self):
        self._push_tape()
        return self

    def __exit__(self, *unused):
        if self._recording:
            self._pop_tape()

    def __del__(self):
        try:
            if self._recording and self._thread == threading.get_ident():
                self._pop_tape()
            self._release()
        except Exception:  # the interpreter may be ending
            pass

    def _push_tape(self, existing_tape=False):
        if self._recording:
            raise ValueError("Tape is already recording.")
        graph = ops.get_default_graph()
        if not existing_tape and not self._tape:
            self._release()
            self._watched, self._seen_variables = {}, []
            self._tape, self._graph = True, None
        if graph._eager:
            if self._core is None:
                self._core = graph._core
                self._start = self._core.size()
                _weft.eager_hold(self._core, 1)
            self._thread, self._eagerly = threading.get_ident(), True
            self._variables_from = len(_weft.eager_read_variables())
            _weft.eager_record(1, 1 if self._watch_accessed_variables else 0)
        else:
            self._eagerly = False
            if self._graph is not graph:
                self._graph, self._graph_start = graph, graph._core.size()
        self._recording = True

    def _pop_tape(self):
        if not self._recording:
            raise ValueError("Tape is not recording.")
        self._recording = False
        if self._graph is not None:
            self._end = self._graph._core.size()
        if self._eagerly:
            self._note_variables()
            _weft.eager_record(-1, -1 if self._watch_accessed_variables else 0)
            if not _weft.eager_recording():
                _weft.eager_forget_variables(0)

    def _note_variables(self):
        """Watches the trainable variables that were read since the last call."""
        read = _weft.eager_read_variables()
        new, self._variables_from = read[self._variables_from:], len(read)
        if not self._watch_accessed_variables:
            return
        for number in new:
            if number not in self._watched:
                variable = _variables.get(number, lambda: None)()
                if variable is not None:
                    self._watched[number] = variable.handle
                    self._seen_variables.append(variable)

    def _read_in_graph(self):
        """The trainable variables that operations of the tape's graph have read, in order."""
        graph, core, found = self._graph, self._graph._core, []
        handles = {id(here): _variables.get(number, lambda: None)() for number, (_, here) in getattr(graph, "held", {}).items()}
        known = graph.__dict__.get("_variables_by_handle", {})
        for node in range(self._graph_start, core.size() if self._recording else self._end):
            if core.type(node) not in _READS:
                continue
            handle = core.operation(node).inputs[0]
            while handle.op.type in ("Switch", "Enter", "Identity"):
                handle = handle.op.inputs[0]
            variable = handles[id(handle)] if id(handle) in handles else known.get(handle.name)
            if variable is not None and variable.trainable and not any(variable is v for v in found + self._seen_variables):
                found.append(variable)
        return found

    def _release(self):
        core, self._core = self._core, None
        if core is not None:
            _weft.eager_hold(core, -1)
            graph = context.eager_graph()
            if graph._core is core and not _weft.eager_recording() and not _weft.eager_depth() and not _weft.eager_holds(core):
                graph._renew()

    def watch(self, tensor):
        """Records what is computed from `tensor`, or from each tensor of a structure."""
        for t in nest.flatten(tensor):
            if not (isinstance(t, Tensor) or getattr(t, "_is_variable", False)):
                raise ValueError("Passed in object of type {}, not tf.Tensor".format(type(t)))
            if not t.dtype.is_floating:
                tf_logging.warning("The dtype of the watched tensor must be floating (e.g. tf.float32), got %r", t.dtype)
            if getattr(t, "_is_variable", False):
                if t not in self._seen_variables:
                    self._seen_variables.append(t)
                t = _handle_or_self(t)
            if isinstance(t, EagerTensor):
                _weft.eager_watch(t)
                self._watched[_weft.eager_id(t)] = t
            else:
                self._watched[id(t)] = t

    def stop_recording(self):
        """Context manager: what is computed inside is not recorded."""
        return _Pause(self)

    def reset(self):
        """Forgets everything that was recorded."""
        self._pop_tape()
        self._release()
        self._tape = None
        self._push_tape()

    def watched_variables(self):
        """The variables that the tape watches, in the order of their first reads."""
        if self._recording and self._eagerly:
            self._note_variables()
        return tuple(self._seen_variables) + tuple(self._read_in_graph() if self._graph is not None and self._watch_accessed_variables else ())

    def gradient(self, target, sources, output_gradients=None, unconnected_gradients=UnconnectedGradients.NONE):
        """Derivatives of the sum of `target` with respect to `sources`, in the structure of `sources`."""
        if self._tape is None or self._tape is False:
            raise RuntimeError("GradientTape.gradient can only be called once on non-persistent tapes.")
        zero = _is_zero(unconnected_gradients)
        if self._recording:
            if not self._persistent:
                self._pop_tape()
            else:
                tf_logging.log_first_n(tf_logging.WARN, "Calling GradientTape.gradient on a persistent tape inside its context is significantly less efficient than calling it "
                                       "outside the context (it causes the gradient ops to be recorded on the tape, leading to increased CPU and memory usage). Only call "
                                       "GradientTape.gradient inside the context if you actually want to trace the gradient in order to compute higher order derivatives.", 1)
        flat_sources = [_handle_or_self(x) for x in nest.flatten(sources)]
        for t in flat_sources:
            if not isinstance(t, (Tensor, IndexedSlices)) and not getattr(t, "_is_variable", False):
                raise AttributeError("%r object has no attribute 'dtype'" % type(t).__name__)
        if output_gradients is not None:
            output_gradients = [None if x is None else ops.convert_to_tensor(x) for x in nest.flatten(output_gradients)]
        flat_targets = [t.values if isinstance(t, IndexedSlices) else self._read(t) for t in nest.flatten(target)]
        symbolic = next((t.graph for t in flat_targets if isinstance(t, Tensor) and not isinstance(t, EagerTensor)), None)
        if self._core is not None and symbolic is None:
            flat = self._eager_gradient(flat_targets, flat_sources, output_gradients, zero)
        else:
            flat = self._graph_gradient(flat_targets, flat_sources, output_gradients, unconnected_gradients, symbolic or self._graph)
        if not self._persistent:
            self._tape = False
            self._release()
        return nest.pack_sequence_as(sources, flat)

    def _read(self, target):
        """A target as a tensor; that of a variable is read as if it had been while the tape recorded."""
        if not getattr(target, "_is_variable", False):
            target.dtype  # noqa: B018 (AttributeError for what is no tensor)
            return target
        if self._recording:
            return ops.convert_to_tensor(target)
        self._push_tape(existing_tape=True)
        try:
            return ops.convert_to_tensor(target)
        finally:
            self._pop_tape()

    def _eager_gradient(self, targets, sources, grads, zero):
        if self._recording and self._eagerly:
            self._note_variables()
        graph, core = context.eager_graph(), self._core
        now, graph._core = graph._core, core
        try:
            with graph.as_default():
                wanted = [i for i, s in enumerate(sources) if isinstance(s, EagerTensor) and
                          (_weft.eager_id(s) in self._watched or _weft.eager_computed_after(core, s, self._start))]
                known = [(t, None if grads is None else grads[i]) for i, t in enumerate(targets) if isinstance(t, EagerTensor) and
                         (_weft.eager_id(t) in self._watched or _weft.eager_computed_after(core, t, self._start)) and (t.dtype.is_floating or t.dtype.is_complex)]
                found = [None] * len(sources)
                if wanted and known:
                    plain = grads is None and not any(t.dtype.is_complex for t, _ in known)
                    given = None if plain else [g if g is not None else engine.ones_like(t) for t, g in known]
                    made = _weft.eager_gradients(core, [t for t, _ in known], [sources[i] for i in wanted], given, self._start)
                    for i, g in zip(wanted, made):
                        found[i] = IndexedSlices(*g) if isinstance(g, tuple) else g
        finally:
            graph._core = now if now is not core or graph._core is core else graph._core
        if zero:
            found = [_zeros(s) if g is None else g for s, g in zip(sources, found)]
        return found

    def _graph_gradient(self, targets, sources, grads, unconnected, graph):
        """In a graph: tf.gradients along what was recorded, for the sources that the tape watches or that depend on such tensors. A tape that was entered while execution was
        eager has recorded all of a function that is traced meanwhile."""
        start = self._graph_start if graph is self._graph else 0
        targets = [ops.convert_to_tensor(t) if not isinstance(t, Tensor) else t for t in targets]
        core, before = graph._core, []
        for node in range(start, core.size()):
            before += [t for t in core.operation(node).inputs if t.op._node < start and not _is_handle(t)]
        held, watched, zero = getattr(graph, "held", {}), set(self._watched), _is_zero(unconnected)
        for number, (tensor, here) in held.items():
            if number in watched or self._core is not None and _weft.eager_computed_after(self._core, tensor, self._start):
                watched.add(id(here))
        inside = [held.get(_weft.eager_id(s), (s, s))[1] if isinstance(s, EagerTensor) else s for s in sources]
        known = [s for s in inside if not isinstance(s, EagerTensor)]
        found = iter(gradients(targets, known, grad_ys=grads, stop_gradients=list({id(t): t for t in before}.values()), unconnected_gradients=unconnected))
        out = []
        for s in inside:
            if isinstance(s, EagerTensor):  # not used by the graph
                out.append(_zeros(s) if zero else None)
                continue
            g = next(found)
            is_variable = getattr(s, "dtype", None) is not None and _is_handle(s)
            recorded = id(s) in watched or is_variable and self._watch_accessed_variables or _depends(s, watched, start, self._watch_accessed_variables)
            out.append(g if recorded else engine.zeros_like(s) if zero else None)
        return out

    def jacobian(self, target, sources, unconnected_gradients=UnconnectedGradients.NONE, parallel_iterations=None, experimental_use_pfor=True):
        """Derivatives of each element of `target` with respect to each source; without pfor the tape has to be persistent."""
        self._check_rows("jacobian", parallel_iterations, experimental_use_pfor)
        flat_sources, shape, dims = nest.flatten(sources), target.shape, basics.shape(target)
        flat = self._recorded(lambda: engine.reshape(target, [-1]))
        columns = self._rows(flat, 0, flat_sources, unconnected_gradients)
        out = []
        for column, source in zip(columns, flat_sources):
            made = None if column is None else engine.reshape(column, engine.concat([dims, basics.shape(source)], 0))
            if made is not None and ops.executing_eagerly():
                made.set_shape(shape.concatenate(source.shape))
            out.append(made)
        return nest.pack_sequence_as(sources, out)

    def batch_jacobian(self, target, source, unconnected_gradients=UnconnectedGradients.NONE, parallel_iterations=None, experimental_use_pfor=True):
        """Derivatives of each row of `target` with respect to the same row of `source`."""
        shape, its = target.shape.with_rank_at_least(2), source.shape.with_rank_at_least(2)
        if shape.ndims is not None and its.ndims is not None and not shape.dims[0].is_compatible_with(its.dims[0]):
            raise ValueError("Need first dimension of target shape (%s) and source shape (%s) to match." % (target.shape, source.shape))
        self._check_rows("batch_jacobian", parallel_iterations, experimental_use_pfor)
        dims, inner = basics.shape(target), basics.shape(source)
        batch = dims[0]
        flat = self._recorded(lambda: engine.reshape(target, engine.stack([batch, engine.reduce_prod(dims[1:])])))
        whole = engine.concat([dims, inner[1:]], 0)
        column = self._rows(flat, 1, [source], unconnected_gradients)[0]
        if column is None:
            return engine.zeros(whole, target.dtype)
        rows = engine.reshape(column, engine.stack([basics.shape(flat)[1], batch, engine.reduce_prod(inner[1:])]))
        return engine.reshape(engine.transpose(rows, [1, 0, 2]), whole)

    def _check_rows(self, what, parallel_iterations, experimental_use_pfor):
        settings.unused("GradientTape." + what, "the rows are computed one after another", parallel_iterations=(parallel_iterations, None))
        if not experimental_use_pfor and ops.executing_eagerly() and not self._persistent:
            raise RuntimeError("GradientTape must be created with persistent=True to compute the %s with eager execution enabled and with  experimental_use_pfor set to False." % what)

    def _recorded(self, function):
        """function(), recorded by the tape."""
        if self._recording:
            return function()
        self._push_tape(existing_tape=True)
        try:
            return function()
        finally:
            self._pop_tape()

    def _rows(self, flat, axis, sources, unconnected):
        """Per source the gradients of the parts of `flat` along the axis, stacked; None where there is none."""
        count = flat.shape.as_list()[axis]

        def gradient(i):
            return self.gradient(self._recorded(lambda: engine.gather(flat, i, axis=axis)), sources, unconnected_gradients=unconnected)

        if not self._tape:
            raise RuntimeError("GradientTape.gradient can only be called once on non-persistent tapes.")
        persistent, self._persistent = self._persistent, True
        try:
            # The size may be known only when the graph runs.
            stacked = for_all(gradient, basics.shape(flat)[axis]) if count is None else None
            rows = [gradient(i) for i in range(count or 0)]
        finally:
            self._persistent = persistent
        if not persistent:
            self._tape = False
            self._release()
        if stacked is not None:
            return stacked
        if not rows:
            return [engine.zeros(engine.concat([[0], basics.shape(s)], 0), s.dtype.base_dtype if s.dtype.name != "resource" else "float32") for s in sources]
        return [None if any(g is None for g in column) else engine.stack([ops.convert_to_tensor(g) for g in column]) for column in zip(*rows)]


def _is_handle(t):
    return t.dtype._is_ref_dtype or t.dtype.name == "resource"


def _zeros(source):
    if source.dtype.name == "resource":
        variable = _variables[_weft.eager_id(source)]()
        return engine.zeros(variable.shape, variable.dtype)
    return engine.zeros_like(source)


def _depends(tensor, watched, start, with_variables):
    """Whether a tensor of a graph was computed after node `start` from watched tensors, or from variables."""
    todo, seen = [tensor], set()
    while todo:
        t = todo.pop()
        if id(t) in watched:
            return True
        if id(t.op) in seen or t.op._node < start:
            continue
        seen.add(id(t.op))
        if with_variables and t.op.type in _READS:
            return True
        todo += list(t.op.inputs)
    return False


class _Pause:
    def __init__(self, tape):
        self._tape = tape

    def __enter__(self):
        if self._tape._tape is None:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        self._tape._pop_tape()

    def __exit__(self, *unused):
        self._tape._push_tape(existing_tape=True)
