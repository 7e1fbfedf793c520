"""Graphs that compute immediately, for functions called by steps (tf.py_function). A tensor's value is computed when it is read.

An ImmediateGraph belongs to one call. The function builds nodes as in any graph; known values are fed, so nothing is computed twice."""

import numpy as np

from .. import engine, ops
from ..graph_elements import Tensor
from ..tensor_shape import TensorShape


class EagerTensor(Tensor):
    """A tensor whose value can be read: numpy(), bool(), int(), float(), len(), iteration, np.asarray()."""

    __slots__ = ()

    def numpy(self):
        """A copy of the value as an array, or a scalar."""
        value = self.graph.value(self)
        return value.copy() if isinstance(value, np.ndarray) else value

    @property
    def shape(self):
        known = Tensor.shape.fget(self)
        return known if known.is_fully_defined() else TensorShape(np.shape(self.graph.value(self)))

    def get_shape(self):
        return self.shape

    def eval(self, feed_dict=None, session=None):
        raise NotImplementedError("eval is not supported when eager execution is enabled, is .numpy() what you're looking for?")

    def __array__(self, dtype=None):
        return np.asarray(self.graph.value(self), dtype=dtype)

    def __bool__(self):
        return bool(self.graph.value(self))

    __nonzero__ = __bool__

    def __int__(self):
        return int(self.graph.value(self))

    def __float__(self):
        return float(self.graph.value(self))

    def __complex__(self):
        return complex(self.graph.value(self))

    def __index__(self):
        value = self.graph.value(self)
        if np.ndim(value) or not self.dtype.is_integer:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return int(value)

    def __format__(self, specification):
        return format(self.numpy(), specification)

    def __len__(self):
        if not self.shape.ndims:
            raise TypeError("Scalar tensor has no `len()`")
        return self.shape.as_list()[0]

    def __iter__(self):
        if not self.shape.ndims:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return iter([self[i] for i in range(len(self))])

    def __reversed__(self):
        return iter(list(self)[::-1])

    def __str__(self):
        return "tf.Tensor(%s, shape=%s, dtype=%s)" % (self.graph.value(self), self.shape, self.dtype.name)

    def __repr__(self):
        return "<tf.Tensor: shape=%s, dtype=%s, numpy=%r>" % (self.shape, self.dtype.name, self.graph.value(self))

    __hash__ = object.__hash__

    def __eq__(self, other):
        return self is other

    def __ne__(self, other):
        return self is not other


class ImmediateGraph(ops.Graph):
    """The graph of one call: its tensors are EagerTensors."""

    _tensor_class = EagerTensor
    immediate = True

    def __init__(self):
        super().__init__()
        self._values, self._ran, self._session = {}, set(), None

    def given(self, array, dtype):
        """A tensor with a given value."""
        with self.as_default():
            tensor = engine.placeholder(dtype, np.shape(array))
        self._values[tensor] = array
        return tensor

    def _run(self, fetches):
        if self._session is None:
            from ..session import Session

            self._session = Session(graph=self)
        # Operations with side effects run once, in program order.
        pending = [op for op in self.get_operations() if op._is_stateful and op not in self._ran and op.type not in ("Placeholder", "VarHandleOp", "VariableV2")]
        known = {t: v for t, v in self._values.items() if t not in fetches}
        values = self._session.run([list(fetches)] + [op.outputs or op for op in pending], feed_dict=known)
        for op, found in zip(pending, values[1:]):
            self._ran.add(op)
            for tensor, value in zip(op.outputs, found or ()):
                if tensor.dtype.name not in ("resource", "variant"):
                    self._values[tensor] = value
        self._values.update(zip(fetches, values[0]))

    def value(self, tensor):
        """The value of a tensor."""
        if tensor not in self._values:
            self._run([tensor])
        return self._values[tensor]

    def finish(self, tensors):
        """The values of the tensors, after all side effects have run."""
        missing = [t for t in tensors if t not in self._values]
        if missing or any(op._is_stateful and op not in self._ran for op in self.get_operations() if op.type != "Placeholder"):
            self._run(missing)
        return [self._values[t] for t in tensors]

    def close(self):
        if self._session is not None:
            self._session.close()
            self._session = None
