"""tf.GradientTape: records what is computed from watched tensors, and differentiates it."""

import threading

from .. import _weft, context, engine, ops, settings
from ..exports import export
from ..gradients import gradients, UnconnectedGradients
from ..ops import IndexedSlices, Tensor
from ..platform import tf_logging
from ..util import nest
from .tensor import EagerTensor

_variables = {}  # number of a handle -> weak reference to the variable (eager/variables.py)


def _handle_or_self(x):
    return x.handle if getattr(x, "_is_variable", False) and getattr(x, "_resource", False) else x


def _is_zero(unconnected):
    word = str(getattr(unconnected, "value", unconnected))
    if word not in ("none", "zero"):
        raise ValueError("Unknown value for unconnected_gradients: %r" % (unconnected,))
    return word == "zero"


@export("GradientTape")
class GradientTape:
    """Context manager: records operations on watched tensors and trainable variables, for gradient()."""

    def __init__(self, persistent=False, watch_accessed_variables=True):
        self._persistent = persistent
        self._watch_accessed_variables = watch_accessed_variables
        self._tape = None        # True once the tape has recorded, False after its last gradient
        self._recording = False
        self._core = None        # the engine's graph with the recorded operations
        self._graph = None       # a graph that does not run at once, if the tape records one
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
        if not existing_tape:
            self._release()
            self._watched, self._seen_variables = {}, []
            self._tape = True
        if graph._eager:
            if self._core is None:
                self._core = graph._core
                self._start = self._core.size()
                _weft.eager_hold(self._core, 1)
            self._thread = threading.get_ident()
            self._variables_from = len(_weft.eager_read_variables())
            _weft.eager_record(1, 1 if self._watch_accessed_variables else 0)
        else:
            self._graph = graph
            self._start = graph._core.size()
        self._recording = True

    def _pop_tape(self):
        if not self._recording:
            raise ValueError("Tape is not recording.")
        self._recording = False
        if self._core is not None:
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
        if self._recording and self._core is not None:
            self._note_variables()
        return tuple(self._seen_variables)

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
                raise TypeError("'NoneType' object is not a tensor that a tape can differentiate by" if t is None else "%r is not a tensor" % (t,))
        if output_gradients is not None:
            output_gradients = [None if x is None else ops.convert_to_tensor(x) for x in nest.flatten(output_gradients)]
        flat_targets = [t.values if isinstance(t, IndexedSlices) else _handle_or_self(t) for t in nest.flatten(target)]
        flat = self._eager_gradient(flat_targets, flat_sources, output_gradients, zero) if self._core is not None else \
            self._graph_gradient(flat_targets, flat_sources, output_gradients, unconnected_gradients)
        if not self._persistent:
            self._tape = False
            self._release()
        return nest.pack_sequence_as(sources, flat)

    def _eager_gradient(self, targets, sources, grads, zero):
        if self._recording:
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
                    given = None if grads is None else [g if g is not None else engine.ones_like(t) for t, g in known]
                    made = _weft.eager_gradients(core, [t for t, _ in known], [sources[i] for i in wanted], given, self._start)
                    for i, g in zip(wanted, made):
                        found[i] = IndexedSlices(*g) if isinstance(g, tuple) else g
        finally:
            graph._core = now if now is not core or graph._core is core else graph._core
        if zero:
            found = [_zeros(s) if g is None else g for s, g in zip(sources, found)]
        return found

    def _graph_gradient(self, targets, sources, grads, unconnected):
        """In a graph: tf.gradients for the sources that the tape watches or that depend on such tensors."""
        targets = [ops.convert_to_tensor(t) if not isinstance(t, Tensor) else t for t in targets]
        found = gradients(targets, sources, grad_ys=grads, unconnected_gradients=unconnected)
        if self._watch_accessed_variables and not self._watched:
            watched = set()
        else:
            watched = set(self._watched)
        zero = _is_zero(unconnected)
        out = []
        for s, g in zip(sources, found):
            is_variable = getattr(s, "dtype", None) is not None and (s.dtype._is_ref_dtype or s.dtype.name == "resource")
            recorded = id(s) in watched or is_variable and self._watch_accessed_variables or _depends(s, watched, self._start, self._watch_accessed_variables)
            out.append(g if recorded else engine.zeros_like(s) if zero else None)
        return out

    def jacobian(self, target, sources, unconnected_gradients=UnconnectedGradients.NONE, parallel_iterations=None, experimental_use_pfor=True):
        """Derivatives of each element of `target` with respect to each source; the tape has to be persistent if `target` has several elements."""
        _no_pfor(parallel_iterations, experimental_use_pfor)
        flat_sources = nest.flatten(sources)
        shape = list(target.shape.as_list())
        flat = engine.reshape(target, [-1]) if self._recording else None
        count = int(target.shape.num_elements())
        if count > 1 and not self._persistent:
            self._persistent, once = True, True
        else:
            once = False
        rows = []
        for i in range(count):
            if flat is not None:
                rows.append(self.gradient(flat[i], flat_sources, unconnected_gradients=unconnected_gradients))
            else:
                pick = engine.reshape(engine.one_hot(i, count, dtype=target.dtype), shape)
                rows.append(self.gradient(target, flat_sources, output_gradients=[pick], unconnected_gradients=unconnected_gradients))
        if once:
            self._persistent, self._tape = False, False
            self._release()
        out = []
        for column, source in zip(zip(*rows), flat_sources):
            if any(g is None for g in column):
                out.append(None)
                continue
            dense = [ops.convert_to_tensor(g) for g in column]
            out.append(engine.reshape(engine.stack(dense), shape + source.shape.as_list()))
        return nest.pack_sequence_as(sources, out)

    def batch_jacobian(self, target, source, unconnected_gradients=UnconnectedGradients.NONE, parallel_iterations=None, experimental_use_pfor=True):
        """Derivatives of each row of `target` with respect to the same row of `source`."""
        _no_pfor(parallel_iterations, experimental_use_pfor)
        whole = target.shape.as_list()
        if whole[0] != source.shape.as_list()[0]:
            raise ValueError("Need first dimension of target shape (%s) and source shape (%s) to match." % (target.shape, source.shape))
        full = self.jacobian(target, source, unconnected_gradients)
        if full is None:
            return engine.zeros(whole + source.shape.as_list()[1:], target.dtype)
        return engine.stack([full[(i,) + (slice(None),) * (len(whole) - 1) + (i,)] for i in range(whole[0])])


def _no_pfor(parallel_iterations, experimental_use_pfor):
    settings.unused("GradientTape.jacobian", "the rows are computed one after another", parallel_iterations=(parallel_iterations, None),
                    experimental_use_pfor=(experimental_use_pfor, True, False))


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
        if with_variables and t.op.type in ("ReadVariableOp", "VariableV2", "ResourceGather"):
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
