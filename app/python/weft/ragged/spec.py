"""tf.RaggedTensorSpec: the type of ragged tensors."""

import numpy as np

from .. import dtypes, engine, ops
from ..exports import export
from ..tensor_shape import as_shape, dimension_value, TensorShape
from ..tensor_spec import TensorSpec
from ..type_spec import BatchableTypeSpec, CompositeTensor, register_type_spec_from_value_converter
from .tensor import is_ragged, RaggedTensor
from .values import RaggedTensorValue


@export("RaggedTensorSpec")
class RaggedTensorSpec(BatchableTypeSpec):
    """The type of a ragged tensor; data sets store it as one variant."""

    __slots__ = ("_shape", "_dtype", "_ragged_rank", "_row_splits_dtype")

    def __init__(self, shape=None, dtype=dtypes.float32, ragged_rank=None, row_splits_dtype=dtypes.int64):
        self._shape, self._dtype, self._row_splits_dtype = as_shape(shape), dtypes.as_dtype(dtype), dtypes.as_dtype(row_splits_dtype)
        rank = self._shape.ndims
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = rank - 1
        self._ragged_rank = ragged_rank
        if not isinstance(ragged_rank, int):
            raise TypeError("ragged_rank must be an int")
        if rank is not None and ragged_rank >= rank:
            raise ValueError("ragged_rank must be less than rank.")

    value_type = property(lambda self: RaggedTensor if self._ragged_rank > 0 else ops.Tensor)
    _flat_tensor_specs = property(lambda self: [TensorSpec(None, dtypes.variant)])

    @classmethod
    def from_value(cls, value):
        return cls(value.shape, value.values.dtype, value.ragged_rank, value.row_splits.dtype)

    def _serialize(self):
        return self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype

    @property
    def _component_specs(self):
        if self._ragged_rank == 0:
            return [TensorSpec(self._shape, self._dtype)]
        rows = None if self._shape.ndims is None else dimension_value(self._shape[0])
        values = TensorSpec(TensorShape([None]).concatenate(self._shape[self._ragged_rank + 1:]), self._dtype)
        splits = [TensorSpec([None if i or rows is None else rows + 1], self._row_splits_dtype) for i in range(self._ragged_rank)]
        return [values] + splits

    def _to_components(self, value):
        return [value.flat_values] + list(value.nested_row_splits) if is_ragged(value) else [value]

    def _from_components(self, components):
        arrays = all(isinstance(t, np.ndarray) for t in components)
        if not arrays:
            components = [ops.convert_to_tensor(t) if isinstance(t, np.ndarray) else t for t in components]
        made = components[0]
        for splits in reversed(components[1:]):
            made = RaggedTensorValue(made, splits) if arrays else RaggedTensor(made, splits, internal=True)
        return made

    def _to_tensor_list(self, value):
        return [value._to_variant(batched_input=False)]

    def _to_batched_tensor_list(self, value):
        return [value._to_variant(batched_input=True)]

    def _from_compatible_tensor_list(self, tensor_list):
        if self._ragged_rank <= 0:
            raise ValueError("ragged_rank must be non-negative; got %s." % self._ragged_rank)
        made = RaggedTensor._from_variant(tensor_list[0], dtype=self._dtype, output_ragged_rank=self._ragged_rank)
        if self._shape.ndims is not None:
            rows = dimension_value(self._shape[0])
            if rows is not None:
                made.row_splits.set_shape([rows + 1])
            made.flat_values.set_shape(TensorShape([None]).concatenate(self._shape[1 + self._ragged_rank:]))
        return made

    def _batch(self, batch_size):
        return RaggedTensorSpec(TensorShape([batch_size]).concatenate(self._shape), self._dtype, self._ragged_rank + 1)

    def _unbatch(self):
        return RaggedTensorSpec(self._shape[1:], self._dtype, self._ragged_rank - 1)  # a negative rank is an error when values are made, not before

    def _to_legacy_output_types(self):
        return self._dtype

    def _to_legacy_output_shapes(self):
        return self._shape

    def _to_legacy_output_classes(self):
        return self


class RaggedTensorType:
    """The type of an output that map_fn() makes a ragged tensor of."""

    __module__ = "tensorflow.python.ops.ragged.ragged_tensor"

    def __init__(self, dtype, ragged_rank, row_splits_dtype=dtypes.int64):
        self._dtype, self._ragged_rank, self._row_splits_dtype = dtype, ragged_rank, dtypes.as_dtype(row_splits_dtype)

    dtype = property(lambda self: self._dtype)
    ragged_rank = property(lambda self: self._ragged_rank)
    row_splits_dtype = property(lambda self: self._row_splits_dtype)


def _to_variant(self, batched_input=False, name=None):
    """A variant with the whole ragged tensor; `batched_input`: a vector of variants, one for each row."""
    with ops.name_scope(name, "RaggedToVariant", [self, batched_input]):
        return engine.raw_ops.RaggedTensorToVariant(rt_nested_splits=list(self.nested_row_splits), rt_dense_values=self.flat_values, batched_input=batched_input, name=name)


def _from_variant(cls, variant, dtype, output_ragged_rank, input_ragged_rank=None, name=None):
    """The ragged tensor in a variant, or those of a tensor of variants, stacked."""
    variant = ops.convert_to_tensor(variant, name="variant", dtype=dtypes.variant)
    rank = variant.shape.ndims
    if rank is not None and input_ragged_rank is not None and output_ragged_rank != input_ragged_rank + rank:
        raise ValueError("output_ragged_rank must be equal to input_ragged_rank +variant.shape.ndims, found variant.shape.ndims: %d, input_ragged_rank: %d, output_ragged_rank: %d" %
                         (rank, input_ragged_rank, output_ragged_rank))
    with ops.name_scope(name, "RaggedFromVariant", [variant, dtype, input_ragged_rank, output_ragged_rank]):
        made = engine.raw_ops.RaggedTensorFromVariant(encoded_ragged=variant, input_ragged_rank=-1 if input_ragged_rank is None else input_ragged_rank,
                                                      output_ragged_rank=output_ragged_rank, Tvalues=dtype, Tsplits=dtypes.int64, name=name)
        return cls.from_nested_row_splits(made.output_dense_values, made.output_nested_splits, validate=False)


RaggedTensor._to_variant, RaggedTensor._from_variant = _to_variant, classmethod(_from_variant)
RaggedTensor._type_spec = property(lambda self: RaggedTensorSpec(self.shape, self.dtype, self.ragged_rank, self.row_splits.dtype))
RaggedTensor._shape_invariant_to_type_spec = lambda self, shape: RaggedTensorSpec(shape, self.dtype, self.ragged_rank, self.row_splits.dtype)
for _name in ("_to_components", "_component_metadata", "_from_components", "_is_graph_tensor", "_consumers"):
    setattr(RaggedTensor, _name, CompositeTensor.__dict__[_name])
CompositeTensor.register(RaggedTensor)
register_type_spec_from_value_converter(RaggedTensorValue, RaggedTensorSpec.from_value)
