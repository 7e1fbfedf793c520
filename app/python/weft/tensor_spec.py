"""tf.TensorSpec, BoundedTensorSpec and tf.IndexedSlicesSpec: the types of tensors and of slices."""

import numpy as np

from . import dtypes, ops
from .exports import export
from .graph_elements import IndexedSlices
from .tensor_shape import as_shape, TensorShape
from .type_spec import BatchableTypeSpec, CompositeTensor, register_type_spec_from_value_converter, TypeSpec


@export("TensorSpec")
class TensorSpec(BatchableTypeSpec):
    """The shape and type of a tensor."""

    __slots__ = ("_shape", "_dtype", "_name")

    def __init__(self, shape, dtype=dtypes.float32, name=None):
        self._shape, self._dtype, self._name = TensorShape(shape), dtypes.as_dtype(dtype), name

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    name = property(lambda self: self._name)
    value_type = property(lambda self: ops.Tensor)
    _component_specs = property(lambda self: self)
    _flat_tensor_specs = property(lambda self: [self])

    @classmethod
    def from_spec(cls, spec, name=None):
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor, name=None):
        if not isinstance(tensor, ops.Tensor):
            raise ValueError("`tensor` should be a tf.Tensor")
        return TensorSpec(tensor.shape, tensor.dtype, name if hasattr(tensor, "numpy") else name or tensor.op.name)

    def is_compatible_with(self, spec_or_tensor):
        return (isinstance(spec_or_tensor, (TensorSpec, ops.Tensor)) and self._dtype.is_compatible_with(spec_or_tensor.dtype) and
                self._shape.is_compatible_with(spec_or_tensor.shape))

    def most_specific_compatible_type(self, other):
        if type(self) is not type(other) or self._dtype != other.dtype:
            raise ValueError("Types are not compatible: %r vs %r" % (self, other))
        return TensorSpec(self._shape.most_specific_compatible_shape(other.shape), self._dtype, self._name if self._name == other.name else None)

    def _serialize(self):
        return self._shape, self._dtype, self._name

    def _to_components(self, value):
        try:
            value = ops.convert_to_tensor(value, self._dtype)
            fits = value.shape.is_compatible_with(self._shape)
        except (TypeError, ValueError):
            fits = False
        if not fits:
            raise ValueError("Value %r is not convertible to a tensor with dtype %s and shape %s." % (value, self._dtype, self._shape))
        return value

    def _from_components(self, components):
        return components

    def _to_tensor_list(self, value):
        return [self._to_components(value)]

    def _to_batched_tensor_list(self, value):
        tensor = self._to_components(value)
        if self._shape.merge_with(tensor.shape).ndims == 0:
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        return [tensor]

    def _from_compatible_tensor_list(self, tensor_list):
        tensor_list[0].set_shape(self._shape)
        return tensor_list[0]

    def _batch(self, batch_size):
        return TensorSpec(TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self):
        if self._shape.ndims == 0:
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        return TensorSpec(self._shape[1:], self._dtype)

    def _to_legacy_output_types(self):
        return self._dtype

    def _to_legacy_output_shapes(self):
        return self._shape

    def _to_legacy_output_classes(self):
        return ops.Tensor

    def _dims(self):
        return None if self._shape.ndims is None else tuple(self._shape.as_list())

    def __eq__(self, other):
        return type(self) is type(other) and self._dims() == other._dims() and self._dtype == other._dtype and self._name == other._name

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((self._dims(), self._dtype))

    def __repr__(self):
        return "TensorSpec(shape={}, dtype={}, name={})".format(self.shape, repr(self.dtype), repr(self.name))


class BoundedTensorSpec(TensorSpec):
    """A TensorSpec with bounds of the values, both inclusive."""

    __slots__ = ("_minimum", "_maximum")
    minimum = property(lambda self: self._minimum)
    maximum = property(lambda self: self._maximum)

    def __init__(self, shape, dtype, minimum, maximum, name=None):
        super().__init__(shape, dtype, name)
        if minimum is None or maximum is None:
            raise ValueError("minimum and maximum must be provided; but saw '%s' and '%s'" % (minimum, maximum))
        self._minimum, self._maximum = self._bound(minimum, "minimum"), self._bound(maximum, "maximum")

    def _bound(self, value, what):
        own = np.shape(value)
        dims = self._shape.dims
        if dims is not None and any(d.value not in (None, 1, n) and n != 1 for d, n in zip(reversed(dims), reversed(own))):
            raise ValueError("%s is not compatible with shape. Message: %r." % (what, ValueError("Incompatible shapes for broadcasting: %s and %s" % (TensorShape(own), self._shape))))
        bound = np.array(value, dtype=self.dtype.as_numpy_dtype())
        bound.setflags(write=False)
        return bound

    @classmethod
    def from_spec(cls, spec):
        dtype = dtypes.as_dtype(spec.dtype)
        return BoundedTensorSpec(spec.shape, dtype, getattr(spec, "minimum", dtype.min), getattr(spec, "maximum", dtype.max), spec.name)

    def _serialize(self):
        return self._shape, self._dtype, self._minimum, self._maximum, self._name

    def __eq__(self, other):
        return super().__eq__(other) and np.allclose(self.minimum, other.minimum) and np.allclose(self.maximum, other.maximum)

    __hash__ = TensorSpec.__hash__

    def __repr__(self):
        return "BoundedTensorSpec(shape={}, dtype={}, name={}, minimum={}, maximum={})".format(self.shape, repr(self.dtype), repr(self.name), repr(self.minimum), repr(self.maximum))


@export("IndexedSlicesSpec")
class IndexedSlicesSpec(TypeSpec):
    """The type of IndexedSlices."""

    __slots__ = ("_shape", "_values_dtype", "_indices_dtype", "_dense_shape_dtype", "_indices_shape")
    value_type = property(lambda self: IndexedSlices)

    def __init__(self, shape=None, dtype=dtypes.float32, indices_dtype=dtypes.int64, dense_shape_dtype=None, indices_shape=None):
        self._shape, self._values_dtype, self._indices_dtype = as_shape(shape), dtypes.as_dtype(dtype), dtypes.as_dtype(indices_dtype)
        self._dense_shape_dtype = None if dense_shape_dtype is None else dtypes.as_dtype(dense_shape_dtype)
        self._indices_shape = as_shape(indices_shape).with_rank(1)

    def _serialize(self):
        return (self._shape, self._values_dtype, self._indices_dtype, self._dense_shape_dtype, self._indices_shape)

    @property
    def _component_specs(self):
        specs = [TensorSpec(self._indices_shape.concatenate(self._shape[1:]), self._values_dtype), TensorSpec(self._indices_shape, self._indices_dtype)]
        return tuple(specs + ([] if self._dense_shape_dtype is None else [TensorSpec([self._shape.ndims], self._dense_shape_dtype)]))

    def _to_components(self, value):
        return (value.values, value.indices) if value.dense_shape is None else (value.values, value.indices, value.dense_shape)

    def _from_components(self, components):
        return IndexedSlices(*components)


def _of_slices(value):
    return IndexedSlicesSpec(value.shape, value.dtype, value.indices.dtype, None if value.dense_shape is None else value.dense_shape.dtype, value.indices.shape)


CompositeTensor.register(IndexedSlices)
register_type_spec_from_value_converter(ops.Tensor, lambda tensor: TensorSpec(tensor.shape, tensor.dtype.base_dtype), allow_subclass=True)
register_type_spec_from_value_converter(np.ndarray, lambda array: TensorSpec(array.shape, array.dtype))
register_type_spec_from_value_converter(IndexedSlices, _of_slices)
