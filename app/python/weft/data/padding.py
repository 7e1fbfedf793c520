"""Dataset.padded_batch."""

import numpy as np

from .. import dtypes, engine, ops
from ..sparse_tensor import SparseTensor
from ..tensor_shape import TensorShape, as_shape
from . import structure


def _fits(padded, have):
    if padded.dims is None or have.dims is None:
        return True
    return padded.ndims == have.ndims and not any(p is not None and h is not None and p < h for p, h in zip(padded.as_list(), have.as_list()))


def _shape_tensor(padded, have):
    try:
        known = as_shape(padded)
        made = ops.convert_to_tensor([-1 if d is None else d for d in known.as_list()], dtype=dtypes.int64)
    except (TypeError, ValueError):
        made = ops.convert_to_tensor(padded, preferred_dtype=dtypes.int64)
        if made.shape.ndims is not None and made.shape.ndims != 1:
            raise ValueError("Padded shape %s must be a 1-D tensor of tf.int64 values, but its shape was %s." % (padded, made.shape))
        if made.dtype != dtypes.int64:
            raise TypeError("Padded shape %s must be a 1-D tensor of tf.int64 values, but its element type was %s." % (padded, made.dtype.name))
        known = ops.constant_value_as_shape(made)
    if not _fits(known, have):
        raise ValueError("The padded shape %s is not compatible with the corresponding input component shape %s." % (known, have))
    return made


def _value_tensor(value, dtype):
    value = ops.convert_to_tensor(value, name="padding_value")
    if not value.shape.is_compatible_with(TensorShape([])):
        raise ValueError("Padding value should be a scalar, but is not: %s" % value)
    if value.dtype != dtype:
        raise TypeError("Padding value tensor (%s) does not match output type: %s" % (value, dtype))
    return value


def _zero(dtype):
    if dtype.base_dtype == dtypes.string:
        return ""
    if dtype.base_dtype == dtypes.variant:
        raise TypeError("Unable to create padding for field of type 'variant' because t.base_type == dtypes.variant == {}.".format(dtype.base_dtype))
    return np.zeros_like(dtype.as_numpy_dtype())


def padded_batch(dataset, batch_size, padded_shapes, padding_values, drop_remainder):
    types, shapes, classes = dataset.output_types, dataset.output_shapes, dataset.output_classes
    if any(c is SparseTensor for c in structure.flatten(classes)):
        raise TypeError("Batching of padded sparse tensors is not currently supported")
    size = ops.convert_to_tensor(batch_size, dtype=dtypes.int64, name="batch_size")
    if padding_values is None:
        padding_values = structure.map_structure(_zero, types)
    wanted = [_shape_tensor(p, have) for have, p in zip(structure.flatten(shapes), structure.flatten_up_to(shapes, padded_shapes))]
    values = [_value_tensor(v, t) for v, t in zip(structure.flatten_up_to(shapes, padding_values), structure.flatten(types))]
    drop = ops.convert_to_tensor(drop_remainder, dtype=dtypes.bool_, name="drop_remainder")
    dropping = ops.constant_value(drop)
    known = ops.constant_value(size) if dropping else None
    spec = structure.convert_legacy_structure(types, structure.pack(shapes, [TensorShape([None if known is None else int(known)]).concatenate(ops.constant_value_as_shape(w)) for w in wanted]),
                                 classes)
    variant = engine.raw_ops.PaddedBatchDatasetV2(input_dataset=dataset._variant_tensor, batch_size=size, padded_shapes=wanted, padding_values=values, drop_remainder=drop,
                                                  output_shapes=structure.get_flat_tensor_shapes(spec))
    return type(dataset)(variant, spec, [dataset])
