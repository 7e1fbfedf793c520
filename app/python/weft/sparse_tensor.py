"""tf.SparseTensor: one value made of three tensors."""

import collections

from . import dispatchable, dtypes, ops, session
from .exports import export, export_value
from .graph_elements import _TensorLike
from .ops import Tensor

SparseTensorValue = export_value(collections.namedtuple("SparseTensorValue", ["indices", "values", "dense_shape"]), "SparseTensorValue", "compat.v1.SparseTensorValue")


@export("SparseTensor", "sparse.SparseTensor")
class SparseTensor(_TensorLike):
    """The elements `values` at `indices` of a tensor of shape `dense_shape`; all others are zero."""

    __array_priority__ = 100

    @classmethod
    def from_value(cls, value):
        if not (isinstance(value, SparseTensor) or isinstance(value, SparseTensorValue)):
            raise TypeError("Neither a SparseTensor nor SparseTensorValue: %s." % value)
        return SparseTensor(indices=value.indices, values=value.values, dense_shape=value.dense_shape)

    @classmethod
    def _of(cls, indices, values, dense_shape):
        """From tensors made by the engine, which has also handled the name scope."""
        made = cls.__new__(cls)
        made._indices, made._values, made._dense_shape = indices, values, dense_shape
        made._dense_shape_default = ops.constant_value_as_shape(dense_shape)
        return made

    def __init__(self, indices, values, dense_shape):
        with ops.name_scope(None, "SparseTensor", [indices, values, dense_shape]):
            self._indices = ops.convert_to_tensor(indices, name="indices", dtype=dtypes.int64)
            self._values = ops.internal_convert_to_tensor(values, name="values", as_ref=isinstance(values, Tensor))
            self._dense_shape = ops.convert_to_tensor(dense_shape, name="dense_shape", dtype=dtypes.int64)
        self._dense_shape_default = ops.constant_value_as_shape(self._dense_shape)
        indices_shape = self._indices.shape.with_rank(2)
        values_shape = self._values.shape.with_rank(1)
        dense = self._dense_shape.shape.with_rank(1)
        indices_shape[0].merge_with(values_shape[0])
        indices_shape[1].merge_with(dense[0])

    indices = property(lambda self: self._indices)
    values = property(lambda self: self._values)
    dense_shape = property(lambda self: self._dense_shape)
    op = property(lambda self: self._values.op)
    dtype = property(lambda self: self._values.dtype)
    graph = property(lambda self: self._indices.graph)
    device = property(lambda self: self._values.device)

    @property
    def shape(self):
        return ops.constant_value_as_shape(self._dense_shape)

    def get_shape(self):
        return self.shape

    def consumers(self):
        return [c for t in (self._indices, self._values, self._dense_shape) for c in t.consumers()]

    def eval(self, feed_dict=None, session=None):
        indices, values, dense_shape = ops._eval_using_default_session([self.indices, self.values, self.dense_shape], feed_dict, self.graph, session)
        return SparseTensorValue(indices, values, dense_shape)

    def __str__(self):
        return "SparseTensor(indices=%s, values=%s, dense_shape=%s)" % (self._indices, self._values, self._dense_shape)

    def __truediv__(self, other):
        from .op_calls import raw

        return SparseTensor(self.indices, raw("SparseDenseCwiseDiv")(self.indices, self.values, self.dense_shape, other), self.dense_shape)

    __div__ = __truediv__

    def __mul__(self, other):
        from .op_calls import raw

        return SparseTensor(self.indices, raw("SparseDenseCwiseMul")(self.indices, self.values, self.dense_shape, other), self.dense_shape)


def is_sparse(x):
    """Whether it is a sparse tensor or the value of one."""
    return isinstance(x, (SparseTensor, SparseTensorValue))


@export("convert_to_tensor_or_sparse_tensor")
def convert_to_tensor_or_sparse_tensor(value, dtype=None, name=None):
    if isinstance(value, SparseTensorValue):
        value = SparseTensor.from_value(value)
    if isinstance(value, SparseTensor):
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise RuntimeError("Sparse dtype: requested = %s, actual = %s" % (dtypes.as_dtype(dtype).name, value.dtype.name))
        return value
    return ops.internal_convert_to_tensor(value, dtype=dtype, name=name)


def _refuse(value, dtype=None, name=None, as_ref=False):
    raise TypeError("Failed to convert object of type %s to Tensor. Contents: %s. Consider casting elements to a supported type." % (type(value), value))


dispatchable.sparse_tensor, dispatchable.sparse_value = SparseTensor, SparseTensorValue
ops.register_tensor_conversion_function((SparseTensor, SparseTensorValue), _refuse, 50)
session.register_session_run_conversion_functions(
    SparseTensor, lambda t: ([t.indices, t.values, t.dense_shape], lambda v: SparseTensorValue(*v)),
    lambda feed, value: list(zip([feed.indices, feed.values, feed.dense_shape], (value.indices, value.values, value.dense_shape) if hasattr(value, "indices") else value)))
