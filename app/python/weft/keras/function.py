"""K.function: a part of a graph as a function of arrays."""

import numpy as np

from .. import context, dtypes, ops
from ..control_flow import group
from ..exports import export
from ..layers.values import held_values
from ..ops import Tensor
from ..resource_variable import ResourceVariable
from ..sparse_tensor import SparseTensor
from ..util import nest
from ..variable_base import Variable
from ..variables import assign
from .backend import get_session


class _Function:
    """The result of K.function: feeds `inputs`, fetches `outputs`, then runs `updates`."""

    def __init__(self, inputs, outputs, updates, name, options):
        for key in options:
            if key not in ("options", "run_metadata", "fetches", "feed_dict"):
                raise ValueError('Invalid argument "%s" passed to K.function with TensorFlow backend' % key)
        if not isinstance(updates or [], (list, tuple)):
            raise TypeError("`updates` in a Keras backend function should be a list or tuple.")
        self.inputs, self.outputs, self.name = nest.flatten(inputs), outputs, name
        for t in self.inputs:
            self._check(t)
        first = [t for t in nest.flatten(outputs)[:1] if t is not None]
        with ops.control_dependencies(first):
            made = [assign(*u) if isinstance(u, tuple) else u for u in updates or []]
            self.updates_op = group(*made)
        self._fetches, self._feeds = list(options.get("fetches") or []), dict(options.get("feed_dict") or {})
        self.fetch_callbacks = {}  # tensor -> function that receives its value after each run
        self.traced_by = {}  # options and run_metadata of session.run() that replace those of the program
        self._options = {k: options[k] for k in ("options", "run_metadata") if k in options}

    @staticmethod
    def _check(t):
        if not isinstance(t, (Tensor, SparseTensor)) and not getattr(t, "_is_variable", False):
            raise TypeError("The inputs of K.function are tensors and variables, but %r is a %s." % (t, type(t).__name__))

    def __call__(self, inputs):
        given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        if len(given) != len(self.inputs):
            raise ValueError("K.function got %d values for its %d inputs: %s" % (len(given), len(self.inputs), ", ".join(t.name for t in self.inputs if hasattr(t, "name"))))
        graph = ops.get_default_graph()
        if graph._eager:
            with context.keras_graph().as_default():
                return self(inputs)
        session = get_session()
        tensors = [v for v in given if isinstance(v, (Tensor, SparseTensor, Variable))]
        if tensors:
            known = dict(zip(map(id, tensors), session.run(tensors, self._feeds)))
            given = [known.get(id(v), v) for v in given]
        feeds = dict(self._feeds)
        feeds.update(held_values(graph))
        for t, v in zip(self.inputs, given):
            if v is not None:
                feeds.update((place, self._value(t, v)) for place in self._places(t))
        more = dict(self.fetch_callbacks)
        found = session.run([self.outputs, self.updates_op, self._fetches, list(more)], feeds, **dict(self._options, **self.traced_by))
        for take, value in zip(more.values(), found[3]):
            take(value)
        return found[0]

    def _places(self, t):
        """The tensors to feed for `t`. A resource variable is read by a separate op for each use, so all its reads are fed."""
        if not isinstance(t, ResourceVariable):
            return [t]
        reads = []
        for op in self._needed():
            if not any(x is t.handle for x in op.inputs):
                continue
            if op.type != "ReadVariableOp":
                raise ValueError("K.function cannot feed the variable %s: %s (%s) takes the variable itself, not its value. Feed a K.placeholder in its place, or give the variable its "
                                 "value with K.set_value." % (t.name, op.name, op.type))
            reads.append(op.outputs[0])
        return reads

    def _needed(self):
        """The operations that outputs and updates depend on."""
        graph, found = ops.get_default_graph(), {}
        elements = [graph.as_graph_element(t) for t in nest.flatten([self.outputs, self._fetches])]
        todo = [e.op if isinstance(e, Tensor) else e for e in elements] + [self.updates_op]
        while todo:
            op = todo.pop()
            if op.name not in found:
                found[op.name] = op
                todo.extend([x.op for x in op.inputs] + list(op.control_inputs))
        return found.values()

    @staticmethod
    def _value(t, value):
        if isinstance(t, SparseTensor) and hasattr(value, "tocoo"):
            value = value.tocoo()
            return np.stack([value.row, value.col], 1).astype(np.int64), value.data, value.shape
        if isinstance(t, Tensor) and t.dtype.base_dtype not in (dtypes.resource, dtypes.variant):
            return np.asarray(value, dtype=t.dtype.base_dtype.as_numpy_dtype)
        return value


@export("keras.backend.function")
def function(inputs, outputs, updates=None, name=None, **kwargs):
    """A function of arrays: feeds `inputs` and returns the values of `outputs`. Options, run metadata, further fetches and a feed_dict apply to each run."""
    with context.keras_graph().as_default():
        return _Function(inputs, outputs, updates, name, kwargs)
